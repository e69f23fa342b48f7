// SPDX-License-Identifier: MIT OR Apache-2.0
//! Size of the stage, and the widths derived from it.

use crate::blocks::command_port::CommandPortShape;
use rtl_model::{Bits, Logic, Shape, bits, clog2, index_width};

/// Size of the stage `path_scheduler`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathSchedulerConfig {
    /// Number of queue pairs, 1 to 4096.
    pub qps: u64,
    /// Number of sub-paths per QP, a power of two from 2 to 64.
    pub paths: u64,
    /// Latency of the memories in clock cycles: 1, 2 with the output register, 3 with one more register after it.
    pub ram_latency: u32,
}

impl PathSchedulerConfig {
    /// A scheduler of `qps` queue pairs with `paths` sub-paths each and memories of latency 2.
    pub const fn new(qps: u64, paths: u64) -> Self {
        PathSchedulerConfig { qps, paths, ram_latency: 2 }
    }

    /// The same size with memories of this latency.
    pub const fn ram_latency(self, ram_latency: u32) -> Self {
        PathSchedulerConfig { ram_latency, ..self }
    }

    /// Shape of a QP index.
    pub(super) const fn qp(self) -> Bits<Shape> {
        bits(index_width(self.qps))
    }

    /// Width of the number of a sub-path in bits.
    pub(super) const fn path_bits(self) -> u32 {
        clog2(self.paths)
    }

    /// Shape of a word with one bit per sub-path.
    pub(super) const fn each(self) -> Bits<Shape> {
        bits(self.paths as u32)
    }

    /// Number of sub-paths of all QPs.
    pub(super) const fn sub_paths(self) -> u64 {
        self.qps * self.paths
    }

    /// 1 if the QP exists; an index can be too large if the number of QPs is not a power of two.
    pub(super) fn index_valid<L: Logic>(self, qp: Bits<L>) -> Bits<L> {
        match self.qps == 1 << index_width(self.qps) {
            true => Bits::lit(1, 1),
            false => qp.less(self.qps),
        }
    }

    /// 1 if the number of the sub-path is below `paths`.
    pub(super) fn path_valid<L: Logic>(self, path: Bits<L>) -> Bits<L> {
        !path.slice(self.path_bits(), path.width() - self.path_bits()).any()
    }

    /// The command port: the next command is accepted when all packets that did not see this one have been counted.
    pub(super) fn command_port(self) -> CommandPortShape {
        CommandPortShape {
            rows: self.sub_paths(),
            low_bits: self.path_bits(),
            high_bits: self.qp().bits(),
            drain_cycles: 0,
            command_interval: 3 * u64::from(self.ram_latency) + 8,
        }
    }

    /// The row of a sub-path in tables with one row per sub-path of every QP.
    pub(super) fn row<L: Logic>(self, qp: Bits<L>, path: Bits<L>) -> Bits<L> {
        let row = qp.concat(path.truncate(self.path_bits()));
        row.truncate(index_width(self.sub_paths()))
    }
}
