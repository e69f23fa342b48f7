// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is to leave a transmit path of RoCEv2, said without clock cycles: which bytes are asked for, the frames, the
//! completions.

use super::paths::{Command, History, Rules};
use super::setup::WINDOW;
use super::stream::{Calm, Granted, Stream, Tally};
use super::wire::{self, Asked, Destination, Format, body, route};
use crate::transmit::tx::bench::Fetch;
use crate::transmit::tx::messages::Messages;
use golden_vectors::headers::icrc;
use std::collections::{HashMap, HashSet, VecDeque};
use testbench::device::random::Random;
use testbench::streams::Frame;

/// Bits of a PSN.
const PSN_BITS: u32 = 24;
/// Bytes of the longest message.
const LONGEST: u64 = 1 << 31;
/// Packets that may wait for their frames, in the module and on their way through it.
const MOST_DUE: usize = 48;
/// `tuser` of a frame whose bytes were bad: the verdict, and the reason (docs/stages/header_parser.md).
const BAD: u64 = 1 | 1 << 1;

/// What the checker is to know of a device and of a run.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub segment: u64,
    /// Messages of a QP.
    pub messages: u64,
    pub format: Format,
    pub rules: Rules,
    pub calm: Calm,
}

/// A QP.
#[derive(Clone, Debug)]
struct Qp {
    open: bool,
    /// How often it has been opened.
    life: u64,
    destination: Option<Destination>,
    messages: Messages,
    /// Messages by their handles.
    asked: HashMap<u64, Asked>,
    /// PSNs that were sent again, and that no ACK has named since.
    again: HashSet<u64>,
    paths: History,
    stream: Stream,
}

/// A packet whose frame has not left.
struct Due {
    fetch: Fetch,
    asked: Asked,
    destination: Destination,
    granted: Granted,
    body: Vec<u8>,
    is_bad: bool,
}

/// A packet as its frame says it.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    pub qp: u64,
    pub psn: u64,
    pub path: u64,
    pub asks: bool,
}

/// What was counted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub frames: u64,
    pub bad: u64,
    pub writes: u64,
    /// Packets with immediate data, and those that invalidate a key.
    pub immediates: u64,
    pub invalidates: u64,
    pub retransmissions: u64,
    /// They ask for an ACK only because the window is full.
    pub full: u64,
    /// Retransmissions over another sub-path than the transmission before.
    pub moved: u64,
    pub completions: u64,
    pub refusals: u64,
}

/// The expectations for all QPs.
pub struct Checker {
    limits: Limits,
    qps: Vec<Qp>,
    due: VecDeque<Due>,
    /// The clock cycle of the last fetch.
    fetched: u64,
    /// The sub-path of the last transmission of each packet.
    over: HashMap<(u64, u64), u64>,
    random: Random,
    pub counts: Counts,
}

impl Checker {
    pub fn new(qps: u64, limits: Limits, seed: u64) -> Self {
        let qp = Qp {
            open: false,
            life: 0,
            destination: None,
            messages: Messages::new(0, PSN_BITS, limits.segment),
            asked: HashMap::new(),
            again: HashSet::new(),
            paths: History::new(),
            stream: Stream::default(),
        };
        Checker {
            limits,
            qps: vec![qp; qps as usize],
            due: VecDeque::new(),
            fetched: 0,
            over: HashMap::new(),
            random: Random::new(seed),
            counts: Counts::default(),
        }
    }

    fn qp(&mut self, qp: u64) -> &mut Qp {
        &mut self.qps[qp as usize]
    }

    pub fn is_open(&self, qp: u64) -> bool {
        self.qps[qp as usize].open
    }

    /// A QP is open.
    pub fn open(&mut self, qp: u64, psn: u64, destination: Destination) {
        let messages = Messages::new(psn, PSN_BITS, self.limits.segment);
        self.over.retain(|(of, _), _| *of != qp);
        let of = self.qp(qp);
        let (destination, life) = (Some(destination), of.life + 1);
        (of.open, of.life, of.destination, of.messages) = (true, life, destination, messages);
        (of.asked, of.again) = (HashMap::new(), HashSet::new());
    }

    /// Packets that are fetched from now on have this DSCP.
    pub fn remarked(&mut self, qp: u64, dscp: u64) {
        self.qp(qp).destination.as_mut().expect("it is open").place.dscp = dscp;
    }

    /// The DSCP of a QP.
    pub fn dscp(&self, qp: u64) -> u64 {
        self.qps[qp as usize].destination.expect("it is open").place.dscp
    }

    /// The QP is closed, and its messages are forgotten; all its frames have left.
    pub fn close(&mut self, qp: u64) {
        let waiting = self.due.iter().filter(|due| due.fetch.pdc == qp).count();
        assert_eq!(waiting, 0, "frames of it have not left");
        self.qp(qp).open = false;
    }

    /// Messages that wait or are under way.
    pub fn under_way(&self, qp: u64) -> u64 {
        self.qps[qp as usize].messages.under_way()
    }

    /// Packets that no ACK has named.
    pub fn outstanding(&self, qp: u64) -> u64 {
        self.qps[qp as usize].messages.outstanding()
    }

    /// The PSN of the next new packet.
    pub fn next_psn(&self, qp: u64) -> u64 {
        self.qps[qp as usize].messages.next_psn()
    }

    /// PSNs that were sent again, and that no ACK has named since.
    pub fn sent_again(&self, qp: u64) -> HashSet<u64> {
        self.qps[qp as usize].again.clone()
    }

    /// The sub-paths of a QP, as the host has set them.
    pub fn paths(&self, qp: u64) -> super::paths::Qp {
        self.qps[qp as usize].paths.now()
    }

    pub fn tally(&self, qp: u64) -> Tally {
        self.qps[qp as usize].stream.tally
    }

    /// Nothing is to be sent, and all has been acknowledged.
    pub fn is_done(&self) -> bool {
        self.due.is_empty() && self.qps.iter().all(|qp| !qp.open || qp.messages.under_way() == 0)
    }

    /// The answer to a request; `closing` while its QP is being opened or closed, when it is refused.
    pub fn answered(&mut self, qp: u64, asked: Asked, is_done: bool, (closing, now): (bool, u64)) {
        let (limit, is_wrong) = (self.limits.messages, asked.length > LONGEST || !asked.is_possible());
        self.counts.refusals += u64::from(!is_done);
        let of = self.qp(qp);
        if !is_done {
            let room = of.messages.under_way();
            let is_full = of.messages.may_be_full(limit, now);
            assert!(!of.open || closing || is_full || is_wrong, "QP {qp} has room: {room} of {limit}");
            return;
        }
        assert!(of.open && !is_wrong, "QP {qp} is closed, or nothing is {asked:?}");
        of.messages.accepted(asked.handle, asked.address, asked.length, limit);
        of.asked.insert(asked.handle, asked);
    }

    /// Bytes are asked for. Those that the host is to bring, which may be bad.
    pub fn fetched(&mut self, fetch: Fetch, is_bad: bool, (now, returned): (u64, u64)) -> Vec<u8> {
        let body = body(&fetch, &mut self.random);
        let since = std::mem::replace(&mut self.fetched, now);
        let of = self.qp(fetch.pdc);
        assert!(of.open, "{fetch:?} of a QP that is closed");
        of.messages.fetched(fetch);
        if fetch.retransmission {
            of.again.insert(fetch.psn);
        }
        let states = of.paths.between(since, now);
        let granted = Granted { lives: [of.life, of.paths.life], since, at: now, states, returned };
        let (asked, destination) = (of.asked[&fetch.handle], of.destination.expect("it is open"));
        self.due.push_back(Due { fetch, asked, destination, granted, body: body.clone(), is_bad });
        assert!(self.due.len() <= MOST_DUE, "too many packets wait for their bytes");
        body
    }

    /// A frame leaves; it is none for the peer if its bytes were bad.
    pub fn frame(&mut self, frame: &Frame, returned: u64) -> Option<Arrival> {
        let Due { fetch, asked, destination, granted, body, is_bad } =
            self.due.pop_front().expect("its bytes were asked for");
        let route = route(&frame.bytes, &destination.place);
        let asks = wire::asks(&frame.bytes, &destination);
        if asks != wire::must_ask(&fetch) {
            // The window is full behind it; ACKs may have come since it was granted.
            let outstanding = self.qp(fetch.pdc).messages.outstanding();
            assert!(asks && outstanding > WINDOW / 2, "{fetch:?}, with {outstanding} outstanding, asks: {asks}");
            self.counts.full += 1;
        }
        let expected = wire::frame(self.limits.format, &destination, (&fetch, asks), &asked, &body, &route);
        // Bad bytes have any ICRC.
        let behind = if is_bad { icrc::LEN } else { 0 };
        let kept = |bytes: &[u8]| bytes[..bytes.len() - behind].to_vec();
        assert_eq!(frame.bytes.len(), expected.len(), "length of {fetch:?}");
        assert_eq!(kept(&frame.bytes), kept(&expected), "the frame of {fetch:?}");
        assert_eq!(frame.user, if is_bad { BAD } else { 0 }, "the verdict on {fetch:?}");
        let Fetch { pdc: qp, psn, retransmission, .. } = fetch;
        let (life, calm) = (granted.lives[0], self.limits.calm);
        let of = self.qp(qp);
        of.stream.packet(&route, destination.place.ipv6, granted, returned, calm);
        assert!(of.open && of.life == life, "{fetch:?} of a QP that is closed");
        let before = self.over.insert((qp, psn), route.path);
        let counts = &mut self.counts;
        counts.frames += 1;
        counts.bad += u64::from(is_bad);
        counts.writes += u64::from(asked.write.is_some());
        counts.immediates += u64::from(fetch.last && asked.with_immediate);
        counts.invalidates += u64::from(fetch.last && asked.with_invalidate);
        counts.retransmissions += u64::from(retransmission);
        counts.moved += u64::from(before.is_some_and(|before| before != route.path));
        let arrival = Arrival { qp, psn, path: route.path, asks };
        (!is_bad).then_some(arrival)
    }

    /// An ACK that is given to the device names PSNs.
    pub fn named(&mut self, qp: u64, psns: impl IntoIterator<Item = u64>) {
        let of = self.qp(qp);
        for psn in psns {
            of.again.remove(&psn);
            of.messages.named([psn]);
        }
    }

    /// A message is said to be complete.
    pub fn completed(&mut self, qp: u64, handle: u64, now: u64) {
        assert!(self.is_open(qp), "QP {qp} is closed");
        self.counts.completions += 1;
        self.qp(qp).messages.completed(handle, now);
    }

    /// A command of `path_scheduler` that changes something is offered.
    pub fn path_offered(&mut self, now: u64, command: &Command) {
        let rules = self.limits.rules;
        self.qp(command.qp).paths.offers(now, command, rules);
    }

    /// It has been answered; so many packets had then been granted and not sent.
    pub fn path_answered(&mut self, now: u64, command: &Command, is_done: bool, returned: u64) {
        let of = self.qp(command.qp);
        let life = of.paths.life;
        of.paths.answered(now, command, is_done);
        if of.paths.life != life {
            of.stream.returned = returned;
        }
    }

    /// A sub-path is no longer active, as its state says.
    pub fn path_failed(&mut self, now: u64, qp: u64, path: u64) {
        assert!(self.limits.calm.may_fail, "sub-path {path} of QP {qp} has failed");
        self.qp(qp).paths.failed(now, path);
    }
}
