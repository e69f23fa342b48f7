// SPDX-License-Identifier: MIT OR Apache-2.0
//! Traffic for a packet tracker: PDCs that open, change and close under load, packets that are sent, acknowledged in any order,
//! refused, lost and sent again, ACKs that repeat or say too much, settings that change, and stalled outputs. It counts what
//! has happened.

mod watch;

use crate::device::drive::Drive;
use crate::device::named::Named;
use crate::device::random::Random;
use crate::device::{Error, Ports};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use watch::Past;
pub use watch::{EXPECTED, MANY};

/// What has been seen how often.
pub type Counts = Rc<RefCell<BTreeMap<String, u64>>>;

/// Probabilities of a phase of the traffic. Phases follow one another at random.
#[derive(Clone, Copy, Debug)]
struct Phase {
    /// Number of PDCs in use, from 0 on.
    pdcs: u64,
    ack: f64,
    send: f64,
    command: f64,
    /// Share of NACKs and of credit among the transfers of `ack`.
    nack: f64,
    credit: f64,
    /// Share of packets that an ACK leaves out.
    holes: f64,
    /// Share of ACKs that repeat old ones.
    old: f64,
    /// Share of sends that send again.
    again: f64,
    /// Share of transfers that break the rules.
    wild: f64,
    /// Probabilities that an event, an outcome and a failure are taken in a clock cycle.
    taken: [f64; 3],
}

/// What the traffic knows of a PDC.
#[derive(Clone, Copy, Debug, Default)]
struct Sender {
    base: u64,
    next: u64,
    rcvd_bytes: u64,
}

/// Random transfers that mostly follow the rules.
#[derive(Clone, Debug)]
pub struct TrackerDrive {
    ports: Named,
    /// The largest PSN.
    last_psn: u64,
    window: u64,
    senders: Vec<Sender>,
    random: Random,
    phase: Phase,
    left: u64,
    /// One phase for ever, once all PDCs are open.
    steady: bool,
    opened: u64,
    past: Past,
    counts: Counts,
}

impl TrackerDrive {
    /// Makes a drive for a stage with this number of PDCs and this window, which adds to `counts`.
    pub fn new(ports: &Ports, pdcs: u64, window: u64, random: Random, counts: Counts) -> Result<Self, Error> {
        let psn = ports.input("ack_psn").ok_or_else(|| Error::NoPort("ack_psn".into()))?;
        let phase = Phase {
            pdcs,
            ack: 0.0,
            send: 0.0,
            command: 0.5,
            nack: 0.0,
            credit: 0.0,
            holes: 0.0,
            old: 0.0,
            again: 0.0,
            wild: 0.0,
            taken: [1.0; 3],
        };
        Ok(TrackerDrive {
            last_psn: psn.mask(0),
            ports: Named::new(ports),
            window,
            senders: vec![Sender::default(); pdcs as usize],
            random,
            phase,
            left: 60 * pdcs.min(64),
            steady: false,
            opened: 0,
            past: Past::default(),
            counts,
        })
    }

    /// For a bench: all PDCs are opened, and then packets are sent and acknowledged in every clock cycle, and nothing stalls or
    /// resets the stage.
    pub fn steady(mut self) -> Self {
        (self.steady, self.left) = (true, 60 * self.senders.len() as u64);
        self
    }

    fn pick<T: Copy, const N: usize>(&mut self, from: [T; N]) -> T {
        from[self.random.below(N as u64) as usize]
    }

    fn next_phase(&mut self, input: &mut [u64]) {
        let all = self.senders.len() as u64;
        if self.steady {
            let load = Phase { ack: 1.0, send: 1.0, holes: 0.1, nack: 0.05, credit: 0.1, again: 0.05, ..self.phase };
            self.phase = Phase { command: 0.0, ..load };
            self.left = u64::MAX;
            return;
        }
        self.phase = Phase {
            pdcs: self.pick([1, 1, 2, all]).min(all),
            ack: self.pick([1.0, 0.5, 0.1, 0.02, 0.0]),
            send: self.pick([1.0, 1.0, 0.3, 0.02]),
            command: self.pick([0.0, 0.01, 0.05, 0.5]),
            nack: self.pick([0.0, 0.1, 0.7]),
            credit: self.pick([0.0, 0.1, 0.5]),
            holes: self.pick([0.0, 0.1, 0.5]),
            old: self.pick([0.0, 0.1, 0.5]),
            again: self.pick([0.05, 0.3, 0.8]),
            wild: self.pick([0.0, 0.0, 0.01, 0.1]),
            taken: [self.pick([1.0, 0.9, 0.2, 0.0]), self.pick([1.0, 0.9, 0.2, 0.0]), self.pick([1.0, 0.05])],
        };
        self.left = self.random.between(100, 3000);
        if self.random.chance(0.3) {
            return;
        }
        // Time-outs after some hundred clock cycles, or never.
        let fields = [
            ("valid", 1),
            ("tick", self.pick([1589, 0x4000, 0xFFFF, 0xFFFF])),
            ("rto", self.pick([0, 100, 300, 1000, 7813])),
            ("retries", self.pick([0, 1, 2, 5])),
            ("span", self.pick([self.window / 2, 3, 0, self.window - 1])),
            ("backoff", self.pick([0, 20, 100, 1000])),
            ("backoff_limit", self.pick([0, 1, 5, 31])),
            ("tail_probe", self.pick([0, 50, 200, 2000])),
        ];
        self.ports.put_all(input, "settings", &fields);
    }

    /// The number of a PDC in use.
    fn pdc(&mut self) -> u64 {
        self.random.below(self.phase.pdcs)
    }

    fn drive_ack(&mut self, outputs: &[u64], input: &mut [u64]) {
        let Phase { ack, nack, credit, holes, old, wild, .. } = self.phase;
        let (offers, ready) = (self.random.chance(ack), self.ports.is_one(outputs, "ack_ready"));
        self.ports.put(input, "ack_valid", offers.into());
        // What stands on the ports then is random.
        if !offers || self.random.chance(wild) {
            return;
        }
        let (pdc, kind) = (
            self.pdc(),
            if self.random.chance(nack) { self.pick([1, 1, 3]) } else { 2 * u64::from(self.random.chance(credit)) },
        );
        let Sender { base, next, rcvd_bytes } = self.senders[pdc as usize];
        let flying = next.wrapping_sub(base) & self.last_psn;
        let now = self.ports.get(outputs, "now");
        let again = self.random.chance(0.2);
        let mut fields = vec![
            ("pdc", pdc),
            ("kind", kind),
            ("arrived", now.wrapping_sub(self.random.below(4))),
            ("retx", again.into()),
            ("mpr", self.pick([0, 0, 1, 2, 16])),
        ];
        if kind % 2 == 1 {
            let psn = base.wrapping_add(self.random.below(flying + 1));
            // An RNR NAK names up to 80 us here.
            let reason = self.pick([1, 2, 0x0D, 0x1A, 0x17, 0x0C, 0x07, 0x21, 0x22, 0x23, 0x26]);
            fields.extend([("psn", psn), ("reason", reason)]);
            self.ports.put_all(input, "ack", &fields);
            return;
        }
        // Of the packets sent some at the front are acknowledged, and some of the 64 from a place behind them on.
        let count = if self.random.chance(old) { 0 } else { self.random.below(flying + 1) };
        let before = if self.random.chance(old) { self.random.below(8) } else { 0 };
        let psn = base.wrapping_add(count).wrapping_sub(1 + before);
        let place = self.random.below(flying + 1) & !7;
        let mut sack = 0_u64;
        for bit in 0..64_u64 {
            let named = place + bit < flying && !self.random.chance(holes);
            sack |= u64::from(named) << bit;
        }
        let sack = if self.random.chance(0.5) { 0 } else { sack };
        let offset = base.wrapping_add(place).wrapping_sub(psn);
        let ahead = self.random.below(40);
        if ready {
            let sender = &mut self.senders[pdc as usize];
            sender.rcvd_bytes = rcvd_bytes.wrapping_add(ahead);
            if before == 0 {
                sender.base = base.wrapping_add(count) & self.last_psn;
            }
        }
        let trigger = if self.random.chance(0.5) { 0 } else { offset.wrapping_add(self.random.below(8)) };
        fields.extend([
            ("psn", psn),
            ("sack_offset", offset),
            ("sack", sack),
            ("triggered", self.random.chance(0.9).into()),
            ("trigger_offset", trigger),
            ("counted", self.random.chance(0.9).into()),
            ("rcvd_bytes", rcvd_bytes.wrapping_add(ahead)),
        ]);
        self.ports.put_all(input, "ack", &fields);
    }

    fn drive_send(&mut self, input: &mut [u64]) {
        let Phase { send, again, wild, .. } = self.phase;
        let offers = self.random.chance(send);
        self.ports.put(input, "send_valid", offers.into());
        if !offers || self.random.chance(wild) {
            return;
        }
        let op = if self.random.chance(0.1) { 0 } else { 1 + u64::from(self.random.chance(again)) };
        let fields = [
            ("pdc", self.pdc()),
            ("op", op),
            ("size", self.pick([4160, 4160, 64, 0])),
            ("ev", self.pick([3, 3, 5, 0x1_0003])),
            ("last", self.random.chance(0.2).into()),
        ];
        self.ports.put_all(input, "send", &fields);
    }

    fn drive_command(&mut self, outputs: &[u64], input: &mut [u64]) {
        let (operates, ready) = (self.random.chance(self.phase.command), self.ports.is_one(outputs, "command_ready"));
        let mut op = self.pick([0, 0, 0, 1, 1, 2, 3, 4, 5]);
        let mut pdc = self.pdc();
        // At first all are opened.
        if self.opened < self.senders.len() as u64 {
            (op, pdc) = (1, self.opened);
            self.opened += u64::from(operates && ready);
        }
        let fields = [
            ("valid", operates.into()),
            ("op", op),
            ("pdc", pdc),
            ("psn", self.pick([0, 100, self.last_psn - 20, self.last_psn / 2])),
            ("window", self.pick([0, 0, 1, 5, self.window - 1, 2 * self.window - 1])),
            ("mpr", self.pick([0, 0, 1])),
            ("ev", self.pick([3, 5])),
            ("all", self.random.chance(0.2).into()),
            ("stays_failed", self.random.chance(0.3).into()),
            ("force", self.random.chance(0.3).into()),
        ];
        self.ports.put_all(input, "command", &fields);
    }

    /// What the outputs say of PDCs.
    fn learn(&mut self, outputs: &[u64]) {
        let get = |name| self.ports.get(outputs, name);
        if get("sent_valid") == 1 && get("sent_ok") == 1 && get("sent_op") == 1 {
            self.senders[get("sent_pdc") as usize].next = (get("sent_psn") + 1) & self.last_psn;
        }
        if get("response_valid") == 1 {
            let sender = &mut self.senders[get("response_pdc") as usize];
            (sender.base, sender.next) = (get("response_base"), get("response_next"));
            if get("response_op") == 1 && get("response_done") == 1 {
                sender.rcvd_bytes = 0;
            }
        }
    }
}

impl Drive for TrackerDrive {
    fn drive(&mut self, outputs: &[u64], input: &mut [u64]) -> bool {
        self.ports.randomize(input, &mut self.random);
        self.ports.put(input, "settings_valid", 0);
        if self.left == 0 {
            self.next_phase(input);
        }
        self.left -= 1;
        self.learn(outputs);
        for (sink, taken) in ["event_ready", "outcome_ready", "failure_ready"].into_iter().zip(self.phase.taken) {
            self.ports.put(input, sink, self.random.chance(taken).into());
        }
        self.drive_ack(outputs, input);
        self.drive_send(input);
        self.drive_command(outputs, input);
        self.past.watch(&self.ports, outputs, input, &mut self.counts.borrow_mut());
        let resets = !self.steady && (self.past.cycle == 1 || self.random.chance(0.00005));
        if resets {
            self.senders.fill(Sender::default());
            self.opened = 0;
            self.past.forget();
        }
        resets
    }
}
