// SPDX-License-Identifier: MIT OR Apache-2.0
//! Commands (PC9, PC10).

use super::shapes::{self, FAST};
use crate::collect::aim;
use crate::receive::credit_pacer::oracle::{Settings, Shape, op};
use crate::receive::credit_pacer::script::Script;
use crate::receive::credit_pacer::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::all() {
        suite.group("commands", "commands, also such that cannot be done", shape, None);
        states(suite, shape);
        numbers(suite, shape);
        waiting(suite, shape);
    }
}

/// Each code, of a source in each state.
fn states(suite: &mut Suite, shape: Shape) {
    let source = shape.sources / 2;
    let mut script = Script::with(shape, Settings { burst: 0, quota: 3, ..FAST });
    for (number, advance, by) in
        [(0, 0, 0), (0xFF_FFFF, 5, 0), (0x55_5555, 0, 7), (0xAA_AAAA, 5, 7), (0x800_000, 9, -1), (1, 5, 7)]
    {
        script.set(|s| Settings { advance, burst: 0, ..s });
        for code in [op::CLOSE, 3, op::READ, op::OPEN, op::OPEN, op::READ, 3] {
            script.command(code, source, number);
        }
        script.more(source, by);
        for code in [op::READ, 3, op::OPEN, op::CLOSE, op::CLOSE, op::READ, 3, op::OPEN, op::READ] {
            script.command(code, source, number ^ 0x12_3456);
        }
        // Some takes, with it closed or not.
        script.set(|s| Settings { burst: 2, ..s });
        script.turns(u64::from(by > 0 || advance > 0));
        script.settled();
        for code in [op::READ, op::CLOSE, op::READ] {
            script.command(code, source, number);
        }
    }
    let rows = aim(&["Command", "Refused", "Closed"], &["PC4", "PC9", "PC10"]);
    suite.add("states", "each code, of a source in each state", rows, script);
}

/// Every number of a source, and those that are none.
fn numbers(suite: &mut Suite, shape: Shape) {
    let mut script = Script::with(shape, FAST);
    for source in (0..shape.numbers()).rev() {
        script.open(source, (source * 0x11_1111) & 0xFF_FFFF);
    }
    for source in 0..shape.numbers() {
        for code in [op::READ, op::OPEN, 3, op::READ] {
            script.command(code, source, 99);
        }
    }
    for source in 0..shape.sources {
        script.more(source, 1 + source as i64);
    }
    script.turns(shape.sources);
    for source in 0..shape.numbers() {
        for code in [op::READ, op::CLOSE, op::READ, op::CLOSE] {
            script.command(code, source, 0);
        }
    }
    let rows = aim(&["Command", "Refused"], &["PC3", "PC7", "PC10"]);
    suite.add("numbers", "each number of a source", rows, script);
}

/// A command waits behind a take, and demands wait behind both: one is accepted in each cycle of the time between
/// takes.
fn waiting(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, Settings { quota: 2, ..FAST }, &[0], 0);
    script.hammer_command(op::CLOSE, 0, 0);
    script.hammer_demand(0, 77);
    script.more(0, 200);
    script.settled();
    for offset in 0..shape.apart() + 2 {
        script.taken();
        script.idle(offset);
        script.issue(op::READ, 0, 0);
        script.more(0, 1);
        script.more(0, 1);
        script.more(0, -1);
        script.answered();
        script.more(0, 5);
    }
    // One after the other, as fast as they are accepted.
    for _ in 0..20 {
        script.issue(op::READ, 0, 0);
    }
    script.answered();
    let rows = aim(&["Order", "Unready", "Cycles"], &["PC1", "PC2", "PC6", "PC9"]);
    suite.add("waiting", "a take, a command and demands at the same time", rows, script);
}
