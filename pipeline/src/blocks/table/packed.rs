// SPDX-License-Identifier: MIT OR Apache-2.0
//! The memory of an [`RmwTable`](super::RmwTable): one row per index, or several indices packed into a row.

use crate::blocks::secded::{Protection, RamKind, SecdedRam, TableRam, Upsets};
use rtl_model::names::Scope;
use rtl_model::{Bits, Logic, Ram, RamShape, Signal, Wide, bits, name_nets, when, wide};

/// A memory with one read and one write per clock cycle.
pub trait Storage<L: Logic, T: Signal<Logic = L>> {
    /// The row of this index; `read` was called for it as many clock cycles ago as the latency.
    fn data(&self, index: Bits<L>) -> T;
    /// Reads the row of this index.
    fn read(&self, index: Bits<L>);
    /// Writes the row of this index.
    fn write(&self, index: Bits<L>, row: T);
    /// Says whether the row of this index is used in this clock cycle, so that its upsets count. Called once per clock cycle,
    /// before `clock`.
    fn check(&self, index: Bits<L>, used: Bits<L>);
    /// What was wrong with the row used one clock cycle ago; none without check bits.
    fn upsets(&self) -> Vec<Upsets<L>>;
    /// One clock cycle; call it after `read` and `write`.
    fn clock(&self);
}

#[name_nets]
impl<L: Logic, T: Signal<Logic = L>> Storage<L, T> for TableRam<L, T> {
    fn data(&self, _key: Bits<L>) -> T {
        TableRam::data(self)
    }

    fn read(&self, index: Bits<L>) {
        TableRam::read(self, index);
    }

    fn write(&self, index: Bits<L>, row: T) {
        TableRam::write(self, index, row);
    }

    fn check(&self, _key: Bits<L>, used: Bits<L>) {
        TableRam::check(self, 0, used);
    }

    fn upsets(&self) -> Vec<Upsets<L>> {
        TableRam::upsets(self)
    }

    fn clock(&self) {
        TableRam::clock(self);
    }
}

/// Rows of a few bits, several of them packed into one row of the memory; the low bits of the index address the lane.
/// With one row per index the memory would be so deep that a multiplexer would select between blocks before their
/// output register; here the lane is selected after it. With check bits each lane is a memory of its own.
#[name_nets]
pub struct PackedRam<L: Logic> {
    words: Words<L>,
    width: u32,
    /// Number of index bits that address the lane.
    lane_bits: u32,
}

enum Words<L: Logic> {
    Plain(Ram<Wide<L>>),
    /// Lane by lane.
    Secded(Vec<SecdedRam<L, Bits<L>>>),
}

impl<L: Logic> Words<L> {
    #[track_caller]
    fn new(depth: u64, lane_bits: u32, width: u32, kind: RamKind) -> Self {
        let shape = RamShape::new(depth).unused_on_collision().latency(kind.latency);
        match kind.protection {
            Protection::None => Words::Plain(Ram::new(shape.lanes(1 << lane_bits), &wide(width << lane_bits))),
            Protection::Secded => {
                let mut lanes = Vec::new();
                for lane in 0..1 << lane_bits {
                    let _scope = Scope::<L>::enter(&format!("lane_{lane}"), "");
                    lanes.push(SecdedRam::new(shape, &bits(width)));
                }
                Words::Secded(lanes)
            }
        }
    }
}

#[name_nets]
impl<L: Logic> PackedRam<L> {
    /// A memory with `depth` rows; each packs 2^`lane_bits` table rows of `width` bits.
    pub fn new(depth: u64, lane_bits: u32, width: u32, kind: impl Into<RamKind>) -> Self {
        PackedRam { words: Words::new(depth, lane_bits, width, kind.into()), width, lane_bits }
    }

    /// The row of the memory, and the lane in it.
    fn address(&self, index: Bits<L>) -> (Bits<L>, Bits<L>) {
        let row = match index.width() > self.lane_bits {
            true => index.slice(self.lane_bits, index.width() - self.lane_bits),
            false => Bits::lit(1, 0),
        };
        (row, index.slice(0, self.lane_bits))
    }
}

#[name_nets]
impl<L: Logic> Storage<L, Bits<L>> for PackedRam<L> {
    fn data(&self, index: Bits<L>) -> Bits<L> {
        let lane = self.address(index).1;
        match &self.words {
            Words::Plain(words) => words.data().lane(lane, self.width),
            Words::Secded(lanes) => {
                let mut chosen = Bits::lit(self.width, 0);
                for (number, memory) in lanes.iter().enumerate() {
                    chosen = chosen | memory.data(0).gate(lane.equals(number as u64));
                }
                chosen
            }
        }
    }

    fn read(&self, index: Bits<L>) {
        let address = self.address(index).0;
        match &self.words {
            Words::Plain(words) => words.read(address),
            Words::Secded(lanes) => lanes.iter().for_each(|memory| memory.read(0, address)),
        }
    }

    fn write(&self, index: Bits<L>, row: Bits<L>) {
        let (address, lane) = self.address(index);
        match &self.words {
            Words::Plain(words) => words.write_lane(address, lane, row),
            Words::Secded(lanes) => {
                for (number, memory) in lanes.iter().enumerate() {
                    when(lane.equals(number as u64), || memory.write(address, row));
                }
            }
        }
    }

    fn check(&self, index: Bits<L>, used: Bits<L>) {
        if let Words::Secded(lanes) = &self.words {
            let lane = self.address(index).1;
            for (number, memory) in lanes.iter().enumerate() {
                memory.check(0, used & lane.equals(number as u64));
            }
        }
    }

    fn upsets(&self) -> Vec<Upsets<L>> {
        match &self.words {
            Words::Plain(_) => Vec::new(),
            Words::Secded(lanes) => {
                // One lane at a time is used.
                let all = lanes.iter().flat_map(SecdedRam::upsets).reduce(Upsets::or);
                all.into_iter().collect()
            }
        }
    }

    fn clock(&self) {
        match &self.words {
            Words::Plain(words) => words.clock(),
            Words::Secded(lanes) => lanes.iter().for_each(SecdedRam::clock),
        }
    }
}
