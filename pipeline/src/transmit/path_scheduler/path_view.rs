// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sub-paths of a QP as requests see them: one lane per sub-path with weight, flags and `released`.

use super::config::PathSchedulerConfig;
use super::records::{PathUpdate, PathView};
use crate::blocks::table::{BitPlaneRam, BitPlaneRamShape, LaneWrite};
use rtl_model::{Bits, Logic, name_nets};

/// Memory of what requests see of the sub-paths: one row per QP.
pub struct PathViewTable<L: Logic> {
    weight_bits: u32,
    rows: BitPlaneRam<L>,
}

#[name_nets]
impl<L: Logic> PathViewTable<L> {
    pub fn new(config: PathSchedulerConfig) -> Self {
        let PathSchedulerConfig { qps, paths, ram_latency, weight_bits, .. } = config;
        let width = weight_bits + 5;
        PathViewTable {
            weight_bits,
            rows: BitPlaneRam::new(BitPlaneRamShape { rows: qps, lanes: paths, width, ram_latency }),
        }
    }

    /// The row that was read `l` clock cycles ago.
    pub fn data(&self) -> PathView<L> {
        let planes = self.rows.planes();
        let (weights, flags) = planes.split_at(self.weight_bits as usize);
        let weight = weights.iter().skip(1).fold(weights[0].widen(), |low, plane| plane.widen().concat(low));
        let [congested, probing, avoided, losing, released] = [flags[0], flags[1], flags[2], flags[3], flags[4]];
        PathView { weight, congested, probing, avoided, losing, released }
    }

    /// One clock cycle: the row of a QP is read and a sub-path is written.
    pub fn clock(&self, qp: Bits<L>, update: PathUpdate<L>) {
        let flags = update
            .released
            .concat(update.losing)
            .concat(update.avoided)
            .concat(update.probing)
            .concat(update.congested);
        let value = flags.concat(update.weight);
        self.rows.clock(qp, LaneWrite { valid: update.valid, row: update.qp, lane: update.path, value });
    }
}
