// SPDX-License-Identifier: MIT OR Apache-2.0
//! Size of the stage, and the widths derived from it.

use super::settings::SchedulerSettings;
use crate::blocks::command_port::CommandPortShape;
use rtl_model::{Bits, Logic, Pipeline, Shape, bits, clog2, index_width};

/// The pipeline of requests.
pub(super) const REQUEST: Pipeline = Pipeline::new("request");

/// Where the entropy of a sub-path comes from (row T7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum EntropyRule {
    /// An entropy per QP, given by *open*, XOR the number of the sub-path.
    Xor,
    /// A table with an entropy per sub-path, given by *add* and *set entropy*.
    #[default]
    Table,
}

impl EntropyRule {
    /// All rules, in the order of their codes.
    pub const ALL: [EntropyRule; 2] = [EntropyRule::Xor, EntropyRule::Table];
}

/// Size of the stage `path_scheduler`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathSchedulerConfig {
    /// Number of queue pairs, 1 to 4096.
    pub qps: u64,
    /// Number of sub-paths per QP, a power of two from 2 to 64.
    pub paths: u64,
    /// Width of a weight in bits, 4 to 8.
    pub weight_bits: u32,
    /// Width of the number of packets in flight on a sub-path, 8 to 24.
    pub in_flight_bits: u32,
    /// Where entropies come from.
    pub entropy: EntropyRule,
    /// Latency of the memories in clock cycles: 1, 2 with the output register, 3 with one more register after it.
    pub ram_latency: u32,
    /// The settings from reset on.
    pub settings: SchedulerSettings,
}

impl PathSchedulerConfig {
    /// A scheduler of `qps` queue pairs with `paths` sub-paths each, weights of 8 bits, 16 bits for packets in flight,
    /// a table of entropies, memories of latency 2, and the default settings.
    pub const fn new(qps: u64, paths: u64) -> Self {
        PathSchedulerConfig {
            qps,
            paths,
            weight_bits: 8,
            in_flight_bits: 16,
            entropy: EntropyRule::Table,
            ram_latency: 2,
            settings: SchedulerSettings::DEFAULT,
        }
    }

    /// The same size with memories of this latency.
    pub const fn ram_latency(self, ram_latency: u32) -> Self {
        PathSchedulerConfig { ram_latency, ..self }
    }

    /// The same with weights of this many bits.
    pub const fn weight_bits(self, weight_bits: u32) -> Self {
        PathSchedulerConfig { weight_bits, ..self }
    }

    /// The same with this many bits for the packets in flight.
    pub const fn in_flight_bits(self, in_flight_bits: u32) -> Self {
        PathSchedulerConfig { in_flight_bits, ..self }
    }

    /// The same with another source of entropies.
    pub const fn entropy(self, entropy: EntropyRule) -> Self {
        PathSchedulerConfig { entropy, ..self }
    }

    /// The same with other settings from reset on.
    pub const fn settings(self, settings: SchedulerSettings) -> Self {
        PathSchedulerConfig { settings, ..self }
    }

    /// Clock cycles from a request to its grant (row T1).
    pub const fn grant_latency(self) -> u32 {
        match self.entropy {
            EntropyRule::Xor => self.ram_latency + 6,
            EntropyRule::Table => 2 * self.ram_latency + 6,
        }
    }

    /// 1 if there is a table of entropies.
    pub(super) const fn entropy_table(self) -> bool {
        matches!(self.entropy, EntropyRule::Table)
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

    /// Shape of a weight.
    pub(super) const fn weight(self) -> Bits<Shape> {
        bits(self.weight_bits)
    }

    /// Shape of the number of packets in flight.
    pub(super) const fn packets(self) -> Bits<Shape> {
        bits(self.in_flight_bits)
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
            command_interval: 3 * u64::from(self.ram_latency) + 9,
        }
    }

    /// The row of a sub-path in tables with one row per sub-path of every QP.
    pub(super) fn row<L: Logic>(self, qp: Bits<L>, path: Bits<L>) -> Bits<L> {
        let row = qp.concat(path.truncate(self.path_bits()));
        row.truncate(index_width(self.sub_paths()))
    }
}
