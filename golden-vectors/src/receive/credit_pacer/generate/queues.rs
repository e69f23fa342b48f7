// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which queue a source enters, and when it is there (PC4).

use super::shapes::{self, FAST};
use crate::collect::aim;
use crate::receive::credit_pacer::oracle::{CREDITS, Settings, Shape, op};
use crate::receive::credit_pacer::script::Script;
use crate::receive::credit_pacer::suite::Suite;

/// Half of all credit numbers.
const HALF: u64 = 1 << 23;

pub fn add(suite: &mut Suite) {
    for shape in shapes::all() {
        suite.group("queues", "which queue a source enters", shape, None);
        spent(suite, shape);
        any_pass(suite, shape);
    }
    for shape in shapes::CYCLES {
        suite.group("there", "from which cycle on a source is there", shape, None);
        limits(suite, shape);
        there(suite, shape);
        first(suite, shape);
        overtake(suite, shape);
    }
}

/// Due and not: *wants* at its limits, with `advance` at the limits of what is *spent* then.
fn limits(suite: &mut Suite, shape: Shape) {
    for (n, wants) in [0, 1, 2, HALF - 1, HALF, HALF + 1, CREDITS - 2, CREDITS - 1].into_iter().enumerate() {
        let spent = (CREDITS - wants) % CREDITS;
        for (m, advance) in
            [0, 1, spent.saturating_sub(1), spent, (spent + 1) % CREDITS, CREDITS - 1].into_iter().enumerate()
        {
            if wants < 3 && m > 2 {
                continue;
            }
            let mut script = Script::with(shape, Settings { burst: 0, advance: 0, ..FAST });
            let number = [0, 0xFF_FFFE, 0x30_0000][n % 3];
            script.open(0, number);
            script.more(0, wants.min(HALF - 1) as i64);
            script.more(0, wants.saturating_sub(HALF - 1).min(HALF - 1) as i64);
            script.read(0);
            script.set(|s| Settings { advance, ..s });
            script.read(0);
            script.set(|_| Settings { advance, quota: 9, ..FAST });
            script.idle(4 * shape.apart());
            script.read(0);
            script.set(|s| Settings { advance: 0, ..s });
            script.idle(2 * shape.apart());
            script.read(0);
            let rows = aim(&["Due", "Idle", "Void"], &["PC3", "PC4", "PC7"]);
            suite.add(format!("limits-{n}-{m}"), "a source that is just due, or just idle", rows, script);
        }
    }
}

/// What was spent up to the limit, below and above quotas; the limit changes; demand catches up.
fn spent(suite: &mut Suite, shape: Shape) {
    let mut script = Script::with(shape, Settings { quota: 5, ..FAST });
    let source = shape.sources - 1;
    script.open(source, 0xFF_FFF0);
    for (advance, by) in
        [(1, 0), (2, 0), (7, 1), (8, 0), (8, 3), (3, 0), (3, 4), (3, 1), (3, 1), (3, 1), (30, 2), (0, 40)]
    {
        script.set(|s| Settings { advance, ..s });
        script.more(source, by);
        script.idle(3 * shape.apart());
        script.read(source);
    }
    script.served();
    script.settled();
    script.read(source);
    let rows = aim(&["Ahead", "Idle"], &["PC4", "PC7", "PC11"]);
    suite.add("spent", "credit in advance up to its limit", rows, script);
}

/// Every kind of pass puts a source that has become idle into its queue, though nothing else changes.
fn any_pass(suite: &mut Suite, shape: Shape) {
    let mut script = Script::with(shape, Settings { burst: 0, ..FAST });
    for n in 0..7 {
        script.set(|s| Settings { advance: 0, burst: 0, ..s });
        script.open(0, 90);
        script.idle(shape.there());
        script.set(|s| Settings { advance: 4, burst: 9, ..s });
        script.idle(2 * shape.apart());
        match n {
            0 => script.read(0),
            1 => script.command(3, 0, 5),
            2 => script.open(0, 5),
            3 => script.demand(0, 90),
            4 => script.demand(0, 89),
            5 => script.close(0),
            // Another source, or one of its own passes that is refused: it stays where it is.
            _ => script.read(shape.sources - 1),
        }
        script.idle(2 * shape.apart());
        script.read(0);
        script.hold();
        script.close(0);
    }
    let rows = aim(&["Idle", "Refused"], &["PC4", "PC9", "PC10"]);
    suite.add("any-pass", "each kind of pass makes a source ahead", rows, script);
}

/// A demand that nothing holds up, after each pause.
fn first(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, Settings { quota: 100, ..FAST }, &[0, 1, 5, 7], 0);
    for pause in 0..shape.apart() + 3 {
        script.more([0, 5, 1, 7][pause as usize % 4], 3);
        script.idle(pause + shape.there());
    }
    script.read_all();
    let rows = aim(&["Cycles"], &["PC1", "PC2", "PC4", "PC6", "PC8"]);
    suite.add("first", "a demand with nothing before it, and after each pause", rows, script);
}

/// A source becomes there in each cycle around the first one in which *level* is above 0.
fn there(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, Settings { burst: 0, quota: 2, ..FAST }, &[0, 1, 2], 0);
    for distance in 0..shape.there() + 6 {
        script.set(|s| Settings { burst: 0, ..s });
        script.more(2, 2);
        script.idle(distance);
        script.set(|s| Settings { burst: 1, ..s });
        script.turns(1);
        script.settled();
        script.idle(shape.apart());
    }
    let rows = aim(&["Cycles"], &["PC4", "PC5", "PC6"]);
    suite.add("there", "a source becomes there in each cycle around the take", rows, script);
}

/// Sources wait ahead; one with demand becomes there in each cycle around the take. Another one is itself in both
/// queues.
fn overtake(suite: &mut Suite, shape: Shape) {
    for own in [false, true] {
        let mut script = Script::opened(shape, Settings { quota: 3, burst: 0, ..FAST }, &[0, 1, 2], 0);
        for distance in 0..shape.there() + 6 {
            script.set(|s| Settings { burst: 0, advance: 9, ..s });
            for source in [0, 1, 2] {
                script.close(source);
                script.open(source, 100);
            }
            script.settled();
            // The first of the ahead queue has demand itself, or another one has.
            script.more(if own { 0 } else { 2 }, 5);
            script.idle(distance);
            script.set(|s| Settings { burst: 20, ..s });
            script.turns(6);
            script.set(|s| Settings { advance: 0, ..s });
            // The queues become empty.
            script.idle(8 * shape.apart());
            script.issue(op::READ, 0, 0);
            script.read(2);
        }
        let id = if own { "overtake-own" } else { "overtake" };
        let rows = aim(&["Ahead", "Void", "BothQueues"], &["PC4", "PC6", "PC7"]);
        suite.add(id, "demand comes while sources wait for credit in advance", rows, script);
    }
}
