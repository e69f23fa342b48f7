// SPDX-License-Identifier: MIT OR Apache-2.0
//! A table whose rows have one lane per path. Lanes are written one at a time. A row is read as bit planes: bit `i` of
//! plane `k` is bit `k` of lane `i`.
//!
//! A lane that is written in the clock cycle in which its row is read goes to a bypass register, which replaces the
//! lane in the data read.

use crate::blocks::pipeline_regs::PipelineRegs;
use rtl_model::{Bits, Bundle, Logic, Ram, RamShape, Reading, Wide, clog2, index_width, name_nets, when, wide};

/// A write of one lane.
#[derive(Bundle)]
#[shape(shape: BitPlaneRamShape)]
pub struct LaneWrite<L: Reading> {
    /// 1 if there is a write in this clock cycle.
    #[reset]
    pub valid: Bits<L>,
    /// Index of the row.
    #[width(index_width(shape.rows))]
    pub row: Bits<L>,
    /// Number of the lane.
    #[width(clog2(shape.lanes))]
    pub lane: Bits<L>,
    /// New value of the lane.
    #[width(shape.width)]
    pub value: Bits<L>,
}

/// Size of a bit-plane RAM.
#[derive(Clone, Copy, Debug)]
pub struct BitPlaneRamShape {
    /// Number of rows.
    pub rows: u64,
    /// Lanes per row, a power of two.
    pub lanes: u64,
    /// Used bits of a lane. In the memory a lane has 8 or 16 bits, for which block RAM has write enables.
    pub width: u32,
    /// Latency of the memory, 1 to 3 clock cycles.
    pub ram_latency: u32,
}

impl BitPlaneRamShape {
    const fn stored(self) -> u32 {
        if self.width <= 8 { 8 } else { 16 }
    }
}

/// A memory of rows with one lane per path, read bit by bit.
#[name_nets]
pub struct BitPlaneRam<L: Logic> {
    shape: BitPlaneRamShape,
    rows: Ram<Wide<L>>,
    /// Bypass registers: lanes written in the clock cycle of a read of their row, one clock cycle ago and so on.
    bypass: PipelineRegs<LaneWrite<L>>,
}

#[name_nets]
impl<L: Logic> BitPlaneRam<L> {
    /// A memory of this size; all lanes are 0 at power-up.
    pub fn new(shape: BitPlaneRamShape) -> Self {
        let lanes = shape.lanes as u32;
        let rows = RamShape::new(shape.rows).unused_on_collision().latency(shape.ram_latency).lanes(lanes);
        BitPlaneRam {
            shape,
            rows: Ram::new(rows, &wide(shape.stored() * lanes)),
            bypass: PipelineRegs::new(1..=shape.ram_latency, &LaneWrite::shape(shape)),
        }
    }

    /// The planes of the row that was read as many clock cycles ago as the latency, one for each bit of a lane.
    pub fn planes(&self) -> Vec<Bits<L>> {
        let (lanes, stored) = (self.shape.lanes as u32, self.shape.stored());
        let (bypass, row) = (self.bypass.last(), self.rows.data());
        let at = (Bits::lit(lanes, 1) << bypass.lane).gate(bypass.valid);
        let lowest = (0..clog2(self.shape.lanes)).fold(Wide::lit(stored, 1), |lanes, _| lanes.concat(lanes));
        let mut planes = Vec::new();
        for i in 0..self.shape.width {
            let held = (row & lowest << u64::from(i)).any_each(stored);
            planes.push(held & !at | at & bypass.value.bit(i).extend_signed(lanes));
        }
        planes
    }

    /// The same where the width of a lane does not depend on the configuration.
    pub fn data<const N: usize>(&self) -> [Bits<L>; N] {
        let planes = self.planes();
        assert_eq!(planes.len(), N, "a lane has so many bits");
        std::array::from_fn(|i| planes[i])
    }

    /// One clock cycle: a row is read and a lane is written.
    pub fn clock(&self, row: Bits<L>, write: LaneWrite<L>) {
        self.bypass.shift(LaneWrite { valid: write.valid & write.row.equals(row), ..write });
        self.rows.read(row);
        when(write.valid, || {
            self.rows.write_lane(write.row, write.lane, write.value.extend(self.shape.stored()));
        });
        self.rows.clock();
    }
}
