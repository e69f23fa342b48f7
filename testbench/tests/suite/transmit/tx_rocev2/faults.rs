// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sub-paths with marks, sub-paths that lose all, full ones, and those that come and go amid traffic.

use super::paths::{ABSENT, ACTIVE, Command, FAILED, FLOW, FLOWLET, PACKET, PATHS, op};
use super::peer::Network;
use super::run::{Conditions, QPS, Run};
use super::setup::{
    CALM, CLEAN, FAILING, LOSSY, Plan, Seen, UNQUIET, all_is_settled, counters_are_0, limits, open_all, plans,
    weights_have_grown,
};
use pipeline::headers::protocols::MpehIndicator;
use pipeline::transmit::tx::TxConfig;
use testbench::Dut;

/// The sub-path that is marked, or that dies.
const BAD_PATH: u64 = 0;
/// Weights at first.
const WEIGHT: u64 = 64;

/// Packets of one sub-path are marked: its weight falls, and no other one does (M68, M69); a flow leaves it (M62).
pub fn marks(dut: &mut dyn Dut, config: &TxConfig, seed: u64, cycles: u64) -> Seen {
    let network = Network { mark: 1.0, marked: Some(BAD_PATH), ..CLEAN };
    let conditions = Conditions { network, pause: &|_| 0.1, host_delay: 20, bad: 0.0 };
    let mut run = Run::new(dut, limits(config, UNQUIET), seed, &conditions);
    open_all(&mut run, &[FLOW, FLOWLET, PACKET, PACKET].map(|granularity| Plan::even(granularity, WEIGHT)));
    run.traffic(cycles, 0.05);
    let seen = all_is_settled(&mut run);
    for qp in 0..QPS {
        let tally = run.checker.tally(qp);
        for path in 0..PATHS as u64 {
            let response = run.path_op(op::READ, qp, path);
            let (congested, packets) = (tally.congested[path as usize], tally.packets[path as usize]);
            if path == BAD_PATH {
                assert!(response.weight < WEIGHT && congested > 0, "{response:?}, {tally:?}");
                assert!(qp == 0 || response.weight < WEIGHT / 2, "{response:?}");
                assert_eq!(response.avoided, response.weight < WEIGHT * 7 / 10, "{response:?}");
            } else {
                assert_eq!((response.weight, congested), (WEIGHT, 0), "{response:?}, {packets} packets");
            }
        }
    }
    // The flow has left it, for good.
    let [flow, _, packets, _] = seen.tallies.map(|tally| tally.packets);
    assert!(flow[0] > 0 && flow[1] > flow[0] && flow[2..] == [0, 0] && seen.tallies[0].switches == 1, "{seen:?}");
    // Others get its share.
    assert!(2 * packets[0] < packets[1] && packets[1].abs_diff(packets[3]) < 10, "{packets:?}");
    assert!(seen.events.congested >= QPS && seen.events.failed == 0, "{seen:?}");
    assert_eq!(seen.counts.retransmissions, 0, "{seen:?}");
    // A mark of a sub-path that no QP has changes nothing (T15).
    let fields = [("found", 1), ("connection", 1), ("transport", 2), ("has_mpeh", 1), ("mpeh_0", 200 << 24)];
    let opcode = match config.builder.protocols.mpeh {
        MpehIndicator::Bit => 0x11,
        MpehIndicator::OpCode => 0xD1,
    };
    let last = run.checker.next_psn(1).wrapping_sub(1) & 0xFF_FFFF;
    let words = [("header_0", opcode << 24), ("header_1", 1 << 30), ("header_2", 1 << 30 | last)];
    run.bench.record(&[&fields[..], &words[..]].concat());
    run.steps(300);
    assert_eq!(run.bench.output("path_scheduler_feedback_range"), 1);
    seen
}

/// A sub-path loses all packets of all QPs from some time on. Its packets come over others, it fails by time-outs, and when it
/// has been removed and added again, it has packets again (M62, M72, M73).
pub fn dies(dut: &mut dyn Dut, config: &TxConfig, seed: u64) -> Seen {
    let network = Network { tolerance: 3, delay: (50, 150), ..CLEAN };
    let conditions = Conditions { network, pause: &|_| 0.1, host_delay: 20, bad: 0.0 };
    let mut run = Run::new(dut, limits(config, FAILING), seed, &conditions);
    open_all(&mut run, &[Plan::even(PACKET, 4); QPS as usize]);
    run.traffic(10_000, 0.03);
    run.until_done();
    run.peer.network.dead = Some(BAD_PATH);
    let before = run.checker.counts;
    let mut failed = [false; QPS as usize];
    // Messages of one packet: behind a packet that is lost no other one waits, so no other sub-path has time-outs.
    for _ in 0..3000 {
        for qp in 0..QPS {
            if run.is_answered() && run.checker.under_way(qp) == 0 {
                let (length, is_write) = (run.random.below(256), run.random.chance(0.5));
                run.request(qp, length, is_write);
            }
        }
        run.steps(50);
        while let Some(event) = run.news.pop_front() {
            if event.failed {
                assert_eq!((event.path, event.more, event.all_failed), (BAD_PATH, false, false), "{event:?}");
                let response = run.path_op(op::READ, event.qp, event.path);
                assert_eq!((response.state, response.weight), (FAILED, 0), "{response:?}");
                failed[event.qp as usize] = true;
            }
        }
        if failed == [true; QPS as usize] {
            break;
        }
    }
    assert_eq!(failed, [true; QPS as usize]);
    run.until_done();
    let (after, carried) = (run.checker.counts, carried(&run));
    assert!(after.moved > before.moved, "{after:?}");
    // Many packets: none goes over it.
    run.traffic(5000, 0.05);
    run.until_done();
    assert_eq!(self::carried(&run), carried);
    // It is mended.
    run.peer.network.dead = None;
    for qp in 0..QPS {
        removes(&mut run, qp, BAD_PATH);
        run.start(qp, BAD_PATH, (4, 4));
    }
    run.traffic(20_000, 0.05);
    run.until_done();
    let again = self::carried(&run);
    assert!(again.iter().zip(carried).all(|(again, before)| *again > before + 5), "{again:?} after {carried:?}");
    all_is_settled(&mut run)
}

/// The packets that each QP has sent over the bad sub-path.
fn carried(run: &Run) -> [u64; QPS as usize] {
    std::array::from_fn(|qp| run.checker.tally(qp as u64).packets[BAD_PATH as usize])
}

/// Removes a sub-path that gets no packets any more, as soon as nothing is in flight on it.
fn removes(run: &mut Run, qp: u64, path: u64) {
    let end = run.bench.cycle() + 100_000;
    loop {
        let response = run.path_op(op::REMOVE, qp, path);
        if response.done {
            assert_eq!((response.state, response.in_flight), (ABSENT, 0), "{response:?}");
            return;
        }
        assert!(response.in_flight > 0 && run.bench.cycle() < end, "{response:?} is not removed");
        run.traffic(200, 0.02);
    }
}

/// Much traffic with faults amid which a sub-path loses all for a time. Sub-paths that have failed are removed and added again,
/// also while they lose all.
pub fn survives(dut: &mut dyn Dut, config: &TxConfig, seed: u64, cycles: u64) -> Seen {
    let network = Network { mark: 0.0, loss: 0.005, ..LOSSY };
    let conditions = Conditions { network, pause: &|_| 0.2, host_delay: 50, bad: 0.0 };
    let mut run = Run::new(dut, limits(config, FAILING), seed, &conditions);
    open_all(&mut run, &plans(seed));
    let start = run.bench.cycle();
    while run.bench.cycle() < start + cycles {
        let is_dead = (run.bench.cycle() - start) / 15_000 % 2 == 1;
        run.peer.network.dead = is_dead.then_some(BAD_PATH);
        run.traffic_step(0.02);
        mends(&mut run);
    }
    run.peer.network.dead = None;
    while !(run.is_answered() && run.checker.is_done()) {
        run.step();
        mends(&mut run);
        assert!(run.bench.cycle() < start + cycles + 600_000, "messages are never complete");
    }
    all_is_settled(&mut run)
}

/// Ten packets of a QP, for which sub-paths take turns: the bad one, which loses all, has the first one, and two more.
fn ten_packets(run: &mut Run, qp: u64) {
    run.peer.network.dead = Some(BAD_PATH);
    run.request(qp, 256 * 10, qp & 1 == 1);
    while run.checker.tally(qp).packets != [3, 3, 2, 2] {
        run.step();
    }
}

/// Packets behind one that is missing are named by their ACKs, and stay with their sub-paths. Those that are lost time out together; only
/// the first one says something of its sub-path (row TX34).
pub fn times_out(dut: &mut dyn Dut, config: &TxConfig, seed: u64) -> Seen {
    let conditions = Conditions { network: CLEAN, pause: &|_| 0.0, host_delay: 10, bad: 0.0 };
    let mut run = Run::new(dut, limits(config, FAILING), seed, &conditions);
    open_all(&mut run, &[Plan::even(PACKET, 8); QPS as usize]);
    for qp in 0..QPS {
        ten_packets(&mut run, qp);
        run.peer.network.dead = None;
        run.until_done();
        run.steps(500);
        for path in 0..PATHS as u64 {
            let response = run.path_op(op::READ, qp, path);
            let is_whole = response.weight == 8 && response.state == ACTIVE;
            assert_eq!(is_whole, path != BAD_PATH, "{response:?}");
            assert_eq!(response.in_flight, 0, "{response:?}");
        }
    }
    let seen = all_is_settled(&mut run);
    // Some are acknowledged before they are sent again.
    assert!(seen.counts.retransmissions >= QPS * 3, "{seen:?}");
    assert_eq!(run.bench.output("packet_tracker_timeouts"), QPS * 3);
    seen
}

/// A host knows that a sub-path has failed: what was in flight on it goes over others at once, long before its time-outs, and
/// nothing else is sent again (row TX36, M62, M73).
pub fn moves(dut: &mut dyn Dut, config: &TxConfig, seed: u64) -> Seen {
    let conditions = Conditions { network: CLEAN, pause: &|_| 0.0, host_delay: 10, bad: 0.0 };
    let mut run = Run::new(dut, limits(config, FAILING), seed, &conditions);
    open_all(&mut run, &[Plan::even(PACKET, 8); QPS as usize]);
    for qp in 0..QPS {
        ten_packets(&mut run, qp);
        run.steps(1000);
        // The others have been named by their ACKs.
        let response = run.read(qp);
        assert_eq!(response.in_flight, 3, "{response:?}");
        assert!(run.path_op(op::FAIL, qp, BAD_PATH).done);
        let before = run.checker.counts.retransmissions;
        assert!(run.lose(qp, BAD_PATH).done);
        run.until_done();
        assert_eq!(run.checker.counts.retransmissions, before + 3);
        assert_eq!(run.checker.tally(qp).packets[BAD_PATH as usize], 3, "none goes over it again");
        removes(&mut run, qp, BAD_PATH);
        assert_eq!(run.bench.output("packet_tracker_declared_losses"), 3 * (qp + 1));
        for path in 1..PATHS as u64 {
            let response = run.path_op(op::READ, qp, path);
            assert_eq!((response.state, response.weight, response.in_flight), (ACTIVE, 8, 0), "{response:?}");
        }
        // Nothing is in flight, so nothing is lost.
        assert!(run.lose(qp, 1).done);
        run.steps(500);
        run.start(qp, BAD_PATH, (8, 8));
    }
    assert_eq!(
        ["timeouts", "declared_losses"].map(|name| run.bench.output(&format!("packet_tracker_{name}"))),
        [0, 3 * QPS]
    );
    let seen = all_is_settled(&mut run);
    let closed = QPS - 1;
    assert!(run.close(closed, false).done);
    let response = run.lose(closed, BAD_PATH);
    assert_eq!((response.done, response.open), (false, false));
    seen
}

/// The same amid traffic, with completions that stall, which makes ACKs take long: packets whose sub-path was granted before it
/// was made to fail are lost with the others, so no time-out comes.
pub fn moves_amid_traffic(dut: &mut dyn Dut, config: &TxConfig, seed: u64) -> Seen {
    let pause = |name: &str| if name == "completion" { 0.95 } else { 0.0 };
    let conditions = Conditions { network: CLEAN, pause: &pause, host_delay: 10, bad: 0.0 };
    let mut run = Run::new(dut, limits(config, FAILING), seed, &conditions);
    open_all(&mut run, &[Plan::even(PACKET, 8); QPS as usize]);
    for _ in 0..5 {
        run.peer.network.dead = Some(BAD_PATH);
        run.traffic(1000, 0.1);
        for qp in 0..QPS {
            assert!(run.path_op(op::FAIL, qp, BAD_PATH).done);
            assert!(run.lose(qp, BAD_PATH).done);
        }
        run.until_done();
        run.peer.network.dead = None;
        for qp in 0..QPS {
            removes(&mut run, qp, BAD_PATH);
            run.start(qp, BAD_PATH, (8, 8));
        }
        run.traffic(1000, 0.1);
    }
    let seen = all_is_settled(&mut run);
    assert_eq!(run.bench.output("packet_tracker_timeouts"), 0);
    assert!(run.bench.output("packet_tracker_declared_losses") > 5 * QPS, "{seen:?}");
    seen
}

/// Does what a host does when sub-paths fail.
fn mends(run: &mut Run) {
    while let Some(event) = run.news.pop_front() {
        // With `more` there are others.
        for path in 0..PATHS as u64 {
            if event.failed && run.path_op(op::READ, event.qp, path).state == FAILED {
                removes(run, event.qp, path);
                run.start(event.qp, path, (8, 16));
            }
        }
    }
}

/// Windows of sub-paths so small that they are often full; they come by the settings.
pub fn small_windows(dut: &mut dyn Dut, config: &TxConfig, seed: u64, window: u64, cycles: u64) -> Seen {
    let network = Network { mark: 0.0, ..LOSSY };
    let conditions = Conditions { network, pause: &|_| 0.1, host_delay: 50, bad: 0.0 };
    let mut run = Run::new(dut, limits(config, UNQUIET), seed, &conditions);
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
    open_all(&mut run, &plans(seed));
    let end = run.bench.cycle() + cycles;
    while run.bench.cycle() < end {
        run.traffic(200, 0.05);
        let (qp, path) = (run.random.below(QPS), run.random.below(PATHS as u64));
        // What an ACK names has had its effect soon after.
        let mut again = run.checker.sent_again(qp);
        run.traffic(100, 0.05);
        let response = run.path_op(op::READ, qp, path);
        again.extend(run.checker.sent_again(qp));
        // Turns have one packet at a time, so each sees all those before it (T20); only packets that are sent again, one of
        // which may not have been fetched yet, go over a sub-path that is full (T22).
        assert!(response.in_flight <= window + again.len() as u64 + 1, "{response:?}, {again:?}");
    }
    let seen = all_is_settled(&mut run);
    assert!(seen.full > 5 && seen.events.saturated > 0, "{seen:?}");
    seen
}

/// A network so long that the window of `packet_tracker` is full: grants go back (row TX28).
pub fn small_tracker(dut: &mut dyn Dut, config: &TxConfig, seed: u64, faults: bool) -> Seen {
    let network = Network { delay: (3000, 3400), ..if faults { LOSSY } else { CLEAN } };
    let conditions = Conditions { network, pause: &|_| 0.0, host_delay: 10, bad: 0.0 };
    let mut run = Run::new(dut, limits(config, if faults { UNQUIET } else { CALM }), seed, &conditions);
    open_all(&mut run, &plans(seed));
    for round in 0..3 {
        for qp in 0..QPS {
            run.request(qp, 256 * 150, (qp + round) & 1 == 1);
        }
        run.until_done();
    }
    let seen = all_is_settled(&mut run);
    assert!(seen.refused > 20, "{seen:?}");
    if !faults {
        // A grant that goes back does not count as a packet that has arrived.
        weights_have_grown(&mut run, &plans(seed));
    }
    seen
}

/// Sub-paths come, go and change amid traffic, now and then all of a QP (row TX35, T7, T8, T21).
pub fn changes(dut: &mut dyn Dut, config: &TxConfig, seed: u64, rounds: u64) -> Seen {
    let network = Network { mark: 0.0, ..if seed & 1 == 0 { CLEAN } else { LOSSY } };
    let conditions = Conditions { network, pause: &|_| 0.1, host_delay: 50, bad: 0.0 };
    let mut run = Run::new(dut, limits(config, UNQUIET), seed, &conditions);
    open_all(&mut run, &plans(seed));
    for _ in 0..rounds {
        let (qp, path) = (run.random.below(QPS), run.random.below(PATHS as u64));
        let cycles = run.random.below(600);
        run.traffic(cycles, 0.03);
        let op = [op::SET_GRANULARITY, op::SET_FLOWLET, op::SET_ENTROPY, op::LIMIT, op::DRAIN, op::FAIL, op::READ]
            [run.random.below(7) as usize];
        let command = Command { op, qp, path, ..Command::default() };
        match op {
            op::SET_GRANULARITY => {
                let granularity = run.random.below(3);
                assert!(run.path_command(&Command { granularity, ..command }).done);
            }
            op::SET_FLOWLET => {
                let flowlet = run.random.below(4);
                assert!(run.path_command(&Command { flowlet, ..command }).done);
            }
            op::SET_ENTROPY => assert!(run.set_entropy(qp, path).done),
            op::LIMIT => {
                let weight = run.random.between(1, 40);
                assert!(run.path_command(&Command { weight, ..command }).done);
            }
            op::DRAIN | op::FAIL => {
                assert!(run.path_command(&command).done);
                removes(&mut run, qp, path);
                let limit = run.random.between(1, 40);
                let weight = run.random.between(1, limit);
                run.start(qp, path, (weight, limit));
            }
            _ => without_paths(&mut run, qp),
        }
    }
    let seen = all_is_settled(&mut run);
    assert!(seen.sum(|tally| tally.switches) > rounds / 2, "{seen:?}");
    counters_are_0(&run, &["path_scheduler_refused_requests"]);
    seen
}

/// All sub-paths of a QP go: it sends nothing, and goes on when there is one.
fn without_paths(run: &mut Run, qp: u64) {
    for path in 0..PATHS as u64 {
        assert!(run.path_op(op::DRAIN, qp, path).done);
    }
    // One that had been granted before may leave yet.
    run.traffic(300, 0.02);
    let before = run.checker.next_psn(qp);
    run.request_any(qp);
    run.traffic(500, 0.02);
    assert_eq!(run.checker.next_psn(qp), before, "packets without sub-paths");
    // Those that are draining cannot be started again. One comes first.
    for path in [2, 0, 3, 1] {
        removes(run, qp, path);
        run.start(qp, path, (8, 8));
        run.traffic(300, 0.02);
        assert_eq!(run.path_op(op::READ, qp, path).state, ACTIVE);
    }
}
