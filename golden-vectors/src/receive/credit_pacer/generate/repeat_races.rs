// SPDX-License-Identifier: MIT OR Apache-2.0
//! Demands with `repeat` cycle by cycle: around takes, commands, other demands, and with *level* at 0 (PC1, PC5 to PC7).

use super::repeats::quiet;
use super::shapes::{self, FAST};
use super::takes::{Rival, race};
use crate::collect::aim;
use crate::receive::credit_pacer::oracle::{Settings, Shape, op};
use crate::receive::credit_pacer::script::Script;
use crate::receive::credit_pacer::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::CYCLES {
        suite.group("repeat-races", "repeats in each cycle around other passes of their source", shape, None);
        level(suite, shape);
        distances(suite, shape);
        around(suite, shape);
        both_queues(suite, shape);
    }
}

/// PC5, PC6: a repeat waits while *level* is 0 or below, and costs nothing of it.
fn level(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, Settings { rate: 0, quota: 4, burst: 0, advance: 0 }, &[0, 1, 2], 0x10_0000);
    // A rate in force for one cycle.
    let once = |script: &mut Script, rate: u64| {
        script.set(|s| Settings { rate, burst: 20, ..s });
        script.set(|s| Settings { rate: 0, ..s });
    };
    for debt in [4 << 16, (4 << 16) - 1, (4 << 16) - 2, 2] {
        script.hold();
        for source in 0..3 {
            script.repeat(source, 0);
        }
        quiet(&mut script, shape, 2);
        once(&mut script, 1);
        quiet(&mut script, shape, 4);
        // It is 1 still: some more, and then a quota.
        script.repeat(1, 0);
        script.repeat(2, 0);
        quiet(&mut script, shape, 2);
        script.more(0, 4);
        quiet(&mut script, shape, 1);
        script.repeat(1, 0);
        quiet(&mut script, shape, 2);
        once(&mut script, debt);
        quiet(&mut script, shape, 2);
        once(&mut script, 1);
        quiet(&mut script, shape, 2);
        once(&mut script, (4 << 16) - debt);
        quiet(&mut script, shape, 2);
        script.read(1);
        once(&mut script, 1 << 18);
        quiet(&mut script, shape, 2);
    }
    // Repeats first; then demand gets all that the burst has.
    script.hold();
    for source in 0..3 {
        script.repeat(source, 0);
    }
    script.more(0, 40);
    script.set(|s| Settings { rate: 1 << 20, burst: 12, ..s });
    script.idle(shape.there());
    script.set(|s| Settings { rate: 0, ..s });
    quiet(&mut script, shape, 8);
    script.read(0);
    let rows = aim(&["Repeat", "Level"], &["PC5", "PC6", "PC7"]);
    suite.add("level", "repeats while level is 0, just beside it, and below", rows, script);
}

/// PC1: two demands of one source at each distance, one or both with `repeat`, and a read; then repeats in each cycle
/// around an open and a close.
fn distances(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, FAST, &[0, 1], 0xFF_FF00);
    let pairs = [[(0, true), (0, true)], [(0, true), (3, false)], [(3, false), (0, true)], [(-1, true), (2, true)]];
    for distance in 0..2 * shape.ram_latency + 9 {
        for pair in pairs {
            for (n, (by, repeat)) in pair.into_iter().enumerate() {
                if repeat {
                    script.repeat(1, by)
                } else {
                    script.more(1, by)
                }
                if n == 0 {
                    script.idle(distance);
                    script.issue(op::READ, 1, 0);
                }
            }
            script.answered();
        }
    }
    for distance in 0..2 * shape.ram_latency + 9 {
        for op in [op::CLOSE, op::OPEN] {
            script.issue(op, 0, 100 * distance);
            for n in 0..shape.ram_latency + 6 {
                script.offer_repeat(0, n as i64 % 3 / 2);
            }
            script.accepted();
            script.answered();
            script.idle(distance);
        }
    }
    quiet(&mut script, shape, 2);
    script.read_all();
    let rows = aim(&["Repeat", "BackToBack", "Closed"], &["PC1", "PC3", "PC4", "PC9", "PC10"]);
    suite.add("distances", "repeats at each distance from demands and commands", rows, script);
}

/// PC1, PC7: a repeat in each cycle around a take of its source, and other passes around the take of a repeat.
fn around(suite: &mut Suite, shape: Shape) {
    let again: Rival = |script, _| script.offer_repeat(4, 0);
    // The last ones also with credit in advance.
    let rivals: [(&str, Rival, bool); 7] = [
        ("twice", |script, _| (0..2).for_each(|_| script.offer_repeat(4, 0)), true),
        ("old", |script, _| script.offer_repeat(4, -1), true),
        ("plain", |script, _| script.offer_more(4, 0), true),
        ("close", |script, _| script.issue(op::CLOSE, 4, 0), true),
        ("again", again, true),
        ("new", |script, _| script.offer_repeat(4, 2), true),
        ("due", again, false),
    ];
    for (n, (name, rival, repeat)) in rivals.into_iter().enumerate() {
        for (id, advance) in [("around", 0), ("around-ahead", 7)] {
            if advance > 0 && n < 4 {
                continue;
            }
            let mut script = Script::with(shape, Settings { quota: 3, burst: 0, advance, ..FAST });
            let demand = |script: &mut Script| if repeat { script.repeat(4, 0) } else { script.more(4, 4) };
            race(&mut script, shape, demand, rival);
            let rows = aim(&["Repeat", "BackToBack"], &["PC1", "PC3", "PC4", "PC6", "PC7"]);
            suite.add(format!("{id}-{name}"), "a pass in each cycle around a take, one of them a repeat", rows, script);
        }
    }
}

/// PC4, PC7: a source waits for credit in advance, alone or behind another one; its repeat comes in each cycle around
/// its take. It gets its turn from the demand queue, and nothing in advance while it waits there.
fn both_queues(suite: &mut Suite, shape: Shape) {
    for (id, other) in [("both-queues", false), ("both-queues-two", true)] {
        let mut script = Script::with(shape, Settings { quota: 3, burst: 0, advance: 4, ..FAST });
        let middle = shape.there() + 4;
        for offset in 0..2 * middle {
            script.hold();
            if other {
                script.open(1, 0x55_5555);
            }
            script.open(4, 100);
            script.settled();
            for cycle in 0..2 * middle {
                if cycle == middle {
                    script.set_beside(|s| Settings { burst: 9, ..s });
                }
                if cycle == offset {
                    script.offer_repeat(4, 0);
                }
                script.step();
            }
            script.accepted();
            script.idle(4 * shape.apart());
            script.read(4);
            script.close(4);
            script.close(1);
            script.idle(2 * shape.apart());
        }
        let rows = aim(&["Repeat", "BothQueues", "Void", "Ahead"], &["PC1", "PC4", "PC6", "PC7"]);
        suite.add(id, "a repeat of a source that waits for credit in advance", rows, script);
    }
}
