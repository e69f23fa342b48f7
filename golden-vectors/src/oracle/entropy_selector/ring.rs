// SPDX-License-Identifier: MIT OR Apache-2.0
//! EVs that were GOOD and are to be used once more, as feedback leaves them and requests take them (P1 to P3).
//!
//! The ring keeps the last eight, so the slot `n` behind its head has the EV that was written `n` writes ago. Here all of
//! them are kept, in a list that only grows.

use super::epochs::{TIMES, Timeline};
use super::moment::RequestTime;
use super::{Kind, Shape};

/// The slots of a ring.
const SLOTS: u64 = 8;

/// The state that a feedback leaves (P1).
#[derive(Clone, Copy, Debug, Default)]
pub struct RingState {
    /// How many EVs have been written since the CCC was opened.
    writes: u64,
    /// Of the slots those not used yet.
    fill: u64,
    /// Slots that hold an EV.
    pub written: u64,
    /// The ring gives its EVs again and again.
    pub frozen: bool,
    since: u64,
    /// How often the ring has been emptied, as a freeze ended.
    emptied: u64,
}

impl RingState {
    /// The round: it has two bits.
    pub const fn round(self) -> u64 {
        self.emptied % 4
    }
}

/// The ring of a CCC since it was opened.
#[derive(Debug, Default)]
pub struct Ring {
    /// EVs of GOOD feedback.
    good: Vec<u64>,
    /// Cycle of each feedback, and what it left.
    left: Vec<(u64, RingState)>,
    /// Cycles of the requests that took an EV, and how often the ring that they saw had been emptied.
    pops: Vec<(u64, u64)>,
}

impl Ring {
    /// P2 in mode REPS.
    pub fn feedback(&mut self, shape: Shape, timeline: &Timeline, (cycle, ev, kind): (u64, u64, Kind)) {
        let (mut state, mut available) = self.before(cycle);
        let behind = cycle + shape.freeze();
        let time = Timeline::time(behind);
        // (a)
        if state.frozen && (time + TIMES - state.since) % TIMES >= timeline.settings(behind).freeze.max(1) {
            (state.frozen, state.written, available) = (false, 0, 0);
            state.emptied += 1;
        }
        // (b)
        self.write(&mut state, available, ev, kind);
        // (c)
        if kind == Kind::Timeout && !state.frozen {
            (state.frozen, state.since) = (true, time);
        }
        self.left.push((cycle, state));
    }

    /// X1 in mode mixed: P2 (b) alone.
    pub fn recycle(&mut self, (cycle, ev, kind): (u64, u64, Kind)) {
        let (mut state, available) = self.before(cycle);
        self.write(&mut state, available, ev, kind);
        self.left.push((cycle, state));
    }

    /// The state that a feedback finds, and what is available then.
    fn before(&self, cycle: u64) -> (RingState, u64) {
        match self.left.last() {
            Some(&(before, state)) => (state, state.fill - self.pops(state, before, cycle)),
            None => (RingState::default(), 0),
        }
    }

    /// P2 (b).
    fn write(&mut self, state: &mut RingState, available: u64, ev: u64, kind: Kind) {
        state.fill = available;
        if kind == Kind::Good {
            self.good.push(ev);
            state.writes += 1;
            state.fill = SLOTS.min(available + 1);
            state.written = SLOTS.min(state.written + 1);
        }
    }

    /// The pops by requests accepted from one cycle on, before another, that saw it emptied as often.
    fn pops(&self, state: RingState, from: u64, to: u64) -> u64 {
        let pops = self.pops.iter().rev().skip_while(|&&(cycle, _)| cycle >= to);
        let pops = pops.take_while(|&&(cycle, _)| cycle >= from);
        pops.filter(|&&(_, emptied)| emptied == state.emptied).count() as u64
    }

    /// P3: the state that a request sees, and how many EVs are left for it.
    pub fn seen(&self, now: RequestTime) -> (RingState, u64) {
        let seen =
            now.last_visible_cycle().and_then(|sight| self.left.iter().rev().find(|&&(cycle, _)| cycle <= sight));
        match seen {
            Some(&(cycle, state)) => (state, state.fill - self.pops(state, cycle, now.cycle)),
            None => (RingState::default(), 0),
        }
    }

    /// The EV in the slot `behind` slots behind the head of a state: P5's (head - `behind`) modulo 8.
    pub fn slot(&self, state: RingState, behind: u64) -> u64 {
        let at = state.writes.checked_sub(behind).and_then(|at| self.good.get(at as usize));
        at.copied().unwrap_or(0)
    }

    /// P5 and X1: takes the oldest of `n` EVs that are left.
    pub fn pop(&mut self, now: RequestTime, state: RingState, n: u64) -> u64 {
        self.pops.push((now.cycle, state.emptied));
        self.slot(state, n)
    }
}
