// SPDX-License-Identifier: MIT OR Apache-2.0
//! The example of the page, the cycles of its table, and single rules, stated apart from the oracle.

use super::help::Run;
use golden_vectors::receive::credit_pacer::oracle::{CREDITS, Grant, Inputs, Settings, Shape, op};

/// The example: quota 64 quanta, burst 1, rate 1/4.
const EXAMPLE: Settings = Settings { rate: 1 << 14, quota: 64, burst: 1, advance: 0 };

/// A quota in every take, as soon as it may come.
const FAST: Settings = Settings { rate: 1 << 20, quota: 8, burst: 4095, advance: 0 };

#[test]
fn two_sources_by_turns() {
    let mut run = Run::new(Shape::new(8), EXAMPLE, 6);
    run.idle(20);
    assert_eq!(run.oracle.level(), 1 << 16);
    let begin = run.demand(3, 200);
    run.idle(39);
    assert_eq!(run.demand(5, 100), begin + 40);
    run.idle(1300);
    let found: Vec<_> = run.grants.iter().map(|(cycle, g)| (cycle - begin, g.source, g.credit, g.quanta)).collect();
    let expected = [
        (19, 3, 64, 64),
        (279, 3, 128, 64),
        (539, 5, 64, 64),
        (799, 3, 192, 64),
        (1059, 5, 100, 36),
        (1207, 3, 200, 8), //
    ];
    assert_eq!(found, expected);
    assert!(run.grants.iter().all(|(_, grant)| !grant.ahead));
}

/// The table of cycles.
#[test]
fn cycles() {
    for l in 1..=3 {
        let shape = Shape::new(8).ram_latency(l);
        let mut run = Run::new(shape, FAST, 4);
        run.idle(50);
        let accepted = run.demand(0, 100);
        run.idle(200);
        // PC2, PC1 and PC4, PC8: it enters, it is there, the take enters, the grant.
        let first = accepted + 1 + (l + 4) + (l + 3) + (l + 5);
        let grants: Vec<_> = run.grants.iter().map(|(cycle, _)| *cycle).collect();
        // PC6.
        let expected: Vec<_> =
            (0..).map(|n| first + n * (2 * l + 16)).take_while(|at| *at < run.oracle.cycle()).collect();
        assert_eq!(grants, expected, "l = {l}");
        // PC9: it waits one cycle.
        let (cycle, _) = run.command(op::READ, 7, 0);
        assert_eq!(run.responses.last().unwrap().0, cycle + 1 + l + 5);
    }
}

/// PC6, PC8: the next take comes in the cycle after the transfer, if it might have come before.
#[test]
fn a_stalled_grant_delays_the_next_one() {
    for stalled in [0, 5, 13, 14, 15, 40] {
        let mut run = Run::new(Shape::new(2), FAST, 1);
        run.demand(0, 1000);
        while run.oracle.outputs().grant.is_none() {
            run.idle(1);
        }
        let begin = run.oracle.cycle();
        (0..stalled).for_each(|_| run.step(&Inputs { grant_ready: false, ..Inputs::idle(None) }));
        run.idle(60);
        assert_eq!(run.grants[0].0, begin + stalled);
        // 20 cycles from take to take; 7 from the take to the grant.
        assert_eq!(run.grants[1].0, (begin + 20).max(begin + stalled + 1 + 7), "{stalled}");
    }
}

/// PC7: credit in advance, up to its limit, only while nobody has demand, and less by what is not used.
#[test]
fn in_advance() {
    let mut run = Run::new(Shape::new(2), Settings { advance: 20, ..FAST }, 2);
    run.idle(300);
    let ahead = |source, credit, quanta| Grant { source, credit, quanta, ahead: true };
    let found: Vec<_> = run.grants.drain(..).map(|(_, grant)| grant).collect();
    // Source 0 is opened first, and the two take turns.
    assert_eq!(
        found,
        [ahead(0, 8, 8), ahead(1, 8, 8), ahead(0, 16, 8), ahead(1, 16, 8), ahead(0, 20, 4), ahead(1, 20, 4)]
    );
    // It has got 20, and asks for 25: 5 are due, then come 20 again.
    run.demand(1, 25);
    run.idle(300);
    let found: Vec<_> = run.grants.drain(..).map(|(_, g)| (g.source, g.credit, g.quanta, g.ahead)).collect();
    assert_eq!(found, [(1, 25, 5, false), (1, 33, 8, true), (1, 41, 8, true), (1, 45, 4, true)]);
}

/// PC3: what is old, also around 0.
#[test]
fn old_targets() {
    let mut run = Run::new(Shape::new(2), Settings { burst: 0, ..FAST }, 0);
    run.command(op::OPEN, 0, CREDITS - 5);
    for (target, expected, stale) in [
        (CREDITS - 5, CREDITS - 5, 0),
        (CREDITS - 6, CREDITS - 5, 1),
        (3, 3, 1),
        (CREDITS - 1, 3, 2),
        (3 + (1 << 23), 3, 3),
        (2 + (1 << 23), 2 + (1 << 23), 3),
        (2 + (1 << 23), 2 + (1 << 23), 3),
    ] {
        run.demand(0, target);
        let (_, response) = run.command(op::READ, 0, 0);
        assert_eq!((response.target, response.credit), (expected, CREDITS - 5), "{target:#x}");
        assert_eq!(run.oracle.outputs().counters.stale_demands, stale, "{target:#x}");
    }
    run.demand(1, 9);
    run.idle(9);
    assert_eq!(run.oracle.outputs().counters.closed_demands, 1);
}

/// PC10: a closed source keeps its place in the queue up to its take, which is void; opened again, it has the old
/// place.
#[test]
fn closed_and_opened_while_it_waits() {
    let mut run = Run::new(Shape::new(4), Settings { burst: 0, ..FAST }, 3);
    for source in 0..3 {
        run.demand(source, 5);
    }
    let (_, closed) = run.command(op::CLOSE, 0, 0);
    assert!(closed.done && !closed.open && !closed.queued);
    run.command(op::CLOSE, 1, 0);
    let (_, opened) = run.command(op::OPEN, 1, 70);
    assert!(opened.done && opened.open && opened.queued);
    run.demand(1, 72);
    run.step(&Inputs::idle(Some(FAST)));
    run.idle(200);
    let found: Vec<_> = run.grants.iter().map(|(_, g)| (g.source, g.credit, g.quanta)).collect();
    assert_eq!(found, [(1, 72, 2), (2, 5, 5)]);
    assert_eq!(run.oracle.outputs().counters.void_turns, 1);
}
