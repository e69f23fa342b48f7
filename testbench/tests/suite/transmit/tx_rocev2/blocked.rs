// SPDX-License-Identifier: MIT OR Apache-2.0
//! QPs without a sub-path that has room cost one turn each until feedback or a command of the host comes (row TX37).

use super::paths::{PACKET, PATHS, op};
use super::peer::{ACK, Network};
use super::run::{Conditions, QPS, Run};
use super::setup::{CLEAN, Plan, UNQUIET, all_is_settled, limits, open_all, open_paths};
use pipeline::transmit::tx::TxConfig;
use testbench::Dut;

/// Weight of each sub-path.
const WEIGHT: u64 = 8;

/// The sub-paths of all QPs are drained, so that none is active; then one of them is started again.
pub fn without_sub_paths(dut: &mut dyn Dut, config: &TxConfig, seed: u64) {
    let conditions = Conditions { network: CLEAN, pause: &|_| 0.0, host_delay: 10, bad: 0.0 };
    let mut run = Run::new(dut, limits(config, UNQUIET), seed, &conditions);
    open_all(&mut run, &[Plan::even(PACKET, WEIGHT); QPS as usize]);
    for round in 1..=3 {
        for (qp, path) in (0..QPS).flat_map(|qp| (0..PATHS as u64).map(move |path| (qp, path))) {
            run.path_op(op::DRAIN, qp, path);
            run.path_op(op::REMOVE, qp, path);
        }
        let before = run.bench.output("path_scheduler_no_path_requests");
        for qp in 0..QPS {
            run.request(qp, 256 * 20, qp & 1 == 1);
        }
        run.steps(3000);
        assert_eq!(run.bench.output("path_scheduler_no_path_requests") - before, QPS, "round {round}");
        // A command may change something, so each one brings one more turn.
        run.path_op(op::READ, 0, 0);
        run.steps(1000);
        assert_eq!(run.bench.output("path_scheduler_no_path_requests") - before, QPS + 1, "round {round}");
        for qp in 0..QPS {
            run.start(qp, (qp + round) % PATHS as u64, (WEIGHT, WEIGHT));
        }
        run.until_done();
    }
    for (qp, path) in (0..QPS).flat_map(|qp| (0..PATHS as u64).map(move |path| (qp, path))) {
        run.path_op(op::DRAIN, qp, path);
        run.path_op(op::REMOVE, qp, path);
    }
    // A QP that is opened in `path_scheduler` only after its messages.
    assert!(run.path_op(op::CLOSE, 2, 0).done);
    run.request(2, 256 * 3, false);
    run.steps(500);
    open_paths(&mut run, 2, &Plan::even(PACKET, WEIGHT));
    run.until_done();
}

/// Opens all QPs, with a window of so many packets for each sub-path.
fn opens_with(run: &mut Run, window: u64) {
    let settings = [
        ("flowlet", 3),
        ("raise", 5),
        ("fail", 0),
        ("fail_time", 0),
        ("wait", 0),
        ("migrate", 3),
        ("window", window),
        ("initial", 0),
        ("rtt", 8),
        ("delay", 0),
    ];
    run.bench.settings("path_scheduler", 1000, &settings);
    run.steps(1000);
    open_all(run, &[Plan::even(PACKET, WEIGHT); QPS as usize]);
}

/// All sub-paths have small windows, and peers are far: few turns are in vain.
pub fn full_sub_paths(dut: &mut dyn Dut, config: &TxConfig, seed: u64, window: u64) {
    let network = Network { delay: (9000, 9001), ..CLEAN };
    let conditions = Conditions { network, pause: &|_| 0.0, host_delay: 10, bad: 0.0 };
    let mut run = Run::new(dut, limits(config, UNQUIET), seed, &conditions);
    opens_with(&mut run, window);
    let full = |run: &Run| run.bench.output("path_scheduler_full_requests");
    for qp in 0..QPS {
        run.request(qp, 256 * 60, qp & 1 == 1);
    }
    // No ACK comes until then. A turn that ends early, after a packet, is not told by `blocked`, so there may be one more.
    run.steps(6000);
    let (once, again) = (full(&run), 2 * QPS);
    assert!((QPS..=again).contains(&once), "{once} turns in vain");
    run.steps(3000);
    assert_eq!(full(&run), once);
    let sent = run.fetches.len() as u64;
    assert!(sent >= QPS * PATHS as u64 * window, "{sent} packets");
    run.until_done();
    // At most one in vain for each ACK, and for each feedback.
    let (full, packets) = (full(&run), run.fetches.len() as u64);
    assert!(full > QPS && full <= QPS + 2 * packets, "{full} turns in vain, {packets} packets");
    let seen = all_is_settled(&mut run);
    assert_eq!(seen.counts.retransmissions, 0, "{seen:?}");
}

/// An ACK unblocks its QP before its outcome, which waits behind those of another QP, has made room on the sub-path. So there is
/// one more turn in vain, and it is the feedback that unblocks the QP.
pub fn late_feedback(dut: &mut dyn Dut, config: &TxConfig, seed: u64) {
    let (few, many, window) = (0, 1, 8);
    let network = Network { delay: (9000, 9001), ..CLEAN };
    let conditions = Conditions { network, pause: &|_| 0.0, host_delay: 10, bad: 0.0 };
    let mut run = Run::new(dut, limits(config, UNQUIET), seed, &conditions);
    opens_with(&mut run, window);
    for path in 1..PATHS as u64 {
        run.path_op(op::DRAIN, few, path);
        run.path_op(op::REMOVE, few, path);
    }
    run.request(few, 256 * 20, false);
    run.request(many, 256 * 60, false);
    run.steps(5000);
    let sent = |run: &Run, qp| -> Vec<u64> {
        run.fetches.iter().filter(|(_, fetch)| fetch.pdc == qp).map(|(_, fetch)| fetch.psn).collect()
    };
    assert_eq!([few, many].map(|qp| sent(&run, qp).len() as u64), [window, window * PATHS as u64]);
    let full = run.bench.output("path_scheduler_full_requests");
    // All packets of one QP are acknowledged at once, and right after them one of the other.
    for (qp, packets) in [(many, window * PATHS as u64), (few, 1)] {
        let named = sent(&run, qp)[..packets as usize].to_vec();
        let ack = run.peer.says(qp, (ACK, *named.last().expect("there are some")), 0, (false, false));
        run.checker.named(qp, named);
        run.bench.record(&ack);
    }
    run.steps(2000);
    assert_eq!(sent(&run, few).len() as u64, window + 1);
    assert!(run.bench.output("path_scheduler_full_requests") > full, "no turn in vain");
    let seen = all_is_settled(&mut run);
    assert_eq!(seen.counts.retransmissions, 0, "{seen:?}");
}
