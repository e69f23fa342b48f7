// SPDX-License-Identifier: MIT OR Apache-2.0
//! Drives the stage cycle by cycle, and hands everything that happens to the [`Checker`].

use super::checker::{Beat, Checker, Seen};
use pipeline::receive::reorder::{Hold, PayloadConfig, ReorderConfig, ReorderSettings};
use std::collections::VecDeque;
use testbench::device::model::model_of;
use testbench::device::random::Random;
use testbench::{Dut, Port};

/// A frame that is offered.
#[derive(Clone, Debug)]
pub struct Frame {
    pub connection: u64,
    pub psn: u64,
    pub found: bool,
    pub flags: u64,
    pub beats: Vec<Beat>,
}

/// Shares of the clock cycles.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// A beat is offered.
    pub offered: f64,
    /// A beat is taken on `m_axis`.
    pub taken: f64,
}

pub const FULL: Pace = Pace { offered: 1.0, taken: 1.0 };

pub struct Bench {
    pub config: ReorderConfig,
    pub pool: PayloadConfig,
    dut: Box<dyn Dut>,
    inputs: Vec<Port>,
    outputs: Vec<Port>,
    row: Vec<u64>,
    seen: Vec<u64>,
    pub random: Random,
    pub check: Checker,
    pub pace: Pace,
    /// Frames that wait, and the next beat of the first one.
    pub queue: VecDeque<Frame>,
    beat: usize,
    /// Code, connection, PSN.
    pub command: Option<(u64, u64, u64)>,
    /// Quota and reserve.
    pub limits: Option<(u64, u64)>,
}

/// A stage that never reports a gap.
pub fn config(pool: PayloadConfig, connections: u64, ram_latency: u32) -> ReorderConfig {
    let settings = ReorderSettings { span: 63, time: (1 << 20) - 1 };
    let hold = Hold::Payload(pool);
    ReorderConfig { paths: 2, ram_latency, settings, hold, ..ReorderConfig::new(connections, 64) }
}

impl Bench {
    /// Behind the sweep; all connections are open and begin at this PSN.
    pub fn new(pool: PayloadConfig, connections: u64, ram_latency: u32, psn: u64, seed: u64) -> Self {
        let config = config(pool, connections, ram_latency);
        let dut = model_of(&config).expect("it elaborates");
        let (inputs, outputs) = (dut.ports().inputs.clone(), dut.ports().outputs.clone());
        let (row, seen) = (vec![0; dut.ports().input_limbs()], vec![0; dut.ports().output_limbs()]);
        let mut bench = Bench {
            config,
            pool,
            dut,
            inputs,
            outputs,
            row,
            seen,
            random: Random::new(seed),
            check: Checker::new(config, pool),
            pace: FULL,
            queue: VecDeque::new(),
            beat: 0,
            command: None,
            limits: None,
        };
        bench.reset();
        for connection in 0..connections {
            bench.run_command(1, connection, psn);
        }
        bench
    }

    /// A reset, and the sweep.
    pub fn reset(&mut self) {
        self.dut.clock(true, &self.row);
        self.check.reset();
        self.beat = 0;
        let sweep = (self.config.connections * 2).max(self.pool.cells) + u64::from(self.config.ram_latency) + 12;
        self.run(sweep);
        assert_eq!(self.check.busy_cycles, sweep, "R37");
    }

    fn put(&mut self, name: &str, value: &[u64]) {
        let port = self.inputs.iter().find(|port| port.name == name).unwrap_or_else(|| panic!("no input {name}"));
        port.of_mut(&mut self.row).copy_from_slice(value);
    }

    pub fn get(&self, name: &str) -> &[u64] {
        let port = self.outputs.iter().find(|port| port.name == name).unwrap_or_else(|| panic!("no output {name}"));
        port.of(&self.seen)
    }

    pub fn one(&self, name: &str) -> u64 {
        self.get(name)[0]
    }

    fn take_beat(&self) -> Beat {
        let side = |name: &str| {
            let port = self.outputs.iter().find(|port| port.name == name);
            port.map_or(0, |port| port.of(&self.seen)[0])
        };
        Beat {
            data: self.get("m_axis_tdata").to_vec(),
            keep: self.get("m_axis_tkeep").to_vec(),
            user: self.one("m_axis_tuser"),
            id: side("m_axis_tid"),
            dest: side("m_axis_tdest"),
        }
    }

    /// One clock cycle.
    pub fn step(&mut self) {
        self.dut.outputs(&mut self.seen);
        let offers = !self.queue.is_empty() && self.random.chance(self.pace.offered);
        let ready = self.random.chance(self.pace.taken);
        let accepted = offers && self.one("s_axis_tready") == 1;
        let command = self.command.filter(|_| self.one("command_ready") == 1);
        let mut seen = Seen {
            busy: self.one("busy") == 1,
            s_ready: self.one("s_axis_tready") == 1,
            command_ready: self.one("command_ready") == 1,
            answer: None,
            response: None,
            delivery: None,
            free: self.one("free_cells"),
            low_water: self.one("low_water"),
            accepted: None,
            command,
            limits: self.limits,
            ready,
        };
        if self.one("answer_valid") == 1 {
            let names = ["connection", "psn", "outcome", "expected", "held"];
            seen.answer = Some(names.map(|name| self.one(&format!("answer_{name}"))));
        }
        if self.one("response_valid") == 1 {
            let names = ["op", "connection", "done", "open", "draining", "held"];
            seen.response = Some(names.map(|name| self.one(&format!("response_{name}"))));
        }
        if self.one("m_axis_tvalid") == 1 {
            let place = (self.one("delivery_connection"), self.one("delivery_psn"));
            seen.delivery = Some((place, self.take_beat(), self.one("m_axis_tlast") == 1));
        }

        // What is not valid is noise.
        for at in 0..self.row.len() {
            self.row[at] = self.random.bits();
        }
        for port in self.inputs.clone() {
            (0..port.limbs()).for_each(|limb| self.row[port.offset + limb] &= port.mask(limb));
        }
        self.put("event_ready", &[1]);
        self.put("m_axis_tready", &[ready.into()]);
        self.put("s_axis_tvalid", &[offers.into()]);
        if offers {
            let frame = self.queue[0].clone();
            let (beat, last) = (&frame.beats[self.beat], self.beat + 1 == frame.beats.len());
            self.put("s_axis_tdata", &beat.data);
            self.put("s_axis_tkeep", &beat.keep);
            self.put("s_axis_tuser", &[beat.user]);
            if self.pool.side_band.tid > 0 {
                self.put("s_axis_tid", &[beat.id]);
                self.put("s_axis_tdest", &[beat.dest]);
            }
            self.put("s_axis_tlast", &[last.into()]);
            if last {
                let (psn, found) = (frame.psn & ((1 << self.config.psn_bits) - 1), frame.found.into());
                self.put("arrival_connection", &[frame.connection]);
                self.put("arrival_psn", &[psn]);
                self.put("arrival_found", &[found]);
                self.put("arrival_flags", &[frame.flags]);
            }
            if accepted {
                self.beat += 1;
                seen.accepted = Some(last.then_some(frame));
                if last {
                    self.beat = 0;
                    self.queue.pop_front();
                }
            }
        }
        let (op, connection, psn) = self.command.unwrap_or_default();
        self.put("command_valid", &[self.command.is_some().into()]);
        self.put("command_op", &[op]);
        self.put("command_connection", &[connection]);
        self.put("command_psn", &[psn]);
        self.put("command_own_tolerance", &[0]);
        if command.is_some() {
            self.command = None;
        }
        let (quota, reserve) = self.limits.take().unwrap_or_default();
        self.put("settings_valid", &[seen.limits.is_some().into()]);
        if seen.limits.is_some() {
            self.put("settings_span", &[63]);
            self.put("settings_time", &[(1 << 20) - 1]);
            self.put("settings_quota", &[quota]);
            self.put("settings_reserve", &[reserve]);
        }
        self.dut.clock(false, &self.row);
        self.check.cycle(&seen);
    }

    pub fn run(&mut self, cycles: u64) {
        (0..cycles).for_each(|_| self.step());
    }

    /// A command, up to its response.
    pub fn run_command(&mut self, op: u64, connection: u64, psn: u64) {
        self.command = Some((op, connection, psn));
        let responses = self.check.counts.responses;
        let mut left = 500;
        while self.check.counts.responses == responses {
            self.step();
            left -= 1;
            assert!(left > 0, "no response");
        }
    }

    /// A frame of so many beats with random contents.
    pub fn frame(&mut self, connection: u64, psn: u64, beats: u64) -> Frame {
        let limbs = self.pool.data_width as usize / 64;
        let bytes = self.pool.data_width as usize / 8;
        let kept = self.random.between(1, bytes as u64) as usize;
        let mut all = Vec::new();
        for i in 0..beats {
            let kept = if i + 1 == beats { kept } else { bytes };
            let keep = (0..bytes.div_ceil(64)).map(|limb| ones(kept.saturating_sub(64 * limb).min(64))).collect();
            let data = (0..limbs).map(|_| self.random.bits()).collect();
            let side = self.pool.side_band;
            let mut bits = |width: u32| self.random.bits() & ((1 << width) - 1);
            all.push(Beat { data, keep, user: bits(5 + side.tuser), id: bits(side.tid), dest: bits(side.tdest) });
        }
        Frame { connection, psn, found: true, flags: 0, beats: all }
    }

    /// Offers a frame of so many beats.
    pub fn send(&mut self, connection: u64, psn: u64, beats: u64) {
        let frame = self.frame(connection, psn, beats);
        self.queue.push_back(frame);
    }

    /// Until all frames that wait have been accepted.
    pub fn drain(&mut self) {
        let mut left = 2_000_000;
        while !self.queue.is_empty() {
            self.step();
            left -= 1;
            assert!(left > 0, "frames wait");
        }
    }

    /// Until nothing happens any more; all cells are free again but for those of held packets.
    pub fn settle(&mut self) {
        self.pace = FULL;
        self.drain();
        let mut left = 200_000;
        while !self.check.is_idle() {
            self.step();
            left -= 1;
            assert!(left > 0, "the stage does not come to rest: {}", self.check.state());
        }
        self.run(60);
        self.check.at_rest(self.one("free_cells"));
        let counted = ["no_cells", "over_quota", "below_reserve", "no_buffer"].map(|name| self.one(name));
        self.check.compare_counters(counted);
    }
}

fn ones(count: usize) -> u64 {
    if count == 64 { !0 } else { (1 << count) - 1 }
}
