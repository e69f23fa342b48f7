// SPDX-License-Identifier: MIT OR Apache-2.0
//! Answers that say what cannot be, amid good ones (rows TX33, TX34, D11, D18): ACKs and NAKs of what was never sent or is
//! long over, losses of what is acknowledged, answers to QPs that are closed, and ACKs once more. They are counted, and nothing
//! else comes of them: the checker has every message, and holds each completion against the good ACKs alone.

use super::model;
use super::paths::{PATHS, op};
use super::peer::{ACK, Network, RNR_NAK, SEQUENCE_ERROR};
use super::run::{Conditions, QPS, Run};
use super::setup::{CLEAN, CONSISTENT, LOSSY, UNQUIET, close_paths, config, counters_are_0, limits, open_all, plans};
use pipeline::headers::protocols::MpehIndicator::{Bit, OpCode};
use pipeline::transmit::tx::TxConfig;
use std::collections::BTreeMap;
use testbench::Dut;
use testbench::device::random::Random;

/// The QP that is closed.
const CLOSED: u64 = 3;
/// Farther than a sender comes while an answer waits, and farther than its window.
const FAR: u64 = 1000;
/// What is wrong with an answer.
const KINDS: [&str; 7] = ["not sent", "over", "NAK", "lost", "once more", "closed", "unknown"];

/// Gives wrong answers, and counts what is to come of them.
struct Wrong {
    random: Random,
    marks: Random,
    counts: BTreeMap<&'static str, u64>,
    /// ACKs that are outside, NACKs that are void, and events of a QP that is closed.
    outside: u64,
    void: u64,
    closed: u64,
}

impl Wrong {
    fn new(seed: u64) -> Self {
        let marks = Random::new(seed + 100);
        Wrong { random: Random::new(seed), marks, counts: BTreeMap::new(), outside: 0, void: 0, closed: 0 }
    }

    /// One wrong answer, if its QP has had a good one, after which it is made.
    fn give(&mut self, run: &mut Run, kind: &'static str) -> bool {
        let qp = self.random.below(CLOSED);
        let (Some((last, path)), next) = (run.heard[qp as usize], run.checker.next_psn(qp)) else { return false };
        let (any, is_lost) = (self.random.below(1 << 22), self.random.chance(0.5));
        let nak = if self.random.chance(0.5) { SEQUENCE_ERROR } else { RNR_NAK | self.random.below(32) };
        // A sequence error or flag L is a NACK of a PSN, too.
        let mut mark = |is_lost: bool| self.void += u64::from(is_lost);
        let mut of = (qp, true);
        let (syndrome, psn, flag) = match kind {
            "not sent" | "over" => {
                mark(is_lost);
                self.outside += 1;
                (ACK, if kind == "over" { last.wrapping_sub(FAR + any) } else { next + FAR + any }, is_lost)
            }
            "NAK" => {
                // An RNR NAK is a NACK of a PSN as well.
                mark(true);
                self.outside += 1;
                (nak, next + FAR + any, false)
            }
            // A packet that is acknowledged is said to be lost.
            "lost" => {
                mark(true);
                let behind = 1 + self.random.below(8);
                if is_lost { (ACK, last.wrapping_sub(behind), true) } else { (SEQUENCE_ERROR, last, false) }
            }
            "once more" => (ACK, last, false),
            "closed" => {
                of = (CLOSED, true);
                self.closed += 1 + u64::from(is_lost);
                (ACK, next, is_lost)
            }
            _ => {
                of = (qp, false);
                (ACK, next, is_lost)
            }
        };
        // A mark says nothing of a path if its ACK is not good (TX34).
        let is_good = ["lost", "once more"].contains(&kind);
        let is_marked = !is_good && self.marks.chance(0.5);
        let mut fields = run.peer.says(of.0, (syndrome, psn), path, (flag, is_marked));
        fields.iter_mut().filter(|(name, _)| *name == "found").for_each(|(_, found)| *found = of.1.into());
        run.bench.record(&fields);
        *self.counts.entry(kind).or_default() += 1;
        true
    }

    fn are_counted(&self, run: &Run, is_clean: bool) {
        let counters = ["outside_acks", "closed_events", "void_nacks"];
        let [outside, closed, void] = counters.map(|name| run.bench.output(&format!("packet_tracker_{name}")));
        assert_eq!((outside, closed), (self.outside, self.closed), "{:?}", self.counts);
        // The peer says more than once that a packet is lost.
        assert!(void >= self.void && (!is_clean || void == self.void), "{void}, {}: {:?}", self.void, self.counts);
    }
}

/// The state of a QP and its sub-paths.
fn state(run: &mut Run, qp: u64) -> Vec<u64> {
    let of = run.read(qp);
    let flags = [of.open, of.failed].map(u64::from);
    let mut state = [&flags[..], &[of.state, of.base, of.next, of.in_flight, of.marked, of.messages]].concat();
    for path in 0..PATHS as u64 {
        let of = run.path_op(op::READ, qp, path);
        state.extend([of.state, of.weight, of.in_flight]);
    }
    state
}

fn misled(dut: &mut dyn Dut, config: &TxConfig, (seed, cycles): (u64, u64), network: Network) {
    let is_clean = network.loss == 0.0;
    let conditions = Conditions { network, pause: &|_| if is_clean { 0.0 } else { 0.2 }, host_delay: 50, bad: 0.0 };
    let mut run = Run::new(dut, limits(config, UNQUIET), seed, &conditions);
    open_all(&mut run, &plans(seed));
    assert!(run.close(CLOSED, false).done);
    close_paths(&mut run, CLOSED);
    let mut wrong = Wrong::new(seed + 7);
    let end = run.bench.cycle() + cycles;
    while run.bench.cycle() < end {
        if run.is_answered() && run.random.chance(0.02) {
            let qp = run.random.below(CLOSED);
            run.request_any(qp);
        }
        if wrong.random.chance(0.02) {
            let kind = KINDS[wrong.random.below(KINDS.len() as u64) as usize];
            wrong.give(&mut run, kind);
        }
        run.step();
    }
    run.until_done();
    run.steps(2000);
    wrong.are_counted(&run, is_clean);
    assert!(KINDS.iter().all(|kind| wrong.counts[kind] > 50), "{:?}", wrong.counts);
    // They alone make no packet be sent again.
    let again = run.checker.counts.retransmissions;
    assert_eq!(again > 0, !is_clean, "{again}");
    assert!(!is_clean || run.bench.output("packet_tracker_timeouts") == 0);
    // While nothing is under way, windows and weights stay as they are.
    for kind in KINDS {
        let before: Vec<_> = (0..QPS).map(|qp| state(&mut run, qp)).collect();
        assert_eq!((0..30).filter(|_| wrong.give(&mut run, kind)).count(), 30, "{kind}");
        run.steps(3000);
        let after: Vec<_> = (0..QPS).map(|qp| state(&mut run, qp)).collect();
        assert_eq!(before, after, "{kind}");
    }
    wrong.are_counted(&run, is_clean);
    counters_are_0(&run, &CONSISTENT);
    assert!(run.failures.is_empty() && run.checker.counts.completions > 50, "{:?}", run.failures);
    // And all goes on.
    let sent = run.checker.next_psn(1);
    run.request(1, 256 * 20, true);
    run.until_done();
    assert_eq!(run.checker.next_psn(1), (sent + 20) & 0xFF_FFFF);
}

/// With `CLEAN` nothing is lost, so that whatever is sent again would be because of a wrong answer.
#[test]
fn answers_that_say_what_cannot_be_are_counted_and_change_nothing() {
    for (seed, (width, latency, mpeh, network)) in
        [(64, 1, Bit, CLEAN), (256, 2, OpCode, LOSSY)].into_iter().enumerate()
    {
        let config = config(width, 8, latency, mpeh);
        misled(&mut *model(&config), &config, (seed as u64, 60_000), network);
    }
}
