// SPDX-License-Identifier: MIT OR Apache-2.0
//! What both halves of ELAB agree on: how many pairs of hosts and virtual paths (VPs) there are, their numbers, and the
//! unit of time that rates are counted in (`docs/stages/elab_scheduler.md`).

use crate::command_port::CommandPortShape;
use rtl_model::{Bits, Logic, Reg, Shape, bits, clog2, index_width, name_nets, select, when};

/// Width of a VP's number in ports.
pub const VP_WIDTH: u32 = 6;
/// Width of a UDP source port, which is the VP_ID of the header.
pub const SPORT_WIDTH: u32 = 16;
/// Width of VP_RCnt in bits (E04).
pub const COUNT_WIDTH: u32 = 16;
/// Width of Burst_ID in bits (E04).
pub const BURST_ID_WIDTH: u32 = 16;
/// Width of C_burst in bits: 0 to 255 packets.
pub const BURST_WIDTH: u32 = 8;
/// Width of a rate in packets a unit, with [`POINT`] bits behind the point.
pub const RATE_WIDTH: u32 = 24;
/// Width of VP_RBurst_Rate, with as many.
pub const REPORTED_RATE_WIDTH: u32 = 32;
/// Bits of a rate behind the point.
pub const POINT: u32 = 16;
/// Width of a time in units; it wraps.
pub const TIME_WIDTH: u32 = 20;
/// Cycles behind the sweep until nothing from before the reset is on its way any more.
const SETTLES: u64 = 32;

/// Size of both stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElabSizes {
    /// Pairs of hosts, 1 to 4096.
    pub pairs: u64,
    /// VPs of each, a power of two from 2 to 64.
    pub vps: u64,
    /// Cycles of a unit of time, 8 to 65535: an update of a VP must be written before the next one.
    pub unit: u64,
    /// Clocks from address to row of the memories: 1, 2 with their output register, 3 with one more register behind it.
    pub ram_latency: u32,
}

impl ElabSizes {
    /// Sizes with memories that have their output register.
    pub const fn new(pairs: u64, vps: u64, unit: u64) -> Self {
        ElabSizes { pairs, vps, unit, ram_latency: 2 }
    }

    /// Width of the number of a pair.
    pub(crate) const fn pair(self) -> Bits<Shape> {
        bits(index_width(self.pairs))
    }

    /// Width of the number of a VP.
    pub(crate) const fn vp_bits(self) -> u32 {
        clog2(self.vps)
    }

    /// The same as a shape.
    pub(crate) const fn vp(self) -> Bits<Shape> {
        bits(self.vp_bits())
    }

    /// One bit a VP.
    pub(crate) const fn each(self) -> Bits<Shape> {
        bits(self.vps as u32)
    }

    /// VPs of all pairs.
    pub(crate) const fn rows(self) -> u64 {
        self.pairs * self.vps
    }

    /// Whether there is such a pair; the numbers of a table that is no power of two reach beyond it.
    pub(crate) fn index_valid<L: Logic>(self, pair: Bits<L>) -> Bits<L> {
        match self.pairs == 1 << index_width(self.pairs) {
            true => Bits::lit(1, 1),
            false => pair.less(self.pairs),
        }
    }

    /// The row of a VP in tables of all.
    pub(crate) fn row<L: Logic>(self, pair: Bits<L>, vp: Bits<L>) -> Bits<L> {
        pair.concat(vp).truncate(index_width(self.rows()))
    }

    /// Where operations are taken, one in so many cycles.
    pub(crate) fn command_port(self, command_interval: u64) -> CommandPortShape {
        CommandPortShape {
            rows: self.rows(),
            low_bits: self.vp_bits(),
            high_bits: self.pair().bits(),
            drain_cycles: SETTLES,
            command_interval,
        }
    }

    /// The name of a module of these sizes.
    pub(crate) fn module_name(self, stage: &str) -> String {
        let ElabSizes { pairs, vps, unit, ram_latency } = self;
        let latency = if ram_latency == 2 { String::new() } else { format!("l{ram_latency}") };
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

    /// The time of this cycle.
    pub(crate) fn time(&self) -> Bits<L> {
        self.time.get()
    }

    /// Counts one clock cycle; call it once per clock edge.
    pub(crate) fn clock(&self) {
        let (cycle, time) = (self.cycle.get(), self.time.get());
        let last = cycle.equals(self.unit - 1);
        self.cycle.set(select(last, Bits::lit(cycle.width(), 0), cycle + 1));
        when(last, || self.time.set(time + 1));
    }
}
