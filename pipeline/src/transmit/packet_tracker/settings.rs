// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings: registers that start at values of the configuration (row D32).

use super::config::PacketTrackerConfig;
use super::ports::{BACKOFF_LIMIT_WIDTH, RETRY_LIMIT_WIDTH, RTO_WIDTH, Settings, TAIL_PROBE_WIDTH};
use super::timeout;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Shape, name_nets, when};

/// The settings in force.
#[derive(Bundle)]
#[shape(config: PacketTrackerConfig)]
pub struct InForce<L: Reading> {
    #[reset]
    #[width(16)]
    pub tick: Bits<L>,
    #[reset]
    #[width(RTO_WIDTH)]
    pub rto: Bits<L>,
    #[reset]
    #[width(RETRY_LIMIT_WIDTH)]
    pub retries: Bits<L>,
    #[reset]
    #[width(config.slot_bits())]
    pub span: Bits<L>,
    #[reset]
    #[width(RTO_WIDTH)]
    pub backoff: Bits<L>,
    #[reset]
    #[width(BACKOFF_LIMIT_WIDTH)]
    pub backoff_limit: Bits<L>,
    #[reset]
    #[width(TAIL_PROBE_WIDTH)]
    pub tail_probe: Bits<L>,
    /// That is not 0.
    #[reset]
    pub probes: Bits<L>,
}

#[name_nets]
impl<L: Logic> InForce<L> {
    /// The first time that a PDC waits for an ACK: up to the probe of its tail, if it may be probed, or up to the time-out.
    pub fn first(&self, may_probe: Bits<L>) -> Bits<L> {
        timeout::first(self.probes & may_probe, self.tail_probe, self.rto)
    }
}

/// The registers of the settings.
#[name_nets]
pub struct SettingsRegs<L: Logic> {
    in_force: Reg<InForce<L>>,
}

#[name_nets]
impl<L: Logic> SettingsRegs<L> {
    pub fn new(config: PacketTrackerConfig) -> Self {
        let (shape, reset) = (InForce::shape(config), config.settings);
        // What does not fit is the largest value.
        let literal = |shape: Bits<Shape>, value: u64| Bits::lit(shape.bits(), value.min((1 << shape.bits()) - 1));
        let initial = InForce {
            tick: literal(shape.tick, reset.tick),
            rto: literal(shape.rto, reset.rto),
            retries: literal(shape.retries, reset.retries),
            span: literal(shape.span, reset.span),
            backoff: literal(shape.backoff, reset.backoff),
            backoff_limit: literal(shape.backoff_limit, reset.backoff_limit),
            tail_probe: literal(shape.tail_probe, reset.tail_probe),
            probes: literal(shape.probes, reset.tail_probe),
        };
        SettingsRegs { in_force: Reg::starting_at(&shape, initial) }
    }

    /// The settings in force.
    pub fn in_force(&self) -> InForce<L> {
        self.in_force.get()
    }

    /// One clock cycle.
    pub fn clock(&self, settings: Settings<L>) {
        let Settings { valid, tick, rto, retries, span, backoff, backoff_limit, tail_probe } = settings;
        let probes = tail_probe.any();
        let settings = InForce { tick, rto, retries, span, backoff, backoff_limit, tail_probe, probes };
        when(valid, || self.in_force.set(settings));
    }
}
