// SPDX-License-Identifier: MIT OR Apache-2.0
//! Traffic for a reorder stage that holds frames: dense packets on few connections, reordered, repeated and beyond the
//! window, in frames of one beat up to longer than the longest; limits that change, connections that open and close,
//! stalls. It counts what has happened.

use crate::device::drive::Drive;
use crate::device::ports::Port;
use crate::device::random::Random;
use crate::device::{Error, Ports};
use crate::drives::reorder::Counts;

/// What the traffic brings about sooner or later, each with its row.
pub const OCCURRENCES: [&str; 29] = [
    "R2 in order",
    "R2 held",
    "R2 duplicate",
    "R2 below",
    "R2 above",
    "R2 no buffer",
    "R2 unknown",
    "R2 probe",
    "R30 a beat has to wait",
    "R30 a frame of one beat",
    "R30 a frame of several cells",
    "R31 no cell is free",
    "R31 a frame of more than 16,384 bytes",
    "R32 no cells",
    "R32 over the quota",
    "R32 below the reserve",
    "R34 a frame of several beats",
    "R34 a stall in a frame",
    "R34 frames back to back",
    "R34 two connections back to back",
    "R35 closed while frames are held",
    "R35 draining after a close",
    "R35 not closed",
    "R35 not opened",
    "R36 all cells are free again",
    "R36 several cells more than in the cycle before",
    "R37 busy again after a reset",
    "R38 other limits",
    "R39 low water",
];

/// Random frames that mostly follow the rules.
#[derive(Clone, Debug)]
pub struct FrameDrive {
    inputs: Vec<Port>,
    outputs: Vec<Port>,
    cells: u64,
    /// Beats of a cell, and of the longest frame.
    cell: u64,
    longest: u64,
    random: Random,
    /// The expected PSN of each connection.
    expected: Vec<u64>,
    /// Beats of the frame that is offered, and the next one.
    beats: u64,
    beat: u64,
    /// Connection and PSN of this frame.
    place: (u64, u64),
    /// Of the phase: PSNs ahead, packets of 20 that have the expected one, most beats; shares of cycles with a beat, with a beat taken, with a command.
    spread: u64,
    in_order: u64,
    dense: bool,
    most: u64,
    offered: f64,
    taken: f64,
    command: f64,
    left: u64,
    cycle: u64,
    free: u64,
    ready: bool,
    /// Of the clock cycle before: the connection whose frame ended, and whether a frame goes on.
    ended: Option<u64>,
    inside: bool,
    counts: Counts,
}

impl FrameDrive {
    /// Makes a drive for a pool of `cells` cells of `cell` beats, which adds to `counts`.
    pub fn new(ports: &Ports, cells: u64, cell: u64, random: Random, counts: Counts) -> Result<Self, Error> {
        let input = |name: &str| ports.input(name).ok_or_else(|| Error::NoPort(name.to_owned()));
        let connections = input("arrival_connection")?.mask(0) + 1;
        let longest = 16_384 * 8 / u64::from(input("s_axis_tdata")?.width);
        Ok(FrameDrive {
            inputs: ports.inputs.clone(),
            outputs: ports.outputs.clone(),
            cells,
            cell,
            longest,
            random,
            expected: vec![0; connections as usize],
            beats: 1,
            beat: 0,
            place: (0, 0),
            spread: 1,
            in_order: 10,
            dense: false,
            most: 1,
            offered: 0.0,
            taken: 1.0,
            command: 0.0,
            left: 0,
            cycle: 0,
            free: cells,
            ready: false,
            ended: None,
            inside: false,
            counts,
        })
    }

    /// Short frames back to back that are taken at once, and no limits: all memories are in use.
    pub fn dense(self) -> Self {
        FrameDrive { dense: true, ..self }
    }

    fn put(&self, input: &mut [u64], name: &str, value: u64) {
        let port = self.inputs.iter().find(|port| port.name == name).expect("a port of the stage");
        input[port.offset] = value & port.mask(0);
    }

    fn next_phase(&mut self, input: &mut [u64]) {
        let random = &mut self.random;
        let pick = |random: &mut Random, from: &[f64]| from[random.below(from.len() as u64) as usize];
        self.spread = [1, 2, 8, 40][random.below(4) as usize];
        // With few of them many packets wait, and leave in more than one turn.
        self.in_order = [10, 10, 1][random.below(3) as usize];
        self.most = [1, 3, 2 * self.cell, 6 * self.cell][random.below(4) as usize];
        self.offered = pick(random, &[1.0, 1.0, 0.6, 0.1]);
        self.taken = pick(random, &[1.0, 1.0, 0.8, 0.3, 0.02]);
        self.command = pick(random, &[0.0, 0.01, 0.1]);
        self.left = random.between(40, 900);
        let (quota, reserve) = (random.below(self.cells + 2), random.below(self.cells / 2));
        let off = random.chance(0.3);
        self.put(input, "settings_valid", 1);
        self.put(input, "settings_span", u64::MAX);
        self.put(input, "settings_time", u64::MAX);
        self.put(input, "settings_quota", if off { self.cells } else { quota });
        self.put(input, "settings_reserve", if off { 0 } else { reserve });
        self.note("R38 other limits", true);
        if self.dense {
            self.most = [1, 1, 3, 2 * self.cell][self.random.below(4) as usize];
            (self.offered, self.taken, self.command) = (1.0, 1.0, 0.01);
            self.left = self.random.between(40, 200);
            self.put(input, "settings_quota", self.cells);
            self.put(input, "settings_reserve", 0);
        }
    }

    fn note(&self, what: &'static str, happens: bool) {
        if happens {
            *self.counts.borrow_mut().entry(what).or_insert(0) += 1;
        }
    }

    fn next_frame(&mut self) {
        let random = &mut self.random;
        let connection = random.below(self.expected.len() as u64);
        let expected = self.expected[connection as usize];
        let psn = match random.below(20) {
            0 => expected.wrapping_sub(1 + random.below(4)),
            1 => expected + 60 + random.below(30),
            it if it < 2 + self.in_order => expected,
            _ => expected + random.below(self.spread),
        };
        self.place = (connection, psn);
        self.beats = match random.below(3000) {
            0 => self.longest + random.below(20),
            _ => random.between(1, self.most),
        };
        self.beat = 0;
    }

    /// Looks at the outputs of a clock cycle.
    fn watch(&mut self, outputs: &[u64]) {
        let seen = |name: &str| {
            let port = self.outputs.iter().find(|port| port.name == name).expect("a port of the stage");
            outputs[port.offset]
        };
        let free = seen("free_cells");
        self.note("R31 no cell is free", free == 0);
        self.note("R36 all cells are free again", free == self.cells && self.free != free && seen("busy") == 0);
        self.note("R36 several cells more than in the cycle before", free > self.free + 1);
        self.note("R37 busy again after a reset", seen("busy") == 1 && self.cycle > 1000);
        self.note("R39 low water", seen("low_water") < free);
        self.note("R32 no cells", seen("no_cells") != 0);
        self.note("R32 over the quota", seen("over_quota") != 0);
        self.note("R32 below the reserve", seen("below_reserve") != 0);
        if seen("answer_valid") == 1 {
            self.note(OCCURRENCES[seen("answer_outcome") as usize], true);
            if seen("answer_outcome") != 6 {
                let (connection, expected) = (seen("answer_connection") as usize, seen("answer_expected"));
                self.expected[connection] = expected;
            }
        }
        let (valid, last, connection) =
            (seen("m_axis_tvalid") == 1, seen("m_axis_tlast") == 1, seen("delivery_connection"));
        self.note("R34 a frame of several beats", valid && !last);
        self.note("R34 a stall in a frame", valid && self.inside && !self.ready);
        self.note("R34 frames back to back", valid && self.ended.is_some());
        self.note("R34 two connections back to back", valid && self.ended.is_some_and(|ended| ended != connection));
        let transferred = valid && self.ready;
        self.ended = (transferred && last).then_some(connection);
        self.inside = if transferred { !last } else { self.inside };
        if seen("response_valid") == 1 {
            let (op, done, draining) =
                (seen("response_op"), seen("response_done") == 1, seen("response_draining") == 1);
            let holds = seen("response_held") != 0;
            self.note("R35 closed while frames are held", op == 2 && done && holds);
            self.note("R35 draining after a close", op == 0 && draining && seen("response_open") == 0);
            self.note("R35 not closed", op == 2 && !done && seen("response_open") == 1);
            self.note("R35 not opened", op == 1 && !done && seen("response_open") == 0);
            if op == 1 && done {
                let (connection, expected) = (seen("response_connection") as usize, seen("response_expected"));
                self.expected[connection] = expected;
            }
        }
        self.free = free;
    }
}

impl Drive for FrameDrive {
    fn drive(&mut self, outputs: &[u64], input: &mut [u64]) -> bool {
        for port in &self.inputs {
            for (i, limb) in port.of_mut(input).iter_mut().enumerate() {
                *limb = self.random.bits() & port.mask(i);
            }
        }
        self.put(input, "settings_valid", 0);
        if self.left == 0 {
            self.next_phase(input);
        }
        self.left -= 1;
        let offers = self.random.chance(self.offered);
        self.ready = self.random.chance(self.taken);
        let operates = self.random.chance(self.command);
        self.watch(outputs);
        let accepts = self.outputs.iter().find(|port| port.name == "s_axis_tready").map(|port| outputs[port.offset]);
        let (accepted, last) = (offers && accepts == Some(1), self.beat + 1 >= self.beats);
        self.note("R30 a beat has to wait", offers && !accepted && self.cycle > 1000);
        let (connection, psn) = self.place;
        self.put(input, "m_axis_tready", self.ready.into());
        self.put(input, "s_axis_tvalid", offers.into());
        self.put(input, "s_axis_tlast", last.into());
        self.put(input, "arrival_connection", connection);
        self.put(input, "arrival_psn", psn);
        let (found, probe) = (self.random.chance(0.99), self.random.chance(0.02));
        self.put(input, "arrival_found", found.into());
        let flags = self.random.bits() & 0xFB;
        self.put(input, "arrival_flags", flags | (4 * u64::from(probe)));
        if accepted {
            self.note("R30 a frame of one beat", last && self.beats == 1);
            self.note("R30 a frame of several cells", last && self.beats > self.cell);
            self.note("R31 a frame of more than 16,384 bytes", last && self.beats > self.longest);
            self.beat += 1;
            if last {
                self.next_frame();
            }
        }
        self.put(input, "command_valid", operates.into());
        let (connection, start) = (self.random.below(self.expected.len() as u64), self.random.below(100));
        self.put(input, "command_connection", connection);
        self.put(input, "command_psn", 0_u64.wrapping_sub(start));
        let op = [0, 1, 1, 1, 1, 2, 2, 3][self.random.below(8) as usize];
        self.put(input, "command_op", op);
        self.put(input, "event_ready", 1);
        self.cycle += 1;
        self.cycle == 1 || self.random.chance(0.000_05)
    }
}
