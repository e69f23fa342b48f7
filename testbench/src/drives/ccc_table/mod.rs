// SPDX-License-Identifier: MIT OR Apache-2.0
//! Traffic for a CCC table: CCCs that open and close under load, packets that are sent in turns and acknowledged, marked, late
//! or lost, events that break the rules, settings that change, and stalled grants. It counts what has happened.

mod watch;

use crate::device::drive::Drive;
use crate::device::ports::Port;
use crate::device::random::Random;
use crate::device::{Error, Ports};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::rc::Rc;
pub use watch::{ALWAYS, NSCC, RCCC};
use watch::{Past, Seen};

/// What has been seen how often.
pub type Counts = Rc<RefCell<BTreeMap<String, u64>>>;

/// Clock cycles in which one CCC sends without an ACK, until its bytes in flight reach their limit.
const PILE: std::ops::Range<u64> = 40_000..62_000;

/// A phase of the traffic. Phases follow one another at random.
#[derive(Clone, Copy, Debug)]
struct Phase {
    /// Number of CCCs in use, from 0 on.
    cccs: u64,
    ack: f64,
    send: f64,
    loss: f64,
    data: f64,
    command: f64,
    /// Share of NACKs and of credit among the events of `ack`.
    nack: f64,
    credit: f64,
    marked: f64,
    /// Time of a round trip beyond the base, at most.
    queue: u64,
    /// Share of ACKs with rcv_cwnd_pend, and with rc.
    pend: f64,
    restore: f64,
    /// Share of events that break the rules.
    wild: f64,
    /// Probability that a grant is taken in a clock cycle.
    taken: f64,
}

/// What the traffic knows of a CCC.
#[derive(Clone, Debug, Default)]
struct Sender {
    /// Sizes of packets in flight.
    flying: VecDeque<u64>,
    /// Sizes of packets that wait to be sent again.
    lost: VecDeque<u64>,
    credit: u64,
}

/// A turn: its CCC, and the packets and bytes that are left.
#[derive(Clone, Copy, Debug)]
struct Turn {
    ccc: u64,
    packets: u64,
    limit: u64,
}

/// Random events that mostly follow the rules.
#[derive(Clone, Debug)]
pub struct CccDrive {
    inputs: HashMap<String, Port>,
    outputs: HashMap<String, Port>,
    senders: Vec<Sender>,
    turns: VecDeque<Turn>,
    random: Random,
    phase: Phase,
    left: u64,
    /// One phase for ever, once all CCCs are open.
    steady: bool,
    opened: u64,
    past: Past,
    counts: Counts,
}

impl CccDrive {
    /// Makes a drive for a stage with this number of CCCs, which adds to `counts`.
    pub fn new(ports: &Ports, cccs: u64, random: Random, counts: Counts) -> Result<Self, Error> {
        let by_name = |ports: &[Port]| ports.iter().map(|port| (port.name.clone(), port.clone())).collect();
        ports.input("ack_ccc").ok_or_else(|| Error::NoPort("ack_ccc".into()))?;
        Ok(CccDrive {
            inputs: by_name(&ports.inputs),
            outputs: by_name(&ports.outputs),
            senders: vec![Sender::default(); cccs as usize],
            turns: VecDeque::new(),
            random,
            phase: Phase {
                cccs,
                ack: 0.0,
                send: 0.0,
                loss: 0.0,
                data: 0.0,
                command: 0.5,
                nack: 0.0,
                credit: 0.0,
                marked: 0.0,
                queue: 0,
                pend: 0.0,
                restore: 0.0,
                wild: 0.0,
                taken: 1.0,
            },
            left: 1000,
            steady: false,
            opened: 0,
            past: Past::default(),
            counts,
        })
    }

    /// For a bench: all CCCs are opened, and then there are ACKs, sends and new data in every clock cycle, and nothing stalls
    /// or resets the stage.
    pub fn steady(mut self) -> Self {
        (self.steady, self.left) = (true, 60 * self.senders.len() as u64);
        self
    }

    /// One CCC sends without an ACK.
    fn piles(&self) -> bool {
        !self.steady && PILE.contains(&self.past.cycle)
    }

    fn put(&self, input: &mut [u64], name: &str, value: u64) {
        if let Some(port) = self.inputs.get(name) {
            input[port.offset] = value & port.mask(0);
        }
    }

    fn put_all(&self, input: &mut [u64], stream: &str, fields: &[(&str, u64)]) {
        for (name, value) in fields {
            self.put(input, &format!("{stream}_{name}"), *value);
        }
    }

    fn next_phase(&mut self, input: &mut [u64]) {
        let random = &mut self.random;
        let pick = |random: &mut Random, from: &[f64]| from[random.below(from.len() as u64) as usize];
        let all = self.senders.len() as u64;
        if self.steady {
            let load = Phase { ack: 1.0, send: 1.0, data: 0.5, loss: 0.02, nack: 0.05, credit: 0.1, ..self.phase };
            self.phase = Phase { command: 0.0, marked: 0.05, queue: 60, ..load };
            self.left = u64::MAX;
            return;
        }
        self.phase = Phase {
            cccs: [1, 1, 2, all][random.below(4) as usize].min(all),
            ack: pick(random, &[1.0, 1.0, 0.8, 0.3, 0.05]),
            send: pick(random, &[1.0, 0.9, 0.5, 0.02]),
            loss: pick(random, &[0.0, 0.02, 0.3]),
            data: pick(random, &[1.0, 0.5, 0.05, 0.001]),
            command: pick(random, &[0.0, 0.02, 0.3, 1.0]),
            nack: pick(random, &[0.0, 0.05, 0.4]),
            credit: pick(random, &[0.0, 0.1, 0.4]),
            marked: pick(random, &[0.0, 0.05, 0.5, 1.0]),
            queue: [0, 6, 60, 300, 4000][random.below(5) as usize],
            pend: pick(random, &[0.0, 0.0, 0.05, 0.5]),
            restore: pick(random, &[0.0, 0.02, 0.5]),
            wild: pick(random, &[0.0, 0.0, 0.01, 0.3]),
            taken: pick(random, &[1.0, 1.0, 0.3, 0.0]),
        };
        self.left = random.between(40, 1500);
        if random.chance(0.3) {
            return;
        }
        let target = [70, 10, 0, 300][random.below(4) as usize];
        let fields = [
            ("valid", 1),
            ("tick", [1589, 0xFFFF, 0xFFFF, 0x4000][random.below(4) as usize]),
            ("mtu", [4096, 4096, 256, 0][random.below(4) as usize]),
            ("config_base_rtt", [94, 94, 20, 0][random.below(4) as usize]),
            ("rtt_floor", [1, 1, 0, 40][random.below(4) as usize]),
            ("wnd_rate", [38_400, 38_400, 2000, 0x1F_FFFF][random.below(4) as usize]),
            ("config_wnd", [225_000, 20_000, 0, 0xFFF_FFFF][random.below(4) as usize]),
            ("target", target),
            ("small_delay", [8, 8, 0, 40][random.below(4) as usize]),
            ("alpha", [44_739, 44_739, 0x3FF_FFFF][random.below(3) as usize]),
            ("fi", [20_480, 20_480, 0xFF_FFFF][random.below(3) as usize]),
            ("fi_scale", [64, 64, 0xFFFF][random.below(3) as usize]),
            ("eta", [614, 0, 0xF_FFFF][random.below(3) as usize]),
            ("gamma", [205, 205, 255][random.below(3) as usize]),
            ("max_cut", [128, 128, 255, 3][random.below(4) as usize]),
            ("qa_enable", random.chance(0.8).into()),
            ("qa_gate", [3, 3, 0, 1][random.below(4) as usize]),
            ("qa_threshold", [65_535, 4 * target, 4 * target, 5][random.below(4) as usize]),
            ("adjust_bytes", [32_768, 4096, 0][random.below(3) as usize]),
            ("adjust_period", [94, 94, 10, 65_535][random.below(4) as usize]),
            ("ack_trigger", [16_384, 300_000][random.below(2) as usize]),
        ];
        self.put_all(input, "settings", &fields);
    }

    /// A CCC: one in use.
    fn ccc(&mut self) -> u64 {
        self.random.below(self.phase.cccs)
    }

    fn drive_ack(&mut self, input: &mut [u64], ready: bool) {
        let Phase { ack, nack, credit, marked, queue, pend, restore, wild, .. } = self.phase;
        let offers = self.random.chance(ack);
        self.put(input, "ack_valid", offers.into());
        if !offers || self.random.chance(wild) {
            return;
        }
        let ccc = self.ccc();
        let kind = if self.random.chance(nack) { 1 } else { 2 * u64::from(self.random.chance(credit)) };
        let stamp = self.random.bits() & 0xF_FFFF;
        let service = self.random.below(5);
        let rtt = self.random.between(5, 94) + self.random.below(queue + 1) + service;
        let again = self.random.chance(0.1);
        let sender = &mut self.senders[ccc as usize];
        let mut fields = vec![
            ("ccc", ccc),
            ("kind", kind),
            ("marked", self.random.chance(marked).into()),
            ("timed", self.random.chance(0.95).into()),
            ("retx", again.into()),
            ("rtx_count", if self.random.chance(0.05) { 2 } else { again.into() }),
            ("stamp", stamp),
            ("arrived", stamp.wrapping_add(rtt)),
            ("service", service),
            ("pend", if self.random.chance(pend) { self.random.below(128) } else { 0 }),
            ("restore", self.random.chance(restore).into()),
            ("reason", [1, 1, 2, 7][self.random.below(4) as usize]),
        ];
        match kind {
            0 => {
                let packets = self.random.below(4).min(sender.flying.len() as u64);
                let sizes: Vec<_> = sender.flying.iter().copied().take(packets as usize).collect();
                let bytes: u64 = sizes.iter().sum();
                let again = if self.random.chance(0.2) { sender.lost.front().copied() } else { None };
                if ready {
                    sender.flying.drain(..packets as usize);
                    if again.is_some() {
                        sender.lost.pop_front();
                    }
                }
                // rcvd_bytes also counts packets that no ACK has named yet.
                let ahead = if self.random.chance(0.03) { self.random.below(600) } else { 0 };
                let quanta = bytes.div_ceil(256) + ahead;
                fields.extend([("packets", packets), ("quanta", quanta), ("size", 0)]);
                fields.extend([("rtx_packets", again.is_some().into()), ("rtx_bytes", again.unwrap_or(0))]);
            }
            1 => {
                let size = sender.flying.front().copied().unwrap_or(4160);
                if ready && !sender.flying.is_empty() {
                    sender.flying.pop_front();
                    sender.lost.push_back(size);
                }
                fields.push(("size", size));
            }
            _ => {
                let granted = self.random.below(200);
                let credit = sender.credit.wrapping_add(granted);
                if ready {
                    sender.credit = credit;
                }
                fields.push(("credit", credit));
            }
        }
        self.put_all(input, "ack", &fields);
    }

    fn drive_send(&mut self, input: &mut [u64], ready: bool) {
        let piles = self.piles();
        let Phase { send, wild, .. } = self.phase;
        let offers = piles || self.random.chance(send);
        self.put(input, "send_valid", offers.into());
        if piles {
            let fields = [("ccc", 0), ("size", 0x3FFF), ("packet", 1), ("retransmission", 0), ("last", 0)];
            self.put_all(input, "send", &fields);
            return;
        }
        if !offers || self.random.chance(wild) {
            return;
        }
        let Some(turn) = self.turns.front().copied() else {
            // That a CCC is not blocked.
            let unblocks = self.random.chance(0.2);
            let ccc = self.ccc();
            self.put(input, "send_valid", unblocks.into());
            self.put_all(input, "send", &[("ccc", ccc), ("packet", 0), ("last", 0), ("blocked", 0)]);
            return;
        };
        let blocked = self.random.chance(0.5);
        let sender = &mut self.senders[turn.ccc as usize];
        let again = if self.random.chance(0.9) { sender.lost.front().copied() } else { None };
        let size = again.unwrap_or([4160, 4160, 4160, 64][self.random.below(4) as usize]);
        let over = turn.packets <= 1 || size > turn.limit || self.random.chance(0.05);
        let packet = !self.random.chance(0.05);
        if ready {
            if packet {
                if again.is_some() {
                    sender.lost.pop_front();
                }
                sender.flying.push_back(size);
            }
            self.turns.pop_front();
            if !over {
                let left = Turn { packets: turn.packets - 1, limit: turn.limit - size, ..turn };
                self.turns.push_front(left);
            }
        }
        let fields = [
            ("ccc", turn.ccc),
            ("size", size),
            ("packet", packet.into()),
            ("retransmission", again.is_some().into()),
            ("last", over.into()),
            ("blocked", blocked.into()),
        ];
        self.put_all(input, "send", &fields);
    }

    fn drive_loss_and_data(&mut self, input: &mut [u64], loss_ready: bool) {
        let Phase { loss, data, wild, .. } = self.phase;
        let offers = self.random.chance(loss);
        self.put(input, "loss_valid", offers.into());
        if offers && !self.random.chance(wild) {
            let ccc = self.ccc();
            let sender = &mut self.senders[ccc as usize];
            let size = sender.flying.front().copied().unwrap_or(4160);
            if loss_ready && !sender.flying.is_empty() {
                sender.flying.pop_front();
                sender.lost.push_back(size);
            }
            self.put_all(input, "loss", &[("ccc", ccc), ("size", size)]);
        }
        let offers = self.random.chance(data);
        self.put(input, "data_valid", offers.into());
        if !self.random.chance(wild) {
            let (ccc, bytes) = (self.ccc(), 4160 * self.random.below(4));
            self.put_all(input, "data", &[("ccc", ccc), ("bytes", bytes)]);
        }
    }

    fn drive_command(&mut self, input: &mut [u64], ready: bool) {
        let operates = self.random.chance(self.phase.command);
        let mut op = [0, 0, 1, 1, 1, 2, 2, 3, 4][self.random.below(9) as usize];
        let mut ccc = if self.random.chance(0.02) { u64::MAX } else { self.ccc() };
        let mut weight = [1, 4, 15, 0][self.random.below(4) as usize];
        let mut force = self.random.chance(0.3);
        // Some are in turn and have nothing to send.
        if self.random.chance(0.2)
            && let Some(turn) = self.turns.front()
        {
            (op, ccc, force) = (2, turn.ccc, false);
        }
        // At first all are opened.
        if self.opened < self.senders.len() as u64 {
            (op, ccc, weight) = (1, self.opened, 4);
            self.opened += u64::from(operates && ready);
        }
        let class = if self.random.chance(0.1) { 3 } else { self.random.below(2) };
        let fields = [
            ("valid", operates.into()),
            ("op", op),
            ("ccc", ccc),
            ("nscc", self.random.chance(0.8).into()),
            ("rccc", self.random.chance(0.7).into()),
            ("class", if self.opened < self.senders.len() as u64 { 0 } else { class }),
            ("weight", weight),
            ("force", force.into()),
        ];
        self.put_all(input, "command", &fields);
    }
}

impl Drive for CccDrive {
    fn drive(&mut self, outputs: &[u64], input: &mut [u64]) -> bool {
        let mut ports: Vec<_> = self.inputs.values().cloned().collect();
        ports.sort_by_key(|port| port.offset);
        for port in ports {
            input[port.offset] = self.random.bits() & port.mask(0);
        }
        self.put(input, "settings_valid", 0);
        if self.left == 0 {
            self.next_phase(input);
        }
        self.left -= 1;
        let seen = |name: &str| outputs[self.outputs[name].offset];
        let takes = self.random.chance(self.phase.taken);
        let [grants, ccc, packets, limit] = ["grant_valid", "grant_ccc", "grant_packets", "grant_limit"].map(&seen);
        let [ack_ready, send_ready, loss_ready, command_ready] =
            ["ack_ready", "send_ready", "loss_ready", "command_ready"].map(|name| seen(name) == 1);
        self.put(input, "grant_ready", takes.into());
        self.drive_ack(input, ack_ready);
        self.drive_send(input, send_ready);
        if takes && grants == 1 {
            self.turns.push_back(Turn { ccc, packets, limit });
        }
        self.drive_loss_and_data(input, loss_ready);
        self.drive_command(input, command_ready);
        let piles = self.piles();
        if piles {
            for stream in ["ack", "loss", "data", "command"] {
                self.put(input, &format!("{stream}_valid"), 0);
            }
            if self.past.cycle < PILE.start + 200 {
                let fields = [("op", 1), ("ccc", 0), ("nscc", 1), ("class", 0), ("weight", 4), ("valid", 1)];
                self.put_all(input, "command", &fields);
            }
        }
        let seen = Seen { outputs, input, outputs_by_name: &self.outputs, inputs_by_name: &self.inputs };
        let closed = self.past.watch(&seen, &mut self.counts.borrow_mut());
        if let Some(ccc) = closed {
            if let Some(sender) = self.senders.get_mut(ccc as usize) {
                *sender = Sender::default();
            }
            self.turns.retain(|turn| turn.ccc != ccc);
        }
        let piles = self.piles();
        let resets = !self.steady && (self.past.cycle == 1 || !piles && self.random.chance(0.00005));
        if resets {
            self.senders.fill(Sender::default());
            self.turns.clear();
            self.opened = 0;
            self.past.forget();
        }
        resets
    }
}
