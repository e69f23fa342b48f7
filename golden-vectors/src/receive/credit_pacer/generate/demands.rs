// SPDX-License-Identifier: MIT OR Apache-2.0
//! Demands (PC2, PC3), and passes back to back (PC1).

use super::shapes::{self, FAST};
use crate::collect::aim;
use crate::receive::credit_pacer::oracle::{CREDITS, Settings, Shape, behind, op};
use crate::receive::credit_pacer::script::Script;
use crate::receive::credit_pacer::suite::Suite;

/// Half of all credit numbers.
const HALF: i64 = 1 << 23;

pub fn add(suite: &mut Suite) {
    for shape in shapes::all() {
        suite.group("demands", "demands of each kind", shape, None);
        differences(suite, shape);
        refused(suite, shape);
        wrap(suite, shape);
        bursts(suite, shape);
    }
    for shape in shapes::CYCLES {
        suite.group("back-to-back", "passes of one source at each distance", shape, None);
        distances(suite, shape);
        lives(suite, shape);
    }
}

/// PC3: each power of two, and the numbers around it, from several targets.
fn differences(suite: &mut Suite, shape: Shape) {
    let held = Settings { burst: 0, ..FAST };
    let mut script = Script::with(shape, held);
    let bits = (0..24).flat_map(|bit| [(1_i64 << bit) - 1, 1 << bit, (1 << bit) + 1]);
    for (n, by) in bits.chain([-1, -2, HALF - 1, HALF, HALF + 1]).enumerate() {
        let number = [0, CREDITS - 1, 0x5A_A55A, 1 << 23][n % 4];
        script.open(0, number);
        script.more(0, by);
        script.read(0);
        script.close(0);
    }
    // Nothing was taken: it is still in the queue from the first one on.
    script.open(0, 7);
    script.set(|_| FAST);
    script.turns(1);
    script.read(0);
    let rows = aim(&["Difference", "Stale"], &["PC3", "PC10"]);
    suite.add("differences", "targets at each distance from the one before", rows, script);
}

/// PC3: a closed source, one that was open, and numbers that are none.
fn refused(suite: &mut Suite, shape: Shape) {
    let mut script = Script::with(shape, FAST);
    for source in 0..shape.numbers() {
        script.demand(source, 1000 + source);
    }
    script.read_all();
    let last = shape.sources - 1;
    script.open(last, 50);
    for target in [50, 49, 51, 51, 50, 60] {
        for source in 0..shape.numbers() {
            script.demand(source, target);
        }
        script.settled();
        script.read(last);
    }
    script.turns(1);
    script.close(last);
    script.demand(last, 70);
    script.settled();
    script.read(last);
    let rows = aim(&["Closed", "Stale"], &["PC3", "PC10"]);
    suite.add("refused", "demands of closed sources, of numbers that are none, and old ones", rows, script);
}

/// Targets and credit around 2^24.
fn wrap(suite: &mut Suite, shape: Shape) {
    let settings = Settings { quota: 7, ..FAST };
    let last = shape.sources - 1;
    let mut script = Script::opened(shape, settings, &[last], CREDITS - 10);
    for by in [9, 1, 1, -3, 30] {
        script.more(last, by);
        script.served();
        script.settled();
        script.read(last);
    }
    script.set(|s| Settings { advance: 12, ..s });
    script.close(last);
    script.open(last, CREDITS - 5);
    script.idle(3 * shape.apart());
    script.read(last);
    for by in [3, 40] {
        script.more(last, by);
        script.idle(8 * shape.apart());
        script.read(last);
    }
    let rows = aim(&["CreditWrap"], &["PC3", "PC4", "PC7"]);
    suite.add("wrap", "credit numbers around 0", rows, script);
}

/// PC1, PC2: a demand in every cycle in which one is accepted; takes and commands come between.
fn bursts(suite: &mut Suite, shape: Shape) {
    let sources: Vec<_> = (0..shape.sources).collect();
    let mut script = Script::opened(shape, FAST, &sources, 0);
    script.hammer_demand(0, 0x12_3456);
    for n in 0..60 {
        for source in 0..shape.sources {
            script.offer(source, 3 * n + source);
        }
        for source in 0..4 {
            script.issue(op::READ, source % shape.sources, 0);
        }
        script.accepted();
    }
    script.settled();
    script.read_all();
    let rows = aim(&["FullLoad", "Unready"], &["PC1", "PC2", "PC6", "PC9"]);
    suite.add("bursts", "a demand in every cycle, commands and takes", rows, script);
}

/// PC1: two demands of one source at each distance, then a read at each distance.
fn distances(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, Settings { advance: 20, ..FAST }, &[0, 1], 0xFF_FF00);
    for distance in 0..2 * shape.ram_latency + 9 {
        for (first, second) in [(3, 1), (5, 0), (5, -2), (-1, 9), (HALF - 1, HALF - 1)] {
            let target = script.source(1).target;
            script.demand(1, behind(target, first as u64));
            script.idle(distance);
            script.issue(op::READ, 1, 0);
            script.demand(1, behind(target, (first + second) as u64));
            script.answered();
        }
        for by in [4, 0, -3, 30] {
            script.issue(op::READ, 0, 0);
            script.idle(distance);
            script.more(0, by.max(0));
            script.more(0, by);
            script.answered();
        }
    }
    let rows = aim(&["BackToBack"], &["PC1", "PC3", "PC4", "PC9"]);
    suite.add("distances", "two demands and a read, at each distance", rows, script);
}

/// PC1, PC10: demands in each cycle around an open and a close.
fn lives(suite: &mut Suite, shape: Shape) {
    let mut script = Script::with(shape, Settings { advance: 3, ..FAST });
    for source in 0..shape.sources.min(3) {
        for distance in 0..2 * shape.ram_latency + 9 {
            for op in [op::OPEN, op::CLOSE] {
                script.issue(op, source, 100 * distance);
                for n in 0..shape.ram_latency + 6 {
                    script.offer(source, 100 * distance + n);
                }
                script.accepted();
                script.answered();
                script.idle(distance);
            }
        }
    }
    let rows = aim(&["BackToBack", "Closed"], &["PC1", "PC3", "PC10"]);
    suite.add("lives", "demands in each cycle around an open and a close", rows, script);
}
