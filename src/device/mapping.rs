// SPDX-License-Identifier: MIT OR Apache-2.0
//! Maps memories to primitives: by the rule of yosys' `memory_libmap`, or by geometry alone for devices that yosys does
//! not support.
//!
//! yosys gives every way to build a memory a price and takes the cheapest. The price is the sum of: the primitives,
//! half a point per bit of the multiplexer after rows in different primitives, half a point per enable before them, and
//! two points for everything that logic must add. If the memory is deeper than the primitive, the bits that one group
//! of rows leaves unused are used for the next group.

use super::Device;
use super::primitive::{Arrangement, Mode, Pool, Primitive, ULTRA, URAM288};
use rtl_model::netlist::MemoryMeasure;
use rtl_model::netlist::circuit::Collision;

/// How one memory with all its read ports is built.
#[derive(Clone, Debug, PartialEq)]
pub struct Mapping {
    /// The primitive; `None` if flip-flops are cheaper.
    pub primitive: Option<&'static Primitive>,
    /// Rows and bits per row of one primitive.
    pub arrangement: Arrangement,
    /// Number of primitives.
    pub count: u64,
    /// Number of bits of all primitives and flip-flops.
    pub allocated_bits: u64,
    /// Number of flip-flops: data registers outside of the primitive, and rows if no primitive is used.
    pub flip_flops: u64,
}

/// One way to build a memory with one read port, and its price.
struct Candidate {
    mode: &'static Mode,
    arrangement: Arrangement,
    count: u64,
    cost: f64,
}

impl Mapping {
    /// The mapping on a device. Each read port has a copy of the memory, because a block has one port for the write and
    /// one for a read. Each lane is an array of its own, because it is written separately, and so is each slice of a
    /// lane.
    pub fn of(memory: &MemoryMeasure, device: &Device) -> Self {
        let copies = memory.reads as u64 * u64::from(memory.lanes.max(1));
        let lane = lane(memory);
        let slices = u64::from(lane.width / lane.slice);
        let rest = lane.width % lane.slice;
        let whole = Mapping::of_array(&MemoryMeasure { width: lane.slice, ..lane.clone() }, device, copies * slices);
        match rest {
            0 => whole,
            _ => whole.and(&Mapping::of_array(&MemoryMeasure { width: rest, ..lane }, device, copies)),
        }
    }

    /// Adds another array with the same rows; the kind of primitive remains that of the first.
    fn and(self, other: &Self) -> Self {
        Mapping {
            count: self.count + other.count,
            allocated_bits: self.allocated_bits + other.allocated_bits,
            flip_flops: self.flip_flops + other.flip_flops,
            ..self
        }
    }

    /// A number of copies of one array.
    fn of_array(memory: &MemoryMeasure, device: &Device, copies: u64) -> Self {
        if memory.large && device.ultra.is_some() {
            let count = of_ultra(memory) * copies;
            return Mapping {
                primitive: Some(&URAM288),
                arrangement: ULTRA,
                count,
                allocated_bits: count * URAM288.bits,
                flip_flops: copies * u64::from(memory.width) * u64::from(memory.latency - 1),
            };
        }
        let chosen = match device.family.synthesis() {
            Some(_) => cheapest(memory, device.modes),
            None => fewest(memory, device.modes),
        };
        let (bits, row) = (memory.bits(), u64::from(memory.width));
        let data = row * u64::from(memory.latency);
        match chosen {
            None => Mapping {
                primitive: None,
                arrangement: (memory.depth, memory.width),
                count: 0,
                allocated_bits: bits * copies,
                flip_flops: (bits + data) * copies,
            },
            Some(Candidate { mode, arrangement, count, .. }) => Mapping {
                primitive: Some(mode.primitive),
                arrangement,
                count: count * copies,
                allocated_bits: count * copies * mode.primitive.bits,
                flip_flops: copies * (data - if mode.primitive.pool == Pool::Block { row } else { 0 }),
            },
        }
    }
}

/// Number of UltraRAMs for a memory that is put into them on request.
pub fn ultra(memory: &MemoryMeasure) -> u64 {
    of_ultra(&lane(memory)) * memory.reads as u64 * u64::from(memory.lanes.max(1))
}

/// Number of UltraRAMs for an array.
fn of_ultra(memory: &MemoryMeasure) -> u64 {
    let (rows, width) = ULTRA;
    memory.depth.div_ceil(rows) * u64::from(memory.width.div_ceil(width))
}

/// One lane of a memory.
fn lane(memory: &MemoryMeasure) -> MemoryMeasure {
    let width = memory.width / memory.lanes.max(1);
    MemoryMeasure { width, lanes: 1, ..memory.clone() }
}

/// The choice of yosys; `None` for flip-flops.
fn cheapest(memory: &MemoryMeasure, modes: &'static [Mode]) -> Option<Candidate> {
    // yosys first keeps the best of each kind, then compares kinds; it rounds the price to beat down.
    let best_of = |pool: Pool| {
        let of_kind = modes.iter().filter(|mode| mode.primitive.pool == pool);
        of_kind.map(|mode| best_arrangement(memory, mode)).reduce(
            |best, next| {
                if next.cost < best.cost { next } else { best }
            },
        )
    };
    let (mut chosen, mut to_beat) = (None, memory.bits() as f64);
    for candidate in [Pool::Distributed, Pool::Block].into_iter().filter_map(best_of) {
        if candidate.cost < to_beat {
            to_beat = candidate.cost.floor();
            chosen = Some(candidate);
        }
    }
    chosen
}

fn best_arrangement(memory: &MemoryMeasure, mode: &'static Mode) -> Candidate {
    let mut all = mode.arrangements.iter().map(|&arrangement| candidate(memory, mode, arrangement));
    let first = all.next().expect("a mode has an arrangement");
    all.fold(first, |best, next| if next.cost < best.cost.floor() { next } else { best })
}

fn candidate(memory: &MemoryMeasure, mode: &'static Mode, arrangement: Arrangement) -> Candidate {
    let (rows, unit) = (arrangement.0, u64::from(arrangement.1));
    let width = u64::from(memory.width);
    let groups = memory.depth.div_ceil(rows);
    let enabled = mode.byte.map_or(unit, |byte| u64::from(byte).min(unit));
    let count = (groups * width.next_multiple_of(enabled)).div_ceil(unit);
    let primitives = match mode.scales {
        true => mode.cost * (groups * width) as f64 / unit as f64,
        false => mode.cost * count as f64,
    };
    let multiplexer = ((groups - 1) * width) as f64;
    let enables = if groups > 1 { groups as f64 } else { 0.0 };
    // A separate read port is one addition; reading the old row is a copy of the write (3) and its bypass of the memory
    // (3).
    let old = memory.collision == Collision::ReadFirst && !mode.reads_old;
    let logic = if old { 7.0 } else { 1.0 };
    Candidate { mode, arrangement, count, cost: primitives + 0.5 * multiplexer + 0.5 * enables + 2.0 * logic }
}

/// Geometry alone: the fewest blocks, or distributed memory if one unit is deep enough.
fn fewest(memory: &MemoryMeasure, modes: &'static [Mode]) -> Option<Candidate> {
    let shallow = |mode: &&Mode| mode.arrangements.iter().any(|&(rows, _)| memory.depth <= rows);
    let distributed = modes.iter().filter(|mode| mode.primitive.pool == Pool::Distributed).find(shallow);
    let mode = distributed.or_else(|| modes.iter().find(|mode| mode.primitive.pool == Pool::Block))?;
    let tiles = |&arrangement: &Arrangement| Candidate {
        mode,
        arrangement,
        count: memory.depth.div_ceil(arrangement.0) * u64::from(memory.width.div_ceil(arrangement.1)),
        cost: 0.0,
    };
    mode.arrangements.iter().map(tiles).min_by_key(|candidate| candidate.count)
}

#[cfg(test)]
#[path = "mapping_tests.rs"]
mod tests;
