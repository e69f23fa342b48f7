// SPDX-License-Identifier: MIT OR Apache-2.0
//! A peer that has no room for a while, and says so of the packets that come to it (rows TX42 and D37).

use super::variants::keep;
use super::{Kind, SEGMENT_LOG, steps};
use crate::closed_loop::setup::{Device, RTT, us};
use std::collections::BTreeSet;
use testbench::closed_loop::{ClosedLoop, Field, Forged, is_probe};
use testbench::network::FrameBytes;
use tier::pick;

/// What a peer says, and for how long it has no room.
#[derive(Clone, Copy, Debug)]
pub struct NoRoom {
    pub kind: Kind,
    /// The syndrome of its RNR NAK, or the code of its NACK.
    pub code: u8,
    pub microseconds: u64,
}

/// What has come of it.
#[derive(Debug)]
struct Course {
    /// Frames sent while there was no room, and until all were delivered or the connection failed.
    refused: u64,
    sent: u64,
    microseconds: f64,
    timeouts: u64,
    failures: Vec<(u64, u64)>,
    /// `failure_code` of the last one.
    code: u64,
}

impl NoRoom {
    /// Its answer to a packet with this PSN, made from an ACK; it has come before or not.
    pub fn answer(self, ack: &[u8], psn: u128, again: bool) -> FrameBytes {
        let mut forged = Forged::of(ack, self.kind.rocev2).expect("it is of the protocol");
        forged.set(Field::Psn, psn);
        if self.kind.rocev2 {
            // Behind BTH and MPEH.
            forged.write(20, &[self.code]);
        } else {
            // Type 10, no next header, *retx*; it has the length of the ACK, which is more than its own.
            forged.write(0, &[10 << 3, u8::from(again) << RETX, self.code, 0]);
        }
        forged.finish()
    }

    /// A message of so many packets to a peer that has had room for one before.
    fn course(self, packets: u32, devices: impl Iterator<Item = Device>) -> Course {
        let mut run = self.kind.open(devices);
        run.send(0, 0, 500);
        let ack = keep(&mut run, 0);
        run.nics[0].arrive_at_last(ack.clone());
        run.nics[0].intercepted = None;
        run.until_done(10 * RTT).expect("it is delivered");
        let (first, begin) = (run.nics[0].sent.data, run.now());
        run.send(0, 0, packets << SEGMENT_LOG);
        run.nics[1].intercepted = Some(Vec::new());
        self.refuse(&mut run, &ack);
        run.nics[1].intercepted = None;
        let refused = run.nics[0].sent.data - first;
        let end = run.now() + 400 * RTT;
        while !run.ledger.is_done() && run.nics[0].failed.is_empty() && run.now() < end {
            run.step().expect("the rules hold");
        }
        let failures = run.nics[0].failed.iter().map(|&(_, number, reason)| (number, reason)).collect();
        let timeouts = run.nics[0].count("packet_tracker_timeouts").expect("it counts");
        let microseconds = us(run.now() - begin);
        let code = run.nics[0].count("failure_code").expect("it is there");
        Course { refused, sent: run.nics[0].sent.data - first, microseconds, timeouts, failures, code }
    }

    /// The time without room. With RoCEv2 only the expected packet is answered, once each time that it comes.
    fn refuse(self, run: &mut ClosedLoop, ack: &[u8]) {
        let (end, mut seen, mut expected) = (run.now() + self.microseconds * RTT / 12, BTreeSet::new(), None);
        while run.now() < end && run.nics[0].failed.is_empty() {
            run.step().expect("the rules hold");
            for frame in std::mem::take(run.nics[1].intercepted.as_mut().expect("frames are intercepted")) {
                let psn = Forged::of(&frame, self.kind.rocev2).expect("it is of the protocol").get(Field::Psn);
                let again = !seen.insert(psn);
                if !self.kind.rocev2 || *expected.get_or_insert(psn) == psn {
                    let answer = self.answer(ack, psn, again);
                    run.nics[0].arrive_at_last(answer);
                }
            }
        }
    }
}

/// Bit of *retx* in the second byte of a NACK.
const RETX: u32 = 4;

/// RNR NAKs of 80 and 320 us, and NACKs that wait from one RTT on.
fn peers() -> Vec<(NoRoom, u64)> {
    let no_room = |rocev2, code, microseconds| NoRoom {
        kind: Kind { rocev2, ipv6: false, any_peer: false, backoff_limit: None },
        code,
        microseconds,
    };
    vec![
        // So many frames at most while there is no room: the window, and then one after each wait.
        (no_room(true, 0x26, 300), 4 + 4),
        (no_room(true, 0x2A, 250), 4),
        (no_room(false, 0x07, 300), 4 + 5),
        (no_room(false, 0x04, 300), 4 + 5),
    ]
}

/// Few frames, no time-out, and all is delivered when the wait is over.
fn waits((no_room, most): (NoRoom, u64), devices: impl Iterator<Item = Device>) -> f64 {
    let course = no_room.course(4, devices);
    println!("{no_room:?}: {course:?}");
    assert!(course.refused <= most, "{no_room:?}: {course:?}");
    // The rest of the window follows the packet that is tried.
    assert!(course.sent <= most + 1 + 4, "{no_room:?}: {course:?}");
    assert_eq!((course.timeouts, course.failures.as_slice()), (0, &[][..]), "{no_room:?}");
    // The wait under way, and what the receiver needs to find what is missing.
    let longest = 2.0 * no_room.microseconds as f64 + 200.0;
    assert!(course.microseconds < longest, "{no_room:?}: {course:?}");
    course.microseconds
}

#[test]
fn a_peer_without_room_is_asked_again_with_one_packet() {
    for (no_room, most) in peers() {
        waits((no_room, most), no_room.kind.models());
    }
}

#[test]
fn the_verilog_waits_too() {
    for (no_room, most) in pick(peers(), 2) {
        let times = [waits((no_room, most), no_room.kind.models()), waits((no_room, most), no_room.kind.simulations())];
        assert!((times[0] - times[1]).abs() < 1e-9, "{no_room:?}: {times:?}");
    }
}

/// After so many backoffs in a row as *open* says the connection fails, with its reason, and without a code.
#[test]
fn a_peer_without_room_for_too_long_is_given_up() {
    for (no_room, _) in peers() {
        let limited = NoRoom { kind: Kind { backoff_limit: Some(2), ..no_room.kind }, microseconds: 2000, ..no_room };
        let course = limited.course(4, limited.kind.models());
        println!("{limited:?}: {course:?}");
        assert_eq!((course.failures.as_slice(), course.code), (&[(0, 3)][..], 0), "{limited:?}: {course:?}");
        assert_eq!((course.sent, course.timeouts), (4 + 2, 0), "{limited:?}: {course:?}");
    }
}

/// What comes while the sender waits or tries is legal: an RNR NAK again, a NAK of the sequence, a late ACK.
#[test]
fn other_answers_meanwhile_do_no_harm() {
    let kind = Kind { rocev2: true, ipv6: false, any_peer: false, backoff_limit: None };
    let no_room = NoRoom { kind, code: 0x28, microseconds: 0 };
    let mut run = kind.open(kind.models());
    run.send(0, 0, 500);
    let ack = keep(&mut run, 0);
    run.nics[0].arrive_at_last(ack.clone());
    run.nics[0].intercepted = None;
    run.until_done(10 * RTT).expect("it is delivered");
    let first = run.nics[0].sent.data;
    run.send(0, 0, 4 << SEGMENT_LOG);
    run.nics[1].intercepted = Some(Vec::new());
    steps(&mut run, RTT);
    let frames = run.nics[1].intercepted.take().expect("frames are intercepted");
    let psn = Forged::of(&frames[0], true).expect("it is of the protocol").get(Field::Psn);
    let gap = NoRoom { code: 0x60, ..no_room };
    for answer in [no_room.answer(&ack, psn, false), gap.answer(&ack, psn, false), ack.clone()] {
        run.nics[0].arrive_at_last(answer.clone());
        steps(&mut run, 300);
        run.nics[0].arrive_at_last(answer);
        steps(&mut run, 300);
    }
    assert_eq!(run.nics[0].sent.data, first + 4, "nothing is sent in the 160 us of the RNR NAK");
    run.until_done(40 * RTT).expect("it is delivered");
    let timeouts = run.nics[0].count("packet_tracker_timeouts").expect("it counts");
    assert_eq!((timeouts, run.nics[0].failed.len()), (0, 0));
}

/// The packet that is tried is lost, of a window so long that turns come amid the scan that finds it.
fn the_trial_is_lost(rocev2: bool, devices: impl Iterator<Item = Device>) -> u64 {
    let kind = Kind { rocev2, ipv6: false, any_peer: false, backoff_limit: None };
    let no_room = NoRoom { kind, code: if rocev2 { 0x21 } else { 0x07 }, microseconds: 0 };
    let mut run = kind.open(devices);
    run.send(0, 0, 500);
    let ack = keep(&mut run, 0);
    run.nics[0].arrive_at_last(ack.clone());
    run.nics[0].intercepted = None;
    run.until_done(10 * RTT).expect("it is delivered");
    run.send(0, 0, 200 << SEGMENT_LOG);
    run.nics[1].intercepted = Some(Vec::new());
    // All are lost, but of the first one the peer says that it has no room; then that is lost, too, when it comes again.
    let (mut first, mut is_lost) = (None, false);
    while !is_lost {
        run.step().expect("the rules hold");
        let frames = std::mem::take(run.nics[1].intercepted.as_mut().expect("frames are intercepted"));
        for frame in frames.into_iter().filter(|frame| !is_probe(frame)) {
            let psn = Forged::of(&frame, rocev2).expect("it is of the protocol").get(Field::Psn);
            is_lost |= first == Some(psn);
            if first.is_none() {
                first = Some(psn);
                run.nics[0].arrive_at_last(no_room.answer(&ack, psn, false));
            }
        }
    }
    run.nics[1].intercepted = None;
    run.until_done(100 * RTT).expect("it is delivered");
    assert_eq!(run.nics[0].count("packet_tracker_timeouts"), Some(1), "{kind:?}");
    assert!(run.nics[0].failed.is_empty(), "{kind:?}");
    run.now()
}

/// With the Verilog in the same clock cycle as with the models.
#[test]
fn a_trial_that_is_lost_is_made_again() {
    for kind in [true, false].map(|rocev2| Kind { rocev2, ipv6: false, any_peer: false, backoff_limit: None }) {
        let [model, verilog] =
            [kind.models(), kind.simulations()].map(|devices| the_trial_is_lost(kind.rocev2, devices));
        assert_eq!(model, verilog, "{kind:?}");
    }
}
