// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rows of the source, by numbers worked out apart from the oracle.

use golden_vectors::routing::lia_router::oracle::{Arrangement, Hop, Place, Settings, Shape, Table};
use std::sync::Arc;

/// *h* = 6 with switches at this place, all rules of equal effect but those that a test sets.
fn table(shape: Shape, switch: u64, settings: Settings) -> Table {
    Table::new(Arc::new(Arrangement::palmtree(shape)), Place { group: 5 % shape.groups(), switch }, 7, settings)
}

fn settings() -> Settings {
    Settings {
        weight: 16,
        limits: [20, 40],
        biases: [6, 0, -32768],
        link_threshold: 10,
        saturated_links: 3,
        remote_threshold: 600,
        interval: 1,
        first_hop: Hop::Rule,
        second_hop: Hop::Rule,
        corrected: true,
    }
}

/// Flits that left the queues in the interval that a sweep ends.
fn injected(table: &mut Table, offset: u64, flits: u64) {
    let group = table.shape().group(table.place().group, offset);
    table.enqueue(group, flits);
    table.dequeue(group, flits);
}

/// L01 to L03: the example of the source, and its palmtree, where both ends of a link agree.
#[test]
fn the_palmtree_of_73_groups() {
    let shape = Shape::balanced(6);
    assert_eq!((shape.groups(), shape.links(), shape.ports()), (73, 72, 18));
    for trunks in [1, 2, 3, 6, 12] {
        let shape = shape.trunks(trunks);
        let palmtree = Arrangement::palmtree(shape);
        for link in 0..shape.links() {
            let offset = palmtree.offset(link);
            assert_eq!(offset, link / trunks + 1);
            assert_eq!(palmtree.arrival(link), (shape.links() - 1 - link) / 6);
            let back = shape.links() - 1 - link;
            assert_eq!(palmtree.offset(back) + offset, shape.groups());
            assert_eq!(palmtree.arrival(back), palmtree.switch(link));
        }
    }
}

/// L12, L14: what left in the last full interval, and *w* times what is still there.
#[test]
fn extended_counters() {
    let shape = Shape::balanced(4);
    let mut table = table(shape, 0, Settings { weight: 40, ..settings() });
    injected(&mut table, 9, 7);
    table.enqueue(14, 9);
    table.begin_sweep();
    let load = table.visit(9, true);
    assert_eq!((load.queued, load.injected, load.extended, load.level), (9, 7, 7 + 22, 1));
    // Queues are those of now, injections those of the last full interval.
    table.dequeue(14, 4);
    let load = table.visit(9, false);
    assert_eq!((load.queued, load.injected, load.extended), (5, 7, 7 + 12));
    let load = table.visit(9, true);
    assert_eq!((load.queued, load.injected), (5, 4));
    let load = table.visit(9, true);
    assert_eq!((load.queued, load.injected), (5, 0));
}

/// L12: counters wrap, GC does not; less than none counts as none.
#[test]
fn counters_wrap_and_saturate() {
    let shape = Shape::balanced(2).counter_bits(8);
    let mut table = table(shape, 0, settings());
    for round in 0..40 {
        table.enqueue(6, 90);
        let load = table.visit(1, true);
        assert_eq!((load.queued, load.injected), (90, if round > 0 { 90 } else { 0 }));
        assert_eq!(load.extended, if round > 0 { 180 } else { 90 });
        table.dequeue(6, 90);
    }
    table.enqueue(6, 120);
    table.set(Settings { weight: 255, ..settings() });
    assert_eq!(table.visit(1, false).extended, 255);
    table.dequeue(6, 121);
    assert_eq!(table.visit(1, false).queued, 0);
}

/// L16, L18: a flow of one offset loads the two local links with (*h* - *r*) / *h* and *r* / *h* of it.
#[test]
fn remote_counters_have_the_shares_of_both_links() {
    let shape = Shape::balanced(6);
    for offset in 1..shape.groups() {
        let (k, r) = (offset / 6, offset % 6);
        // Which counters are above a threshold, seen through an offset that reads one of them only.
        for (jump, share) in [(k, 6 - r), (k + 1, r)] {
            if !(1..12).contains(&jump) {
                continue;
            }
            for (flits, above) in [(600 / share.max(1), false), (600 / share.max(1) + 1, share > 0)] {
                let mut table = table(shape, 3, settings());
                injected(&mut table, offset, flits);
                table.sweep(true);
                let seen = table.loads().keeps_second(6 * jump);
                assert_eq!(seen, above, "offset {offset}, l_{jump}, {flits} flits");
            }
        }
    }
}

/// L18: offset *k h* + *r* asks for RC_k if *k* > 0, and for RC_(k+1) if *r* > 0.
#[test]
fn which_remote_counters_are_asked_for() {
    let shape = Shape::balanced(6);
    for jump in 1..12 {
        let mut table = table(shape, 0, settings());
        injected(&mut table, 6 * jump, 101);
        table.sweep(true);
        for offset in 1..shape.groups() {
            let (k, r) = (offset / 6, offset % 6);
            let asked = k == jump || r > 0 && k + 1 == jump;
            assert_eq!(table.loads().keeps_second(offset), asked, "offset {offset}, RC_{jump}");
        }
    }
}

/// L17: L1 is kept if more than SGC of the groups of the own links have a load above GPSTh.
#[test]
fn saturated_own_links() {
    let shape = Shape::balanced(6);
    for switch in 0..12 {
        for many in 0..=6 {
            let mut table = table(shape, switch, settings());
            for link in 0..many {
                injected(&mut table, switch * 6 + link + 1, 11);
            }
            // Just not above, and of other switches.
            injected(&mut table, (switch * 6 + many % 6) + 1, if many < 6 { 10 } else { 0 });
            for link in 6..72 {
                injected(&mut table, (switch * 6 + link) % 72 + 1, 19);
            }
            table.sweep(true);
            assert_eq!(table.loads().keeps_first(), many > 3, "switch {switch}, {many} links");
        }
    }
}

/// L19: three levels by the load of the destination group; each has its *T*.
#[test]
fn levels_select_the_bias() {
    let shape = Shape::balanced(4);
    for (flits, level) in [(0, 0), (20, 0), (21, 1), (40, 1), (41, 2), (9000, 2)] {
        let mut table = table(shape, 0, settings());
        injected(&mut table, 9, flits);
        table.sweep(true);
        let answer = table.request_by(14, 0, |_| 0);
        assert_eq!((answer.level, answer.minimal), (level, level < 2), "{flits} flits");
    }
}

/// L11: the minimal path, if its queue times its hops is at most that of the other, and *T*.
#[test]
fn ugal_compares_queues_times_hops() {
    let shape = Shape::balanced(4);
    let fixed = Settings { biases: [5, 5, 5], first_hop: Hop::Dropped, second_hop: Hop::Dropped, ..settings() };
    // Offset 9 is link 8 of switch 2, which arrives at switch 5.
    for (to, hops) in [(5, 2), (4, 3)] {
        let mut minimal = [0, 0];
        for (q_min, q_other) in (0..40).flat_map(|q| (0..12).map(move |other| (q, other))) {
            let mut table = table(shape, 0, fixed);
            let answer = table.request_by(14, to, |port| if port < 8 { q_min } else { q_other });
            // The hops of the path that was not taken, from the same numbers.
            let mut other = self::table(shape, 0, Settings { biases: [-32768; 3], ..fixed });
            let other = other.request_by(14, to, |_| 0);
            assert!(!other.minimal);
            assert_eq!(answer.minimal, q_min * hops <= q_other * other.hops + 5);
            assert_eq!(answer.hops, if answer.minimal { hops } else { other.hops });
            minimal[usize::from(answer.minimal)] += 1;
        }
        assert!(minimal[0] > 50 && minimal[1] > 50);
    }
}

/// Q counts flits in flight, or does not.
#[test]
fn corrected_occupancies() {
    let shape = Shape::balanced(4);
    for (corrected, minimal) in [(true, true), (false, false)] {
        let mut table = table(shape, 0, Settings { biases: [0; 3], corrected, ..settings() });
        assert!(table.occupancy(2, 100, 100));
        assert!(!table.occupancy(12, 100, 100));
        assert_eq!(table.request(14, 5).minimal, minimal);
    }
}
