// SPDX-License-Identifier: MIT OR Apache-2.0
//! Size and algorithms of the stage, the steps of its pipeline, and the widths derived from them.

use super::settings::CccTableSettings;
use crate::blocks::command_port::CommandPortShape;
use rtl_model::{Bits, Shape, bits, clog2, index_width};

/// The algorithms of congestion control that the stage includes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CccAlgorithms {
    /// NSCC, for every CCC.
    Nscc,
    /// RCCC, for every CCC.
    Rccc,
    /// Each CCC has NSCC, RCCC, both or none.
    Both,
    /// None.
    None,
}

impl CccAlgorithms {
    /// CCCs may have NSCC.
    pub const fn has_nscc(self) -> bool {
        matches!(self, CccAlgorithms::Nscc | CccAlgorithms::Both)
    }

    /// CCCs may have RCCC.
    pub const fn has_rccc(self) -> bool {
        matches!(self, CccAlgorithms::Rccc | CccAlgorithms::Both)
    }
}

/// Clock cycles from a pass that starts an adjustment to the adjustment.
pub(super) const ADJUSTMENT: u32 = 64;
/// Clock cycles of a settings pause.
pub(super) const PAUSE: u64 = 160;
/// Takes that are open at most.
pub(super) const TAKES: u64 = 16;

/// Size and algorithms of the stage `ccc_table`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CccTableConfig {
    /// Number of CCCs, 1 to 16384.
    pub cccs: u64,
    /// The algorithms that it includes.
    pub algorithms: CccAlgorithms,
    /// Strict classes of grants, 1 to 4.
    pub classes: u64,
    /// The weight of a delay sample is 2^-`delay_shift`; 4 to 8.
    pub delay_shift: u32,
    /// RCCC: bytes of a unit of credit on the wire, a power of two from 64 to 4096.
    pub credit_unit: u64,
    /// Latency of the memories in clock cycles, 1 to 3.
    pub ram_latency: u32,
    /// The settings from reset on.
    pub settings: CccTableSettings,
}

impl CccTableConfig {
    /// A stage with two classes, samples of weight 1/64, credit in units of 256 bytes, memories of latency 2 and the default settings.
    pub const fn new(cccs: u64, algorithms: CccAlgorithms) -> Self {
        let settings = CccTableSettings::new();
        CccTableConfig { cccs, algorithms, classes: 2, delay_shift: 6, credit_unit: 256, ram_latency: 2, settings }
    }

    /// The value if the stage includes NSCC.
    pub(super) fn nscc<T>(self, value: T) -> Option<T> {
        self.algorithms.has_nscc().then_some(value)
    }

    /// The value if the stage includes RCCC.
    pub(super) fn rccc<T>(self, value: T) -> Option<T> {
        self.algorithms.has_rccc().then_some(value)
    }

    /// The value if each CCC has algorithms of its own.
    pub(super) fn chosen<T>(self, value: T) -> Option<T> {
        (self.algorithms == CccAlgorithms::Both).then_some(value)
    }

    /// log2 of the bytes of a unit of credit.
    pub(super) const fn credit_log(self) -> u32 {
        clog2(self.credit_unit)
    }

    /// The step of the counts.
    pub(super) const fn flight(self) -> u32 {
        self.ram_latency + 3
    }

    /// The step of *base_rtt*.
    pub(super) const fn base(self) -> u32 {
        self.ram_latency + 4
    }

    /// The step of the filtered delay.
    pub(super) const fn delays(self) -> u32 {
        self.ram_latency + 6
    }

    /// The step of quick adapt.
    pub(super) const fn adapt(self) -> u32 {
        self.ram_latency + 11
    }

    /// The step of *cwnd* and *credit*.
    pub(super) const fn window(self) -> u32 {
        self.ram_latency + 14
    }

    /// The step of *inc_bytes*.
    pub(super) const fn increases(self) -> u32 {
        self.ram_latency + 16
    }

    /// The step in which a pass takes effect.
    pub(super) const fn effect(self) -> u32 {
        self.ram_latency + 20
    }

    /// The step of a pass in which a table of this step is read.
    pub(super) const fn access(self, step: u32) -> u32 {
        step - self.ram_latency - 1
    }

    /// Shape of the number of a CCC.
    pub(super) const fn ccc(self) -> Bits<Shape> {
        bits(index_width(self.cccs))
    }

    /// Width of the sum of delays.
    pub(super) const fn delays_width(self) -> u32 {
        16 + self.delay_shift
    }

    /// The command port: a command is accepted after the response to the one before (row C31), and `busy` is 1 for 64 clock
    /// cycles after the sweep (row C34).
    pub(super) const fn command_port(self) -> CommandPortShape {
        CommandPortShape {
            rows: self.cccs,
            low_bits: 0,
            high_bits: index_width(self.cccs),
            drain_cycles: 64,
            command_interval: self.ram_latency as u64 + 24,
        }
    }

    /// Part of the module name: algorithms and sizes.
    pub(super) fn suffix(self) -> String {
        let CccTableConfig { cccs, classes, delay_shift, .. } = self;
        let algorithms = match self.algorithms {
            CccAlgorithms::Nscc => "nscc",
            CccAlgorithms::Rccc => "rccc",
            CccAlgorithms::Both => "both",
            CccAlgorithms::None => "none",
        };
        let unit = self.rccc(self.credit_unit).map_or(String::new(), |unit| format!("u{unit}"));
        format!("{algorithms}_c{cccs}q{classes}k{delay_shift}{unit}")
    }
}
