// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sub-paths of a QP as requests see them: a row of bytes, written one at a time and read together.
//!
//! A byte that is written in the clock of the read is caught beside the memory, and put in behind it.

use super::PathSchedulerConfig;
use super::ports::WEIGHT_WIDTH;
use super::records::{Sight, Told};
use crate::row::Row;
use rtl_model::{Bits, Logic, Ram, RamShape, Reg, Wide, when, wide};

/// Bits of a sub-path: weight, congested, probing, and two to fill the byte, for which block RAM has write enables.
const BYTE: u32 = 8;
/// Places in it, behind the weight.
const CONGESTED: u32 = WEIGHT_WIDTH;
const PROBING: u32 = WEIGHT_WIDTH + 1;

/// The memory.
pub struct SightTable<L: Logic> {
    config: PathSchedulerConfig,
    rows: Ram<Wide<L>>,
    /// What was told in the clock of the read, one clock ago and so on.
    caught: Row<Told<L>>,
}

impl<L: Logic> SightTable<L> {
    pub fn new(config: PathSchedulerConfig) -> Self {
        let (paths, latency) = (config.paths as u32, config.ram_latency);
        let rows = RamShape::new(config.qps).unused_on_collision().latency(latency).lanes(paths);
        SightTable {
            config,
            rows: Ram::new("sight", rows, &wide(BYTE * paths)),
            caught: Row::new(latency as usize, |i| Reg::new(&format!("caught_{}", i + 1), &config.told())),
        }
    }

    /// What was read `l` cycles ago.
    #[inline(always)]
    pub fn data(&self) -> Sight<L> {
        let (paths, caught, row) = (self.config.paths as u32, self.caught.last(), self.rows.data());
        let at = Bits::lit(paths, 1) << caught.path & caught.valid.extend_signed(paths);
        let lowest = (0..self.config.path_bits()).fold(Wide::lit(BYTE, 1), |bytes, _| bytes.concat(bytes));
        let plane = |place: u32, new: Bits<L>| {
            let stored = (row & lowest << u64::from(place)).any_each(BYTE);
            stored & !at | at & new.extend_signed(paths)
        };
        Sight {
            weight: std::array::from_fn(|i| plane(i as u32, caught.weight.bit(i as u32))),
            congested: plane(CONGESTED, caught.congested),
            probing: plane(PROBING, caught.probing),
        }
    }

    /// One cycle: a QP is read, a sub-path written.
    #[inline(always)]
    pub fn clock(&self, qp: Bits<L>, told: Told<L>) {
        self.caught.shift(Told { valid: told.valid & told.qp.equals(qp), ..told });
        self.rows.read(qp);
        when(told.valid, || {
            let byte = Bits::lit(2, 0).concat(told.probing).concat(told.congested).concat(told.weight);
            self.rows.write_lane(told.qp, told.path, byte);
        });
        self.rows.clock();
    }

    pub fn reset(&self) {
        self.caught.reset();
    }
}
