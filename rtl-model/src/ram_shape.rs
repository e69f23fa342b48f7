// SPDX-License-Identifier: MIT OR Apache-2.0
//! The parameters of a memory.

use crate::ops::index_width;
use crate::widths::{Widths, leaves_of};

/// Read data of a row that is written in the same clock cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collision {
    /// The read does not happen: the read data are unchanged. Free on every target.
    Hold,
    /// The row before the write. Costs forwarding logic on some targets (ECP5).
    ReadFirst,
    /// Data that the stage does not use: it takes the row from elsewhere. Synthesis is told that and saves the
    /// comparison before the read enable. The model keeps its data and the Verilog reads the old row, so that lock-step
    /// detects a stage that uses them in spite of that.
    Unused,
}

/// The parameters of a [`Ram`](crate::Ram).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RamShape {
    /// Number of rows; addresses have `index_width(depth)` bits.
    pub depth: u64,
    /// Clock cycles from a read to its data: 1, 2 with the output register, or 3 with one more register after it.
    pub latency: u32,
    /// Behaviour if a row is read and written in the same clock cycle.
    pub collision: Collision,
    /// Number of read ports.
    pub reads: usize,
    /// Equal parts of a row, each written separately ([`Ram::write_lane`](crate::Ram::write_lane)); 1 for rows that are written whole. With
    /// [`Collision::Hold`] a read keeps the old data of the lane that is being written, and reads the others.
    pub lanes: u32,
}

impl RamShape {
    /// One read port, latency 2, the read data held on a collision.
    pub const fn new(depth: u64) -> Self {
        RamShape { depth, latency: 2, collision: Collision::Hold, reads: 1, lanes: 1 }
    }

    /// The same with another latency.
    pub const fn latency(self, latency: u32) -> Self {
        RamShape { latency, ..self }
    }

    /// The same with several read ports.
    pub const fn reads(self, reads: usize) -> Self {
        RamShape { reads, ..self }
    }

    /// The same, but a read returns the row before a write in the same clock cycle.
    pub const fn read_first(self) -> Self {
        RamShape { collision: Collision::ReadFirst, ..self }
    }

    /// The same, but the data of a colliding read are unused.
    pub const fn unused_on_collision(self) -> Self {
        RamShape { collision: Collision::Unused, ..self }
    }

    /// The same with rows written in lanes.
    pub const fn lanes(self, lanes: u32) -> Self {
        RamShape { lanes, ..self }
    }

    /// Checks that such a memory of rows with these widths is possible.
    #[track_caller]
    pub(crate) fn check(&self, row: &dyn Widths) {
        let row = leaves_of(row, "");
        assert!(self.depth >= 1 && self.reads >= 1 && (1..=3).contains(&self.latency), "not a memory: {self:?}");
        let width = row.iter().map(|leaf| leaf.width).sum::<u32>();
        let whole = row.iter().all(|leaf| leaf.wide && leaf.width == width);
        let lane = width / self.lanes.max(1);
        let lanes = whole && lane * self.lanes == width && lane.is_power_of_two() && lane <= 64;
        assert!(self.lanes == 1 || lanes, "rows of {width} bits have no {} lanes", self.lanes);
    }

    /// Width of an address.
    pub const fn address_width(&self) -> u32 {
        index_width(self.depth)
    }
}
