// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ring of EVs that have come back GOOD: feedback writes it, and requests take EVs from it (P1 to P3, P7).
//!
//! The ring stores the last eight EVs, so the slot `n` before its head holds the EV of `n` writes ago. Here all EVs are
//! kept, in a list that only grows.

use super::Kind;
use super::epochs::{TIMES, Timeline};
use super::freshness::Freshness;
use super::moment::RequestTime;

/// Number of slots of a ring.
const SLOTS: u64 = 8;

/// A feedback for the ring.
#[derive(Clone, Copy, Debug)]
pub struct Told {
    pub cycle: u64,
    pub ev: u64,
    pub kind: Kind,
    /// The epoch of the CCC in which it was accepted.
    pub epoch: u64,
}

/// The state of a ring after a feedback (P1).
#[derive(Clone, Copy, Debug, Default)]
pub struct RingState {
    /// Number of EVs written since the CCC was opened.
    writes: u64,
    /// Number of slots with an EV that has not been recycled yet.
    fill: u64,
    /// Number of slots that hold an EV.
    pub written: u64,
    /// True if the ring is frozen and keeps granting its EVs.
    pub frozen: bool,
    since: u64,
    /// Flush count: how often the end of a freeze has emptied the ring.
    emptied: u64,
    fresh: Freshness,
}

impl RingState {
    /// The flush count as stored, with two bits.
    pub const fn round(self) -> u64 {
        self.emptied % 4
    }
}

/// What a request sees of a ring.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    pub state: RingState,
    /// Number of EVs that have not been recycled yet, however old.
    available: u64,
    /// *n*: those of them that may be used.
    pub usable: u64,
}

/// A request that took EVs.
#[derive(Clone, Copy, Debug)]
struct Pop {
    cycle: u64,
    /// The flush count of the ring that it saw.
    emptied: u64,
    /// The EV that it used, and the older ones that it passed over (P5).
    count: u64,
}

/// The ring of a CCC since it was opened.
#[derive(Debug, Default)]
pub struct Ring {
    /// EVs of GOOD feedback.
    good: Vec<u64>,
    /// Cycle of each feedback, and the state after it.
    left: Vec<(u64, RingState)>,
    pops: Vec<Pop>,
}

impl Ring {
    /// P2 in mode REPS, where `behind` is the cycle whose settings and time apply.
    pub fn feedback(&mut self, timeline: &Timeline, behind: u64, told: Told) {
        let (mut state, mut available) = self.before(told.cycle);
        let time = Timeline::time(behind);
        // (a)
        if state.frozen && (time + TIMES - state.since) % TIMES >= timeline.settings(behind).freeze.max(1) {
            (state.frozen, state.written, available) = (false, 0, 0);
            state.emptied += 1;
        }
        // (b)
        self.write(&mut state, available, told);
        // (c)
        if told.kind == Kind::Timeout && !state.frozen {
            (state.frozen, state.since) = (true, time);
        }
        self.left.push((told.cycle, state));
    }

    /// X1 in mode mixed: P2 (b) alone.
    pub fn recycle(&mut self, told: Told) {
        let (mut state, available) = self.before(told.cycle);
        self.write(&mut state, available, told);
        self.left.push((told.cycle, state));
    }

    /// The state before a feedback, and the number of EVs available then.
    fn before(&self, cycle: u64) -> (RingState, u64) {
        match self.left.last() {
            Some(&(before, state)) => (state, state.fill - self.pops(state, before, cycle)),
            None => (RingState::default(), 0),
        }
    }

    /// P2 (b) and P7.
    fn write(&mut self, state: &mut RingState, available: u64, told: Told) {
        state.fill = available;
        if told.kind == Kind::Good {
            self.good.push(told.ev);
            state.writes += 1;
            state.fill = SLOTS.min(available + 1);
            state.written = SLOTS.min(state.written + 1);
            state.fresh.store(told.epoch);
        }
    }

    /// The number of EVs taken by requests accepted from one cycle up to another that saw the same flush count.
    fn pops(&self, state: RingState, from: u64, to: u64) -> u64 {
        let pops = self.pops.iter().rev().skip_while(|pop| pop.cycle >= to);
        let pops = pops.take_while(|pop| pop.cycle >= from);
        pops.filter(|pop| pop.emptied == state.emptied).map(|pop| pop.count).sum()
    }

    /// P3: what a request sees.
    pub fn seen(&self, now: RequestTime) -> Seen {
        let seen =
            now.last_visible_cycle().and_then(|sight| self.left.iter().rev().find(|&&(cycle, _)| cycle <= sight));
        let Some(&(cycle, state)) = seen else {
            return Seen::default();
        };
        let available = state.fill - self.pops(state, cycle, now.cycle);
        Seen { state, available, usable: available.min(state.fresh.usable(now.epoch())) }
    }

    /// The EV in the slot `behind` slots before the head of a state: (head - `behind`) modulo 8 of P5.
    pub fn slot(&self, state: RingState, behind: u64) -> u64 {
        let at = state.writes.checked_sub(behind).and_then(|at| self.good.get(at as usize));
        at.copied().unwrap_or(0)
    }

    /// P5 and X1: takes the oldest EV that may be used; there is one.
    pub fn pop(&mut self, now: RequestTime, Seen { state, available, usable }: Seen) -> u64 {
        self.pops.push(Pop { cycle: now.cycle, emptied: state.emptied, count: available - usable + 1 });
        self.slot(state, usable)
    }
}
