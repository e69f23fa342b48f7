// SPDX-License-Identifier: MIT OR Apache-2.0
//! UET: a path dies, and the EVs that go over it are used no more (rows U12, U24). Nobody but the NIC does anything about it.

use super::setup::{RTT, Sizes, models, nic, pdc, report, two_leaves, us};
use pipeline::transmit::entropy_selector::Modes;
use testbench::closed_loop::{ClosedLoop, NicConfig};
use testbench::network::Impairment;
use tier::pick;

/// Modes of `entropy_selector`.
const MODES: [(&str, u64); 3] = [("REPS", 4), ("bitmap", 0), ("penalty", 6)];

/// One of four paths dies while 8,000,000 bytes are sent. Of the packets that are sent then, those that are lost: in the first
/// round trips, and in the second half of the rest.
fn lost(name: &str, mode: u64) -> (f64, f64) {
    let sizes = Sizes { modes: Modes::ALL, ..Sizes::default() };
    let mut config: NicConfig = nic(sizes);
    config.open.push(("mode", mode));
    let fabric = two_leaves(2, &[300, 350, 450, 700], Impairment::default());
    let mut run = ClosedLoop::new(&fabric, &config, models(sizes).take(2)).expect("the ports are there");
    run.open(&config, pdc(0, 0, 1, 0)).expect("it opens");
    (0..8).for_each(|_| run.send(0, 0, 1_000_000));
    (0..4 * RTT).for_each(|_| run.step().expect("the rules hold"));
    run.fabric.path_mut(0, 1, 2).impair(Impairment { loss: 1.0, duplication: 0.0 });
    let (cut, mut seen) = (run.now(), Vec::new());
    while !run.ledger.is_done() {
        assert!(run.now() < cut + 2_000_000, "{:?} is not complete", run.ledger.missing());
        run.step().expect("the rules hold");
        if (run.now() - cut).is_multiple_of(RTT) {
            seen.push((run.nics[0].sent.data, run.fabric.counts().lost));
        }
    }
    report(name, &run);
    let share = |from: usize, to: usize| (seen[to].1 - seen[from].1) as f64 / (seen[to].0 - seen[from].0).max(1) as f64;
    let (first, last) = (share(0, 4), share(seen.len() / 2, seen.len() - 1));
    println!(
        "{name}: {:.1} us after the cut all is complete; lost {first:.3} at first, {last:.4} at last",
        us(run.now() - cut)
    );
    assert!(run.nics[0].failed.is_empty());
    (first, last)
}

#[test]
fn evs_of_a_dead_path_are_left() {
    for (name, mode) in pick(MODES, 1) {
        let (first, last) = lost(name, mode);
        assert!(first > 0.1, "{name}: the path has carried {first}");
        // A mark of the bitmap passes an EV over once, so it is tried in every other round; the other modes leave it.
        let most = if mode == 0 { 0.97 * first } else { 0.15 * first };
        assert!(last < most, "{name}: {last} of the packets still go over it");
    }
}
