// SPDX-License-Identifier: MIT OR Apache-2.0
//! Demands with `repeat`: the source is told its credit number, even if it has not grown (PC3, PC4, PC7, PC10).

use super::shapes::{self, FAST};
use crate::collect::aim;
use crate::receive::credit_pacer::oracle::{CREDITS, Settings, Shape};
use crate::receive::credit_pacer::script::Script;
use crate::receive::credit_pacer::suite::Suite;

/// Half of all credit numbers.
const HALF: i64 = 1 << 23;

pub fn add(suite: &mut Suite) {
    for shape in shapes::all() {
        suite.group("repeats", "sources that are told their credit number again", shape, None);
        kinds(suite, shape);
        one_grant(suite, shape);
        turns(suite, shape);
        beyond(suite, shape);
        lives(suite, shape);
        numbers(suite, shape);
        stalled(suite, shape);
    }
}

/// What was demanded has its effect, and so many takes have had their time.
pub fn quiet(script: &mut Script, shape: Shape, takes: u64) {
    script.settled();
    script.idle(takes * shape.apart());
}

/// PC3: with nothing to add, with a new target, with an old one; of closed sources, and of numbers that are none.
fn kinds(suite: &mut Suite, shape: Shape) {
    let last = shape.sources - 1;
    let mut script = Script::with(shape, FAST);
    for source in 0..shape.numbers() {
        script.repeat(source, 0);
        script.repeat(source, 9);
    }
    quiet(&mut script, shape, 2);
    script.read_all();
    script.open(last, 0xFF_FFF6);
    for by in [0, 5, 0, -1, -HALF, 1 - HALF, 0, 4, 1, 20, 0] {
        // Without it, the same target again leads to nothing.
        script.more(last, 0);
        quiet(&mut script, shape, 1);
        script.repeat(last, by);
        quiet(&mut script, shape, 3);
        script.read(last);
        for source in shape.sources..shape.numbers() {
            script.repeat(source, by);
        }
    }
    script.close(last);
    script.repeat(last, 0);
    script.repeat(last, 7);
    quiet(&mut script, shape, 2);
    script.open(last, 3);
    quiet(&mut script, shape, 2);
    script.read(last);
    let rows = aim(&["Repeat", "Closed", "Stale"], &["PC3", "PC4", "PC7", "PC10"]);
    suite.add("kinds", "a repeat with each kind of target, and of closed sources", rows, script);
}

/// PC4, PC7: several demands of a source before its take, with `repeat` and without: one grant, but for more than a
/// quota.
fn one_grant(suite: &mut Suite, shape: Shape) {
    let source = shape.sources / 2;
    let mut script = Script::opened(shape, Settings { quota: 8, ..FAST }, &[source], 0xFF_FFE0);
    let demands: [&[(i64, bool)]; 12] = [
        &[(0, true), (0, true), (0, true)],
        // A demand without it leaves it as it is.
        &[(0, true), (0, false)],
        &[(0, true), (-1, false)],
        &[(0, true), (-1, true)],
        &[(0, true), (3, false)],
        &[(3, false), (0, true)],
        &[(-1, true), (0, false)],
        &[(-1, true), (4, false)],
        &[(5, true), (2, true), (0, true)],
        &[(8, true)],
        &[(9, true)],
        &[(20, true), (0, true)],
    ];
    for (n, demands) in demands.into_iter().enumerate() {
        script.hold();
        for &(by, repeat) in demands {
            if repeat { script.repeat(source, by) } else { script.more(source, by) }
        }
        script.read(source);
        script.set(|s| Settings { burst: 4095, quota: if n == 11 { 0 } else { 8 }, ..s });
        quiet(&mut script, shape, if n == 11 { 21 } else { 3 });
        script.read(source);
    }
    let rows = aim(&["Repeat", "Quota", "Stale"], &["PC3", "PC4", "PC7", "PC8"]);
    suite.add("one-grant", "several demands before a take, some with repeat", rows, script);
}

/// PC4, PC6: sources with a repeat and sources with demand get their turns in the order in which they have asked.
fn turns(suite: &mut Suite, shape: Shape) {
    let all: Vec<_> = (0..shape.sources).collect();
    let mut script = Script::opened(shape, Settings { quota: 8, ..FAST }, &all, 0xFF_FFC0);
    script.hold();
    for source in (0..shape.sources).rev() {
        if source % 3 == 1 { script.more(source, 20) } else { script.repeat(source, 19 * (source as i64 % 3 / 2)) }
    }
    script.set(|s| Settings { burst: 4095, ..s });
    script.turns(shape.sources.min(2));
    for n in 0..4 * shape.sources {
        // A source that has just had its turn asks again.
        let source = (n * 3 + n / 2) % shape.sources;
        if n % 4 == 3 {
            script.repeat(source, 3)
        } else {
            script.repeat(source, 0)
        }
        script.idle(shape.apart() / 2);
    }
    script.served();
    quiet(&mut script, shape, shape.sources + 1);
    script.read_all();
    let rows = aim(&["Repeat", "RoundRobin"], &["PC4", "PC6", "PC7", "PC8"]);
    suite.add("turns", "repeats and demand of several sources", rows, script);
}

/// PC3, PC7: a new target is not due: the source has credit beyond it, or it is further than half of all numbers.
fn beyond(suite: &mut Suite, shape: Shape) {
    let source = shape.sources - 1;
    let few = Settings { quota: 5, ..FAST };
    let mut script = Script::with(shape, few);
    for advance in [0, 12] {
        script.open(source, 0xFF_FFF4);
        script.set(|_| Settings { advance: 12, ..few });
        script.read(source);
        quiet(&mut script, shape, 5);
        // With 0 it is not idle any more; with 12 it gets in advance what it has used up.
        script.set(|_| Settings { advance, ..few });
        for by in [0, 4, 7, 0, 1, 0, 30] {
            script.repeat(source, by);
            quiet(&mut script, shape, 8);
            script.read(source);
        }
        script.close(source);
    }
    // It wants half of all numbers less 1, which is due, or more.
    for more in [0, 1, 9, HALF - 1] {
        script.hold();
        script.open(source, 70);
        script.more(source, HALF - 1);
        script.more(source, more);
        script.repeat(source, 0);
        script.set(|_| few);
        quiet(&mut script, shape, 3);
        for by in [0, 1] {
            script.repeat(source, by);
            quiet(&mut script, shape, 2);
        }
        script.read(source);
        script.close(source);
    }
    let rows = aim(&["Repeat", "Ahead", "Due"], &["PC3", "PC4", "PC7"]);
    suite.add("beyond", "a repeat whose target is behind the credit, or too far away", rows, script);
}

/// PC7, PC10: commands between a repeat and its take.
fn lives(suite: &mut Suite, shape: Shape) {
    let source = shape.sources - 1;
    let mut script = Script::with(shape, FAST);
    for n in 0..11_i64 {
        script.hold();
        script.open(source, 0xFF_FF00 + 0x11 * n as u64);
        script.repeat(source, [0, 0, 5][n as usize % 3]);
        script.settled();
        match n {
            // It is closed at its take.
            0 | 2 => script.close(source),
            // These change nothing.
            1 => {
                script.read(source);
                script.open(source, 99);
                script.command(3, source, 99);
            }
            // Opened again it has nothing to say, unless it is asked once more.
            _ => {
                script.close(source);
                if n % 4 == 3 {
                    script.repeat(source, 0);
                }
                script.open(source, 0x12_3400 + n as u64);
                match n {
                    5 | 6 => script.repeat(source, 0),
                    7 => script.more(source, 0),
                    8 => script.more(source, 3),
                    9 => script.repeat(source, 3),
                    10 => script.repeat(source, -1),
                    _ => {}
                }
            }
        }
        script.read(source);
        script.set(|s| Settings { burst: 9, ..s });
        quiet(&mut script, shape, 3);
        script.read(source);
        // Closed while it waits, and open again behind the take.
        script.hold();
        script.repeat(source, 0);
        script.close(source);
        script.set(|s| Settings { burst: 9, ..s });
        quiet(&mut script, shape, 2);
        script.open(source, 8);
        quiet(&mut script, shape, 2);
        script.close(source);
    }
    let rows = aim(&["Repeat", "Reopened", "Void", "Refused"], &["PC3", "PC4", "PC7", "PC10"]);
    suite.add("lives", "commands between a repeat and its take", rows, script);
}

/// Each bit of a credit number that is said again, and the numbers around 0.
fn numbers(suite: &mut Suite, shape: Shape) {
    let source = shape.sources - 1;
    let mut script = Script::with(shape, FAST);
    let bits = (0..24).flat_map(|bit| [1 << bit, CREDITS - 1 - (1 << bit)]);
    for number in bits.chain([0, CREDITS - 1]) {
        script.open(source, number);
        script.repeat(source, 0);
        script.turns(1);
        script.close(source);
    }
    script.open(source, CREDITS - 2);
    for by in [0, 1, 0, 1, 0, 1, 0] {
        script.repeat(source, by);
        quiet(&mut script, shape, 2);
        script.repeat(source, -1);
    }
    script.read(source);
    let rows = aim(&["Repeat", "CreditWrap"], &["PC3", "PC7", "PC8"]);
    suite.add("numbers", "each bit of a credit number that is said again", rows, script);
}

/// PC6, PC8: a grant without growth is stalled; meanwhile come repeats of its source and of others. The next case
/// begins with a reset while another one is on the ports, and repeats wait.
fn stalled(suite: &mut Suite, shape: Shape) {
    let all: Vec<_> = (0..shape.sources).collect();
    let last = shape.sources - 1;
    let mut script = Script::opened(shape, Settings { quota: 2, ..FAST }, &all, 0x80_0001);
    for cycles in [0, 1, 2, 7, shape.apart() - 7, shape.apart() - 1, shape.apart(), 3 * shape.apart()] {
        script.stall(false);
        script.repeat(last, 0);
        script.step_while(|script| script.outputs().grant.is_none());
        script.idle(cycles);
        script.repeat(last, 0);
        script.repeat(0, 1);
        script.repeat(last, 0);
        script.idle(cycles);
        script.stall(true);
        quiet(&mut script, shape, 3);
        script.read(last);
    }
    script.hold();
    script.repeat(last, 0);
    script.repeat(0, 0);
    script.settled();
    script.set(|s| Settings { burst: 9, ..s });
    script.leave_unfinished();
    script.repeat(last, 0);
    let rows = aim(&["Repeat", "Stall", "Reset"], &["PC6", "PC8", "PC12"]);
    suite.add("stalled", "a grant that says a number again is stalled, or never taken", rows, script);
}
