// SPDX-License-Identifier: MIT OR Apache-2.0
//! Size and algorithms of the stage, its settings from reset on, the steps of its pipeline, and the widths derived from
//! them.

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
pub const TAKES: u64 = 16;

/// The settings from reset on, in the units of the ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CccTableSettings {
    /// Units of 128 ns per clock cycle, with 16 fraction bits.
    pub tick: u64,
    /// The nominal size of the largest packet.
    pub mtu: u64,
    /// The RTT without queues.
    pub config_base_rtt: u64,
    /// The smallest RTT that is believed.
    pub rtt_floor: u64,
    /// The growth of the maximum window with the RTT.
    pub wnd_rate: u64,
    /// The first window.
    pub config_wnd: u64,
    /// The target delay.
    pub target: u64,
    /// A delay below it counts as none.
    pub small_delay: u64,
    /// The factor of proportional increase.
    pub alpha: u64,
    /// The factor of fair increase.
    pub fi: u64,
    /// The factor of fast increase.
    pub fi_scale: u64,
    /// What an adjustment on time adds.
    pub eta: u64,
    /// The factor of multiplicative decrease.
    pub gamma: u64,
    /// The largest part that a decrease takes.
    pub max_cut: u64,
    /// Quick adapt is on.
    pub qa_enable: u64,
    /// Quick adapt needs less than this part of the maximum window.
    pub qa_gate: u64,
    /// Quick adapt needs a delay above this one.
    pub qa_threshold: u64,
    /// An adjustment is made after so many bytes.
    pub adjust_bytes: u64,
    /// An adjustment is made after this time.
    pub adjust_period: u64,
    /// With a window below this one packets ask for an ACK.
    pub ack_trigger: u64,
}

impl CccTableSettings {
    /// Those for 100 Gb/s, an RTT of 12 us, an MTU of 4096 and switches that trim, at 322.265625 MHz.
    pub const fn new() -> Self {
        CccTableSettings {
            tick: 1589,
            mtu: 4096,
            config_base_rtt: 94,
            rtt_floor: 1,
            wnd_rate: 38_400,
            config_wnd: 225_000,
            target: 70,
            small_delay: 8,
            alpha: 44_739,
            fi: 20_480,
            fi_scale: 64,
            eta: 614,
            gamma: 205,
            max_cut: 128,
            qa_enable: 1,
            qa_gate: 3,
            qa_threshold: 65_535,
            adjust_bytes: 32_768,
            adjust_period: 94,
            ack_trigger: 16_384,
        }
    }
}

impl Default for CccTableSettings {
    fn default() -> Self {
        CccTableSettings::new()
    }
}

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
