// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sub-paths of a QP as requests see them: a lane each, of weight, congested, probing.

use super::PathSchedulerConfig;
use super::records::{Sight, Told};
use crate::iwrr::WEIGHT_WIDTH;
use crate::planes::{Lane, Planes, PlanesShape};
use rtl_model::{Bits, Logic, name_nets};

/// The memory.
pub struct SightTable<L: Logic>(Planes<L>);

#[name_nets]
impl<L: Logic> SightTable<L> {
    pub fn new(config: PathSchedulerConfig) -> Self {
        let PathSchedulerConfig { qps, paths, ram_latency } = config;
        SightTable(Planes::new(PlanesShape { rows: qps, lanes: paths, width: WEIGHT_WIDTH + 2, ram_latency }))
    }

    /// What was read `l` cycles ago.
    pub fn data(&self) -> Sight<L> {
        let [a, b, c, d, congested, probing] = self.0.data();
        Sight { weight: [a, b, c, d], congested, probing }
    }

    /// One cycle: a QP is read, a sub-path written.
    pub fn clock(&self, qp: Bits<L>, told: Told<L>) {
        let value = told.probing.concat(told.congested).concat(told.weight);
        self.0.clock(qp, Lane { valid: told.valid, row: told.qp, lane: told.path, value });
    }
}
