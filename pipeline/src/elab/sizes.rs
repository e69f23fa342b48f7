// SPDX-License-Identifier: MIT OR Apache-2.0
//! The widths of numbers, the number of host pairs and of VPs with their indices, and the unit of time.

use crate::blocks::command_port::CommandPortShape;
use crate::blocks::table::latency_suffix;
use rtl_model::{Bits, Logic, Reg, Shape, bits, clog2, index_width, name_nets, select, when};

/// Width of the number of a VP on ports, in bits.
pub const VP_WIDTH: u32 = 6;
/// Width in bits of a UDP source port, which is the VP_ID of the header.
pub const SPORT_WIDTH: u32 = 16;
/// Width of VP_RCnt in bits (E04).
pub const COUNT_WIDTH: u32 = 16;
/// Width of Burst_ID in bits (E04).
pub const BURST_ID_WIDTH: u32 = 16;
/// Width of C_burst in bits: half of a bandwidth-delay product has 667 packets at 100 Gb/s and 160 us (E16).
pub const BURST_WIDTH: u32 = 16;
/// Width in bits of a rate in packets per unit, with [`POINT`] fraction bits.
pub const RATE_WIDTH: u32 = 24;
/// Width in bits of VP_RBurst_Rate, with [`POINT`] fraction bits.
pub const REPORTED_RATE_WIDTH: u32 = 32;
/// Fraction bits of a rate.
pub const POINT: u32 = 16;
/// Width in bits of a time in units; it wraps. 500 RTT of 33 ms are below that in units of 1 us (E16).
pub const TIME_WIDTH: u32 = 24;
/// Width of the number of a period, a quarter of the time of silence; it wraps.
pub(crate) const PERIOD_WIDTH: u32 = 8;
/// C_burst after reset: half of what 100 Gb/s carry in 160 us, in packets of 1500 bytes, and at least 10 (E16).
pub(crate) const DEFAULT_BURST: u64 = 667;
/// Clock cycles after the sweep until everything accepted before the reset has left the pipelines.
const SETTLES: u64 = 32;

/// Size of `elab_scheduler` and `elab_feedback`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElabSizes {
    /// Number of host pairs, 1 to 4096.
    pub pairs: u64,
    /// Number of VPs per pair, a power of two from 2 to 64.
    pub vps: u64,
    /// Clock cycles per unit of time, 8 to 65535: an update of a VP must be written before the next one.
    pub unit: u64,
    /// Latency of the memories in clock cycles: 1, 2 with the output register, 3 with one more register after it.
    pub ram_latency: u32,
}

impl ElabSizes {
    /// Sizes with memories of latency 2.
    pub const fn new(pairs: u64, vps: u64, unit: u64) -> Self {
        ElabSizes { pairs, vps, unit, ram_latency: 2 }
    }

    /// Shape of a pair index.
    pub(crate) const fn pair(self) -> Bits<Shape> {
        bits(index_width(self.pairs))
    }

    /// Width of the number of a VP in bits.
    pub(crate) const fn vp_bits(self) -> u32 {
        clog2(self.vps)
    }

    /// Shape of the number of a VP.
    pub(crate) const fn vp(self) -> Bits<Shape> {
        bits(self.vp_bits())
    }

    /// Shape of a word with one bit per VP.
    pub(crate) const fn each(self) -> Bits<Shape> {
        bits(self.vps as u32)
    }

    /// Number of VPs of all pairs.
    pub(crate) const fn rows(self) -> u64 {
        self.pairs * self.vps
    }

    /// 1 if the pair exists; an index can be too large if the number of pairs is not a power of two.
    pub(crate) fn index_valid<L: Logic>(self, pair: Bits<L>) -> Bits<L> {
        match self.pairs == 1 << index_width(self.pairs) {
            true => Bits::lit(1, 1),
            false => pair.less(self.pairs),
        }
    }

    /// The row of a VP in tables with one row per VP of every pair.
    pub(crate) fn row<L: Logic>(self, pair: Bits<L>, vp: Bits<L>) -> Bits<L> {
        pair.concat(vp).truncate(index_width(self.rows()))
    }

    /// The command port, with one command per `command_interval` clock cycles.
    pub(crate) fn command_port(self, command_interval: u64) -> CommandPortShape {
        CommandPortShape {
            rows: self.rows(),
            low_bits: self.vp_bits(),
            high_bits: self.pair().bits(),
            drain_cycles: SETTLES,
            command_interval,
        }
    }

    /// The module name of a stage with these sizes.
    pub(crate) fn module_name(self, stage: &str) -> String {
        let ElabSizes { pairs, vps, unit, ram_latency } = self;
        let latency = latency_suffix(ram_latency);
        format!("{stage}_h{pairs}v{vps}u{unit}{latency}")
    }
}

/// Counts units since reset.
#[name_nets]
pub(crate) struct UnitTimebase<L: Logic> {
    unit: u64,
    cycle: Reg<Bits<L>>,
    time: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> UnitTimebase<L> {
    pub(crate) fn new(sizes: ElabSizes) -> Self {
        UnitTimebase {
            unit: sizes.unit,
            cycle: Reg::new(&bits(clog2(sizes.unit))).with_reset(),
            time: Reg::new(&bits(TIME_WIDTH)).with_reset(),
        }
    }

    /// The time of this clock cycle.
    pub(crate) fn time(&self) -> Bits<L> {
        self.time.get()
    }

    /// 1 in the last clock cycle of a unit.
    pub(crate) fn ends(&self) -> Bits<L> {
        self.cycle.get().equals(self.unit - 1)
    }

    /// Counts one clock cycle; call it once per clock edge.
    pub(crate) fn clock(&self) {
        let (cycle, time) = (self.cycle.get(), self.time.get());
        let last = self.ends();
        self.cycle.set(select(last, Bits::lit(cycle.width(), 0), cycle + 1));
        when(last, || self.time.set(time + 1));
    }
}
