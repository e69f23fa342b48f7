// SPDX-License-Identifier: MIT OR Apache-2.0
//! QPs without a sub-path that has room cost one turn each until feedback or a command of the host comes (row TX37).

use super::paths::{PACKET, PATHS, op};
use super::peer::Network;
use super::run::{Conditions, QPS, Run};
use super::setup::{CLEAN, Plan, UNQUIET, all_is_settled, limits, open_all, open_paths};
use pipeline::tx::TxConfig;
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

/// All sub-paths have small windows, and peers are far: few turns are in vain.
pub fn full_sub_paths(dut: &mut dyn Dut, config: &TxConfig, seed: u64, window: u64) {
    let network = Network { delay: (9000, 9001), ..CLEAN };
    let conditions = Conditions { network, pause: &|_| 0.0, host_delay: 10, bad: 0.0 };
    let mut run = Run::new(dut, limits(config, UNQUIET), seed, &conditions);
    let settings =
        [("flowlet", 3), ("raise", 5), ("fail", 0), ("migrate", 3), ("window", window), ("rtt", 8), ("delay", 0)];
    run.bench.settings("path_scheduler", 1000, &settings);
    run.steps(1000);
    open_all(&mut run, &[Plan::even(PACKET, WEIGHT); QPS as usize]);
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
