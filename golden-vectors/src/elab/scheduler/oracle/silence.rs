// SPDX-License-Identifier: MIT OR Apache-2.0
//! Dead VPs: which packets wait for an answer, since when, and when they are tried (V21 to V25).

use super::{Settings, Shape};
use std::collections::VecDeque;

/// Periods are counted modulo this.
const TURNS: u64 = 256;
/// The same if there are no reports.
const LONGEST: u64 = 64;
/// Rounds of reports are counted modulo this.
pub const ROUNDS: u64 = 16;
/// Rounds that must have ended until a VP is dead.
const MISSED: u64 = 4;
/// Packets that must wait behind the first one.
const MORE: u64 = 3;
/// Periods that must have begun until a VP is dead.
const PERIODS: u64 = 5;
/// Bits of the period that make times for tries.
const SLOTS: [u32; 4] = [1, 3, 5, 7];

fn passed(from: u64, to: u64) -> u64 {
    (to + TURNS - from) % TURNS
}

/// Numbers the periods since reset (V21), up to the last cycle that was asked for.
#[derive(Debug, Default)]
pub struct Periods {
    /// The cycle in which each period begins, but for the first one.
    begins: Vec<u64>,
    /// Units that have been looked at, and units that the last period has left.
    units: u64,
    left: u64,
}

impl Periods {
    /// The number of the period of a cycle.
    pub fn at(&mut self, shape: Shape, cycle: u64, settings: impl Fn(u64) -> Settings) -> u64 {
        while (self.units + 1) * shape.unit <= cycle {
            self.units += 1;
            let begin = self.units * shape.unit;
            if self.left == 0 {
                self.begins.push(begin);
                self.left = (settings(begin - 1).silence / 4).max(1);
            }
            self.left -= 1;
        }
        self.begins.partition_point(|&begin| begin <= cycle) as u64 % TURNS
    }
}

/// What packets have made of a VP.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Number of the wait: it changes with each first packet after an answer.
    pub wait: u64,
    pub dead: bool,
    /// Tries so far, and the slot bit at the last one.
    tries: usize,
    tried: bool,
    /// Packets behind the first one that waits, but for those after the third.
    more: u64,
    /// Period of the first packet that waits, and the rounds of reports then.
    from: u64,
    rounds: u64,
}

fn slot(period: u64, tries: usize) -> bool {
    period >> SLOTS[tries] & 1 == 1
}

impl State {
    /// V22: it is dead unless the wait has been answered.
    pub const fn is_dead(self, answered: u64) -> bool {
        self.dead && self.wait != answered
    }

    /// V24: it is due for a try.
    pub fn is_due(self, answered: u64, period: u64) -> bool {
        self.is_dead(answered) && slot(period, self.tries) != self.tried
    }

    /// V22, V24: the state after a packet that sees this answer and so many rounds of reports; whether the VP is found dead.
    fn packet(self, (answered, rounds): (u64, u64), period: u64, silence: u64) -> (Self, bool) {
        if self.wait == answered {
            let (wait, tried) = (self.wait + 1, self.tried);
            return (State { wait, tried, from: period, rounds, ..State::default() }, false);
        }
        if self.dead {
            let tries = (self.tries + 1).min(SLOTS.len() - 1);
            let next = State { tries, tried: slot(period, tries), ..self };
            return (if self.is_due(answered, period) { next } else { self }, false);
        }
        let periods = passed(self.from, period);
        let long = periods >= LONGEST || periods >= PERIODS && (rounds + ROUNDS - self.rounds) % ROUNDS >= MISSED;
        let dies = long && self.more == MORE && silence > 0;
        let next = State { more: MORE.min(self.more + 1), ..self };
        (if dies { State { dead: true, tries: 0, tried: slot(period, 0), ..next } } else { next }, dies)
    }
}

/// A VP number of a pair since reset: what its packets have made of it, and when.
#[derive(Debug, Default)]
pub struct Silence {
    now: State,
    /// States before, each until a cycle.
    before: VecDeque<(u64, State)>,
}

/// States that may still be seen: each change is seen a few cycles later, and reports are heeded late.
const KEPT: usize = 64;

impl Silence {
    /// V22: the state as requests see it that are accepted, and reports, in this cycle.
    pub fn seen(&self, shape: Shape, cycle: u64) -> State {
        let until = |&&(until, _): &&(u64, State)| cycle < until + shape.packet();
        self.before.iter().find(until).map_or(self.now, |&(_, state)| state)
    }

    /// The packet of a request of this cycle; whether the VP is found dead.
    pub fn packet(&mut self, cycle: u64, saw: (u64, u64), period: u64, silence: u64) -> bool {
        let (after, dies) = self.now.packet(saw, period, silence);
        if after != self.now {
            self.before.push_back((cycle, self.now));
            self.now = after;
            if self.before.len() > KEPT {
                self.before.pop_front();
            }
        }
        dies
    }
}
