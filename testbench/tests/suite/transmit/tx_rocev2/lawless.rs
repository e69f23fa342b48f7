// SPDX-License-Identifier: MIT OR Apache-2.0
//! Inputs without rules for a transmit path of RoCEv2, among which so many make sense that packets leave: random ones alone
//! open hardly a QP with an active sub-path, and acknowledge no packet.

use super::paths::op;
use std::cell::Cell;
use std::rc::Rc;
use testbench::device::drive::{Drive, RandomDrive};
use testbench::device::named::Named;
use testbench::device::random::Random;
use testbench::{Error, Ports};

/// What happened at most between two resets.
#[derive(Clone, Debug, Default)]
pub struct Most {
    pub frames: Rc<Cell<u64>>,
    /// Packets that were sent again.
    pub again: Rc<Cell<u64>>,
    pub completions: Rc<Cell<u64>>,
}

/// Random inputs, but for commands, many ACKs, and some requests.
pub struct Lawless {
    drive: RandomDrive,
    random: Random,
    ports: Named,
    most: Most,
    /// The last fetch: QP and PSN.
    fetched: (u64, u64),
}

/// Settings that come so seldom that there is traffic between.
const SETTINGS: [&str; 4] = [
    "packet_tracker_settings_valid",
    "ccc_table_settings_valid",
    "path_scheduler_settings_valid",
    "probe_settings_valid",
];

impl Lawless {
    pub fn new(ports: &Ports, seed: u64, most: &Most) -> Result<Self, Error> {
        let mut drive = RandomDrive::new(ports, Random::new(seed)).reset(0.0002);
        for name in SETTINGS {
            drive = drive.chance(name, 0.0003)?;
        }
        let drive = drive.chance("command_valid", 0.005)?.chance("path_scheduler_command_valid", 0.3)?;
        let random = Random::new(seed + 100);
        Ok(Lawless { drive, random, ports: Named::new(ports), most: most.clone(), fetched: (0, 0) })
    }
}

impl Drive for Lawless {
    fn drive(&mut self, outputs: &[u64], input: &mut [u64]) -> bool {
        let (ports, random) = (&self.ports, &mut self.random);
        self.most.frames.set(self.most.frames.get().max(ports.get(outputs, "header_builder_frames")));
        let resets = self.drive.drive(outputs, input);
        let is_taken = |name: &str| {
            ports.is_one(outputs, &format!("{name}_valid")) && ports.given(input, &format!("{name}_ready")) == 1
        };
        if is_taken("fetch") {
            self.fetched = (ports.get(outputs, "fetch_pdc"), ports.get(outputs, "fetch_psn"));
            self.most.again.set(self.most.again.get() + ports.get(outputs, "fetch_retransmission"));
        }
        self.most.completions.set(self.most.completions.get() + u64::from(is_taken("completion")));
        if random.chance(0.8) {
            ports.put_all(input, "command", &[("op", 1), ("class", 0), ("weight", 2)]);
        }
        if random.chance(0.9) {
            let op = [op::OPEN, op::ADD, op::START][random.below(3) as usize];
            let (granularity, path, weight) = (random.below(3), random.below(4), random.between(1, 255));
            let fields = [("op", op), ("path", path), ("granularity", granularity), ("weight", weight), ("force", 1)];
            ports.put_all(input, "path_scheduler_command", &fields);
        }
        if random.chance(0.5) {
            ports.put(input, "request_length", random.below(2000));
        }
        if random.chance(0.5) {
            let (qp, psn) = self.fetched;
            let opcode = if random.chance(0.5) { 0x11 } else { 0xD1 };
            let syndrome = [0, 0, 0x21, 0x60][random.below(4) as usize];
            let flags = [0, 0, 2, 4][random.below(4) as usize];
            let back = random.below(3);
            let fields = [
                ("found", 1),
                ("connection", qp),
                ("transport", 2),
                ("has_mpeh", 1),
                ("mpeh_0", random.below(4) << 24 | flags << 16),
                ("header_0", opcode << 24),
                ("header_1", random.below(2) << 30),
                ("header_2", psn.wrapping_sub(back) & 0xFF_FFFF),
                ("header_3", syndrome << 24),
            ];
            ports.put_all(input, "s_record", &fields);
        }
        resets
    }
}
