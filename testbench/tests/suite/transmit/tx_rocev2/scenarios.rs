// SPDX-License-Identifier: MIT OR Apache-2.0
//! Traffic through a transmit path of RoCEv2, which must do what the checker says: messages, QPs that are closed and opened
//! again, and how often there is a packet.

use super::paths::{PACKET, PATHS, op};
use super::peer::Network;
use super::run::{Conditions, QPS, Run};
use super::setup::{
    CALM, CLEAN, LOSSY, OPEN, Plan, Seen, UNQUIET, all_is_settled, close_paths, counters_are_0, limits, open_all,
    open_paths, plans, seen, weights_have_grown,
};
use crate::transmit::tx::scenarios::ccc_settings;
use pipeline::transmit::tx::TxConfig;
use testbench::Dut;

/// Every message arrives once, byte by byte, whatever the network does, and however slowly everybody takes and brings.
pub fn delivers(dut: &mut dyn Dut, config: &TxConfig, seed: u64, cycles: u64, faults: bool) -> Seen {
    let (network, host_delay, calm) = if faults { (LOSSY, 300, UNQUIET) } else { (CLEAN, 20, CALM) };
    // Each stream pauses in its own way, and in another one with each seed.
    let pause = |name: &str| if faults { [0.0, 0.3, 0.6, 0.9][(seed as usize + name.len()) % 4] } else { 0.0 };
    let conditions = Conditions { network, pause: &pause, host_delay, bad: if faults { 0.005 } else { 0.0 } };
    let mut run = Run::new(dut, limits(config, calm), seed, &conditions);
    // Nothing is open yet.
    run.request(0, 100, false);
    run.until_done();
    assert_eq!(run.checker.counts.refusals, 1);
    open_all(&mut run, &plans(seed));
    // There is no such operation.
    for (is_write, with) in [(true, (false, true)), (false, (true, true)), (true, (true, true))] {
        run.request_with(3, 100, is_write, with);
    }
    run.until_done();
    assert_eq!(run.checker.counts.refusals, 4);
    // Back to back for one QP, more than it has places for.
    for _ in 0..3 * config.messages {
        run.request_any(2);
    }
    run.until_done();
    for is_write in [false, true] {
        for length in [0, 1, 2, 3, 255, 256, 257, 512, 256 * 40, 0] {
            run.request(3, length, is_write);
            run.until_done();
        }
    }
    run.traffic(cycles, 0.02);
    let seen = all_is_settled(&mut run);
    counters_are_0(&run, &OPEN);
    counters_are_0(&run, &["path_scheduler_no_path_requests"]);
    if !faults {
        weights_have_grown(&mut run, &plans(seed));
        turns_are_even(&run, &plans(seed));
        let disturbed = ["path_scheduler_full_requests", "packet_tracker_timeouts", "packet_tracker_void_nacks"];
        counters_are_0(&run, &disturbed);
    }
    seen
}

/// Sub-paths with the same weights take turns.
fn turns_are_even(run: &Run, plans: &[Plan; QPS as usize]) {
    let has_one_weight = |plan: &Plan| plan.weights.iter().all(|weights| *weights == plan.weights[0]);
    for (qp, _) in (0..).zip(plans).filter(|(_, plan)| plan.granularity == PACKET && has_one_weight(plan)) {
        let packets = run.checker.tally(qp).packets;
        let (least, most) = (packets.iter().min(), packets.iter().max());
        assert!(most.zip(least).is_some_and(|(most, least)| most - least <= 1), "{packets:?}");
    }
}

/// QPs are closed and opened again amid traffic, each time with their sub-paths. The stream `slow` stands still for hundreds of
/// clock cycles; if that is `settings`, `ccc_table` does so.
pub fn reopens(dut: &mut dyn Dut, config: &TxConfig, seed: u64, rounds: u64, slow: &str) -> Seen {
    let pause = |name: &str| match name {
        _ if name != slow => 0.2,
        "m_axis" => 0.9,
        _ => 0.985,
    };
    // A mark for a sub-path that has been removed counts as one that contradicts.
    let network = Network { mark: 0.0, ..LOSSY };
    let conditions = Conditions { network, pause: &pause, host_delay: 100, bad: 0.002 };
    let mut run = Run::new(dut, limits(config, UNQUIET), seed, &conditions);
    open_all(&mut run, &plans(seed));
    run.traffic(3000, 0.05);
    // A reset amid traffic leaves nothing.
    let mut run = Run::new(dut, limits(config, UNQUIET), seed + 3, &conditions);
    if slow == "settings" {
        run.bench.settings("ccc_table", 250, &ccc_settings(config));
    }
    assert!(!run.close(0, true).done, "it is closed");
    assert!(!run.path_op(op::CLOSE, 0, 0).done, "it is closed");
    open_all(&mut run, &plans(seed));
    let refused = run.open(1, 7, &[]);
    assert!(!refused.done && refused.open, "it is open: {refused:?}");
    let mut forced = 0;
    for round in 0..rounds {
        let qp = run.random.below(QPS);
        let cycles = run.random.below(3000);
        run.traffic(cycles, 0.05);
        forced += u64::from(closes(&mut run, qp));
        // Often they are removed, and it is opened again, at once.
        if round % 4 == 0 {
            let state = run.read(qp);
            assert!(state.done && !state.open && state.state == 0, "{state:?}");
            run.traffic(300, 0.05);
        }
        // There is no such class, so `packet_tracker` is closed again. Meanwhile it may hear a late ACK, so the sub-paths are there.
        if round % 4 == 1 {
            let refused = run.open(qp, 5, &[("class", 3)]);
            assert!(!refused.done && !refused.open, "{refused:?}");
        }
        // Now and then the sub-paths stay for the next one.
        let keeps = round % 5 == 4;
        if !keeps {
            close_paths(&mut run, qp);
        }
        let (psn, plan) = (run.random.bits() & 0xFF_FFFF, plans(seed + round)[(round % QPS) as usize]);
        // A QP without sub-paths sends nothing, so it may be opened first.
        let is_late = round % 3 == 2;
        if !keeps && !is_late {
            open_paths(&mut run, qp, &plan);
        }
        assert!(run.open(qp, psn, &[]).done);
        if !keeps && is_late {
            let before = run.checker.next_psn(qp);
            run.request_any(qp);
            run.traffic(500, 0.05);
            assert_eq!(run.checker.next_psn(qp), before, "packets without sub-paths");
            open_paths(&mut run, qp, &plan);
        }
    }
    let seen = all_is_settled(&mut run);
    assert!(forced > rounds / 4, "too few were forced: {forced} of {rounds}");
    // When nothing is under way, no force is needed.
    for qp in 0..QPS {
        assert!(run.close(qp, false).done);
        close_paths(&mut run, qp);
    }
    seen
}

/// Closes a QP, by force if it must be.
fn closes(run: &mut Run, qp: u64) -> bool {
    let waited = run.checker.under_way(qp);
    let response = run.close(qp, false);
    if response.done {
        return false;
    }
    assert!(response.open && response.messages > 0, "{response:?}, {waited} before");
    // It is as before, and can be resized.
    let resized = run.resize(qp, 3);
    assert!(resized.done && resized.open, "{resized:?}");
    run.traffic(500, 0.05);
    let closed = run.close(qp, true);
    assert!(closed.done && !closed.open && closed.messages == 0 && closed.next == 0, "{closed:?}");
    true
}

/// The clock cycles between packets of one message over a network without faults, in the order of packets.
pub fn intervals(dut: &mut dyn Dut, config: &TxConfig) -> Vec<u64> {
    let conditions = Conditions { network: CLEAN, pause: &|_| 0.0, host_delay: 0, bad: 0.0 };
    let mut run = Run::new(dut, limits(config, CALM), 1, &conditions);
    open_paths(&mut run, 0, &Plan::even(PACKET, 8));
    assert!(run.open(0, 1000, &[("weight", 15)]).done);
    run.request(0, 256 * 100, true);
    let (mut intervals, mut last) = (Vec::new(), None);
    while !(run.checker.counts.frames == 100 && run.checker.is_done()) {
        let before = run.checker.next_psn(0);
        run.step();
        if run.checker.next_psn(0) != before {
            let now = run.bench.cycle();
            intervals.extend(last.map(|last| now - last));
            last = Some(now);
        }
    }
    intervals
}

/// The shares of sub-paths with other weights follow them (T5), so a sub-path is asked for once for each packet.
pub fn shares(dut: &mut dyn Dut, config: &TxConfig, seed: u64) -> Seen {
    let conditions = Conditions { network: CLEAN, pause: &|_| 0.0, host_delay: 10, bad: 0.0 };
    let mut run = Run::new(dut, limits(config, CALM), seed, &conditions);
    let weights = [(128, 128), (64, 64), (32, 32), (32, 32)];
    open_all(&mut run, &[Plan { weights, ..Plan::even(PACKET, 0) }; QPS as usize]);
    // 1024 packets are a multiple of the packets in which shares repeat: 256 rounds, of which 128, 64 and 32 have the sub-paths.
    for qp in 0..QPS {
        run.request(qp, 256 * 1024, qp & 1 == 1);
    }
    all_is_settled(&mut run);
    for qp in 0..QPS {
        let packets = run.checker.tally(qp).packets;
        let shares = weights.map(|(weight, _)| 1024 * weight / 256);
        let differences: [u64; PATHS] = std::array::from_fn(|path| packets[path].abs_diff(shares[path]));
        assert!(differences.iter().all(|difference| *difference <= 2), "{packets:?} of {shares:?}");
    }
    seen(&run)
}
