// SPDX-License-Identifier: MIT OR Apache-2.0
//! The beats of a stream in the rows of a device, without an item for each: in a closed loop most clock cycles have several.

use crate::device::ports::Port;
use crate::device::{Error, Ports};
use crate::network::FrameBytes;
use golden_vectors::Reason;
use rtl_model::netlist::interfaces::Direction;

/// Limb `index` of a row of bits of which the lowest `count` are 1.
fn ones(count: usize, index: usize) -> u64 {
    match count.saturating_sub(64 * index) {
        0 => 0,
        bits => u64::MAX >> (64 - bits.min(64)),
    }
}

/// The ports of a stream of frames.
#[derive(Clone, Debug)]
pub struct Axis {
    name: String,
    valid: usize,
    ready: usize,
    data: Port,
    keep: Port,
    last: usize,
    user: Port,
}

impl Axis {
    /// Those of the stream `name`, into the device or out of it.
    pub fn new(ports: &Ports, name: &str, direction: Direction) -> Result<Self, Error> {
        let port = |field: &str, direction| {
            let name = format!("{name}_{field}");
            let found = match direction {
                Direction::In => ports.input(&name),
                Direction::Out => ports.output(&name),
            };
            found.cloned().ok_or(Error::NoPort(name))
        };
        Ok(Axis {
            name: name.to_owned(),
            valid: port("tvalid", direction)?.offset,
            ready: port("tready", direction.other())?.offset,
            data: port("tdata", direction)?,
            keep: port("tkeep", direction)?,
            last: port("tlast", direction)?.offset,
            user: port("tuser", direction)?,
        })
    }

    /// Bytes of a beat.
    pub fn bytes(&self) -> usize {
        self.data.width as usize / 8
    }

    /// There is a beat.
    pub fn is_valid(&self, row: &[u64]) -> bool {
        row[self.valid] == 1
    }

    /// A beat can be taken.
    pub fn is_ready(&self, row: &[u64]) -> bool {
        row[self.ready] == 1
    }

    /// Says whether a beat is taken.
    pub fn set_ready(&self, row: &mut [u64], ready: bool) {
        row[self.ready] = ready as u64;
    }

    /// Offers nothing.
    pub fn put_nothing(&self, row: &mut [u64]) {
        row[self.valid] = 0;
    }

    /// Offers the beat of a frame that begins with byte `from`. Whether it is the last one.
    pub fn put(&self, row: &mut [u64], frame: &[u8], from: usize) -> bool {
        let beat = &frame[from..(from + self.bytes()).min(frame.len())];
        for (index, limb) in self.data.of_mut(row).iter_mut().enumerate() {
            let mut word = [0; 8];
            let part = beat.get(8 * index..).unwrap_or(&[]);
            let part = &part[..part.len().min(8)];
            word[..part.len()].copy_from_slice(part);
            *limb = u64::from_le_bytes(word);
        }
        for (index, limb) in self.keep.of_mut(row).iter_mut().enumerate() {
            *limb = ones(beat.len(), index);
        }
        let is_last = from + self.bytes() >= frame.len();
        row[self.valid] = 1;
        row[self.last] = is_last as u64;
        self.user.of_mut(row).fill(0);
        is_last
    }

    /// Appends a beat that is offered to a frame. Whether it is the last one. A gap in `tkeep`, or a mark on the last beat, is an
    /// error.
    pub fn take(&self, row: &[u64], frame: &mut FrameBytes) -> Result<bool, Error> {
        let keep = self.keep.of(row);
        let count: usize = keep.iter().map(|limb| limb.count_ones() as usize).sum();
        if count == 0 || keep.iter().enumerate().any(|(index, limb)| *limb != ones(count, index)) {
            return Err(Error::Protocol(format!("`{}`: tkeep is not contiguous", self.name)));
        }
        let is_last = row[self.last] == 1;
        if !is_last && count < self.bytes() {
            return Err(Error::Protocol(format!("`{}`: a beat that is not the last is not full", self.name)));
        }
        // A trimmed packet says that it is one.
        let trimmed = u64::from(Reason::Trimmed.code()) << 1;
        if is_last && ![0, trimmed].contains(&self.user.of(row)[0]) {
            return Err(Error::Protocol(format!("`{}`: a frame has a mark", self.name)));
        }
        let limbs = self.data.of(row).iter().flat_map(|limb| limb.to_le_bytes());
        frame.extend(limbs.take(count));
        Ok(is_last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::ports::interface;

    #[test]
    fn frames_survive_every_width() {
        for width in [64, 128, 512, 1024] {
            let fields = [("tdata", width), ("tkeep", width / 8), ("tlast", 1), ("tuser", 1)];
            let of = |name, direction| interface(name, direction, &["tvalid", "tready"], fields);
            let ports = Ports::of_interfaces(vec![of("s_axis", Direction::In), of("m_axis", Direction::Out)]);
            let input = Axis::new(&ports, "s_axis", Direction::In).expect("it is there");
            let output = Axis::new(&ports, "m_axis", Direction::Out).expect("it is there");
            for size in [1, 7, 8, 63, 64, 65, 128, 1500] {
                let frame: Vec<_> = (0..size).map(|i| (i * 7) as u8).collect();
                let (mut row, mut outputs, mut taken) =
                    (vec![0; ports.input_limbs()], vec![0; ports.output_limbs()], Vec::new());
                for from in (0..size).step_by(width as usize / 8) {
                    let is_last = input.put(&mut row, &frame, from);
                    for field in ["tdata", "tkeep", "tlast", "tuser"] {
                        let from = ports.input(&format!("s_axis_{field}")).expect("it is there");
                        let to = ports.output(&format!("m_axis_{field}")).expect("it is there");
                        to.of_mut(&mut outputs).copy_from_slice(from.of(&row));
                    }
                    assert_eq!(output.take(&outputs, &mut taken).expect("it is a beat"), is_last);
                }
                assert_eq!(taken, frame);
            }
        }
    }
}
