// SPDX-License-Identifier: MIT OR Apache-2.0
//! The cases: one request, some, all; grants that wait; random traffic.

use super::oracle::Shape;
use super::script::{Inputs, Script};
use crate::collect::timed::Suite;
use crate::collect::{Aim, aim};
use crate::rng::SplitMix64;
use std::collections::BTreeSet;

const ROWS: [&str; 4] = ["A1", "A2", "A3", "A4"];

/// Flag, kind of fault, description.
pub const NOTES: [(&str, &str, &str); 5] = [
    ("AllRequests", "fairness", "All requests at once, for as long as it takes that each is granted several times."),
    ("FullLoad", "throughput", "A grant in every cycle, or nearly so."),
    ("OneRequest", "decoding", "One request alone."),
    ("Pair", "ordering", "Two requests, of which one is next."),
    ("Stall", "handshake", "A receiver of grants that is not ready."),
];

/// All requests of a size.
fn all(shape: Shape) -> u64 {
    u64::MAX >> (64 - shape.requests)
}

const fn why(flags: &'static [&'static str]) -> Aim<'static> {
    aim(flags, &ROWS)
}

/// All groups of a size.
pub fn add(suite: &mut Suite<Shape>, shape: Shape, rng: &mut SplitMix64) {
    suite.group("one", "one request alone", shape, Inputs { requests: 0, ready: true });
    one(suite, shape);
    suite.group("turns", "several requests", shape, Inputs { requests: 0, ready: true });
    turns(suite, shape);
    pairs(suite, shape);
    load(suite, shape, rng);
}

/// Each request alone, for one cycle and for several; a grant is taken late.
fn one(suite: &mut Suite<Shape>, shape: Shape) {
    let mut script = Script::default();
    for number in 0..shape.requests {
        script.set(1 + 3 * number, 1 << number, true);
        script.set(2 + 3 * number, 0, true);
    }
    suite.add("each", "every request alone, in turn", why(&["OneRequest"]), script);
    for number in BTreeSet::from([0, shape.requests / 2, shape.requests - 1]) {
        let mut stays = Script::default();
        stays.set(2, 1 << number, true);
        stays.set(12, 0, true);
        suite.add(format!("stays-{number}"), "a request that stays", why(&["OneRequest", "FullLoad"]), stays);
        for wait in 1..4 {
            let mut late = Script::default();
            late.set(0, 0, false);
            late.set(2, 1 << number, false);
            late.set(3 + wait, 1 << number, true);
            late.set(4 + wait, 0, true);
            let comment = format!("the grant is taken {wait} cycles after it came");
            suite.add(format!("late-{number}-{wait}"), comment, why(&["OneRequest", "Stall"]), late);
        }
    }
}

/// All requests, always or as long as they are not served; the receiver is ready in some cycles.
fn turns(suite: &mut Suite<Shape>, shape: Shape) {
    let cycles = 3 * shape.requests + 4;
    for (busy, of) in [(1, 1), (1, 2), (2, 3)] {
        let mut script = Script::default();
        for cycle in 0..cycles * of / busy {
            script.set(cycle, all(shape), cycle % of < busy);
        }
        let comment = format!("all requests stay; grants are taken in {busy} of {of} cycles");
        suite.add(format!("all-{busy}of{of}"), comment, why(&["AllRequests", "FullLoad", "Stall"]), script);
    }
    let mut once = Script::default();
    once.answered(shape, cycles, |cycle| (if cycle == 1 { all(shape) } else { 0 }, true));
    suite.add("all-once", "all requests come at once, and each ends with its grant", why(&["AllRequests"]), once);
    for (name, requests) in [("even", 0x5555_5555_5555_5555), ("odd", 0xAAAA_AAAA_AAAA_AAAA), ("ends", 1 | 1 << 63)] {
        // The last request is the highest one that there is.
        let requests = if name == "ends" { 1 | 1 << (shape.requests - 1) } else { requests & all(shape) };
        let mut script = Script::default();
        script.set(1, requests, true);
        script.set(cycles, 0, true);
        suite.add(name, format!("the requests {requests:#x} stay"), why(&["FullLoad"]), script);
    }
}

/// A request is granted, and then others come: itself and one beside it, or one far away.
fn pairs(suite: &mut Suite<Shape>, shape: Shape) {
    let n = shape.requests;
    for first in BTreeSet::from([0, n / 2, n - 1]) {
        for other in BTreeSet::from([(first + 1) % n, (first + n - 1) % n, (first + n / 2) % n]) {
            let mut script = Script::default();
            script.set(1, 1 << first, true);
            script.set(3, 0, true);
            script.set(5, 1 << first | 1 << other, true);
            script.set(6, 0, true);
            script.set(8, 1 << first | 1 << other, true);
            script.set(14, 0, true);
            // While a grant waits, another request comes, and a lower one.
            script.set(20, 1 << other, false);
            script.set(22, all(shape), false);
            script.set(25, all(shape), true);
            script.set(28, 0, true);
            let comment = format!("requests {first} and {other}, behind a grant of {first}");
            suite.add(format!("pair-{first}-{other}"), comment, why(&["Pair", "Stall"]), script);
        }
    }
}

/// The group `load` of one size: random requests that stay until they are served, and such that come and go.
pub fn load(suite: &mut Suite<Shape>, shape: Shape, rng: &mut SplitMix64) {
    suite.group("load", "random requests", shape, Inputs { requests: 0, ready: true });
    for n in 0..8 {
        let (ready, few) = ([100, 100, 50, 80][n % 4], n < 4);
        let new = |rng: &mut SplitMix64| {
            let sparse = rng.next_u64() & rng.next_u64() & rng.next_u64();
            all(shape) & if few { sparse & rng.next_u64() } else { sparse }
        };
        let mut script = Script::default();
        if n % 2 == 0 {
            script.answered(shape, 160, |_| (new(rng), rng.below(100) < ready));
        } else {
            for cycle in 0..160 {
                let requests = new(rng);
                script.set(cycle, requests, rng.below(100) < ready);
            }
        }
        let what = if n % 2 == 0 { "that stay until they are served" } else { "that come and go" };
        let comment = format!("requests {what}, grants taken in {ready} of 100 cycles");
        suite.add(format!("{n}"), comment, why(&["FullLoad", "Stall"]), script);
    }
}
