// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the host knows of the sub-paths of a QP, and when: commands have their effect between the clock cycle in which they are
//! offered and that of their response.

/// Sub-paths of a QP.
pub const PATHS: usize = 4;

/// Codes of commands of `path_scheduler`.
pub mod op {
    pub const READ: u64 = 0;
    pub const OPEN: u64 = 1;
    pub const CLOSE: u64 = 2;
    pub const SET_GRANULARITY: u64 = 3;
    pub const ADD: u64 = 4;
    pub const START: u64 = 5;
    pub const LIMIT: u64 = 6;
    pub const DRAIN: u64 = 7;
    pub const FAIL: u64 = 8;
    pub const REMOVE: u64 = 9;
    pub const SET_FLOWLET: u64 = 10;
    pub const SET_ENTROPY: u64 = 11;
}

/// Codes of granularities.
pub const FLOW: u64 = 0;
pub const FLOWLET: u64 = 1;
pub const PACKET: u64 = 2;

/// Codes of states.
pub const ABSENT: u64 = 0;
pub const ACTIVE: u64 = 2;
pub const FAILED: u64 = 4;

/// A command; fields that it does not have are 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct Command {
    pub op: u64,
    pub qp: u64,
    pub path: u64,
    pub psn: u64,
    pub entropy: u64,
    pub granularity: u64,
    pub flowlet: u64,
    pub weight: u64,
    pub force: bool,
}

impl Command {
    /// By the names of the ports.
    pub fn fields(&self) -> [(&'static str, u64); 9] {
        [
            ("op", self.op),
            ("qp", self.qp),
            ("path", self.path),
            ("psn", self.psn),
            ("entropy", self.entropy),
            ("granularity", self.granularity),
            ("flowlet", self.flowlet),
            ("weight", self.weight),
            ("force", self.force.into()),
        ]
    }
}

/// A sub-path as the host has set it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SubPath {
    pub active: bool,
    pub entropy: u64,
    pub limit: u64,
    /// That of *start*.
    pub weight: u64,
}

/// A QP as the host has set it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Qp {
    pub open: bool,
    pub granularity: u64,
    /// In units of 64 clock cycles.
    pub flowlet: u64,
    pub paths: [SubPath; PATHS],
}

/// What is the same for all QPs.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// The entropy of a sub-path is that of *open*, XOR its number.
    pub is_xor: bool,
    /// The flowlet time of a QP that has none of its own.
    pub flowlet: u64,
}

impl Qp {
    /// After a command that is done.
    fn after(mut self, command: &Command, rules: Rules) -> Self {
        let Command { path, entropy, granularity, weight, .. } = *command;
        let flowlet = if command.flowlet == 0 { rules.flowlet } else { command.flowlet };
        let of = &mut self.paths[path as usize % PATHS];
        match command.op {
            op::OPEN => {
                self = Qp { open: true, granularity, flowlet, ..Qp::default() };
                if rules.is_xor {
                    (0..).zip(&mut self.paths).for_each(|(path, of)| of.entropy = entropy ^ path);
                }
            }
            op::CLOSE => self = Qp::default(),
            op::SET_GRANULARITY => self.granularity = granularity,
            op::ADD => {
                let entropy = if rules.is_xor { of.entropy } else { entropy };
                *of = SubPath { active: false, entropy, limit: weight, weight: 0 };
            }
            op::START => (of.active, of.weight) = (true, weight.min(of.limit)),
            op::LIMIT => (of.limit, of.weight) = (weight, of.weight.min(weight)),
            op::DRAIN | op::FAIL | op::REMOVE => of.active = false,
            op::SET_FLOWLET => self.flowlet = flowlet,
            op::SET_ENTROPY => of.entropy = entropy,
            _ => {}
        }
        self
    }

    /// Which sub-paths are active.
    pub fn active(&self) -> [bool; PATHS] {
        self.paths.map(|path| path.active)
    }

    /// All active sub-paths have one weight, which cannot change without marks.
    pub fn is_even(&self) -> bool {
        let mut active = self.paths.iter().filter(|path| path.active);
        let first = active.clone().next().map(|path| path.weight);
        active.all(|path| path.weight == path.limit && Some(path.weight) == first)
    }

    /// The sub-path that has its turn behind this one, if they take turns.
    pub fn behind(&self, path: u64) -> u64 {
        let next = (1..=PATHS as u64).map(|i| (path + i) % PATHS as u64);
        next.clone().find(|&next| self.paths[next as usize].active).unwrap_or(path)
    }
}

/// A state, and the clock cycles in which it can have begun.
#[derive(Clone, Copy, Debug)]
struct Entry {
    begins: u64,
    sure: u64,
    qp: Qp,
}

/// The states of a QP, one after the other.
#[derive(Clone, Debug)]
pub struct History {
    entries: Vec<Entry>,
    /// How often the QP has been opened.
    pub life: u64,
}

impl History {
    pub fn new() -> Self {
        History { entries: vec![Entry { begins: 0, sure: 0, qp: Qp::default() }], life: 0 }
    }

    /// The state that was set last.
    pub fn now(&self) -> Qp {
        self.entries.last().expect("there is one").qp
    }

    /// A command is offered in this clock cycle.
    pub fn offers(&mut self, now: u64, command: &Command, rules: Rules) {
        let qp = self.now().after(command, rules);
        self.entries.push(Entry { begins: now, sure: u64::MAX, qp });
    }

    /// Its response.
    pub fn answered(&mut self, now: u64, command: &Command, is_done: bool) {
        match self.entries.last_mut() {
            Some(entry) if is_done => entry.sure = now,
            _ => drop(self.entries.pop()),
        }
        self.life += u64::from(is_done && command.op == op::OPEN);
    }

    /// A sub-path turns out to be no longer active, from some clock cycle before this one on.
    pub fn failed(&mut self, now: u64, path: u64) {
        let mut qp = self.now();
        qp.paths[path as usize].active = false;
        self.entries.push(Entry { begins: now, sure: now, qp });
    }

    /// The states that can have been there in some of these clock cycles.
    pub fn between(&self, from: u64, to: u64) -> Vec<Qp> {
        let ends = self.entries.iter().skip(1).map(|entry| entry.sure).chain([u64::MAX]);
        let there = self.entries.iter().zip(ends).filter(|(entry, end)| entry.begins <= to && *end >= from);
        let mut states: Vec<Qp> = there.map(|(entry, _)| entry.qp).collect();
        states.dedup();
        states
    }
}
