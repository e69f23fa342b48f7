// SPDX-License-Identifier: MIT OR Apache-2.0
//! Paths that lose and repeat frames, and one that loses all.

use super::super::setup::{RTT, count, pdc, report, us};
use super::setup::{
    ACTIVE, FAILED, Sizes, UNIT, closed_loop, gbps, models, nic, opened, settle, shares, simulations, sub_path,
    two_leaves,
};
use testbench::closed_loop::{ClosedLoop, Ledger, SenderCounts, SentFrames};
use testbench::network::Impairment;
use tier::pick;

const PATHS: [(u64, u64); 4] = [(300, 16), (350, 16), (450, 16), (700, 16)];
/// More than the queues of the paths differ: two round trips. With one, hundreds of packets are sent again in vain.
const TOLERANCE: u64 = 2 * RTT / UNIT;
/// More packets than can be under way, so that no sub-path is ever full.
const NEVER_FULL: u64 = 256;

/// Four sub-paths with this window.
fn sizes(window: u64) -> Sizes {
    Sizes { tolerance: TOLERANCE, ..Sizes::paths(4, window) }
}

/// 8,000,000 bytes over paths that lose and repeat one frame in a hundred. All is delivered once, and flag L of ACKs finds
/// losses before time-outs do, but for a packet that is lost once more.
fn losses(window: u64) {
    let (sizes, impairment) = (sizes(window), Impairment { loss: 0.01, duplication: 0.01 });
    let mut run = closed_loop(&two_leaves(2, &PATHS, impairment), &sizes, &[pdc(0, 0, 1, 0)]);
    (0..8).for_each(|_| run.send(0, 0, 1_000_000));
    run.until_done(400_000).expect("it is delivered");
    report("losses", &run);
    let SenderCounts { again, thrice, .. } = run.nics[0].sender.counts;
    let suspects = run.nics[1].sent.suspects;
    let timeouts = count(&run, "packet_tracker_timeouts");
    println!(
        "{again} sent again, {thrice} more than once; {timeouts} time-outs; {suspects} ACKs with L; {:?}",
        shares(&run, &sizes, 0, 0)
    );
    println!("{:.1} us, {:.1} Gb/s", us(run.now()), gbps(8_000_000, run.now()));
    let counts = run.fabric.counts();
    assert!(counts.lost > 20 && counts.duplicated > 20, "{counts:?}");
    // With such a packet all that is under way behind it times out.
    assert!(again > 10 && timeouts <= NEVER_FULL * thrice, "{timeouts} time-outs, {thrice} packets more than once");
    settle(&mut run, &sizes, &[(0, 0), (1, 8)]);
}

#[test]
fn losses_and_repetitions_over_four_paths() {
    losses(NEVER_FULL);
}

/// A packet that is to be sent again finds all sub-paths full: packets behind the gap stay in flight until the gap is closed, as
/// ACKs are cumulative. The time-out comes, and takes all of them for lost.
#[test]
fn losses_with_windows_that_are_full() {
    losses(24);
}

/// Path 2 loses all from the fourth RTT on, in the middle of 4,000,000 bytes. When.
fn cut(sizes: &Sizes) -> (ClosedLoop, u64) {
    let mut run = closed_loop(&two_leaves(2, &PATHS, Impairment::default()), sizes, &[pdc(0, 0, 1, 0)]);
    (0..8).for_each(|_| run.send(0, 0, 500_000));
    (0..4 * RTT).for_each(|_| run.step().expect("the rules hold"));
    run.fabric.path_mut(0, 1, 2).impair(Impairment { loss: 1.0, duplication: 0.0 });
    let since = run.now();
    (run, since)
}

/// The states of the sub-paths of QP 0.
fn states(run: &mut ClosedLoop) -> [u64; 4] {
    [0, 1, 2, 3].map(|path| sub_path(run, 0, 0, path)["state"])
}

/// A command on sub-path 2 of QP 0 is done.
fn does(run: &mut ClosedLoop, op: u64, fields: &[(&'static str, u64)]) {
    let command = [("op", op), ("qp", 0), ("path", 2)].iter().chain(fields).copied().collect();
    let response = run.path_command(0, command).expect("there is a response");
    assert_eq!(response["done"], 1, "{response:?}");
}

/// Rows M62, M72 to M75: the receiver tells the losses of the sub-path, so it fails, and what was in flight there goes over the others;
/// the host is told. Later the path is well again, and the host starts the sub-path anew. Clock cycles from the cut until all is
/// complete.
fn is_given_up(window: u64) -> u64 {
    let sizes = sizes(window);
    let (mut run, since) = cut(&sizes);
    while !run.nics[0].events.iter().any(|event| event.fields["failed"] == 1) {
        assert!(run.now() < since + 20 * RTT, "the host has not been told");
        run.step().expect("the rules hold");
    }
    let told = us(run.now() - since);
    run.until_done(400_000).expect("it is delivered");
    report("a path that loses all", &run);
    let (end, timeouts) = (run.now() - since, count(&run, "packet_tracker_timeouts"));
    println!(
        "window {window}: given up {told:.1} us after the cut, all is complete {:.1} us after it, {timeouts} time-outs",
        us(end)
    );
    assert_eq!(states(&mut run), [ACTIVE, ACTIVE, FAILED, ACTIVE]);
    let before = shares(&run, &sizes, 0, 0);
    does(&mut run, 9, &[]);
    run.fabric.path_mut(0, 1, 2).impair(Impairment::default());
    let entropy = run.entropies(&nic(&sizes), 0, 0)[2];
    does(&mut run, 4, &[("weight", 32), ("entropy", entropy.into())]);
    does(&mut run, 5, &[("weight", 32), ("force", 1)]);
    run.send(0, 0, 1_000_000);
    run.until_done(400_000).expect("it is delivered");
    let after = shares(&run, &sizes, 0, 0);
    assert!(after[2] > before[2] + 40, "{before:?}, {after:?}");
    settle(&mut run, &sizes, &[(0, 0), (1, 8)]);
    end
}

/// As soon as when the host did it: 426 and 430 us.
#[test]
fn a_path_that_loses_all_is_given_up_and_comes_again() {
    for window in pick([24, NEVER_FULL], 1) {
        let end = us(is_given_up(window));
        assert!(end < 450.0, "window {window}: {end:.1} us");
    }
}

/// With the Verilog clock cycle for clock cycle what the models do.
#[test]
fn the_verilog_does_the_same() {
    let (sizes, impairment) = (sizes(24), Impairment { loss: 0.02, duplication: 0.02 });
    let pdcs = [pdc(0, 0, 1, 0), pdc(1, 0, 0, 0)];
    let run = |devices: &mut dyn Iterator<Item = _>| -> (Ledger, Vec<SentFrames>, u64) {
        let mut run = opened(&two_leaves(2, &PATHS, impairment), &sizes, &pdcs, devices);
        pdcs.iter().for_each(|pdc| run.send(pdc.from, pdc.pdc, 200_000));
        // And back on the first one.
        run.send(1, nic(&sizes).peer_pdc(0), 50_000);
        run.until_done(200 * RTT).expect("it is delivered");
        report("losses", &run);
        let sent = run.nics.iter().map(|nic| nic.sent).collect();
        (run.ledger.clone(), sent, run.now())
    };
    let model = run(&mut models(&sizes));
    assert!(model.1.iter().any(|sent| sent.suspects > 0), "{:?}", model.1);
    assert_eq!(run(&mut simulations(&sizes)), model);
}
