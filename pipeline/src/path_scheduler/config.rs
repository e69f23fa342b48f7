// SPDX-License-Identifier: MIT OR Apache-2.0
//! Size of the stage, and the widths that follow from it.

use super::PathScheduler;
use crate::command_port::CommandPortShape;
use rtl_model::{Bits, Design, Logic, Shape, bits, clog2, index_width, name_nets};

/// Size of the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathSchedulerConfig {
    /// Queue pairs, 1 to 4096.
    pub qps: u64,
    /// Sub-paths of each, a power of two from 2 to 64.
    pub paths: u64,
    /// Clocks from address to row of the memories: 1, 2 with their output register, 3 with one more register behind it.
    pub ram_latency: u32,
}

impl PathSchedulerConfig {
    /// So many queue pairs of so many sub-paths, in memories with their output register.
    pub const fn new(qps: u64, paths: u64) -> Self {
        PathSchedulerConfig { qps, paths, ram_latency: 2 }
    }

    /// The same with memories of another latency.
    pub const fn ram_latency(self, ram_latency: u32) -> Self {
        PathSchedulerConfig { ram_latency, ..self }
    }

    /// Width of the number of a QP.
    pub(super) const fn qp(self) -> Bits<Shape> {
        bits(index_width(self.qps))
    }

    /// Width of the number of a sub-path.
    pub(super) const fn path_bits(self) -> u32 {
        clog2(self.paths)
    }

    /// One bit a sub-path.
    pub(super) const fn each(self) -> Bits<Shape> {
        bits(self.paths as u32)
    }

    /// Sub-paths of all QPs.
    pub(super) const fn sub_paths(self) -> u64 {
        self.qps * self.paths
    }

    /// Whether there is such a QP; the numbers of a table that is no power of two reach beyond it.
    pub(super) fn index_valid<L: Logic>(self, qp: Bits<L>) -> Bits<L> {
        match self.qps == 1 << index_width(self.qps) {
            true => Bits::lit(1, 1),
            false => qp.less(self.qps),
        }
    }

    /// Whether a QP has such a sub-path.
    pub(super) fn path_valid<L: Logic>(self, path: Bits<L>) -> Bits<L> {
        !path.slice(self.path_bits(), path.width() - self.path_bits()).any()
    }

    /// Where operations are taken: the next one when all packets that did not see this one have been counted.
    pub(super) fn command_port(self) -> CommandPortShape {
        CommandPortShape {
            rows: self.sub_paths(),
            low_bits: self.path_bits(),
            high_bits: self.qp().bits(),
            drain_cycles: 0,
            command_interval: 3 * u64::from(self.ram_latency) + 8,
        }
    }

    /// The row of a sub-path in tables of all.
    pub(super) fn row<L: Logic>(self, qp: Bits<L>, path: Bits<L>) -> Bits<L> {
        let row = qp.concat(path.truncate(self.path_bits()));
        row.truncate(index_width(self.sub_paths()))
    }
}

#[name_nets]
impl Design for PathSchedulerConfig {
    type Stage<L: Logic> = PathScheduler<L>;

    fn module_name(&self) -> String {
        let latency = if self.ram_latency == 2 { String::new() } else { format!("l{}", self.ram_latency) };
        format!("path_scheduler_q{}p{}{latency}", self.qps, self.paths)
    }

    fn build<L: Logic>(&self) -> PathScheduler<L> {
        PathScheduler::new(*self)
    }
}
