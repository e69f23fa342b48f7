// SPDX-License-Identifier: MIT OR Apache-2.0
//! RQ3 and RQ8: runs of packets that are released at once, with packets in them that are refused.

use super::Case;
use crate::receive::request_check::oracle::{Packet, cause};
use crate::receive::request_check::packets::{spoil, stream};
use crate::receive::request_check::script::Script;
use crate::receive::request_check::window::{PSNS, advance};
use std::collections::BTreeSet;

const CONNECTION: u64 = 1;
const MTU: u64 = 1024;

/// Packets behind a run.
const BEHIND: usize = 4;

/// The order in which the packets of a run come, the first one of them last.
#[derive(Clone, Copy, Debug)]
enum Held {
    Ascending,
    Descending,
    EvenAndOdd,
}

impl Held {
    const ALL: [Held; 3] = [Held::Ascending, Held::Descending, Held::EvenAndOdd];

    fn order(self, length: usize) -> Vec<usize> {
        let mut order: Vec<_> = (1..length).collect();
        match self {
            Held::Ascending => {}
            Held::Descending => order.reverse(),
            Held::EvenAndOdd => order.sort_by_key(|n| n % 2),
        }
        order.push(0);
        order
    }
}

/// A run of `length` packets behind `before` that came in order, from this PSN on, all in one script.
fn run(script: &mut Script, psn: u64, packets: &[Packet], before: usize, length: usize, held: Held) {
    script.open(CONNECTION, psn, MTU);
    script.send(CONNECTION, &packets[..before]);
    for n in held.order(length) {
        script.arrive(CONNECTION, advance(psn, (before + n) as u64), packets[before + n]);
    }
    script.deliver(CONNECTION, usize::MAX);
    script.send(CONNECTION, &packets[before + length..]);
    // They come again.
    for n in [0, before, before + length - 1] {
        script.arrive(CONNECTION, advance(psn, n as u64), packets[n]);
    }
}

/// Where packets of a run are bad: nowhere, at one of three places, at some.
fn places(length: usize) -> BTreeSet<Vec<usize>> {
    let (middle, last) = (length / 2, length - 1);
    let sets = [vec![], vec![0], vec![middle], vec![last], vec![0, last], vec![middle, last], (0..length).collect()];
    sets.into_iter().map(|set| set.into_iter().collect::<BTreeSet<_>>().into_iter().collect()).collect()
}

/// Runs of a length with bad packets of one cause, behind none to five packets.
fn bad_runs(window: u64, length: usize, why: u64) -> Vec<Case> {
    let befores = if length > 3 { 2..3 } else { 0..6 };
    let mut cases = Vec::new();
    for (n, bad) in places(length).into_iter().enumerate() {
        let mut script = Script::new(window);
        for (m, before) in befores.clone().enumerate() {
            let mut packets = stream(why == cause::LENGTH, MTU, before + length + BEHIND);
            for &at in &bad {
                spoil(&mut packets, before + at, MTU, why);
            }
            let psn = 1000 + 3 * n as u64 + 10 * m as u64;
            run(&mut script, psn, &packets, before, length, Held::ALL[(n + m) % Held::ALL.len()]);
        }
        let at = if bad.len() > 3 { "in all places".to_owned() } else { format!("at {bad:?}") };
        let name = format!("run of {length}: cause {why} {at}");
        cases.push(Case::new(name, &["RQ3", "RQ7", "RQ8", "RQ11", "RQ13", "RQ14"], script));
    }
    cases
}

/// The bad packet waits behind two gaps. The first one is filled, then the second one.
fn two_gaps(window: u64, bad: usize) -> Case {
    let mut script = Script::new(window);
    let mut packets = stream(false, MTU, 12);
    spoil(&mut packets, bad, MTU, cause::ORDER);
    script.open(0, 77, MTU);
    for n in [1, 2, 4, 5, 6, 9, 3, 0, 8, 7, 10, 11] {
        script.arrive(0, 77 + n as u64, packets[n]);
        script.deliver(0, 2);
    }
    Case::new(format!("two gaps, packet {bad} is bad"), &["RQ2", "RQ3", "RQ8", "RQ11"], script)
}

/// Runs around the end of the PSNs, with the bad packet on either side of it, and without one.
fn wrap(window: u64, bad: Option<u64>, held: bool) -> Case {
    let mut script = Script::new(window);
    for begin in 1..5 {
        let psn = PSNS - begin;
        let mut packets = stream(false, MTU, 8);
        if let Some(bad) = bad {
            spoil(&mut packets, advance(bad, begin) as usize, MTU, cause::SIZE);
        }
        if held {
            run(&mut script, psn, &packets, 0, 6, Held::Ascending);
        } else {
            run(&mut script, psn, &packets, 5, 1, Held::Ascending);
        }
    }
    let at = bad.map_or("nowhere".to_owned(), |bad| format!("at {bad:06x}"));
    let how = if held { "a run" } else { "in order" };
    Case::new(format!("PSNs wrap: {how}, bad {at}"), &["RQ3", "RQ8", "RQ9", "RQ11"], script)
}

/// What comes again and is answered as a duplicate is not received: what it says does not matter.
fn duplicates(window: u64) -> Case {
    let mut script = Script::new(window);
    for good_first in [true, false] {
        let good = stream(false, MTU, 4);
        let mut bad = good.clone();
        spoil(&mut bad, 2, MTU, cause::SIZE);
        let [then, later] = if good_first { [&good, &bad] } else { [&bad, &good] };
        script.open(0, 500, MTU);
        script.arrive(0, 502, then[2]);
        script.arrive(0, 502, later[2]);
        script.arrive(0, 503, good[3]);
        script.arrive(0, 501, good[1]);
        script.arrive(0, 502, later[2]);
        script.arrive(0, 500, good[0]);
        script.deliver(0, usize::MAX);
        script.arrive(0, 502, good[2]);
    }
    Case::new("a duplicate is not the packet that waits", &["RQ2", "RQ3", "RQ7", "RQ9"], script)
}

/// The window is full again and again, so that each slot has one packet after the other.
fn slots(window: u64) -> Case {
    let mut script = Script::new(window);
    let length = window as usize;
    let packets = stream(false, MTU, 3 * length + 2);
    script.open(CONNECTION, 0xFF_FF00, MTU);
    for turn in 0..3 {
        for n in Held::ALL[turn].order(length) {
            let at = turn * length + n;
            script.arrive(CONNECTION, advance(0xFF_FF00, at as u64), packets[at]);
        }
        script.deliver(CONNECTION, usize::MAX);
    }
    // The slots still have what has been checked. A bad packet in one of them is seen.
    let at = script.psn(CONNECTION, 1);
    script.arrive(CONNECTION, at, packets[0]);
    script.send(CONNECTION, &packets[3 * length..=3 * length]);
    Case::new("the window is filled three times", &["RQ3", "RQ7", "RQ8", "RQ11"], script)
}

pub fn cases(window: u64) -> Vec<Case> {
    let mut cases = vec![duplicates(window), slots(window)];
    for length in [1, 2, 3, window as usize] {
        for why in [cause::ORDER, cause::SIZE, cause::LENGTH] {
            cases.extend(bad_runs(window, length, why));
        }
    }
    cases.extend((0..10).map(|bad| two_gaps(window, bad)));
    for bad in [None, Some(PSNS - 1), Some(0), Some(1)] {
        cases.extend([false, true].map(|held| wrap(window, bad, held)));
    }
    cases
}
