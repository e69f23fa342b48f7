// SPDX-License-Identifier: MIT OR Apache-2.0
//! Takes, and grants (PC6 to PC8).

use super::shapes::{self, FAST, SLOW};
use crate::collect::aim;
use crate::receive::credit_pacer::oracle::{CREDITS, Settings, Shape, behind, op};
use crate::receive::credit_pacer::script::Script;
use crate::receive::credit_pacer::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in shapes::all() {
        suite.group("takes", "takes and grants", shape, None);
        round_robin(suite, shape);
        quotas(suite, shape);
        advances(suite, shape);
        stalls(suite, shape);
        void(suite, shape);
        reopened(suite, shape);
    }
    for shape in shapes::CYCLES {
        suite.group("races", "what happens to a source around its take", shape, None);
        around(suite, shape);
        idle_and_queued(suite, shape);
    }
}

fn all(shape: Shape) -> Vec<u64> {
    (0..shape.sources).collect()
}

/// Every source has demand; new demand comes all the time; it is served by turns, as fast as takes come and at a rate.
fn round_robin(suite: &mut Suite, shape: Shape) {
    for (id, settings) in [("round-robin", FAST), ("round-robin-rate", SLOW)] {
        let mut script = Script::opened(shape, settings, &all(shape), 0xFF_FFC0);
        for source in (0..shape.sources).rev() {
            script.more(source, 20 + 9 * source as i64);
        }
        script.turns(shape.sources + 1);
        script.more(0, 50);
        script.turns(2 * shape.sources);
        script.more(shape.sources - 1, 1);
        script.served();
        script.settled();
        script.read_all();
        let rows = aim(&["RoundRobin"], &["PC4", "PC5", "PC6", "PC7", "PC8"]);
        suite.add(id, "all sources have demand", rows, script);
    }
}

/// Each quota, with as much demand, one more and one less. 0 counts as 1.
fn quotas(suite: &mut Suite, shape: Shape) {
    let source = shape.sources - 1;
    let mut script = Script::opened(shape, FAST, &[source], 0xFF_F000);
    let rate = (1 << 24) - 1;
    let quotas = [0, 1, 2, 3, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4095, 0xA5A, 0x5A5];
    for quota in quotas {
        for by in [quota - 1, quota, quota + 1] {
            script.set(|_| Settings { rate, quota: quota as u64, burst: 4095, advance: 0 });
            script.more(source, by.max(0));
            script.served();
        }
    }
    script.settled();
    script.read(source);
    let rows = aim(&["Quota"], &["PC7", "PC11"]);
    suite.add("quotas", "each quota", rows, script);
}

/// Credit in advance of each size.
fn advances(suite: &mut Suite, shape: Shape) {
    let source = shape.sources - 1;
    let mut script = Script::with(shape, Settings { rate: (1 << 24) - 1, quota: 4095, ..FAST });
    for bit in 0..14 {
        for advance in [(1 << bit) - 1, 1 << bit, (1 << bit) + 1] {
            script.set(|s| Settings { advance, quota: if bit < 13 { 4095 - 9 * bit } else { 4095 }, ..s });
            script.open(source, 0xFF_FF00);
            script.idle((advance / 4000 + 2) * (shape.apart() + 2));
            script.read(source);
            script.close(source);
        }
    }
    let rows = aim(&["Ahead"], &["PC4", "PC7", "PC11"]);
    suite.add("advances", "each limit of credit in advance", rows, script);
}

/// A grant is stalled for each number of cycles; the next take comes when it may.
fn stalls(suite: &mut Suite, shape: Shape) {
    let mut script = Script::opened(shape, Settings { quota: 2, ..FAST }, &all(shape), 0);
    for source in 0..shape.sources {
        script.more(source, 500);
    }
    for cycles in 0..2 * shape.apart() {
        script.stall(false);
        script.step_while(|script| script.outputs().grant.is_none());
        // Passes go on meanwhile, also of the source that has the grant.
        script.issue(op::READ, 0, 0);
        script.more(shape.sources - 1, 1);
        script.idle(cycles);
        script.stall(true);
        script.idle(1 + cycles % 3);
    }
    script.settled();
    script.read_all();
    script.leave_unfinished();
    let rows = aim(&["Stall", "Reset"], &["PC6", "PC8", "PC12"]);
    suite.add("stalls", "a grant that is stalled, and one that is never taken", rows, script);
}

/// Takes without a grant: of closed sources, of such that are not due or not idle any more.
fn void(suite: &mut Suite, shape: Shape) {
    let settings = Settings { quota: 3, advance: 5, ..FAST };
    let mut script = Script::with(shape, Settings { burst: 0, ..settings });
    for n in 0..8 {
        for source in 0..shape.sources {
            script.open(source, 1000 + source);
        }
        if n % 2 == 1 {
            (0..shape.sources).for_each(|source| script.more(source, 4));
        }
        script.read_all();
        for source in 0..shape.sources {
            match n {
                // It is closed, in the ahead queue or in both.
                0 | 1 => script.close(source),
                // The target is further than half of all numbers.
                2 | 3 => {
                    script.more(source, (1 << 23) - 1);
                    script.more(source, 9);
                }
                // It is closed and open again.
                4 | 5 => {
                    script.close(source);
                    script.open(source, 7);
                }
                // There is no credit in advance any more.
                _ => script.set(|s| Settings { advance: 0, ..s }),
            }
        }
        script.read_all();
        script.set(|s| Settings { burst: 9, ..s });
        script.idle((2 * shape.sources + 1) * (shape.apart() + 1));
        script.read_all();
        script.set(|_| Settings { burst: 0, ..settings });
        for source in 0..shape.sources {
            script.close(source);
        }
        script.set(|s| Settings { burst: 9, advance: 0, ..s });
        script.idle(3 * shape.sources * (shape.apart() + 1));
        script.set(|_| Settings { burst: 0, ..settings });
    }
    let rows = aim(&["Void", "Closed", "BothQueues"], &["PC4", "PC6", "PC7", "PC10"]);
    suite.add("void", "takes without a grant", rows, script);
}

/// A source is closed and opened again while it waits: it keeps its place, and enters no queue twice.
fn reopened(suite: &mut Suite, shape: Shape) {
    let source = shape.sources - 1;
    for (id, advance) in [("reopened", 0), ("reopened-ahead", 6)] {
        let mut script = Script::opened(shape, Settings { quota: 3, advance, ..FAST }, &all(shape), 50);
        for n in 0..5 {
            script.hold();
            for other in 0..shape.sources {
                script.more(other, 2 + n);
            }
            script.close(source);
            script.read(source);
            // With the demand that it had before, with other demand, without any.
            script.open(source, CREDITS - 3);
            match n {
                0 => {}
                1 => script.more(source, 0),
                2 => script.more(source, 7),
                3 => script.more(source, -7),
                _ => {
                    script.more(source, 7);
                    script.close(source);
                    script.open(source, 3);
                }
            }
            script.read(source);
            script.set(|s| Settings { burst: 9, ..s });
            script.idle((shape.sources + 4) * (shape.apart() + 1));
            script.read(source);
        }
        let rows = aim(&["Reopened", "Void"], &["PC4", "PC7", "PC10"]);
        suite.add(id, "a source that is opened again while it waits", rows, script);
    }
}

/// What comes in a race, for source 4 with this target.
pub type Rival = fn(&mut Script, u64);

/// A take becomes due in one cycle, for what this demand of source 4 asks for; a rival is offered in each cycle around
/// it. *level* is held at 0 before.
pub fn race(script: &mut Script, shape: Shape, demand: impl Fn(&mut Script), rival: Rival) {
    let middle = shape.there() + 4;
    for offset in 0..2 * middle {
        script.hold();
        script.close(4);
        script.open(4, 0xFF_FFFC);
        script.idle(shape.there());
        script.set(|s| Settings { burst: 9, ..s });
        script.idle(4 * shape.apart());
        script.hold();
        demand(script);
        script.settled();
        for cycle in 0..2 * middle {
            if cycle == middle {
                script.set_beside(|s| Settings { burst: 9, ..s });
            }
            if cycle == offset {
                let target = script.source(4).target;
                rival(script, target);
            }
            script.step();
        }
        script.accepted();
        script.idle(3 * shape.apart());
        script.read(4);
    }
}

/// PC1, PC7: a pass of the source in each cycle around its take.
fn around(suite: &mut Suite, shape: Shape) {
    let rivals: [(&str, Rival); 5] = [
        ("more", |script, target| script.offer(4, behind(target, 1))),
        ("old", |script, target| script.offer(4, behind(target, CREDITS - 1))),
        ("far", |script, target| script.offer(4, behind(target, (1 << 23) - 1))),
        ("close", |script, _| script.issue(op::CLOSE, 4, 0)),
        ("read", |script, _| script.issue(op::READ, 4, 0)),
    ];
    for (name, rival) in rivals {
        for (id, advance) in [("around", 0), ("around-ahead", 7)] {
            let mut script = Script::with(shape, Settings { quota: 3, burst: 0, advance, ..FAST });
            race(&mut script, shape, |script| script.more(4, 4), rival);
            let rows = aim(&["BackToBack", "Void"], &["PC1", "PC6", "PC7", "PC9"]);
            suite.add(format!("{id}-{name}"), "a pass in each cycle around a take", rows, script);
        }
    }
}

/// PC7: a source waits for credit in advance. In each cycle around its take come two demands, after which it is not
/// due, but in the demand queue; or one, after which it is due.
fn idle_and_queued(suite: &mut Suite, shape: Shape) {
    for (id, far) in [("idle-and-queued", true), ("due-and-queued", false)] {
        let settings = Settings { quota: 3, burst: 0, advance: CREDITS - 1, ..FAST };
        let mut script = Script::with(shape, settings);
        let middle = shape.there() + 4;
        for offset in 0..2 * middle {
            script.hold();
            script.open(4, 100);
            script.settled();
            for cycle in 0..2 * middle {
                if cycle == middle {
                    script.set_beside(|s| Settings { burst: 9, ..s });
                }
                if cycle == offset {
                    let target = script.source(4).target;
                    script.offer(4, behind(target, if far { (1 << 23) - 1 } else { 9 }));
                    if far {
                        script.offer(4, behind(target, (1 << 23) + 5));
                    }
                }
                script.step();
            }
            script.accepted();
            script.idle(3 * shape.apart());
            script.read(4);
            script.close(4);
            script.set(|s| Settings { burst: 9, ..s });
            script.idle(3 * shape.apart());
        }
        let rows = aim(&["BackToBack", "BothQueues", "Void"], &["PC1", "PC4", "PC7"]);
        suite.add(id, "demand of a source in each cycle around its take from the ahead queue", rows, script);
    }
}
