// SPDX-License-Identifier: MIT OR Apache-2.0
//! The cases: empty and full, and what happens there; more items than rows; pauses on both sides; random traffic.

use super::Size;
use super::script::Script;
use crate::collect::aim;
use crate::collect::timed::Suite;
use crate::rng::SplitMix64;
use std::collections::BTreeSet;

/// All groups of a size.
pub fn add<S: Size>(suite: &mut Suite<S>, size: S, rng: &mut SplitMix64) {
    suite.group("empty", "an empty queue, or nearly so", size, true);
    alone(suite, size);
    at_empty(suite, size);
    suite.group("full", "a full queue, or nearly so", size, false);
    fill(suite, size);
    at_full(suite, size);
    suite.group("through", "many items", size, true);
    wrap(suite, size);
    stalls(suite, size);
    load(suite, size, rng);
}

/// One item; the receiver is ready, or becomes ready later.
fn alone<S: Size>(suite: &mut Suite<S>, size: S) {
    let aim = aim(&["Alone"], size.rows());
    for wait in 0..size.latency() + 3 {
        let mut script = Script::default();
        script.push(2);
        if wait > 0 {
            script.ready(0, false);
            script.ready(2 + wait, true);
        }
        let comment = format!("one item; the receiver is ready {wait} cycles behind it");
        suite.add(format!("alone-{wait}"), comment, aim, script);
    }
}

/// Items with pauses, so that some come as the one before leaves; the receiver stays ready.
fn at_empty<S: Size>(suite: &mut Suite<S>, size: S) {
    let aim = aim(&["Empty"], size.rows());
    for pause in 0..size.latency() + 3 {
        for burst in [1, 2, 5] {
            let mut script = Script::default();
            let mut at = 1;
            for _ in 0..4 {
                at = script.pushes(at, burst) + pause;
            }
            let comment = format!("{burst} items, a pause of {pause} cycles, and again");
            suite.add(format!("drain-{burst}-{pause}"), comment, aim, script);
        }
    }
}

/// As many items as fit, one less, more; then all are popped in a row, or one now and then.
fn fill<S: Size>(suite: &mut Suite<S>, size: S) {
    let aim = aim(&["Full", "Empty", "Wrap"], size.rows());
    let capacity = size.capacity();
    for count in [capacity - 1, capacity, capacity + 3] {
        for step in [1, 2, 5] {
            let mut script = Script::default();
            let at = script.pushes(1, count) + size.latency() + 2;
            for n in 0..capacity {
                script.ready(at + step * n, true);
                if step > 1 {
                    script.ready(at + step * n + 1, false);
                }
            }
            // Behind that it works as before.
            let at = at + step * capacity;
            script.pushes(at, 3);
            script.ready(at + 2, true);
            let comment = format!("{count} items where {capacity} fit; one is popped in {step} cycles");
            suite.add(format!("fill-{count}-{step}"), comment, aim, script);
        }
    }
}

/// A full queue: one item is popped, and another is pushed cycles around that one; then both in every cycle.
fn at_full<S: Size>(suite: &mut Suite<S>, size: S) {
    let aim = aim(&["Full", "FullLoad"], size.rows());
    let full = 1 + size.capacity() + size.latency() + 2;
    for behind in 0..4 {
        let mut script = Script::default();
        script.pushes(1, size.capacity() + size.latency());
        script.ready(full + 1, true);
        script.ready(full + 2, false);
        script.push(full + behind);
        script.ready(full + 12, true);
        let comment = format!("full; an item is popped, and one is offered {behind} cycles behind the one before that");
        suite.add(format!("freed-{behind}"), comment, aim, script);
    }
    for cycles in [1, 2, 3, 20] {
        let mut script = Script::default();
        script.pushes(1, full + cycles + 8);
        script.ready(full, true);
        script.ready(full + cycles, false);
        script.ready(full + cycles + 10, true);
        let comment = format!("full; for {cycles} cycles items are popped, while one is offered in every cycle");
        suite.add(format!("both-{cycles}"), comment, aim, script);
    }
}

/// An item in every cycle, in and out, until all pointers have wrapped twice, with some items inside.
fn wrap<S: Size>(suite: &mut Suite<S>, size: S) {
    let aim = aim(&["FullLoad", "Wrap"], size.rows());
    let capacity = size.capacity();
    for inside in BTreeSet::from([0, 1, capacity / 2, capacity - 1, capacity]) {
        let mut script = Script::default();
        script.pushes(1, inside + 3 * capacity);
        script.ready(0, false);
        script.ready(1 + inside, true);
        suite.add(format!("wrap-{inside}"), format!("items in and out, {inside} of them ahead"), aim, script);
    }
}

/// Sender and receiver that pause, each with a period of its own.
fn stalls<S: Size>(suite: &mut Suite<S>, size: S) {
    let aim = aim(&["Stall"], size.rows());
    let pauses = |(busy, all): (u64, u64), cycle: u64| cycle % all < busy;
    let rates = [(1, 1), (1, 2), (2, 3), (1, 5), (7, 8)];
    for sender in rates {
        for receiver in rates {
            let mut script = Script::default();
            for cycle in 1..=2 * size.capacity().min(16) + 24 {
                if pauses(sender, cycle) {
                    script.push(cycle);
                }
                script.ready(cycle, pauses(receiver, cycle));
            }
            script.ready(2 * size.capacity().min(16) + 25, true);
            let (of, to) = (format!("{} of {}", sender.0, sender.1), format!("{} of {}", receiver.0, receiver.1));
            let id = format!("stall-{}of{}-{}of{}", sender.0, sender.1, receiver.0, receiver.1);
            suite.add(id, format!("an item in {of} cycles, a receiver ready in {to}"), aim, script);
        }
    }
}

/// The group `load` of one size: both sides change between busy and slow at random.
pub fn load<S: Size>(suite: &mut Suite<S>, size: S, rng: &mut SplitMix64) {
    suite.group("load", "random traffic", size, true);
    let aim = aim(&["FullLoad", "Stall"], size.rows());
    for n in 0..6 {
        let mut script = Script::default();
        let (mut sender, mut receiver) = (50, 50);
        for cycle in 1..200 {
            if rng.below(16) == 0 {
                sender = [0, 30, 70, 100][usize::try_from(rng.below(4)).unwrap_or(0)];
                receiver = [0, 30, 70, 100][usize::try_from(rng.below(4)).unwrap_or(0)];
            }
            if rng.below(100) < sender {
                script.push(cycle);
            }
            script.ready(cycle, rng.below(100) < receiver);
        }
        script.ready(200, true);
        suite.add(format!("{n}"), "sender and receiver that change between busy and slow", aim, script);
    }
}
