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
    /// Units of credit, `ccc_table.credit_unit` bytes each.
    Credit,
    /// Parts of 65536 of such a unit, per clock cycle.
    CreditParts,
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
    /// Flits per interval.
    Flits,
    /// Sweeps.
    Sweeps,
    /// Parts of 16 of a whole.
    Sixteenths,
    /// A number in two's complement of 16 bits.
    Signed,
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
            Unit::Credit => "units of credit",
            Unit::CreditParts => "/ 65536 units of credit per clock cycle",
            Unit::ElabUnits => "units of time",
            Unit::Rtts => "RTT",
            Unit::Parts => "/ 256",
            Unit::Packets => "packets",
            Unit::Feedbacks => "feedbacks",
            Unit::Flits => "flits per interval",
            Unit::Sweeps => "sweeps",
            Unit::Sixteenths => "/ 16",
            Unit::Signed => "in two's complement",
            Unit::Number => "",
        }
    }

    /// A value of the register in physical units.
    pub fn physical(self, value: u64, config: &Config) -> String {
        let us = |clocks: f64| format!("{:.3} us", clocks / config.target.clock_mhz);
        let (value, credit) = (value as f64, config.ccc_table.credit_unit as f64);
        match self {
            Unit::Clocks => us(value),
            Unit::Ticks => us(64.0 * value),
            Unit::Stamps => format!("{:.3} us", value * STAMP_NS / 1000.0),
            Unit::StampParts => format!("{:.3} ns", value * STAMP_NS / 65_536.0),
            Unit::Bytes => format!("{value:.0} bytes"),
            Unit::Credit => format!("{:.0} bytes", credit * value),
            Unit::CreditParts => {
                format!("{:.3} Gb/s", value / 65_536.0 * credit * 8.0 * config.target.clock_mhz / 1000.0)
            }
            Unit::ElabUnits => us(value * config.elab.unit as f64),
            Unit::Rtts => format!("{:.3} us", value * config.settings.rtt_us),
            Unit::Parts => format!("{:.1} %", 100.0 * value / 256.0),
            Unit::Packets => format!("{:.0} bytes", value * config.packet_bytes() as f64),
            Unit::Sweeps => us(value * super::lia_router::sweep_cycles(config) as f64),
            Unit::Sixteenths => format!("{:.2}", value / 16.0),
            Unit::Signed => format!("{}", value as u16 as i16),
            Unit::Flits | Unit::Feedbacks | Unit::Number => String::new(),
        }
    }
}
