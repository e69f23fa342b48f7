// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sub-paths that die, while nobody but the NIC does anything about it (rows M62, M72, M73, M75, M104): TX38, T14, T22, T29.

use super::super::setup::{RTT, count, pdc, report, us};
use super::setup::{
    ACTIVE, FAILED, FLOW, PACKET, Sizes, closed_loop, models, nic, opened, settle, shares, simulations, sub_path,
    two_leaves,
};
use testbench::closed_loop::ClosedLoop;
use testbench::network::Impairment;

/// Four paths of a quarter of the link.
const PATHS: [(u64, u64); 4] = [(300, 16), (350, 16), (450, 16), (700, 16)];
const DEAD: Impairment = Impairment { loss: 1.0, duplication: 0.0 };
/// The first time-out: 100 us.
const RTO: u64 = 781;

fn kill(run: &mut ClosedLoop, path: usize) {
    run.fabric.path_mut(0, 1, path).impair(DEAD);
}

fn steps(run: &mut ClosedLoop, clocks: u64) {
    (0..clocks).for_each(|_| run.step().expect("the rules hold"));
}

fn states(run: &mut ClosedLoop) -> [u64; 4] {
    [0, 1, 2, 3].map(|path| sub_path(run, 0, 0, path)["state"])
}

/// Runs until all is complete. The clock cycle in which the last packet has gone over a dead path.
fn ends(run: &mut ClosedLoop, sizes: &Sizes, dead: &[usize], patience: u64) -> u64 {
    let sent = |run: &ClosedLoop| dead.iter().map(|path| shares(run, sizes, 0, 0)[*path]).sum::<u64>();
    let (mut last, mut before, limit) = (run.now(), sent(run), run.now() + patience);
    while !run.ledger.is_done() {
        assert!(run.now() < limit, "{:?} is not complete", run.ledger.missing());
        run.step().expect("the rules hold");
        let now = sent(run);
        if now != before {
            (last, before) = (run.now(), now);
        }
    }
    last
}

/// One of four paths dies at full rate: 3,000 packets of 1 KiB.
fn one_dies(run: &mut ClosedLoop, sizes: &Sizes, messages: u32) -> (f64, f64) {
    (0..messages).for_each(|_| run.send(0, 0, 128 * 1024));
    steps(run, 4 * RTT);
    kill(run, 2);
    let cut = run.now();
    let last = ends(run, sizes, &[2], 200 * RTT);
    (us(last - cut), us(run.now()))
}

#[test]
fn one_of_four_paths_dies() {
    let sizes = Sizes { segment_log: 10, tolerance: 20, ..Sizes::paths(4, 64) };
    let mut run = closed_loop(&two_leaves(2, &PATHS, Impairment::default()), &sizes, &[pdc(0, 0, 1, 0)]);
    let (left, all) = one_dies(&mut run, &sizes, 24);
    report("one of four paths dies", &run);
    println!("no packet goes over it after {left:.1} us; 3072 packets are complete after {all:.1} us");
    println!(
        "{} declared lost, {} time-outs",
        count(&run, "packet_tracker_declared_losses"),
        count(&run, "packet_tracker_timeouts")
    );
    assert_eq!(states(&mut run), [ACTIVE, ACTIVE, FAILED, ACTIVE]);
    assert!(left <= us(3 * RTT), "{left:.1} us");
    assert!(all <= 900.0, "{all:.1} us");
    assert!(run.nics[0].failed.is_empty());
    settle(&mut run, &sizes, &[(0, 0), (1, 8)]);
}

/// A flow leaves a path with its time-out: each dead one costs one.
#[test]
fn two_of_four_paths_die_under_a_flow() {
    let sizes = Sizes { granularity: FLOW, ..Sizes::paths(4, 64) };
    let mut run = closed_loop(&two_leaves(2, &PATHS, Impairment::default()), &sizes, &[pdc(0, 0, 1, 0)]);
    (0..8).for_each(|_| run.send(0, 0, 100_000));
    steps(&mut run, 2 * RTT);
    (0..2).for_each(|path| kill(&mut run, path));
    let cut = run.now();
    let last = ends(&mut run, &sizes, &[0, 1], 400 * RTT);
    report("two of four paths die under a flow", &run);
    println!(
        "no packet goes over them after {:.1} us; all is complete after {:.1} us",
        us(last - cut),
        us(run.now() - cut)
    );
    assert!(run.nics[0].failed.is_empty());
    settle(&mut run, &sizes, &[(0, 0), (1, 8)]);
}

/// All of so many paths die: the QP fails, and says why. The time of that.
fn all_die(run: &mut ClosedLoop, paths: usize) -> u64 {
    (0..8).for_each(|_| run.send(0, 0, 100_000));
    steps(run, 2 * RTT);
    (0..paths).for_each(|path| kill(run, path));
    let cut = run.now();
    while run.nics[0].failed.is_empty() {
        assert!(run.now() < cut + 1000 * RTT, "it stands still");
        run.step().expect("the rules hold");
    }
    let (at, qp, reason) = run.nics[0].failed[0];
    println!("QP {qp} fails after {:.1} us", us(at - cut));
    assert_eq!((qp, reason), (0, 1));
    assert!((0..paths).all(|path| sub_path(run, 0, 0, path as u64)["state"] == FAILED));
    at
}

#[test]
fn a_qp_without_paths_fails() {
    let sizes = Sizes { granularity: FLOW, ..Sizes::paths(2, 64) };
    let mut run = closed_loop(&two_leaves(2, &PATHS[..2], Impairment::default()), &sizes, &[pdc(0, 0, 1, 0)]);
    all_die(&mut run, 2);
}

/// The same, but the QP waits: when a sub-path is started again it goes on.
#[test]
fn a_qp_without_paths_waits() {
    let sizes = Sizes { granularity: PACKET, waits: true, ..Sizes::paths(2, 64) };
    let mut run = closed_loop(&two_leaves(2, &PATHS[..2], Impairment::default()), &sizes, &[pdc(0, 0, 1, 0)]);
    (0..8).for_each(|_| run.send(0, 0, 100_000));
    steps(&mut run, 2 * RTT);
    (0..2).for_each(|path| kill(&mut run, path));
    let cut = run.now();
    while !run.nics[0].events.iter().any(|event| event.fields["all_failed"] == 1) {
        assert!(run.now() < cut + 1000 * RTT, "nobody is told");
        run.step().expect("the rules hold");
    }
    steps(&mut run, 200 * RTT);
    assert!(run.nics[0].failed.is_empty(), "{:?}", run.nics[0].failed);
    run.fabric.path_mut(0, 1, 1).impair(Impairment::default());
    let entropy = run.entropies(&nic(&sizes), 0, 0)[1];
    let command = |op, fields: &[(&'static str, u64)]| {
        [("op", op), ("qp", 0), ("path", 1)].into_iter().chain(fields.iter().copied()).collect::<Vec<_>>()
    };
    for command in [
        command(0, &[]),
        command(9, &[]),
        command(4, &[("weight", 32), ("entropy", entropy.into())]),
        command(5, &[("weight", 32), ("force", 1)]),
    ] {
        let response = run.path_command(0, command).expect("there is a response");
        assert_eq!(response["done"], 1, "{response:?}");
    }
    let since = run.now();
    run.until_done(400 * RTT).expect("it is delivered");
    println!("all is complete {:.1} us after the sub-path has been started", us(run.now() - since));
    assert!(run.nics[0].failed.is_empty());
    settle(&mut run, &sizes, &[(0, 0), (1, 8)]);
}

/// The MAC takes no frames for 300 us, which is three time-outs (row TX39).
fn pauses(run: &mut ClosedLoop) {
    (0..8).for_each(|_| run.send(0, 0, 200_000));
    steps(run, 2 * RTT);
    run.nics[0].paused = true;
    steps(run, 25 * RTT);
    run.nics[0].paused = false;
    run.until_done(400 * RTT).expect("it is delivered");
    report("a pause of the MAC", run);
    assert_eq!((run.nics[0].sender.counts.again, count(run, "packet_tracker_timeouts")), (0, 0));
    let weights = [0, 1, 2, 3].map(|path| sub_path(run, 0, 0, path)["weight"]);
    assert_eq!(weights, [32; 4]);
}

#[test]
fn a_pause_of_the_mac_is_no_loss() {
    let sizes = Sizes { rto: RTO, ..Sizes::paths(4, 64) };
    let mut run = closed_loop(&two_leaves(2, &PATHS, Impairment::default()), &sizes, &[pdc(0, 0, 1, 0)]);
    pauses(&mut run);
    settle(&mut run, &sizes, &[(0, 0), (1, 8)]);
}

/// With the Verilog clock cycle for clock cycle what the models do: a dead path, a pause, and no path at all.
#[test]
fn the_verilog_does_the_same_with_dead_paths() {
    let sizes = Sizes { segment_log: 10, tolerance: 20, ..Sizes::paths(4, 64) };
    let scenario = |name: &str, run: &mut ClosedLoop| match name {
        "one dies" => {
            one_dies(run, &sizes, 6);
            assert_eq!(states(run), [ACTIVE, ACTIVE, FAILED, ACTIVE]);
        }
        "a pause" => pauses(run),
        _ => assert!(all_die(run, 4) > 0),
    };
    let (mut simulations, mut models) = (simulations(&sizes), models(&sizes));
    for name in ["one dies", "a pause", "all die"] {
        let run = |devices: &mut dyn Iterator<Item = _>| {
            let mut run = opened(&two_leaves(2, &PATHS, Impairment::default()), &sizes, &[pdc(0, 0, 1, 0)], devices);
            scenario(name, &mut run);
            (run.ledger.clone(), run.nics[0].failed.clone(), run.now())
        };
        assert_eq!(run(&mut simulations), run(&mut models), "{name}");
    }
}
