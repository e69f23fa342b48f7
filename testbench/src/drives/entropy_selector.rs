// SPDX-License-Identifier: MIT OR Apache-2.0
//! Traffic for an entropy selector that reaches its interesting states: all or no EVs marked, the same CCC and EV again
//! and again, marks of all ages, CCCs that open and close under load.

use crate::device::drive::Drive;
use crate::device::ports::Port;
use crate::device::random::Random;
use crate::device::{Error, Ports};

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
    command: f64,
    /// Events that ask a single path to move.
    reroute: f64,
    /// Share of the requests with all egress ports free.
    ports_free: f64,
}

/// Random events that mostly follow the rules. The drive first opens all CCCs, and opens closed ones again soon.
#[derive(Clone, Debug)]
pub struct SelectorDrive {
    ports: Named,
    cccs: u64,
    evs: u64,
    random: Random,
    phase: Phase,
    left: u64,
    cycle: u64,
    /// The approximate position of the walk.
    place: u64,
    /// What was granted last to each CCC: its upper bits are those of feedback.
    granted: Vec<u64>,
    opened: u64,
    reset: f64,
    /// The codes of the modes with which CCCs are opened.
    modes: Vec<u64>,
}

macro_rules! named {
    ($($name:ident),* $(,)?) => {
        /// The ports that the drive reads and writes.
        #[derive(Clone, Debug)]
        struct Named {
            $($name: Port,)*
        }

        impl Named {
            fn find(ports: &Ports) -> Result<Self, Error> {
                let port = |name: &str| {
                    let port = ports.input(name).or_else(|| ports.output(name));
                    port.cloned().ok_or_else(|| Error::NoPort(name.to_owned()))
                };
                Ok(Named { $($name: port(stringify!($name))?,)* })
            }
        }
    };
}

named!(
    request_valid,
    request_ccc,
    request_free_ports,
    feedback_valid,
    feedback_ccc,
    feedback_ev,
    feedback_kind,
    reroute_valid,
    reroute_ccc,
    command_valid,
    command_ready,
    command_op,
    command_ccc,
    command_start,
    command_fixed,
    command_stride,
    command_mode,
    command_rod,
    command_space,
    command_rtt_class,
    settings_valid,
    settings_rtt,
    settings_saturation,
    settings_seed,
    pipeline,
    settings_explore,
    settings_freeze,
    settings_idle,
    settings_reroute,
    grant_valid,
    grant_open,
    grant_ccc,
    grant_ev,
);

/// Operation, CCC and first EV of a command.
type Operation = [u64; 3];

impl SelectorDrive {
    /// Makes a drive for a selector with `cccs` CCCs; the number of EVs follows from its ports.
    pub fn new(ports: &Ports, cccs: u64, random: Random) -> Result<Self, Error> {
        let ports = Named::find(ports)?;
        let evs = 1 << ports.command_start.width;
        let quiet = Phase {
            cccs,
            first: 0,
            turns: false,
            request: 0.1,
            feedback: 0.1,
            marks: 0.5,
            window: 0,
            illegal: 0.1,
            command: 1.0,
            reroute: 0.1,
            ports_free: 1.0,
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
            granted: vec![0; cccs as usize],
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
            command: [0.0, 0.02, 0.2, 1.0][random.below(4) as usize],
            reroute: [0.0, 0.02, 1.0][random.below(3) as usize],
            ports_free: [1.0, 1.0, 0.9, 0.0][random.below(4) as usize],
        };
        self.left = random.between(40, 900);
        let rtt = match random.below(8) {
            0 => random.below(64),
            1 => 1000 + random.below(4000),
            _ => random.between(64, 200),
        };
        let saturation = match random.below(6) {
            0 => 0,
            1 => 255,
            2 => 256 + random.below(256),
            3 => random.below(8),
            _ => random.below(256),
        };
        let mut put = |port: &Port, value: u64| input[port.offset] = value & port.mask(0);
        let ports = &self.ports;
        put(&ports.settings_valid, 1);
        put(&ports.settings_rtt, rtt);
        put(&ports.settings_saturation, saturation);
        put(&ports.settings_seed, random.bits());
        put(&ports.pipeline, random.below(5));
        put(&ports.settings_explore, [0, 1, 3, 20, 300][random.below(5) as usize]);
        // A phase is shorter than 15 units or RTTs.
        let short = [0, 1, 2, 6];
        for port in [&ports.settings_freeze, &ports.settings_idle, &ports.settings_reroute] {
            let wait = short[random.below(4) as usize];
            put(port, if random.chance(0.1) { random.bits() } else { wait });
        }
    }

    /// A CCC of the phase, or now and then any number of the port's width.
    fn ccc(&mut self) -> u64 {
        let Phase { cccs, first, turns, illegal, .. } = self.phase;
        if self.random.chance(illegal) {
            return self.random.bits() & self.ports.request_ccc.mask(0);
        }
        first + if turns { self.cycle % cccs } else { self.random.below(cccs) }
    }

    /// An EV on the wire, mostly with the upper bits of the CCC.
    fn ev(&mut self, ccc: u64) -> u64 {
        if self.random.chance(self.phase.illegal) {
            return self.random.bits() & 0xffff;
        }
        let granted = self.granted.get(ccc as usize).copied().unwrap_or(0);
        let ev = match self.phase.window {
            0 => self.random.below(self.evs),
            window => (self.place + self.random.below(window + 1)) % self.evs,
        };
        match self.random.below(3) {
            0 => granted,
            _ => granted & !(self.evs - 1) | ev,
        }
    }

    /// A command: opens CCCs that were never opened; then any operation, most often opening, so that most CCCs are open.
    fn operation(&mut self) -> Operation {
        let start = self.random.below(self.evs);
        if self.opened < self.cccs {
            self.opened += 1;
            return [1, self.opened - 1, start];
        }
        let op = match self.random.chance(self.phase.illegal) {
            true => self.random.below(8),
            false => [0, 0, 1, 1, 1, 1, 2, 3, 3, 3, 4, 4][self.random.below(12) as usize],
        };
        [op, self.ccc(), start]
    }
}

impl Drive for SelectorDrive {
    fn drive(&mut self, outputs: &[u64], input: &mut [u64]) -> bool {
        let get = |port: &Port| outputs[port.offset];
        let ready = get(&self.ports.command_ready) == 1;
        if get(&self.ports.grant_valid) == 1 && get(&self.ports.grant_open) == 1 {
            let ccc = get(&self.ports.grant_ccc) as usize;
            self.granted[ccc] = get(&self.ports.grant_ev);
        }
        input[self.ports.settings_valid.offset] = 0;
        if self.left == 0 || self.cycle == 0 {
            let first = self.left;
            self.next_phase(input);
            if self.cycle == 0 {
                (self.left, self.phase.request) = (first, 0.1);
            }
        }
        self.left -= 1;
        let Phase { request, feedback, command, marks, reroute, ports_free, illegal, .. } = self.phase;
        let (request, feedback) = (self.random.chance(request), self.random.chance(feedback));
        // Until all CCCs are open, opening comes first.
        let command = self.opened < self.cccs || self.random.chance(command);
        let kind = match self.random.chance(marks) {
            _ if self.random.chance(illegal) => self.random.below(8),
            true => 1 + self.cycle % 3,
            false => 0,
        };
        let (asked, told, moved) = (self.ccc(), self.ccc(), self.ccc());
        let ev = self.ev(told);
        // An operation that is offered but not accepted does not count as opened.
        let [op, ccc, start] = if command && ready { self.operation() } else { [2, asked, ev % self.evs] };
        let random = &mut self.random;
        let mode = match random.chance(illegal) {
            true => random.below(8),
            false => self.modes[random.below(self.modes.len() as u64) as usize],
        };
        let free_ports = if random.chance(ports_free) { !0 } else { random.bits() };
        let ports = &self.ports;
        let put = |input: &mut [u64], port: &Port, value: u64| input[port.offset] = value & port.mask(0);
        put(input, &ports.request_valid, request.into());
        put(input, &ports.request_ccc, asked);
        put(input, &ports.request_free_ports, free_ports);
        put(input, &ports.feedback_valid, feedback.into());
        put(input, &ports.feedback_ccc, told);
        put(input, &ports.feedback_ev, ev);
        put(input, &ports.feedback_kind, kind);
        put(input, &ports.reroute_valid, random.chance(reroute).into());
        put(input, &ports.reroute_ccc, moved);
        put(input, &ports.command_valid, command.into());
        put(input, &ports.command_op, op);
        put(input, &ports.command_ccc, ccc);
        put(input, &ports.command_start, start);
        put(input, &ports.command_fixed, random.chance(0.5).into());
        put(input, &ports.command_stride, if random.chance(0.6) { 0 } else { random.below(12) });
        put(input, &ports.command_mode, mode);
        put(input, &ports.command_rod, random.chance(0.1).into());
        // All EVs, or any number of a space, including spaces that do not exist.
        put(input, &ports.command_space, if random.chance(0.4) { 0 } else { random.below(12) });
        put(input, &ports.command_rtt_class, if random.chance(0.6) { 0 } else { random.below(8) });
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
