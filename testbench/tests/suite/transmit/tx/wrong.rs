// SPDX-License-Identifier: MIT OR Apache-2.0
//! Answers that say what cannot be, amid good ones (rows TX13 to TX15, D11, D15, D18, D19, C10): ACKs of what was never sent
//! or is long over, answers to PDCs that are closed, totals and credit that go back, NACKs of what is not in flight, and ACKs
//! once more. They are counted, and nothing else comes of them: the checker has every message, and holds each completion
//! against the good ACKs alone.

use super::bench::Response;
use super::peer::{Answer, Network};
use super::run::Run;
use super::scenarios::{CLEAN, CONSISTENT, LOSSY, PDCS, checker, config, counters_are_0, credits, open_all};
use super::{model, rtl};
use pipeline::transmit::ccc_table::CccAlgorithms;
use pipeline::transmit::tx::TxConfig;
use std::collections::BTreeMap;
use testbench::Dut;
use testbench::device::random::Random;

/// The PDC that is closed.
const CLOSED: u64 = 3;
/// Farther than a sender comes while an answer waits, and farther than its window.
const FAR: u64 = 1000;
/// The flag *m*, and the types in the first word.
const MARK: u64 = 1 << 21;
const NACK: u64 = 10 << 27;
const CONTROL_CREDIT: u64 = 11 << 27 | 7 << 23;

/// What is wrong with an answer.
const KINDS: [&str; 9] =
    ["not sent", "over", "not sent in the bitmap", "once more", "total", "credit", "NACK", "closed", "unknown"];

/// Gives wrong answers, and counts them.
struct Wrong {
    random: Random,
    counts: BTreeMap<&'static str, u64>,
}

impl Wrong {
    fn new(seed: u64) -> Self {
        Wrong { random: Random::new(seed), counts: BTreeMap::new() }
    }

    fn count(&self, kinds: &[&str]) -> u64 {
        kinds.iter().map(|kind| self.counts.get(kind).copied().unwrap_or(0)).sum()
    }

    /// A NACK that marks nothing: its packet is acknowledged or none, or its code is for the host.
    fn nack(&mut self, answer: Answer, next: u64) -> Answer {
        let (psn, code) = match self.random.below(3) {
            0 => (answer.get("header_1"), 0x01),
            1 => (next + FAR + self.random.below(1 << 30), 0x0B),
            _ => (next + 0xFFFF_FFFF, 0x17),
        };
        answer.with("header_0", NACK | code << 8).with("header_1", psn & 0xFFFF_FFFF).with("transport_words", 4)
    }

    /// One wrong answer, if its PDC has had a good one, after which it is made.
    fn give(&mut self, run: &mut Run, kind: &'static str) -> bool {
        let pdc = self.random.below(CLOSED);
        let (Some(answer), next) = (run.heard[pdc as usize].clone(), run.checker.next_psn(pdc)) else { return false };
        let (head, cack, any) = (answer.get("header_0") & !MARK, answer.get("header_1"), self.random.below(1 << 30));
        let marked = if self.random.chance(0.5) { MARK } else { 0 };
        let (is_nscc, credit) = (answer.credit.is_none(), answer.credit);
        let answer = answer.with("header_0", head | marked);
        let psn = |answer: Answer, psn: u64| answer.with("header_1", psn & 0xFFFF_FFFF);
        let wrong = match kind {
            "not sent" => psn(answer, next + FAR + any),
            "over" => psn(answer, cack.wrapping_sub(FAR + any)),
            "not sent in the bitmap" => {
                let ahead = next.wrapping_sub(cack).wrapping_add(FAR) & 0xFFFF;
                let with = answer.with("header_3", if is_nscc { ahead } else { 1 << 28 | ahead });
                with.with("header_4", 0).with("header_5", 1 << self.random.below(32))
            }
            // It may be marked as it was, as the window may be changed by it once more.
            "once more" => answer.with("header_0", head),
            "total" if is_nscc => {
                let total = (answer.get("header_6") & 0xFF) << 16 | answer.get("header_7") >> 16;
                let less = total.wrapping_sub(1 + self.random.below(1 << 20));
                let with = answer.with("header_0", head).with("header_6", less >> 16 & 0xFF);
                with.with("header_7", (less & 0xFFFF) << 16)
            }
            "credit" if !is_nscc => {
                let less = credit.expect("it has RCCC").wrapping_sub(1 + self.random.below(1 << 20)) & 0xFF_FFFF;
                answer.with("header_0", CONTROL_CREDIT).with("header_3", less).with("transport_words", 4)
            }
            "NACK" => self.nack(answer, next),
            "closed" | "unknown" => {
                let answer = if self.random.chance(0.5) { self.nack(answer, next) } else { psn(answer, next) };
                let closed = if kind == "closed" { CLOSED } else { pdc };
                answer.with("connection", closed).with("found", u64::from(kind == "closed"))
            }
            _ => return false,
        };
        run.bench.record(&wrong.fields);
        *self.counts.entry(kind).or_default() += 1;
        true
    }

    /// All of them have been counted by the stages, and no other ones.
    fn are_counted(&self, run: &Run, is_clean: bool) {
        let counted = |name: &str, kinds: &[&str], more: bool| {
            let (output, given) = (run.bench.output(name), self.count(kinds));
            assert!(
                output >= given && (more || output == given),
                "{name} is {output}, of {kinds:?} {given} were given"
            );
        };
        counted("packet_tracker_outside_acks", &KINDS[..3], false);
        counted("packet_tracker_void_nacks", &["NACK"], !is_clean);
        // Those of the network overtake each other; one that comes once more is as old as then.
        counted("packet_tracker_old_totals", &["total"], true);
        // An ACK_CC with credit counts twice, and so does a NACK for want of room (TX15).
        counted("packet_tracker_closed_events", &["closed"], true);
        // What it says of a path goes nowhere (TX16).
        counted("entropy_selector_feedback_closed", &[], false);
        if run.bench.has("ccc_table_stale_credits") {
            counted("ccc_table_stale_credits", &["credit"], true);
        }
    }
}

/// The state of a window.
fn state(response: &Response) -> [u64; 9] {
    let Response { open, state, cwnd, inflight, failed, base, next, in_flight, marked, .. } = *response;
    [open.into(), state, cwnd, inflight, failed.into(), base, next, in_flight, marked]
}

fn misled(dut: &mut dyn Dut, config: &TxConfig, (seed, cycles): (u64, u64), network: Network) {
    let is_clean = network.loss == 0.0;
    let (credits, pause) = (credits(config), |_: &str| if is_clean { 0.0 } else { 0.2 });
    let mut run = Run::new(dut, checker(config, None), (PDCS, seed), (network, credits), pause, 50);
    open_all(&mut run);
    assert!(run.close(CLOSED, false).done);
    let mut wrong = Wrong::new(seed + 7);
    let end = run.bench.cycle() + cycles;
    while run.bench.cycle() < end {
        if run.is_answered() && run.random.chance(0.02) {
            let (pdc, length) = (run.random.below(CLOSED), run.length());
            run.request(pdc, length);
        }
        if wrong.random.chance(0.02) {
            let kind = KINDS[wrong.random.below(KINDS.len() as u64) as usize];
            wrong.give(&mut run, kind);
        }
        run.grant();
        run.step();
    }
    run.until_done();
    run.traffic(2000, 0.0);
    wrong.are_counted(&run, is_clean);
    let each = if config.ccc_table.algorithms == CccAlgorithms::Nscc { "credit" } else { "total" };
    for kind in KINDS.into_iter().filter(|kind| *kind != each) {
        assert!(wrong.count(&[kind]) > 20, "{kind}: {:?}", wrong.counts);
    }
    // They alone make no packet be sent again.
    let again = run.checker.retransmissions;
    assert_eq!((again > 0, run.bench.output("packet_tracker_timeouts") > 0), (!is_clean, !is_clean), "{again}");
    counters_are_0(&run, &CONSISTENT);
    // While nothing is under way, the windows stay as they are; so does what can be read of a PDC that is closed.
    for kind in KINDS.into_iter().filter(|kind| *kind != each) {
        let before: Vec<_> = (0..PDCS).map(|pdc| state(&run.read(pdc))).collect();
        assert!(before[..3].iter().all(|state| state[5] == state[6] && state[7..] == [0, 0]), "{before:?}");
        let given = (0..30).filter(|_| wrong.give(&mut run, kind)).count();
        assert_eq!(given, 30, "{kind}");
        run.traffic(3000, 0.0);
        let after: Vec<_> = (0..PDCS).map(|pdc| state(&run.read(pdc))).collect();
        assert_eq!(before, after, "{kind}");
    }
    wrong.are_counted(&run, is_clean);
    assert!(run.failures.is_empty() && run.checker.completions > 50, "{:?}", run.failures);
    // And all goes on.
    let sent = run.checker.next_psn(1);
    run.request(1, 256 * 20);
    run.until_done();
    assert_eq!(run.checker.next_psn(1), (sent + 20) & 0xFFFF_FFFF);
}

/// With `CLEAN` nothing is lost, so that whatever is sent again would be because of a wrong answer.
#[test]
fn answers_that_say_what_cannot_be_are_counted_and_change_nothing() {
    for (seed, (algorithms, width, latency, network)) in [
        (CccAlgorithms::Nscc, 64, 1, CLEAN),
        (CccAlgorithms::Nscc, 256, 2, LOSSY),
        (CccAlgorithms::Rccc, 128, 3, CLEAN),
    ]
    .into_iter()
    .enumerate()
    {
        let config = config(algorithms, width, 8, latency);
        misled(&mut *model(&config), &config, (seed as u64, 60_000), network);
    }
}

#[test]
fn they_change_nothing_in_the_verilog() {
    let config = config(CccAlgorithms::Nscc, 128, 4, 2);
    misled(&mut rtl(&config, 50_000), &config, (5, 30_000), LOSSY);
}
