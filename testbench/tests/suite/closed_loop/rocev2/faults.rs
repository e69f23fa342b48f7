// SPDX-License-Identifier: MIT OR Apache-2.0
//! Paths that lose and repeat frames, and one that loses all.

use super::super::setup::{RTT, count, pdc, report, us};
use super::setup::{
    ACTIVE, FAILED, Sizes, closed_loop, models, nic, opened, settle, shares, simulations, sub_path, took, two_leaves,
};
use testbench::closed_loop::{ClosedLoop, Ledger, SentFrames};
use testbench::network::Impairment;

const PATHS: [(u64, u64); 4] = [(300, 16), (350, 16), (450, 16), (700, 16)];
/// More than the delays of the paths differ, in units of 64 clock cycles: 6.25 us.
const TOLERANCE: u64 = 20;

/// Everything is delivered once. Most losses are found by flag L of ACKs, before a time-out.
#[test]
fn losses_and_repetitions_over_four_paths() {
    let sizes = Sizes { tolerance: TOLERANCE, ..Sizes::paths(4, 24) };
    let impairment = Impairment { loss: 0.01, duplication: 0.01 };
    let pdcs = [pdc(0, 0, 1, 0), pdc(1, 0, 0, 0)];
    let mut run = closed_loop(&two_leaves(2, &PATHS, impairment), &sizes, &pdcs);
    for pdc in &pdcs {
        (0..4).for_each(|_| run.send(pdc.from, pdc.pdc, 500_000));
    }
    run.until_done(1_000_000).expect("it is delivered");
    report("losses", &run);
    let again: u64 = run.nics.iter().map(|nic| nic.sender.counts.again).sum();
    let suspects: u64 = run.nics.iter().map(|nic| nic.sent.suspects).sum();
    let timeouts = count(&run, "packet_tracker_timeouts");
    println!("{again} sent again, {timeouts} of them by time-out; {suspects} ACKs with L; {:.1} us", us(run.now()));
    println!("shares {:?} and {:?}", shares(&run, &sizes, 0, 0), shares(&run, &sizes, 1, 0));
    println!("events {:?}", run.nics.iter().map(|nic| nic.events.len()).collect::<Vec<_>>());
    assert!(run.fabric.counts().lost > 10 && run.fabric.counts().duplicated > 10, "{:?}", run.fabric.counts());
    assert!(2 * timeouts < again, "{timeouts} of {again}");
    settle(&mut run, &sizes, &[(0, 0), (1, 0), (0, 8), (1, 8)]);
}

/// One path loses all from some time on: the clock cycles until its sub-path has failed, and the messages.
fn cut(sizes: &Sizes) -> (ClosedLoop, Option<u64>) {
    let mut run = closed_loop(&two_leaves(2, &PATHS, Impairment::default()), sizes, &[pdc(0, 0, 1, 0)]);
    (0..8).for_each(|_| run.send(0, 0, 500_000));
    (0..4 * RTT).for_each(|_| run.step().expect("the rules hold"));
    let since = run.now();
    run.fabric.path_mut(0, 1, 2).impair(Impairment { loss: 1.0, duplication: 0.0 });
    run.until_done(2_000_000).expect("it is delivered");
    report("a path that loses all", &run);
    let failed = run.nics[0].events.iter().find(|event| event.fields["failed"] == 1);
    let failed = failed.map(|event| {
        println!("{:?}", event.fields);
        event.now - since
    });
    let timeouts = count(&run, "packet_tracker_timeouts");
    println!(
        "failed after {:?} us; {} lost, {} sent again, {timeouts} of them by time-out, {} ACKs with L; all is complete {:.1} us after the cut",
        failed.map(us),
        run.fabric.path(0, 1, 2).counts().lost,
        run.nics[0].sender.counts.again,
        run.nics[1].sent.suspects,
        us(run.now() - since),
    );
    println!("shares {:?}; failures {:?}", shares(&run, sizes, 0, 0), run.nics[0].failed);
    for path in 0..4 {
        println!("{:?}", sub_path(&mut run, 0, 0, path));
    }
    (run, failed)
}

#[test]
fn a_path_that_loses_all() {
    for tolerance in [TOLERANCE, 4000] {
        let sizes = Sizes { tolerance, ..Sizes::paths(4, 24) };
        let (mut run, failed) = cut(&sizes);
        let states: Vec<_> = (0..4).map(|path| sub_path(&mut run, 0, 0, path)["state"]).collect();
        println!("{failed:?} {states:?}");
        settle(&mut run, &sizes, &[(0, 0), (1, 8)]);
        let _ = (ACTIVE, FAILED, took(&run, (0, 0), 7));
    }
}

/// With the Verilog clock cycle for clock cycle what the models do.
#[test]
fn the_verilog_does_the_same() {
    let sizes = Sizes { tolerance: TOLERANCE, ..Sizes::paths(4, 24) };
    let impairment = Impairment { loss: 0.02, duplication: 0.02 };
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
    assert_eq!(run(&mut simulations(&sizes)), model);
}
