// SPDX-License-Identifier: MIT OR Apache-2.0
//! Backoffs and failures that meet: a sub-path that fails amid a trial, a failed connection whose peer has no room, and one of whose
//! sub-paths fails (rows TX38, TX42, D25 and D37). The failure is told once.

use super::no_room::NoRoom;
use super::variants::keep;
use super::{Kind, SEGMENT_LOG, steps};
use crate::closed_loop::rocev2::setup::{FAILED, sub_path};
use crate::closed_loop::setup::{Device, RTT, one_leaf, pdc};
use testbench::closed_loop::{ClosedLoop, Field, Forged, is_probe};
use testbench::network::FrameBytes;
use tier::pick;

/// Packets of the message.
const PACKETS: u32 = 4;
/// RNR NAK of 10 us.
const RNR: u8 = 0x21;
const NO_PKT_BUFFER: u8 = 0x07;
/// The same of a peer that refuses: invalid request, and INV_DPDCID.
const REFUSED: [u8; 2] = [0x61, 0x0E];
/// `failure_reason`.
const TIMEOUTS: u64 = 0;
const BY_PEER: u64 = 2;
const NO_ROOM: u64 = 3;
/// The quickest one first.
const REASONS: [u64; 3] = [BY_PEER, NO_ROOM, TIMEOUTS];

/// A connection whose packets come into the hands of the test.
struct Held {
    run: ClosedLoop,
    kind: Kind,
    /// An ACK, of which answers are made.
    ack: Vec<u8>,
    /// The PSN of the first packet.
    psn: Option<u128>,
}

impl Held {
    /// One packet is acknowledged, then a message of some is sent. A connection fails with its second time-out in a row.
    fn new(kind: Kind, devices: impl Iterator<Item = Device>) -> Self {
        let mut nic = kind.nic();
        nic.open.iter_mut().filter(|(name, _)| *name == "rto_retries").for_each(|(_, value)| *value = 1);
        let mut run = ClosedLoop::new(&one_leaf(2, false), &nic, devices.take(2)).expect("the ports are there");
        run.open(&nic, pdc(0, 0, 1, 0)).expect("it opens");
        run.send(0, 0, 500);
        let ack = keep(&mut run, 0);
        run.nics[0].arrive_at_last(ack.clone());
        run.nics[0].intercepted = None;
        run.until_done(10 * RTT).expect("it is delivered");
        run.send(0, 0, PACKETS << SEGMENT_LOG);
        run.nics[1].intercepted = Some(Vec::new());
        Held { run, kind, ack, psn: None }
    }

    fn no_room(&self) -> u8 {
        if self.kind.rocev2 { RNR } else { NO_PKT_BUFFER }
    }

    /// The next frames that come to the receiver, with their PSNs.
    fn next(&mut self) -> Vec<(FrameBytes, u128)> {
        for _ in 0..100 * RTT {
            self.run.step().expect("the rules hold");
            let mut frames = std::mem::take(self.run.nics[1].intercepted.as_mut().expect("frames are intercepted"));
            frames.retain(|frame| !is_probe(frame));
            if !frames.is_empty() {
                let psn = |frame: &FrameBytes| {
                    Forged::of(frame, self.kind.rocev2).expect("it is of the protocol").get(Field::Psn)
                };
                return frames.into_iter().map(|frame| (frame.clone(), psn(&frame))).collect();
            }
        }
        panic!("{:?}: nothing comes", self.kind);
    }

    /// The peer says this of the first packet of the message.
    fn says(&mut self, code: u8) {
        if self.psn.is_none() {
            self.psn = Some(self.next()[0].1);
            steps(&mut self.run, RTT);
            self.run.nics[1].intercepted = Some(Vec::new());
        }
        let psn = self.psn.expect("it has come");
        let answer = NoRoom { kind: self.kind, code, microseconds: 0 }.answer(&self.ack, psn, true);
        self.run.nics[0].arrive_at_last(answer);
    }

    /// The trial: the first packet once more.
    fn trial(&mut self) -> FrameBytes {
        let code = self.no_room();
        self.says(code);
        let (frame, psn) = self.next().swap_remove(0);
        assert_eq!(Some(psn), self.psn, "{:?}", self.kind);
        frame
    }

    /// The number of the sub-path of a frame.
    fn path(&self, frame: &[u8]) -> u64 {
        // Behind Ethernet and IPv4.
        let port = u16::from_be_bytes([frame[34], frame[35]]);
        let entropies = self.run.entropies(&self.kind.nic(), 0, 0);
        entropies.iter().position(|entropy| *entropy == port).expect("one of the sub-paths") as u64
    }

    fn path_fails(&mut self, path: u64) {
        let response =
            self.run.path_command(0, vec![("op", 8), ("qp", 0), ("path", path)]).expect("there is a response");
        assert_eq!(response["done"], 1, "{response:?}");
        assert_eq!(sub_path(&mut self.run, 0, 0, path)["state"], FAILED);
    }

    /// The connection fails for this reason.
    fn fails(&mut self, reason: u64) {
        let code = match reason {
            NO_ROOM => self.no_room(),
            _ => REFUSED[usize::from(!self.kind.rocev2)],
        };
        let end = self.run.now() + 300 * RTT;
        while self.run.nics[0].failed.is_empty() {
            assert!(self.run.now() < end, "{:?}: it does not fail for reason {reason}", self.kind);
            if reason == TIMEOUTS {
                self.psn = self.psn.or_else(|| Some(self.next()[0].1));
                self.run.step().expect("the rules hold");
            } else {
                self.says(code);
                steps(&mut self.run, 4 * RTT);
            }
        }
        self.told_once(reason);
    }

    fn told_once(&self, reason: u64) {
        let told: Vec<_> = self.run.nics[0].failed.iter().map(|&(_, number, reason)| (number, reason)).collect();
        assert_eq!(told, [(0, reason)], "{:?}", self.kind);
    }

    /// What is open and has failed.
    fn state(&mut self) -> [u64; 2] {
        let state = self.run.command(0, vec![("pdc", 0)]).expect("there is a response");
        ["open", "failed"].map(|name| state[name])
    }

    /// The host has it go on, and all is delivered; nothing more is told.
    fn goes_on(&mut self, reason: u64) {
        self.run.nics[1].intercepted = None;
        // *Resize* gives it its window back, and *lose* has what was under way sent again.
        let resize: Vec<_> = self.kind.nic().open.into_iter().chain([("op", 3), ("pdc", 0)]).collect();
        let lose = vec![("op", 4), ("pdc", 0), ("all", 1)];
        for command in [resize, lose].into_iter().skip(usize::from(reason == TIMEOUTS)) {
            assert_eq!(self.run.command(0, command).expect("there is a response")["done"], 1);
        }
        let end = self.run.until_done(200 * RTT);
        let state = self.run.command(0, vec![("pdc", 0)]);
        assert!(end.is_ok(), "reason {reason}: {end:?}, {state:?}");
        self.told_once(reason);
        assert_eq!(self.state(), [1, 0], "{:?}", self.kind);
    }
}

const fn kind(rocev2: bool, backoff_limit: Option<u64>) -> Kind {
    Kind { rocev2, ipv6: false, any_peer: false, backoff_limit }
}

/// The sub-path of the packet that is tried, or the other one, fails: the packet is tried over the one that is left, or its answer
/// comes.
fn a_sub_path_fails_amid_a_trial(of_trial: bool, devices: impl Iterator<Item = Device>) -> u64 {
    let mut held = Held::new(kind(true, None), devices);
    let trial = held.trial();
    let path = held.path(&trial);
    held.path_fails(if of_trial { path } else { 1 - path });
    if of_trial {
        let (frame, psn) = held.next().swap_remove(0);
        assert_eq!((Some(psn), held.path(&frame)), (held.psn, 1 - path));
        steps(&mut held.run, RTT / 4);
        assert_eq!(held.run.nics[1].intercepted.as_deref(), Some(&[][..]), "one packet is tried");
        held.run.nics[1].intercepted = None;
        held.run.nics[1].arrive_at_last(frame);
    } else {
        held.run.nics[1].intercepted = None;
        held.run.nics[1].arrive_at_last(trial);
    }
    held.run.until_done(40 * RTT).expect("it is delivered");
    let timeouts = held.run.nics[0].count("packet_tracker_timeouts");
    assert_eq!((timeouts, held.run.nics[0].failed.len()), (Some(0), 0));
    held.run.now()
}

#[test]
fn a_lose_amid_a_trial_has_another_packet_tried() {
    let kind = kind(true, None);
    for of_trial in [true, false] {
        let [model, verilog] =
            [kind.models(), kind.simulations()].map(|devices| a_sub_path_fails_amid_a_trial(of_trial, devices));
        assert_eq!(model, verilog, "{of_trial}");
    }
}

/// The peer of a connection that has failed has no room, some times in a row: nothing more is told.
fn backs_off_after_its_failure(rocev2: bool, reason: u64, devices: impl Iterator<Item = Device>) -> u64 {
    let mut held = Held::new(kind(rocev2, (reason == NO_ROOM).then_some(1)), devices);
    held.fails(reason);
    for _ in 0..4 {
        let code = held.no_room();
        held.says(code);
        steps(&mut held.run, 10 * RTT);
        held.told_once(reason);
    }
    assert_eq!(held.state(), [1, 1], "{rocev2}, {reason}");
    held.goes_on(reason);
    held.run.now()
}

#[test]
fn a_connection_that_has_failed_backs_off_and_is_told_once() {
    for kind in [kind(true, None), kind(false, None)] {
        let run = |reason, devices| backs_off_after_its_failure(kind.rocev2, reason, devices);
        let times = REASONS.map(|reason| (reason, run(reason, kind.models())));
        for (reason, time) in pick(times, 1) {
            assert_eq!(run(reason, kind.simulations()), time, "{kind:?}, reason {reason}");
        }
    }
}

/// One of two sub-paths of a connection that has failed fails, too: the connection stays as it is.
fn a_sub_path_fails_afterwards(reason: u64, devices: impl Iterator<Item = Device>) -> u64 {
    let mut held = Held::new(kind(true, (reason == NO_ROOM).then_some(1)), devices);
    held.fails(reason);
    held.path_fails(0);
    steps(&mut held.run, 40 * RTT);
    held.told_once(reason);
    assert_eq!(held.state(), [1, 1], "reason {reason}");
    held.goes_on(reason);
    held.run.now()
}

#[test]
fn a_connection_that_has_failed_is_told_once_when_a_sub_path_fails() {
    let kind = kind(true, None);
    let times = REASONS.map(|reason| (reason, a_sub_path_fails_afterwards(reason, kind.models())));
    for (reason, time) in pick(times, 1) {
        assert_eq!(a_sub_path_fails_afterwards(reason, kind.simulations()), time, "reason {reason}");
    }
}
