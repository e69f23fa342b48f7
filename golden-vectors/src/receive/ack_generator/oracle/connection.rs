// SPDX-License-Identifier: MIT OR Apache-2.0
//! A connection, and what passes do to it (G5 to G12, G15, G20, G21).

use super::nack;
use super::{Command, Counters, Moment, Protocol, Report, Shape, op};

/// What a connection owes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Owes {
    /// Nothing.
    #[default]
    Nothing,
    /// An ACK that is not yet due.
    Waiting,
    /// An ACK that is due.
    Due,
}

/// What the ACK that is owed says besides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Code {
    /// It is an ACK.
    #[default]
    None,
    /// It is a NAK: sequence error.
    SequenceError,
    /// It is a NAK: receiver not ready.
    NotReady,
    /// It is a NAK: invalid request.
    InvalidRequest,
}

/// Of the packet that is the trigger.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trigger {
    /// RoCE: its path.
    pub path: u64,
    /// RoCE: its one-way delay, if that is known.
    pub delay: Option<u64>,
    /// Its PSN.
    pub psn: u64,
    /// UET: its EV.
    pub ev: u64,
    /// UET: it is a retransmission.
    pub retx: bool,
    /// Its time.
    pub arrived: u64,
}

/// A reply (G14). What it keeps of its packet.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reply {
    /// Number of the connection.
    pub connection: u64,
    /// The code of a NACK; `None` for an answer to a probe, and with RoCE.
    pub code: Option<u64>,
    /// RoCE: so many PSNs of a gap are named, from that of the packet on; `None` for an answer to a probe.
    pub names: Option<u64>,
    /// RoCE: they have been named before.
    pub repeated: bool,
    /// Mark of the packet.
    pub ecn: bool,
    /// The probe opaque.
    pub opaque: u64,
    /// The handle.
    pub handle: u64,
    /// PSN, EV and the like.
    pub packet: Trigger,
}

/// A connection.
#[derive(Clone, Debug, Default)]
pub struct Connection {
    /// It is open.
    pub open: bool,
    /// What it owes.
    pub owes: Owes,
    /// *E*.
    pub expected: u64,
    /// Packets held.
    pub held: u64,
    /// Owed: packets that count for coalescing.
    pub packets: u64,
    /// Owed: bytes that count for coalescing.
    pub bytes: u64,
    /// Owed: time of what found nothing owed.
    pub since: u64,
    /// Owed: a merged packet was marked.
    pub marked: bool,
    /// Owed: a merged arrival had packets held.
    pub reordered: bool,
    /// Owed: whether it is a NAK.
    pub code: Code,
    /// The trigger.
    pub trigger: Trigger,
    /// Multipath is on.
    pub multipath: bool,
    /// *E* is in a gap that has been reported.
    pub suspected: bool,
    /// The gap at *E* has had its NAK; with multipath its RNR NAK.
    pub answered: bool,
    /// *MSN*.
    pub msn: u64,
    /// The marks of G8, by slot. Opening does not clear them.
    pub marks: Vec<bool>,
    /// *flowlet*.
    pub flowlet: u64,
    /// *top*.
    pub top: u64,
    /// Bytes received.
    pub total: u64,
    /// PSN of bit 0 of the SACK word.
    pub base: u64,
    /// The SACK word.
    pub sack: u64,
    /// Nothing has been merged since *open*.
    pub first: bool,
    /// RoCE: its own timer code of RNR NAKs.
    pub rnr_code: Option<u64>,
    /// UET: when an arrival last found no buffer and was answered (G27). Opening does not clear it.
    pub told: Option<u64>,
}

impl Connection {
    /// A connection after reset.
    pub fn new(shape: Shape) -> Self {
        Connection { marks: vec![false; shape.window as usize], ..Connection::default() }
    }

    /// A command takes effect (G21). Returns whether it was done.
    pub fn command(&mut self, shape: Shape, command: &Command, moment: &Moment) -> bool {
        let done = match command.op {
            op::READ => true,
            op::OPEN => !self.open && self.owes == Owes::Nothing,
            _ => self.open,
        };
        let rnr_code = command.own_rnr_code.then_some(command.rnr_code);
        match command.op {
            op::OPEN if done => {
                let expected = command.psn;
                let psn = shape.minus(expected, 1);
                *self = Connection {
                    open: true,
                    expected,
                    multipath: command.multipath,
                    first: true,
                    base: expected / 64 * 64,
                    trigger: Trigger { psn, arrived: moment.time, ..Trigger::default() },
                    marks: std::mem::take(&mut self.marks),
                    rnr_code,
                    told: self.told,
                    ..Connection::default()
                };
            }
            op::CLOSE if done => {
                self.open = false;
                if self.owes == Owes::Waiting {
                    self.owes = Owes::Due;
                }
            }
            op::CHANGE if done => self.rnr_code = rnr_code,
            _ => {}
        }
        done
    }

    /// An expiry takes effect (G20).
    pub fn expire(&mut self, counters: &mut Counters) {
        if self.owes == Owes::Waiting {
            self.owes = Owes::Due;
            counters.expired += 1;
        }
    }

    /// The ACK is taken (G16): what was owed is no more.
    pub fn take(&mut self) -> Self {
        let taken = self.clone();
        self.owes = Owes::Nothing;
        self.packets = 0;
        self.bytes = 0;
        self.marked = false;
        self.reordered = false;
        self.code = Code::None;
        taken
    }

    /// An event takes effect (G12). Returns the first PSN for which it makes replies, and the number of PSNs (G13).
    pub fn report(&mut self, shape: Shape, report: &Report, counters: &mut Counters) -> Option<(u64, u64)> {
        let Report { first, last, .. } = *report;
        let is_behind = |psn: u64, other: u64| shape.minus(psn, other) < shape.psns() / 2;
        let off = shape.protocol == Protocol::Roce && !self.multipath;
        if !self.open || !is_behind(last, self.expected) || off {
            counters.void_events += 1;
            return None;
        }
        let begun = is_behind(self.expected, first);
        self.suspected |= begun;
        let from = if begun { self.expected } else { first };
        Some((from, shape.minus(last, from) % shape.window + 1))
    }

    /// G7.
    pub(super) fn owe(&mut self, urgent: bool, moment: &Moment, counters: &mut Counters) {
        match self.owes {
            Owes::Due => counters.merged_causes += 1,
            Owes::Nothing => {
                self.since = moment.time;
                self.owes = if urgent { Owes::Due } else { Owes::Waiting };
            }
            Owes::Waiting if urgent => self.owes = Owes::Due,
            Owes::Waiting => {}
        }
    }
}

/// PSNs that a reply of RoCE names at most.
const NAMED: u64 = 16;

/// A reply of G13, of an event for so many PSNs from this one on; and how many of them it is for.
pub fn inferred_loss(protocol: Protocol, connection: u64, (psn, left): (u64, u64), repeated: bool) -> (Reply, u64) {
    let packet = Trigger { psn, ..Trigger::default() };
    let reply = Reply { connection, packet, ..Reply::default() };
    match protocol {
        Protocol::Uet => (Reply { code: Some(nack::RCVR_INFER_LOSS), ..reply }, 1),
        Protocol::Roce => {
            let names = left.min(NAMED);
            (Reply { names: Some(names), repeated, ..reply }, names)
        }
    }
}
