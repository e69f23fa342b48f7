// SPDX-License-Identifier: MIT OR Apache-2.0
//! A connection: the set of what has been received, and what an arrival does to it (R2 to R7).

use super::gaps::Gaps;
use super::pool::Verdict;
use super::time::age;
use super::{Answer, Arrival, Outcome, PROBE, Settings, Shape};
use std::collections::{BTreeMap, VecDeque};

/// Counters and numbers of packets have 32 bits.
pub const COUNT: u64 = 1 << 32;

/// A connection. PSNs are counted on without wrap: what a PSN is on a port is the number modulo 2 to the *n*. The first
/// lap is not number 0, so that there are numbers before the PSN of *open*.
#[derive(Clone, Debug, Default)]
pub struct Connection {
    /// It is open.
    pub open: bool,
    /// *B*: all before it have been read.
    pub base: u64,
    /// The cycles of the last reads.
    reads: VecDeque<u64>,
    /// *E*.
    pub expected: u64,
    /// *H* + 1.
    pub end: u64,
    /// Handles of what has been received from *B* on.
    pub handles: BTreeMap<u64, u64>,
    /// *held* when the connection was closed.
    discarded: u64,
    /// When *E* moved last, or the gap began (R19).
    pub since: u64,
    /// When *E* moved last, or the gap there was reported, and how often it was reported once more (R13).
    pub since_report: u64,
    pub repeats: u64,
    /// Its own tolerance.
    pub tolerance: Option<Settings>,
    /// What has been reported.
    pub gaps: Gaps,
    /// Number of packets that have been overtaken.
    pub reordered: u64,
    /// The most packets held.
    pub depth: u64,
    /// The largest age of a gap when *E* moved.
    pub duration: u64,
    /// Packets and time of the last one, by sub-path.
    pub sub_paths: BTreeMap<u64, (u64, u64)>,
}

impl Connection {
    /// A connection after *open* (R18).
    pub fn opened(shape: Shape, psn: u64) -> Self {
        let start = shape.psns() + psn;
        let gaps = Gaps::from(start);
        Connection { open: true, base: start, expected: start, end: start, gaps, ..Connection::default() }
    }

    /// *Close*: what is held is discarded (R18). Returns the handles, in the order of PSNs.
    pub fn close(&mut self) -> Vec<u64> {
        self.discarded = self.held();
        self.open = false;
        self.handles.split_off(&self.expected).into_values().collect()
    }

    /// The next packet is read in this cycle (R8). Returns its handle. What is decided later than so many cycles is not
    /// asked for.
    pub fn read(&mut self, cycle: u64, judged: u64) -> u64 {
        let handle = self.handles.remove(&self.base).expect("a packet before the expected one has been received");
        self.base += 1;
        while self.reads.front().is_some_and(|read| read + judged < cycle) {
            self.reads.pop_front();
        }
        self.reads.push_back(cycle);
        handle
    }

    /// *B* of a cycle that is not long ago.
    pub fn base_in(&self, cycle: u64) -> u64 {
        self.base - self.reads.iter().filter(|&&read| read > cycle).count() as u64
    }

    /// Number of packets received behind *E*; of a closed connection, how many were discarded (R19).
    pub fn held(&self) -> u64 {
        if self.open { self.handles.range(self.expected..).count() as u64 } else { self.discarded }
    }

    /// Whether there is a gap.
    pub const fn gap(&self) -> bool {
        self.end > self.expected
    }

    /// Whether this number has not been received.
    fn is_missing(&self, number: u64) -> bool {
        number >= self.expected && !self.handles.contains_key(&number)
    }

    /// The first number behind the gap that begins or goes on at this one.
    pub fn behind_gap(&self, from: u64) -> Option<u64> {
        self.handles.range(from..).next().map(|(&number, _)| number).filter(|_| self.is_missing(from))
    }

    /// The first number from this one on that has not been received.
    pub fn next_missing(&self, from: u64) -> u64 {
        (from..).find(|&number| self.is_missing(number)).expect("numbers have no end")
    }

    /// The first condition of R2 that holds, for an arrival of which the connection is known, with *B* in its cycle. The
    /// number is that of its PSN from *E* on. Last comes the condition of R32 for which the pool refuses it.
    fn outcome(&self, shape: Shape, arrival: &Arrival, base: u64, verdict: Verdict) -> (Outcome, u64, Option<usize>) {
        let ahead = arrival.psn.wrapping_sub(self.expected) % shape.psns();
        let number = self.expected + ahead;
        let cause = verdict.refuses(number == base);
        let outcome = if arrival.flags & PROBE != 0 {
            Outcome::Probe
        } else if ahead >= shape.psns() / 2 {
            Outcome::Below
        } else if self.handles.contains_key(&number) {
            Outcome::Duplicate
        } else if ahead >= shape.window {
            Outcome::Above
        } else if number - base >= shape.window {
            Outcome::NoBuffer
        } else if cause.is_some() {
            return (Outcome::NoBuffer, number, cause);
        } else if ahead == 0 {
            Outcome::InOrder
        } else {
            Outcome::Held
        };
        (outcome, number, None)
    }

    /// An arrival for an open connection, with *B* in its cycle. `time` is that of its gap, `path_time` that of its
    /// sub-path. The answer, and the condition of R32 for which the pool refuses it.
    pub fn arrive(
        &mut self,
        shape: Shape,
        arrival: &Arrival,
        base: u64,
        verdict: Verdict,
        [time, path_time]: [u64; 2],
    ) -> (Answer, Option<usize>) {
        let (outcome, number, cause) = self.outcome(shape, arrival, base, verdict);
        if arrival.path < shape.paths {
            let (packets, last) = self.sub_paths.entry(arrival.path).or_default();
            *packets = (*packets + 1) % COUNT;
            *last = path_time;
        }
        let mut late = false;
        if matches!(outcome, Outcome::InOrder | Outcome::Held) {
            late = number < self.end;
            self.receive(number, arrival.handle, time);
        }
        self.reordered = (self.reordered + u64::from(late)) % COUNT;
        self.depth = self.depth.max(self.held());
        let sack_base = arrival.psn / 64 * 64;
        let answer = Answer {
            arrival: *arrival,
            outcome,
            expected: self.expected % shape.psns(),
            highest: (self.end - 1) % shape.psns(),
            held: self.held(),
            late,
            suspected: self.gap() && self.expected < self.gaps.reported,
            sack_base,
            sack: if outcome == Outcome::Probe { 0 } else { self.sack(shape, base, sack_base) },
        };
        (answer, cause)
    }

    /// A number in the window that has not been received.
    fn receive(&mut self, number: u64, handle: u64, time: u64) {
        let had_gap = self.gap();
        let in_order = number == self.expected;
        self.handles.insert(number, handle);
        if number > self.end {
            self.gaps.begin(number, time);
        }
        self.end = self.end.max(number + 1);
        while self.handles.contains_key(&self.expected) {
            self.expected += 1;
        }
        self.gaps.advance(self.expected);
        if in_order {
            (self.since_report, self.repeats) = (time, 0);
        }
        if in_order && had_gap {
            self.duration = self.duration.max(age(self.since, time));
        }
        if in_order || !had_gap {
            self.since = time;
        }
    }

    /// The SACK word (R5), with *B* in the cycle of the arrival.
    fn sack(&self, shape: Shape, base: u64, sack_base: u64) -> u64 {
        let from_base = sack_base.wrapping_sub(base) % shape.psns();
        let begins_before = from_base >= shape.psns() / 2;
        let received = |bit: &u64| {
            let offset = if begins_before {
                match (bit + from_base).checked_sub(shape.psns()) {
                    Some(offset) => offset,
                    None => return true,
                }
            } else {
                from_base + bit
            };
            let number = base + offset;
            offset < shape.window && (number < self.expected || self.handles.contains_key(&number))
        };
        (0..64).filter(received).fold(0, |word, bit| word | 1 << bit)
    }
}
