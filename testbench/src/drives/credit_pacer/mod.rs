// SPDX-License-Identifier: MIT OR Apache-2.0
//! Traffic for a credit pacer: sources that open, close and open again while they wait for credit, demands that grow, repeat,
//! are old, jump by half of all numbers or ask for the last number again, settings that change, and stalled grants. It counts
//! what has happened.

mod watch;

use crate::device::drive::Drive;
use crate::device::named::Named;
use crate::device::random::Random;
use crate::device::{Error, Ports};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
pub use watch::{EXPECTED, MANY};
use watch::{Given, Past};

/// What has been seen how often.
pub type Counts = Rc<RefCell<BTreeMap<String, u64>>>;

/// Sources that are opened first, before anything is closed. What is to happen to a source happens to these, however many there
/// are.
const FIRST: u64 = 8;

/// A credit number and a target wrap.
const MASK: u64 = 0xFF_FFFF;

/// Probabilities of a phase of the traffic. Phases follow one another at random.
#[derive(Clone, Copy, Debug)]
struct Phase {
    /// Number of sources in use, from 0 on.
    sources: u64,
    demand: f64,
    command: f64,
    /// The largest growth of a target.
    growth: u64,
    /// Share of demands that repeat or go back.
    old: f64,
    /// Share of demands at the limits of the comparisons.
    edges: f64,
    /// Share of demands and commands that name any source.
    wild: f64,
    /// Share of demands of the same source as the one before.
    again: f64,
    /// Share of demands that ask for the last number again.
    repeat: f64,
    /// Share of commands that read.
    read: f64,
    /// Probability that a grant is taken in a clock cycle.
    taken: f64,
}

/// What the traffic knows of a source.
#[derive(Clone, Copy, Debug, Default)]
struct Source {
    credit: u64,
    target: u64,
}

/// Random demands and commands.
#[derive(Clone, Debug)]
pub struct PacerDrive {
    ports: Named,
    sources: Vec<Source>,
    random: Random,
    phase: Phase,
    left: u64,
    opened: u64,
    /// The source of the demand before.
    last: u64,
    given: Given,
    past: Past,
    counts: Counts,
}

impl PacerDrive {
    /// Makes a drive for a stage with this number of sources and latency of the memories, which adds to `counts`.
    pub fn new(ports: &Ports, sources: u64, latency: u64, random: Random, counts: Counts) -> Result<Self, Error> {
        ports.input("demand_source").ok_or_else(|| Error::NoPort("demand_source".into()))?;
        let phase = Phase {
            sources,
            demand: 0.0,
            command: 1.0,
            growth: 1,
            old: 0.0,
            edges: 0.0,
            wild: 0.0,
            again: 0.0,
            repeat: 0.0,
            read: 0.0,
            taken: 1.0,
        };
        Ok(PacerDrive {
            ports: Named::new(ports),
            sources: vec![Source::default(); sources as usize],
            random,
            phase,
            left: 64 + sources + 20 * sources.min(FIRST),
            opened: 0,
            last: 0,
            given: Given::default(),
            past: Past::new(latency),
            counts,
        })
    }

    fn pick<T: Copy, const N: usize>(&mut self, from: [T; N]) -> T {
        from[self.random.below(N as u64) as usize]
    }

    fn next_phase(&mut self, input: &mut [u64]) {
        let all = self.sources.len() as u64;
        self.phase = Phase {
            sources: self.pick([1, 1, 2, 3, FIRST, all]).min(all),
            demand: self.pick([1.0, 1.0, 0.2, 0.02, 0.0]),
            command: self.pick([0.0, 0.002, 0.02, 1.0]),
            growth: self.pick([4, 60, 500, 100_000, 1 << 22]),
            old: self.pick([0.0, 0.05, 0.5]),
            edges: self.pick([0.0, 0.0, 0.1, 0.9]),
            wild: self.pick([0.0, 0.0, 0.02, 0.2]),
            again: self.pick([0.0, 0.5, 0.95]),
            repeat: self.pick([0.0, 0.05, 0.5, 1.0]),
            read: self.pick([0.2, 0.5, 0.9]),
            taken: self.pick([1.0, 1.0, 0.3, 0.02, 0.0]),
        };
        self.left = self.random.between(100, 3000);
        if self.random.chance(0.3) {
            return;
        }
        let given = Given {
            rate: self.pick([9830, 9830, 300_000, 1, 0, MASK]),
            quota: self.pick([64, 64, 0, 1, 3, 4095]),
            burst: self.pick([64, 64, 4095, 1, 0, 300]),
            advance: self.pick([879, 879, 0, 1, 100, 0x7F_FFFF, 0x80_0000, 0x80_0001, MASK]),
        };
        self.set(input, given);
    }

    fn set(&mut self, input: &mut [u64], given: Given) {
        self.given = given;
        let Given { rate, quota, burst, advance } = given;
        let fields = [("valid", 1), ("rate", rate), ("quota", quota), ("burst", burst), ("advance", advance)];
        self.ports.put_all(input, "settings", &fields);
    }

    /// A source: one in use, or any number.
    fn source(&mut self) -> u64 {
        if self.random.chance(self.phase.wild) { self.random.bits() } else { self.random.below(self.phase.sources) }
    }

    fn known(&mut self, source: u64) -> Option<&mut Source> {
        self.sources.get_mut(source as usize)
    }

    fn drive_demand(&mut self, outputs: &[u64], input: &mut [u64]) {
        let Phase { demand, growth, old, edges, again, repeat, .. } = self.phase;
        let offers = self.random.chance(demand);
        self.ports.put(input, "demand_valid", offers.into());
        let source = if self.random.chance(again) { self.last } else { self.source() };
        let Source { credit, target } = self.known(source).copied().unwrap_or_default();
        let Given { quota, advance, .. } = self.given;
        let half = 1 << 23;
        let next = if self.random.chance(edges) {
            let near = self.random.below(3).wrapping_sub(1);
            let edge =
                self.pick([target, target + half, credit, credit + quota, credit + half, credit.wrapping_sub(advance)]);
            edge.wrapping_add(near)
        } else if self.random.chance(old) {
            target.wrapping_sub(self.random.below(growth))
        } else {
            target.wrapping_add(self.random.below(growth + 1))
        } & MASK;
        let repeat = self.random.chance(repeat);
        self.ports.put_all(input, "demand", &[("source", source), ("target", next), ("repeat", repeat.into())]);
        if offers && self.ports.is_one(outputs, "demand_ready") {
            self.last = source;
            if next.wrapping_sub(target) & MASK < half
                && let Some(known) = self.known(source)
            {
                known.target = next;
            }
        }
    }

    fn drive_command(&mut self, outputs: &[u64], input: &mut [u64]) {
        // Before the first ones are open, hardly anything can happen.
        let first = FIRST.min(self.sources.len() as u64);
        let offers = self.random.chance(self.phase.command) || self.opened < first;
        self.ports.put(input, "command_valid", offers.into());
        let (op, source) = if self.opened < first {
            (1, self.opened)
        } else if self.random.chance(self.phase.read) {
            (0, self.source())
        } else {
            // A source does not stay closed for long.
            (self.pick([1, 1, 1, 2, 2, 3]), self.source())
        };
        let number = self.random.bits();
        self.ports.put_all(input, "command", &[("op", op), ("source", source), ("number", number)]);
        if offers && op == 1 && self.ports.is_one(outputs, "command_ready") {
            self.opened = (self.opened + 1).min(first);
        }
    }

    /// What the outputs say of sources.
    fn learn(&mut self, outputs: &[u64]) {
        let get = |name| self.ports.get(outputs, name);
        if get("grant_valid") == 1 {
            let (source, credit) = (get("grant_source"), get("grant_credit"));
            self.sources[source as usize].credit = credit;
        }
        if get("response_valid") == 1 && get("response_open") == 1 {
            let state = Source { credit: get("response_credit"), target: get("response_target") };
            let source = get("response_source");
            self.sources[source as usize] = state;
        }
    }
}

impl Drive for PacerDrive {
    fn drive(&mut self, outputs: &[u64], input: &mut [u64]) -> bool {
        self.ports.randomize(input, &mut self.random);
        self.ports.put(input, "settings_valid", 0);
        if self.left == 0 {
            self.next_phase(input);
        } else if self.random.chance(0.003) {
            // Also settings that change in the middle of traffic.
            let given = Given { advance: self.pick([879, 0, 5, MASK]), quota: self.pick([64, 2]), ..self.given };
            self.set(input, given);
        }
        self.left = self.left.saturating_sub(1);
        self.learn(outputs);
        self.ports.put(input, "grant_ready", self.random.chance(self.phase.taken).into());
        self.drive_demand(outputs, input);
        self.drive_command(outputs, input);
        self.past.watch(&self.ports, outputs, input, &mut self.counts.borrow_mut());
        // Between resets there is time for more than a sweep.
        let rare = 20_000.max(4 * self.sources.len() as u64);
        let resets = self.past.cycle == 1 || self.random.below(rare) == 0;
        if resets {
            self.sources.fill(Source::default());
            self.opened = 0;
            self.given = Given::default();
            self.past.forget();
        }
        resets
    }
}
