// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows W2 and W6, and W7 for new VPs: packets received and marked since the last report. A packet that is counted twice or not at all is
//! seen.

use super::shapes::{FOUR, LATENCIES, TEN};
use crate::collect::aim;
use crate::elab::feedback::oracle::{Arrival, Shape};
use crate::elab::feedback::script::{Script, other_port, port};
use crate::elab::feedback::suite::Suite;

pub fn add(suite: &mut Suite) {
    for shape in LATENCIES.into_iter().chain([FOUR]) {
        suite.group("count", "packets and marks since the last report", shape, TEN);
        packets(suite, shape);
        marks(suite, shape);
        about_asks(suite, shape);
        ports(suite, shape);
    }
}

/// Some packets arrive on one VP, then it is queried.
fn packets(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Count", "BackToBack"], &["W1", "W2", "W4", "W6", "E05", "E11"]);
    for count in [1, 2, 3, 5, 16, 100] {
        for apart in [1, 2, 5] {
            let (mut script, at) = Script::new(shape);
            (0..count).for_each(|n| script.arrive(at + n * apart, 0, 1));
            script.queries(at + count * apart + shape.visibility_delay(), 0, 3);
            suite.add(format!("{count}-by-{apart}"), format!("{count} packets, {apart} cycles apart"), rows, script);
        }
    }
    // All VPs have packets, each another number of them.
    let (mut script, at) = Script::new(shape);
    let mut next = at;
    for vp in 0..shape.vps {
        (0..1 + vp * 3 % 7).for_each(|n| script.arrive(next + n, 0, vp));
        next += 1 + vp * 3 % 7;
    }
    script.queries(next + shape.visibility_delay(), 0, 2 * shape.vps + 1);
    suite.add("all", "all VPs, then queries in turns", rows, script);
}

/// Marked packets at the beginning, in the middle and at the end of a row of packets.
fn marks(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Count", "Mark"], &["W2", "W6", "E06"]);
    for marked in 0..8 {
        let (mut script, at) = Script::new(shape);
        for n in 0..3 {
            if marked >> n & 1 == 1 { script.mark(at + n, 0, 1) } else { script.arrive(at + n, 0, 1) }
        }
        let behind = script.queries(at + 3 + shape.visibility_delay(), 0, 2);
        script.mark(behind, 0, 1);
        script.queries(behind + 1, 0, 2);
        suite.add(format!("marks-{marked}"), format!("marks {marked:03b}"), rows, script);
    }
    let (mut script, at) = Script::known(shape, [0, 1]);
    (0..30).for_each(|n| if n % 3 == 0 { script.mark(at + n, 0, n % 2) } else { script.arrive(at + n, 0, n % 2) });
    script.queries(at, 0, 40);
    suite.add("marks-row", "marks among packets, a query in every cycle", rows, script);
    // 257 marked packets: a count of only 8 bits would have come back to 1.
    let (mut script, at) = Script::known(shape, [1]);
    (0..256).for_each(|n| script.mark(at + n, 0, 1));
    script.queries(at + 258, 0, 2);
    suite.add("marks-256", "256 marks", rows, script);
}

/// One packet in each cycle around a query, to find the first query that counts it.
fn about_asks(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Count", "Boundary"], &["W5", "W6"]);
    for distance in 0..=shape.report() + 4 {
        let (mut script, at) = Script::known(shape, [1]);
        script.query(at + 2, 0);
        script.mark(at + distance, 0, 1);
        script.queries(at + shape.report() + 7, 0, 1);
        suite.add(format!("about-{distance}"), "one packet about a query", rows, script);
    }
    for apart in 1..=shape.visibility_delay() + 2 {
        let (mut script, at) = Script::known(shape, [0, 1]);
        (0..24).for_each(|n| script.arrive(at + n, 0, n / 5 % 2));
        (0..12).for_each(|n| script.query(at + 4 + apart * n, 0));
        suite.add(format!("queries-{apart}"), "packets in a row, queries apart", rows, script);
    }
}

/// A packet with another port of the same VP number replaces the VP. The counts must start again.
fn ports(suite: &mut Suite, shape: Shape) {
    let rows = aim(&["Count", "NewPort"], &["W2", "W6", "E05"]);
    let [one, two] = [port(shape, 0, 1), other_port(shape, 0, 1)];
    for (name, list) in [
        ("once", &[one, one, two][..]),
        ("back", &[one, two, one]),
        ("turns", &[one, two, one, two, one, two]),
        ("twice", &[one, two, two, two]),
    ] {
        for ecn in 0..2 {
            for apart in [1, shape.report()] {
                let (mut script, at) = Script::new(shape);
                for (n, &sport) in (0..).zip(list) {
                    script.arrival(at + n * apart, Arrival { pair: 0, sport, ecn: n == ecn, burst: 0 });
                }
                script.queries(at + shape.visibility_delay(), 0, if apart == 1 { 12 } else { 90 });
                let comment = format!("ports of one number, {apart} cycles apart");
                suite.add(format!("port-{name}-{ecn}-{apart}"), comment, rows, script);
            }
        }
    }
    // Every bit above the VP number must take part in the comparison of ports.
    let (mut script, at) = Script::new(shape);
    for bit in 0..16 {
        let sport = one ^ 1 << bit;
        script.arrival(at + 4 * bit, Arrival { pair: 0, sport, ecn: bit % 3 == 0, burst: 0 });
        script.arrival(at + 4 * bit + 1, Arrival { pair: 0, sport: one, ecn: false, burst: 0 });
    }
    script.queries(at, 0, 90);
    suite.add("bits", "ports that differ in one bit", rows, script);
    // W7: the 256th new VP behind a report is not told apart from the one that was reported.
    for count in [255, 256, 257] {
        let (mut script, at) = Script::new(shape);
        (0..5).for_each(|n| script.arrival(at + n, Arrival { pair: 0, sport: one, ecn: n < 3, burst: 0 }));
        let behind = at + 5 + shape.visibility_delay();
        script.query(behind, 0);
        for n in 1..=count {
            let sport = if n % 2 == 1 { two } else { one };
            script.arrival(behind + n, Arrival { pair: 0, sport, ecn: false, burst: 0 });
        }
        script.queries(behind + count + 1, 0, 2);
        suite.add(format!("new-{count}"), format!("{count} new VPs between two reports"), rows, script);
    }
}
