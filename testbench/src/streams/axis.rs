// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames on AXI4-Stream: byte 0 is in `tdata[7:0]`, `tkeep` is contiguous, and the stage's own bits of `tuser` are on
//! the last beat. The other signals are the side band: [`crate::streams::side_band`].

use super::channel::{Channel, Item};
use crate::device::Error;

/// Number of bits of `tuser` that hold the verdict of a frame (drop and reason). They are below the side band.
pub(super) const VERDICT: u32 = 5;

/// A frame and the stage's own bits of `tuser` on its last beat.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Frame {
    /// The bytes without FCS.
    pub bytes: Vec<u8>,
    /// The stage's own bits of `tuser`.
    pub user: u64,
}

/// The beats of a frame. An empty frame has none. Fields of the channel other than the usual ones are 0.
pub fn beats(channel: &Channel, frame: &Frame) -> Result<Vec<Item>, Error> {
    let layout = Layout::of(channel)?;
    let mut items = Vec::with_capacity(frame.bytes.len().div_ceil(layout.bytes));
    for chunk in frame.bytes.chunks(layout.bytes) {
        let mut item = vec![0; channel.limbs()].into_boxed_slice();
        for (i, &byte) in chunk.iter().enumerate() {
            item[layout.data.start + i / 8] |= (byte as u64) << (8 * (i % 8));
            item[layout.keep.start + i / 64] |= 1 << (i % 64);
        }
        items.push(item);
    }
    if let Some(last) = items.last_mut() {
        last[layout.last] = 1;
        last[layout.user] = frame.user;
    }
    Ok(items)
}

/// The frames of a sequence of beats. A violation of the rules is an error: gaps in `tkeep`, a short beat that is not
/// the last, own bits of `tuser` before the last beat. A frame without its end is left out.
pub fn frames(channel: &Channel, items: &[Item]) -> Result<Vec<Frame>, Error> {
    let layout = Layout::of(channel)?;
    let mut frames = Vec::new();
    let mut bytes = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let kept = |i: usize| item[layout.keep.start + i / 64] >> (i % 64) & 1 == 1;
        let count = (0..layout.bytes).take_while(|&i| kept(i)).count();
        let (last, user) = (item[layout.last] != 0, item[layout.user] & ((1 << VERDICT) - 1));
        let rule = [
            (count == 0 || (count..layout.bytes).any(kept), "tkeep is not contiguous from bit 0"),
            (!last && count < layout.bytes, "a beat that is not the last is not full"),
            (!last && user != 0, "tuser is not 0 before the last beat"),
        ];
        if let Some((_, rule)) = rule.iter().find(|(broken, _)| *broken) {
            return Err(Error::Protocol(format!("`{}`, beat {index}: {rule}", channel.name())));
        }
        bytes.extend((0..count).map(|i| (item[layout.data.start + i / 8] >> (8 * (i % 8))) as u8));
        if last {
            frames.push(Frame { bytes: std::mem::take(&mut bytes), user });
        }
    }
    Ok(frames)
}

/// Positions of the fields in an item.
struct Layout {
    bytes: usize,
    data: std::ops::Range<usize>,
    keep: std::ops::Range<usize>,
    last: usize,
    user: usize,
}

impl Layout {
    fn of(channel: &Channel) -> Result<Self, Error> {
        let (width, data) = channel.field("tdata")?;
        Ok(Layout {
            bytes: width as usize / 8,
            data,
            keep: channel.field("tkeep")?.1,
            last: channel.field("tlast")?.1.start,
            user: channel.field("tuser")?.1.start,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Ports;
    use crate::device::ports::interface;
    use rtl_model::netlist::interfaces::Direction;

    fn channel(width: u32) -> Channel {
        let fields = [("tdata", width), ("tkeep", width / 8), ("tlast", 1), ("tuser", 5)];
        let stream = interface("m_axis", Direction::Out, &["tvalid", "tready"], fields);
        Channel::output(&Ports::of_interfaces(vec![stream]), "m_axis").expect("a whole stream")
    }

    #[test]
    fn frames_survive_every_width() {
        for width in [64, 128, 512, 1024] {
            let channel = channel(width);
            let sizes = [1, 7, 8, 9, 63, 64, 65, 128, 129, 1500];
            let sent: Vec<_> =
                sizes.map(|n| Frame { bytes: (0..n).map(|i| i as u8).collect(), user: n as u64 % 32 }).into();
            let items: Vec<_> = sent.iter().flat_map(|f| beats(&channel, f).expect("a whole stream")).collect();
            assert_eq!(frames(&channel, &items).expect("legal"), sent);
        }
    }

    #[test]
    fn illegal_beats_are_named() {
        let channel = channel(64);
        let mut items = beats(&channel, &Frame { bytes: vec![1; 16], user: 0 }).expect("a whole stream");
        items[0][1] = 0x7f;
        let error = frames(&channel, &items).expect_err("short").to_string();
        assert_eq!(error, "`m_axis`, beat 0: a beat that is not the last is not full");
        items[1][1] = 0xfd;
        assert!(frames(&channel, &items[1..]).expect_err("gap").to_string().contains("not contiguous"));
    }
}
