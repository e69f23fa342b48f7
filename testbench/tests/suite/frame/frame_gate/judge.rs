// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames and records for a gate under every load: bursts, frames of one beat, frames longer than the memory, consumers
//! that pause for a long time, records before their frames and after them.

use testbench::Ports;
use testbench::device::drive::Drive;
use testbench::device::random::Random;
use testbench::streams::Channel;

/// Probabilities during a phase.
#[derive(Clone, Copy, Debug, Default)]
struct Phase {
    beat: f64,
    last: f64,
    drop: f64,
    record: f64,
    frame_ready: f64,
    record_ready: f64,
    /// Number of frames by which records may be ahead or behind.
    ahead: i64,
    behind: i64,
    left: u64,
}

impl Phase {
    fn any(random: &mut Random) -> Self {
        let mut rate = |all: [f64; 5]| all[random.below(5) as usize];
        let (beat, last) = (rate([0.2, 0.6, 0.9, 1.0, 1.0]), rate([0.02, 0.1, 0.3, 0.9, 1.0]));
        let (drop, record) = (rate([0.0, 0.1, 0.3, 0.5, 0.9]), rate([0.1, 0.5, 0.9, 1.0, 1.0]));
        let ready = [0.0, 0.3, 0.9, 1.0, 1.0];
        let (frame_ready, record_ready) = (rate(ready), rate(ready));
        let ahead = [0, 1, 8, 22, 40][random.below(5) as usize];
        let behind = [0, 0, 1, 5, 40][random.below(5) as usize];
        let left = random.between(20, 300);
        Phase { beat, last, drop, record, frame_ready, record_ready, ahead, behind, left }
    }
}

/// The traffic.
pub struct Traffic {
    frames: Channel,
    records: Option<Channel>,
    frame_ready: usize,
    record_ready: Option<usize>,
    last: usize,
    user: usize,
    phase: Phase,
    /// Number of records taken, minus the frames that have ended.
    lead: i64,
    random: Random,
}

impl Traffic {
    pub fn new(ports: &Ports, seed: u64) -> Self {
        let frames = Channel::input(ports, "s_axis").expect("frames come in");
        let at = |name: &str| ports.input(name).expect("it is there").offset;
        Traffic {
            records: Channel::input(ports, "s_record").ok(),
            frame_ready: at("m_axis_tready"),
            record_ready: ports.input("m_record_tready").map(|port| port.offset),
            last: at("s_axis_tlast"),
            user: at("s_axis_tuser"),
            frames,
            phase: Phase::default(),
            lead: 0,
            random: Random::new(seed),
        }
    }
}

impl Drive for Traffic {
    fn drive(&mut self, outputs: &[u64], input: &mut [u64]) -> bool {
        let random = &mut self.random;
        if self.phase.left == 0 {
            self.phase = Phase::any(random);
        }
        self.phase.left -= 1;
        let phase = self.phase;
        for port in self.frames.payload().chain(self.records.iter().flat_map(Channel::payload)) {
            random.value(port, input);
        }
        let beat = random.chance(phase.beat);
        input[self.last] = random.chance(phase.last).into();
        input[self.user] = input[self.user] & !1 | u64::from(random.chance(phase.drop));
        self.frames.set_valid(input, beat);
        input[self.frame_ready] = random.chance(phase.frame_ready).into();
        if let (Some(records), Some(ready)) = (&self.records, self.record_ready) {
            // No record comes earlier than allowed, and a late record comes for certain.
            let record = self.lead < phase.ahead && random.chance(phase.record) || self.lead < -phase.behind;
            records.set_valid(input, record);
            input[ready] = random.chance(phase.record_ready).into();
            self.lead += i64::from(record && records.ready(outputs));
        }
        self.lead -= i64::from(beat && input[self.last] == 1);
        let reset = random.chance(0.0005);
        if reset {
            self.lead = 0;
        }
        reset
    }
}
