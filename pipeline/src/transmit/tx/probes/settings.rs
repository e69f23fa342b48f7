// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings of probes: registers that start at values of the configuration.

use super::dispersion::TIME_WIDTH;
use crate::transmit::tx::config::PAYLOAD_WIDTH;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, name_nets, when};

/// Width of the number of packets of a train, less one.
pub const PACKETS_WIDTH: u32 = 4;

/// Settings of probes, all of which are written together.
#[derive(Bundle)]
#[shape]
pub struct ProbeSettings<L: Reading> {
    /// The registers take all fields.
    pub valid: Bits<L>,
    /// Sub-paths that are new or have failed are probed, and started with the first answer.
    #[reset]
    pub visits: Bits<L>,
    /// Packets of these trains, less one.
    #[reset]
    #[width(PACKETS_WIDTH)]
    pub packets: Bits<L>,
    /// Payload bytes of each, as many as a data packet has at most.
    #[reset]
    #[width(PAYLOAD_WIDTH)]
    pub length: Bits<L>,
    /// The time without all answers after which any train is lost, in units of 128 ns.
    #[reset]
    #[width(TIME_WIDTH)]
    pub timeout: Bits<L>,
}

/// What the registers hold after reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbeDefaults {
    /// Sub-paths are visited.
    pub visits: bool,
    /// Packets of a train, less one.
    pub packets: u64,
    /// Payload bytes of each.
    pub length: u64,
    /// The time-out, in units of 128 ns.
    pub timeout: u64,
}

impl ProbeDefaults {
    /// Nothing is probed unless the host does it. Trains of 8 packets of 4 KiB, 4 RTT of 12 us.
    pub const DEFAULT: ProbeDefaults = ProbeDefaults { visits: false, packets: 7, length: 4096, timeout: 375 };
}

/// The registers.
#[name_nets]
pub struct ProbeRegs<L: Logic> {
    in_force: Reg<ProbeSettings<L>>,
}

#[name_nets]
impl<L: Logic> ProbeRegs<L> {
    /// With these values until there is another setting.
    pub fn new(defaults: ProbeDefaults) -> Self {
        let (shape, lit) = (ProbeSettings::shape(), Bits::lit);
        let ProbeDefaults { visits, packets, length, timeout } = defaults;
        let initial = ProbeSettings {
            valid: lit(1, 0),
            visits: lit(1, visits.into()),
            packets: lit(PACKETS_WIDTH, packets),
            length: lit(PAYLOAD_WIDTH, length),
            timeout: lit(TIME_WIDTH, timeout),
        };
        ProbeRegs { in_force: Reg::starting_at(&shape, initial).with_reset() }
    }

    /// The settings in force.
    pub fn get(&self) -> ProbeSettings<L> {
        self.in_force.get()
    }

    /// One clock cycle.
    pub fn clock(&self, settings: ProbeSettings<L>) {
        let valid = Bits::lit(1, 0);
        when(settings.valid, || self.in_force.set(ProbeSettings { valid, ..settings }));
    }
}
