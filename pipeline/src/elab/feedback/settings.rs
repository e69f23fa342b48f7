// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings in force: registers with the values of the configuration after reset (row W11).

use super::ports::Settings;
use crate::elab::{BURST_WIDTH, DEFAULT_BURST, TIME_WIDTH};
use rtl_model::{Bits, Logic, Reg, bits, name_nets};

/// Values of the settings after reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElabFeedbackSettings {
    /// C_burst in packets; 16 bits.
    pub burst: u64,
    /// The time in clock cycles after which a pair has a report of its own, 0 for none; 24 bits, at most 2^23.
    pub report_time: u64,
}

impl Default for ElabFeedbackSettings {
    /// Those of the paper for an RTT of 160 us, in clock cycles of 322.265625 MHz.
    fn default() -> Self {
        // E16: half of a bandwidth-delay product; one RTT.
        ElabFeedbackSettings { burst: DEFAULT_BURST, report_time: 51_563 }
    }
}

/// The registers of the settings.
#[name_nets]
pub struct SettingsRegisters<L: Logic> {
    burst_in_force: Reg<Bits<L>>,
    report_time_in_force: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> SettingsRegisters<L> {
    pub fn new(reset: ElabFeedbackSettings) -> Self {
        let burst = Bits::lit(BURST_WIDTH, reset.burst);
        let report_time = Bits::lit(TIME_WIDTH, reset.report_time);
        SettingsRegisters {
            burst_in_force: Reg::starting_at(&bits(BURST_WIDTH), burst).with_reset(),
            report_time_in_force: Reg::starting_at(&bits(TIME_WIDTH), report_time).with_reset(),
        }
    }

    pub fn burst(&self) -> Bits<L> {
        self.burst_in_force.get()
    }

    pub fn report_time(&self) -> Bits<L> {
        self.report_time_in_force.get()
    }

    pub fn clock(&self, written: Settings<L>) {
        self.burst_in_force.set_if(written.valid, written.burst);
        self.report_time_in_force.set_if(written.valid, written.report_time);
    }
}
