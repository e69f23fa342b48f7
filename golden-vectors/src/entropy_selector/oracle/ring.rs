// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ring of EVs that have come back GOOD: feedback writes it, and requests take EVs from it (P1 to P3).
//!
//! The ring stores the last eight EVs, so the slot `n` before its head holds the EV of `n` writes ago. Here all EVs are
//! kept, in a list that only grows.

use super::epochs::{TIMES, Timeline};
use super::moment::RequestTime;
use super::{Kind, Shape};

/// Number of slots of a ring.
const SLOTS: u64 = 8;

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
}

impl RingState {
    /// The flush count as stored, with two bits.
    pub const fn round(self) -> u64 {
        self.emptied % 4
    }
}

/// The ring of a CCC since it was opened.
#[derive(Debug, Default)]
pub struct Ring {
    /// EVs of GOOD feedback.
    good: Vec<u64>,
    /// Cycle of each feedback, and the state after it.
    left: Vec<(u64, RingState)>,
    /// Cycles of the requests that took an EV, and the flush count of the ring that they saw.
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

    /// The state before a feedback, and the number of EVs available then.
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

    /// The number of pops by requests accepted from one cycle up to another that saw the same flush count.
    fn pops(&self, state: RingState, from: u64, to: u64) -> u64 {
        let pops = self.pops.iter().rev().skip_while(|&&(cycle, _)| cycle >= to);
        let pops = pops.take_while(|&&(cycle, _)| cycle >= from);
        pops.filter(|&&(_, emptied)| emptied == state.emptied).count() as u64
    }

    /// P3: the state that a request sees, and the number of EVs available to it.
    pub fn seen(&self, now: RequestTime) -> (RingState, u64) {
        let seen =
            now.last_visible_cycle().and_then(|sight| self.left.iter().rev().find(|&&(cycle, _)| cycle <= sight));
        match seen {
            Some(&(cycle, state)) => (state, state.fill - self.pops(state, cycle, now.cycle)),
            None => (RingState::default(), 0),
        }
    }

    /// The EV in the slot `behind` slots before the head of a state: (head - `behind`) modulo 8 of P5.
    pub fn slot(&self, state: RingState, behind: u64) -> u64 {
        let at = state.writes.checked_sub(behind).and_then(|at| self.good.get(at as usize));
        at.copied().unwrap_or(0)
    }

    /// P5 and X1: takes the oldest of `n` available EVs.
    pub fn pop(&mut self, now: RequestTime, state: RingState, n: u64) -> u64 {
        self.pops.push((now.cycle, state.emptied));
        self.slot(state, n)
    }
}
