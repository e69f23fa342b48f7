// SPDX-License-Identifier: MIT OR Apache-2.0
//! The setting in force: a register with the value of the configuration after reset (row W11).

use super::ports::Settings;
use crate::elab::{BURST_WIDTH, DEFAULT_BURST};
use rtl_model::{Bits, Logic, Reg, bits, name_nets};

/// Value of the setting after reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElabFeedbackSettings {
    /// C_burst in packets; 16 bits.
    pub burst: u64,
}

impl Default for ElabFeedbackSettings {
    /// That of the sending half.
    fn default() -> Self {
        // E16: half of a bandwidth-delay product.
        ElabFeedbackSettings { burst: DEFAULT_BURST }
    }
}

/// The register of the setting.
#[name_nets]
pub struct SettingsRegister<L: Logic> {
    burst_in_force: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> SettingsRegister<L> {
    pub fn new(reset: ElabFeedbackSettings) -> Self {
        let burst = Bits::lit(BURST_WIDTH, reset.burst);
        SettingsRegister { burst_in_force: Reg::starting_at(&bits(BURST_WIDTH), burst).with_reset() }
    }

    pub fn burst(&self) -> Bits<L> {
        self.burst_in_force.get()
    }

    pub fn clock(&self, written: Settings<L>) {
        self.burst_in_force.set_if(written.valid, written.burst);
    }
}
