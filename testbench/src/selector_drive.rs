// SPDX-License-Identifier: MIT OR Apache-2.0
//! Traffic for an entropy selector that reaches its interesting states: all or no EVs marked, the same CCC and EV again
//! and again, marks of all ages, CCCs that open and close under load.

use crate::drive::Drive;
use crate::ports::Port;
use crate::random::Random;
use crate::{Error, Ports};

/// A phase of the traffic. Phases follow one another at random; each lasts for a few epochs.
#[derive(Clone, Copy, Debug)]
struct Phase {
    /// Number of CCCs in use, from `first` on.
    cccs: u64,
    first: u64,
    /// CCCs are used in turn instead of at random.
    turns: bool,
    request: f64,
    feedback: f64,
    /// Share of the feedback that marks.
    marks: f64,
    /// Feedback is for EVs in a window of this size that moves with the requests; 0 for all EVs.
    window: u64,
    /// Share of the feedback, requests and operations that break the rules.
    illegal: f64,
    control: f64,
}

/// Random events that mostly follow the rules. The drive first opens all CCCs, and opens closed ones again soon.
#[derive(Clone, Debug)]
pub struct SelectorDrive {
    ports: [Port; 21],
    cccs: u64,
    evs: u64,
    random: Random,
    phase: Phase,
    left: u64,
    cycle: u64,
    /// The approximate position of the walk.
    place: u64,
    opened: u64,
    reset: f64,
    /// The codes of the modes with which CCCs are opened.
    modes: Vec<u64>,
}

const NAMES: [&str; 21] = [
    "request_valid",
    "request_ccc",
    "feedback_valid",
    "feedback_ccc",
    "feedback_ev",
    "feedback_kind",
    "control_valid",
    "control_op",
    "control_ccc",
    "control_start",
    "settings_rtt",
    "settings_limit",
    "control_ready",
    "control_mode",
    "control_rod",
    "settings_seed",
    "settings_explore",
    "settings_freeze",
    "settings_idle",
    "settings_reroute",
    "control_space",
];

impl SelectorDrive {
    /// Makes a drive for a selector with `cccs` CCCs; the number of EVs follows from its ports.
    pub fn new(ports: &Ports, cccs: u64, random: Random) -> Result<Self, Error> {
        let port = |name: &&str| {
            let port = ports.input(name).or_else(|| ports.output(name));
            port.cloned().ok_or_else(|| Error::NoPort((*name).to_owned()))
        };
        let found: Vec<Port> = NAMES.iter().map(port).collect::<Result<_, _>>()?;
        let ports: [Port; 21] = found.try_into().map_err(|_| Error::NoPort("control_ready".to_owned()))?;
        let evs = 1 << ports[9].width;
        let quiet = Phase {
            cccs,
            first: 0,
            turns: false,
            request: 0.1,
            feedback: 0.1,
            marks: 0.5,
            window: 0,
            illegal: 0.1,
            control: 1.0,
        };
        // Long enough for the sweep and an operation on each CCC, up to a limit.
        let left = (22 * cccs + cccs).min(20_000);
        Ok(SelectorDrive {
            ports,
            cccs,
            evs,
            random,
            phase: quiet,
            left,
            cycle: 0,
            place: 0,
            opened: 0,
            reset: 0.00002,
            modes: vec![0],
        })
    }

    /// Sets the probability of a reset in a cycle.
    pub fn reset(mut self, p: f64) -> Self {
        self.reset = p;
        self
    }

    /// CCCs are opened with the modes whose bits are set, not with mode 0 alone.
    pub fn modes(mut self, mask: u64) -> Self {
        self.modes = (0..8).filter(|mode| mask >> mode & 1 == 1).collect();
        self
    }

    fn next_phase(&mut self, input: &mut [u64]) {
        let random = &mut self.random;
        let cccs = match random.below(5) {
            0 | 1 => 1,
            2 => 2,
            3 => 3,
            _ => self.cccs,
        };
        let cccs = cccs.min(self.cccs);
        let often = |random: &mut Random| [1.0, 1.0, 0.9, 0.5, 0.1][random.below(5) as usize];
        self.phase = Phase {
            cccs,
            first: random.below(self.cccs - cccs + 1),
            turns: random.chance(0.5),
            request: often(random),
            feedback: often(random),
            marks: [0.0, 0.1, 0.3, 0.6, 1.0][random.below(5) as usize],
            window: [0, 2, 16, 40, self.evs / 2, self.evs - 1][random.below(6) as usize],
            illegal: [0.0, 0.01, 0.2][random.below(3) as usize],
            control: [0.0, 0.02, 0.2, 1.0][random.below(4) as usize],
        };
        self.left = random.between(40, 900);
        let rtt = match random.below(8) {
            0 => random.below(64),
            1 => 1000 + random.below(4000),
            _ => random.between(64, 200),
        };
        let limit = match random.below(6) {
            0 => 0,
            1 => self.evs - 1,
            2 => self.evs + random.below(self.evs),
            3 => random.below(8),
            _ => random.below(self.evs),
        };
        input[self.ports[10].offset] = rtt;
        input[self.ports[11].offset] = limit;
        // In units of 64 cycles: a phase is shorter than 15 units.
        let short = [0, 1, 2, 6];
        input[self.ports[15].offset] = random.bits() & 0xffff;
        input[self.ports[16].offset] = [0, 1, 3, 20, 255][random.below(5) as usize];
        for port in &self.ports[17..20] {
            let wait = short[random.below(4) as usize];
            input[port.offset] = if random.chance(0.1) { random.bits() & port.mask(0) } else { wait };
        }
    }

    /// A CCC of the phase, or now and then any number of the port's width.
    fn ccc(&mut self, port: usize) -> u64 {
        let Phase { cccs, first, turns, illegal, .. } = self.phase;
        if self.random.chance(illegal) {
            return self.random.bits() & self.ports[port].mask(0);
        }
        first + if turns { self.cycle % cccs } else { self.random.below(cccs) }
    }

    fn ev(&mut self) -> u64 {
        if self.random.chance(self.phase.illegal) {
            return self.random.bits() & 0xffff;
        }
        match self.phase.window {
            0 => self.random.below(self.evs),
            window => (self.place + self.random.below(window + 1)) % self.evs,
        }
    }

    /// Operation, CCC and first EV: opens CCCs that were never opened; then chooses any operation, most often opening,
    /// so that most CCCs are open.
    fn control(&mut self) -> [u64; 3] {
        let start = self.random.below(self.evs);
        if self.opened < self.cccs {
            self.opened += 1;
            return [1, self.opened - 1, start];
        }
        let op = [0, 0, 1, 1, 1, 1, 2, 3, 3, 3][self.random.below(10) as usize];
        [op, self.ccc(8), start]
    }
}

impl Drive for SelectorDrive {
    fn drive(&mut self, outputs: &[u64], input: &mut [u64]) -> bool {
        if self.left == 0 || self.cycle == 0 {
            let first = self.left;
            self.next_phase(input);
            if self.cycle == 0 {
                (self.left, self.phase.request) = (first, 0.1);
            }
        }
        self.left -= 1;
        let ready = outputs[self.ports[12].offset] == 1;
        let mut put = |port: usize, value: u64| input[self.ports[port].offset] = value;
        let request = self.random.chance(self.phase.request);
        let feedback = self.random.chance(self.phase.feedback);
        // Until all CCCs are open, opening comes first.
        let control = self.opened < self.cccs || self.random.chance(self.phase.control);
        let marks = self.random.chance(self.phase.marks);
        put(0, request as u64);
        put(2, feedback as u64);
        put(6, control as u64);
        put(5, if marks { 1 + self.cycle % 3 } else { 0 });
        let (asked, told, ev) = (self.ccc(1), self.ccc(3), self.ev());
        // An operation that is offered but not accepted does not count as opened.
        let operation =
            if control && ready { self.control() } else { [2, asked & self.ports[8].mask(0), ev % self.evs] };
        let any = self.random.chance(self.phase.illegal);
        let mode =
            if any { self.random.below(8) } else { self.modes[self.random.below(self.modes.len() as u64) as usize] };
        let rod = self.random.chance(0.1) as u64;
        input[self.ports[13].offset] = mode;
        input[self.ports[14].offset] = rod;
        // All EVs, or any number of a space, including spaces that do not exist.
        input[self.ports[20].offset] = if self.random.chance(0.4) { 0 } else { self.random.below(12) };
        for (port, value) in [(1, asked), (3, told), (4, ev), (7, operation[0]), (8, operation[1]), (9, operation[2])] {
            input[self.ports[port].offset] = value;
        }
        if request && (!self.phase.turns || self.cycle.is_multiple_of(self.phase.cccs)) {
            self.place = (self.place + 1) % self.evs;
        }
        let reset = self.cycle == 0 || self.random.chance(self.reset);
        if reset {
            self.opened = 0;
        }
        self.cycle += 1;
        reset
    }
}
