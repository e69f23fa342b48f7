// SPDX-License-Identifier: MIT OR Apache-2.0
//! Dead VPs: which packets wait for an answer, since when, and when they are tried (V21 to V25).

use super::{Settings, Shape};
use std::collections::VecDeque;

/// Periods are counted modulo this.
const TURNS: u64 = 256;
/// Packets in later periods that a wait must have.
const LATER: u64 = 2;
/// Periods that must have begun behind the last one of these until a packet asks.
const ASKS: u64 = 3;
/// Periods without any report for each VP of the pair, and the number of VPs from which on there are no more.
const EACH: u64 = 8;
const MOST: u64 = 16;
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
    /// Packets in later periods than those before them, and whether a packet has asked.
    later: u64,
    asks: bool,
    /// Period of the last packet that was counted or has asked, or of the first one that waits.
    from: u64,
}

/// What packets see of the reports of a VP.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Heard {
    /// The wait that was answered last, and the one that was denied last.
    pub answered: u64,
    pub denied: Option<u64>,
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

    /// V22: a report of no packets denies the wait.
    pub const fn is_denied(self, answered: u64) -> bool {
        self.asks && self.wait != answered
    }

    /// V22, V24: the state after a packet, of a pair with so many VPs; whether the VP is found dead.
    fn packet(self, heard: Heard, vps: u64, period: u64, silence: u64) -> (Self, bool) {
        let answered = heard.answered;
        if self.wait == answered {
            let (wait, tried) = (self.wait + 1, self.tried);
            return (State { wait, tried, from: period, ..State::default() }, false);
        }
        if self.dead {
            let tries = (self.tries + 1).min(SLOTS.len() - 1);
            let next = State { tries, tried: slot(period, tries), ..self };
            return (if self.is_due(answered, period) { next } else { self }, false);
        }
        let periods = passed(self.from, period);
        if self.asks {
            let dies = silence > 0 && (heard.denied == Some(self.wait) || periods >= EACH * vps.min(MOST));
            let dead = State { dead: true, tries: 0, tried: slot(period, 0), ..self };
            return (if dies { dead } else { self }, dies);
        }
        if self.later < LATER {
            let counted = State { later: self.later + 1, from: period, ..self };
            return (if periods > 0 { counted } else { self }, false);
        }
        (if periods >= ASKS { State { asks: true, from: period, ..self } } else { self }, false)
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
    pub fn packet(&mut self, cycle: u64, heard: Heard, vps: u64, period: u64, silence: u64) -> bool {
        let (after, dies) = self.now.packet(heard, vps, period, silence);
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
