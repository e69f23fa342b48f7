// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the register of a setting counts.

use super::traffic::STAMP_NS;
use crate::config::Config;

/// The unit of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Clock cycles.
    Clocks,
    /// 64 clock cycles.
    Ticks,
    /// Units of time stamps, 128 ns.
    Stamps,
    /// Parts of 65536 of such a unit.
    StampParts,
    /// Bytes.
    Bytes,
    /// Quanta of credit, 256 bytes.
    Quanta,
    /// Parts of 65536 of such a quantum, per clock cycle.
    QuantumParts,
    /// Units of time of ELAB, `elab.unit` clock cycles each.
    ElabUnits,
    /// Round trips.
    Rtts,
    /// Parts of 256 of a whole.
    Parts,
    /// Packets.
    Packets,
    /// Packets with this feedback, in a row.
    Feedbacks,
    /// No unit.
    Number,
}

impl Unit {
    /// The unit in words.
    pub const fn name(self) -> &'static str {
        match self {
            Unit::Clocks => "clock cycles",
            Unit::Ticks => "x 64 clock cycles",
            Unit::Stamps => "x 128 ns",
            Unit::StampParts => "/ 65536 x 128 ns",
            Unit::Bytes => "bytes",
            Unit::Quanta => "x 256 bytes",
            Unit::QuantumParts => "/ 65536 x 256 bytes per clock cycle",
            Unit::ElabUnits => "units of time",
            Unit::Rtts => "RTT",
            Unit::Parts => "/ 256",
            Unit::Packets => "packets",
            Unit::Feedbacks => "feedbacks",
            Unit::Number => "",
        }
    }

    /// A value of the register in physical units.
    pub fn physical(self, value: u64, config: &Config) -> String {
        let us = |clocks: f64| format!("{:.3} us", clocks / config.target.clock_mhz);
        let value = value as f64;
        match self {
            Unit::Clocks => us(value),
            Unit::Ticks => us(64.0 * value),
            Unit::Stamps => format!("{:.3} us", value * STAMP_NS / 1000.0),
            Unit::StampParts => format!("{:.3} ns", value * STAMP_NS / 65_536.0),
            Unit::Bytes => format!("{value:.0} bytes"),
            Unit::Quanta => format!("{:.0} bytes", 256.0 * value),
            Unit::QuantumParts => {
                format!("{:.3} Gb/s", value / 65_536.0 * 256.0 * 8.0 * config.target.clock_mhz / 1000.0)
            }
            Unit::ElabUnits => us(value * config.elab.unit as f64),
            Unit::Rtts => format!("{:.3} us", value * config.settings.rtt_us),
            Unit::Parts => format!("{:.1} %", 100.0 * value / 256.0),
            Unit::Packets => format!("{:.0} bytes", value * config.settings.packet_bytes as f64),
            Unit::Feedbacks | Unit::Number => String::new(),
        }
    }
}
