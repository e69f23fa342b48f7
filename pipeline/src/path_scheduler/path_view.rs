// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sub-paths of a QP as requests see them: one lane per sub-path with weight, congested flag and probing flag.

use super::config::PathSchedulerConfig;
use super::records::{PathUpdate, PathView};
use crate::blocks::iwrr::WEIGHT_WIDTH;
use crate::blocks::table::{BitPlaneRam, BitPlaneRamShape, LaneWrite};
use rtl_model::{Bits, Logic, name_nets};

/// Memory of what requests see of the sub-paths: one row per QP.
pub struct PathViewTable<L: Logic>(BitPlaneRam<L>);

#[name_nets]
impl<L: Logic> PathViewTable<L> {
    pub fn new(config: PathSchedulerConfig) -> Self {
        let PathSchedulerConfig { qps, paths, ram_latency } = config;
        PathViewTable(BitPlaneRam::new(BitPlaneRamShape {
            rows: qps,
            lanes: paths,
            width: WEIGHT_WIDTH + 2,
            ram_latency,
        }))
    }

    /// The row that was read `l` clock cycles ago.
    pub fn data(&self) -> PathView<L> {
        let [a, b, c, d, congested, probing] = self.0.data();
        PathView { weight: [a, b, c, d], congested, probing }
    }

    /// One clock cycle: the row of a QP is read and a sub-path is written.
    pub fn clock(&self, qp: Bits<L>, path_update: PathUpdate<L>) {
        let value = path_update.probing.concat(path_update.congested).concat(path_update.weight);
        self.0.clock(qp, LaneWrite { valid: path_update.valid, row: path_update.qp, lane: path_update.path, value });
    }
}
