// SPDX-License-Identifier: MIT OR Apache-2.0
//! The size of the stage, its settings, and the clock cycles that the contract states.

use crate::collect::ports::named;
use std::collections::BTreeMap;

/// The longest time-out.
const LONGEST: u64 = (1 << 26) - 1;
/// Times of timers wrap to 0 at this value.
const TIMERS: u64 = 1 << 27;

/// The settings (D32).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Settings {
    /// Units of 128 ns per clock cycle, with 16 fraction bits.
    pub tick: u64,
    /// The first time-out, in units; 0 for never.
    pub rto: u64,
    /// Time-outs in a row after which a PDC fails with the next one; 16 and above for never.
    pub retries: u64,
    /// How far behind the highest acknowledged PSN a packet may be.
    pub span: u64,
    /// The first backoff for a NACK, in units.
    pub backoff: u64,
    /// Backoffs in a row after which a PDC fails with the next one; 31 for never.
    pub backoff_limit: u64,
    /// After so long without an ACK the last packet is sent again, in units; 0 for never.
    pub tail_probe: u64,
}

/// The first time-out and the limits of a PDC alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnTimer {
    /// The first time-out, in units; 0 for never.
    pub rto: u64,
    /// As in [`Settings`].
    pub retries: u64,
    /// As in [`Settings`].
    pub backoff_limit: u64,
    /// As in [`Settings`].
    pub tail_probe: u64,
}

impl Settings {
    /// The defaults at 322.265625 MHz with this window.
    #[must_use]
    pub const fn reset(window: u64) -> Self {
        let (span, backoff, backoff_limit, tail_probe) = (window / 2, 94, 31, 188);
        Settings { tick: 1589, rto: 7813, retries: 5, span, backoff, backoff_limit, tail_probe }
    }

    /// Those of a PDC which may have its own first time-out and limits.
    #[must_use]
    pub fn of(&self, timer: Option<OwnTimer>) -> Self {
        let Some(OwnTimer { rto, retries, backoff_limit, tail_probe }) = timer else { return *self };
        Settings { rto, retries, backoff_limit, tail_probe, ..*self }
    }

    /// *T* after so many time-outs in a row.
    #[must_use]
    pub const fn timeout(&self, retries: u64) -> u64 {
        let doubled = self.rto << retries;
        if doubled < LONGEST { doubled } else { LONGEST }
    }
}

/// The size of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shape {
    /// Number of PDCs.
    pub pdcs: u64,
    /// *W*: the most PSNs from base to next.
    pub window: u64,
    /// *n*: bits of a PSN.
    pub psn_bits: u32,
    /// Low bits of an EV that are kept for each packet.
    pub ev_bits: u32,
    /// Number of CCCs, which sets the width of their numbers.
    pub cccs: u64,
    /// Latency *l* of the memories in clock cycles: 1, 2 or 3.
    pub ram_latency: u64,
    /// The settings in force after reset.
    pub reset: Settings,
}

impl Shape {
    /// With PSNs of 32 bits, 8 bits of an EV, 16 CCCs, memories of latency 2, and the default settings.
    #[must_use]
    pub const fn new(pdcs: u64, window: u64) -> Self {
        let reset = Settings::reset(window);
        Shape { pdcs, window, psn_bits: 32, ev_bits: 8, cccs: 16, ram_latency: 2, reset }
    }

    /// The same size with PSNs of so many bits.
    #[must_use]
    pub const fn psn_bits(self, psn_bits: u32) -> Self {
        Shape { psn_bits, ..self }
    }

    /// The same size with so many bits of an EV in each record.
    #[must_use]
    pub const fn ev_bits(self, ev_bits: u32) -> Self {
        Shape { ev_bits, ..self }
    }

    /// The same size with so many CCCs.
    #[must_use]
    pub const fn cccs(self, cccs: u64) -> Self {
        Shape { cccs, ..self }
    }

    /// The same size with memories of this latency.
    #[must_use]
    pub const fn ram_latency(self, ram_latency: u64) -> Self {
        Shape { ram_latency, ..self }
    }

    /// The same size with these settings after reset.
    #[must_use]
    pub const fn reset(self, reset: Settings) -> Self {
        Shape { reset, ..self }
    }

    /// The size as the parameters of a group of vectors.
    #[must_use]
    pub fn configuration(self) -> BTreeMap<String, u64> {
        let Shape { pdcs, window, psn_bits, ev_bits, cccs, ram_latency, .. } = self;
        let size = [("pdcs", pdcs), ("window", window), ("psn_bits", psn_bits.into()), ("ev_bits", ev_bits.into())];
        let other = [("cccs", cccs), ("ram_latency", ram_latency)];
        named(size.into_iter().chain(other))
    }

    /// A PSN, modulo 2^*n*.
    #[must_use]
    pub const fn psn(self, psn: u64) -> u64 {
        psn & ((1 << self.psn_bits) - 1)
    }

    /// The first cycle after the sweep (D33).
    #[must_use]
    pub const fn sweep(self) -> u64 {
        self.pdcs + 64
    }

    /// Cycles from the end of an operation to its effect, *x* - *t*, and from a walk to its beginning, *q* - *p* (D1).
    #[must_use]
    pub const fn effect(self) -> u64 {
        2 * self.ram_latency + 10
    }

    /// Cycles from the visit of a block to its first read, or to the next visit (D7, D13).
    #[must_use]
    pub const fn visit(self) -> u64 {
        self.ram_latency + 5
    }

    /// Cycles from the effect of an operation to its event, and to the outcome of a NACK or an examination (D26, D27).
    #[must_use]
    pub const fn output(self) -> u64 {
        self.ram_latency + 2
    }

    /// Cycles from the read of a record in a walk to its outcome (D27).
    #[must_use]
    pub const fn outcome(self) -> u64 {
        2 * self.ram_latency + 6
    }

    /// Cycles from the visit of a PDC to its time and settings (D20).
    #[must_use]
    pub const fn judged(self) -> u64 {
        self.ram_latency + 1
    }

    /// Cycles from a visit that hits to the scan that waits (D20).
    #[must_use]
    pub const fn hit(self) -> u64 {
        self.ram_latency + 4
    }

    /// Cycles from the head of a scan to its first examination, or to its end if it is void (D21, D22).
    #[must_use]
    pub const fn head(self) -> u64 {
        self.ram_latency + 5
    }
}

/// Events, and outcomes, that may be open (D4).
pub const OPEN: usize = 32;

/// The time of an operation (D5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Time {
    /// As the port `now` has it, with 20 bits.
    pub now: u64,
    /// That of timers, with 27 bits.
    pub timer: u64,
}

impl Time {
    /// At these sums of ticks: all, and those of cycles without pause.
    #[must_use]
    pub const fn at(all: u64, running: u64) -> Self {
        Time { now: (all >> 16) % (1 << 20), timer: (running >> 16) % TIMERS }
    }

    /// How long a timer has run that was started then.
    #[must_use]
    pub const fn since(self, start: u64) -> u64 {
        self.timer.wrapping_sub(start) % TIMERS
    }

    /// The start of a timer that has run for so long.
    #[must_use]
    pub const fn before(self, age: u64) -> u64 {
        self.timer.wrapping_sub(age) % TIMERS
    }
}

/// Time from cycle to cycle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock {
    all: u64,
    running: u64,
}

impl Clock {
    /// The time of the present cycle.
    #[must_use]
    pub const fn time(self) -> Time {
        Time::at(self.all, self.running)
    }

    /// A cycle with this tick is over.
    pub const fn tick(&mut self, tick: u64, paused: bool) {
        self.all += tick;
        if !paused {
            self.running += tick;
        }
    }
}

/// How long ago a time was, modulo 2^20.
#[must_use]
pub const fn age(now: u64, then: u64) -> u64 {
    now.wrapping_sub(then) % (1 << 20)
}
