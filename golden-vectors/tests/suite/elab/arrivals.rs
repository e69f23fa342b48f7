// SPDX-License-Identifier: MIT OR Apache-2.0
//! W1, W2, W4 to W6 and W8 by hand-made examples.

use super::feedback_help::*;
use golden_vectors::elab::feedback::oracle::{Arrival, Event};

#[test]
fn w1_w4_refused() {
    let stranger = (60, Event::Arrival(Arrival { pair: 2, sport: PORT, ecn: true, burst: 1 }));
    let query = |at, pair| (at, Event::Query(pair));
    let answer = run(&[stranger, query(5, 0), query(70, 2), query(71, 3), query(72, 0), query(73, 1)]);
    assert_eq!((answer.refused_arrivals, answer.refused_queries, answer.empty_queries), (1, 3, 2));
    let blank = |r: &golden_vectors::elab::feedback::oracle::Report| {
        (r.ok, r.vp, r.count, r.ecn, r.probed, r.rate) == (false, 0, 0, false, false, 0)
    };
    assert!(answer.reports.iter().all(blank));
    assert_eq!(answer.reports.iter().map(|r| r.pair).collect::<Vec<_>>(), [0, 2, 3, 0, 1]);
}

#[test]
fn w5_turns() {
    let vps = |known: &[u64], count| {
        let events: Vec<_> = (60..).zip(known).map(|(at, &vp)| packet(at, vp)).collect();
        reports(&[events, queries(80, count)].concat(), |report| report.vp - PORT)
    };
    assert_eq!(vps(&[0], 2), [0, 0]);
    // VP 0 counts as the last one before the first report.
    assert_eq!(vps(&[0, 1, 5], 8), [1, 5, 5, 0, 1, 5, 5, 0]);
    assert_eq!(vps(&[5, 0], 3), [5, 5, 0]);
    assert_eq!(vps(&[7, 3], 5), [3, 7, 7, 3, 7]);
}

#[test]
fn w5_the_turn_stays_where_it_was() {
    let known: Vec<_> = (60..68).map(|at| packet(at, at - 60)).collect();
    let again: Vec<_> = (93..101).map(|at| packet(at, at - 93)).collect();
    let events = [known, queries(80, 3), vec![forget(90)], again, queries(110, 2)].concat();
    assert_eq!(reports(&events, |report| report.vp - PORT), [1, 2, 3, 4, 5]);
}

#[test]
fn w2_w6_counts_and_marks() {
    let seen = |events: &[(u64, Event)]| reports(events, |report| (report.count, report.ecn));
    let mut events = vec![packet(60, 1), packet(61, 1), arrival(62, 1, true, 0), packet(63, 1)];
    events.extend(queries(80, 2));
    events.extend([packet(82, 1), arrival(83, 1, true, 0), packet(84, 1)]);
    events.extend(queries(83, 3));
    assert_eq!(seen(&events), [(4, true), (0, false), (2, true), (1, false), (0, false)]);
    assert_eq!(seen(&[vec![arrival(60, 1, true, 0)], queries(70, 2)].concat()), [(1, true), (0, false)], "a new one");
    // Another port of the same number is a new one, with nothing reported.
    let other = [packet(60, 1), packet(61, 1), arrival(62, 1, true, 0), packet(63, 9)];
    let both = |report: &golden_vectors::elab::feedback::oracle::Report| (report.vp - PORT, report.count, report.ecn);
    assert_eq!(reports(&[&other[..], &queries(70, 2)].concat(), both), [(9, 1, false), (9, 0, false)]);
    let back = [&other[..], &[arrival(71, 1, true, 0)], &queries(70, 3)].concat();
    assert_eq!(reports(&back, both), [(9, 1, false), (1, 1, true), (1, 0, false)]);
}

#[test]
fn w2_numbers_are_kept_modulo_2_16() {
    for (packets, counted, marked) in [(65_535, 65_535, true), (65_536, 0, false), (65_537, 1, true)] {
        let row: Vec<_> = (60..60 + packets).map(|at| arrival(at, 1, true, 0)).collect();
        let seen = reports(&[row, queries(70_000, 1)].concat(), |report| (report.ok, report.count, report.ecn));
        assert_eq!(seen, [(true, counted, marked)]);
    }
}

#[test]
fn w8_forgotten_and_known_again() {
    let row = [arrival(60, 1, true, 0), packet(61, 1), packet(62, 2), forget(70), packet(73, 1)];
    let seen = reports(&[&row[..], &queries(80, 2)].concat(), |report| (report.vp - PORT, report.count, report.ecn));
    assert_eq!(seen, [(1, 1, false), (1, 0, false)]);
    let other = (70, Event::Command(1));
    let beyond = (72, Event::Command(2));
    assert_eq!(reports(&[&[packet(60, 1), other, beyond], &queries(80, 1)[..]].concat(), |report| report.count), [1]);
    // An query that does not know yet that it is forgotten finds what has arrived.
    let late = [packet(60, 1), packet(61, 1), forget(70)];
    assert_eq!(
        reports(&[&late[..], &queries(72, 4)].concat(), |report| (report.ok, report.count)),
        [(true, 2), (true, 0), (true, 0), (false, 0)]
    );
}

/// W7: a new VP that is the 256th one since the last report is taken for the one that was reported.
#[test]
fn w7_new_vps_are_told_apart_modulo_256() {
    // Five packets are reported, two of them marked. Then ports of the same number take turns, a packet each.
    let first = [true, true, false, false, false];
    let first: Vec<_> = (60..).zip(first).map(|(at, ecn)| arrival(at, 1, ecn, 0)).collect();
    for (count, seen) in
        [(255, (1, false)), (256, ((1 << 16) - 4, true)), (257, (1, false)), (512, ((1 << 16) - 4, true))]
    {
        let turns = (1..=count).map(|n| packet(80 + n, if n % 2 == 1 { 9 } else { 1 })).collect();
        let events = [first.clone(), queries(75, 1), turns, queries(700, 2)].concat();
        let seen_last = (0, false);
        assert_eq!(reports(&events, |r| (r.count, r.ecn)), [(5, true), seen, seen_last], "{count}");
    }
    // A report in between begins the count again.
    let turns: Vec<_> = (1..=256).map(|n| packet(80 + n, if n % 2 == 1 { 9 } else { 1 })).collect();
    let events = [first, queries(75, 1), turns, queries(200, 1), queries(700, 1)].concat();
    assert_eq!(reports(&events, |r| (r.count, r.ecn)), [(5, true), (1, false), (1, false)]);
}
