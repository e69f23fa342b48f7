// SPDX-License-Identifier: MIT OR Apache-2.0
//! V8 to V13 by hand-made examples; V11 stands with its arithmetic in `rates`.

use super::scheduler_help::*;
use golden_vectors::elab::scheduler::oracle::{Event, Op, Report, Response, Settings};

const MOST: u64 = 0xFF_FFFF;

/// VP 0 behind reports.
fn after(settings: Settings, events: &[(u64, Event)]) -> Response {
    let last = events.last().unwrap().0 + 20;
    response(&run_with(settings, &[MOST, MOST], &[events, &[op(last, Op::Read, 0)]].concat()), last)
}

#[test]
fn v8_reports_of_others() {
    let report = |at, pair, vp| (at, Event::Report(Report { pair, vp, count: 9, ecn: true, ..Report::default() }));
    let events = [
        report(400, 2, PORT),
        report(401, 3, PORT),
        report(402, 1, PORT),
        report(403, 0, PORT ^ 8),
        report(404, 0, PORT + 2),
    ];
    let answer = run(&[MOST, MOST], &[&events[..], &[op(450, Op::Read, 0)]].concat());
    assert_eq!((answer.refused_reports, answer.absent_reports), (2, 3));
    let read = response(&answer, 450);
    assert_eq!((read.bandwidth, read.probe_armed), (MOST, false));
}

#[test]
fn v9_v10_reports_are_gathered() {
    let rate = |window, events: &[(u64, Event)]| after(Settings { window, ..SETTINGS }, events).rate;
    // Unit 50 begins with the report of cycle 398; the VP was added in unit 7.
    let first = count(398, 0, 0);
    assert_eq!(rate(0, &[first, count(413, 0, 8)]), 0, "T is 1");
    assert_eq!(rate(0, &[first, count(414, 0, 8)]), 4 * 65536 / 2);
    assert_eq!(rate(0, &[first, count(400, 0, 3), count(406, 0, 3), count(414, 0, 2)]), 4 * 65536 / 2, "the sum");
    assert_eq!(rate(4, &[first, count(414, 0, 8)]), 0);
    assert_eq!(rate(4, &[first, count(429, 0, 8)]), 0);
    assert_eq!(rate(4, &[first, count(414, 0, 8), count(430, 0, 4)]), 3 * 65536 / 2);
    // At most 65535 of them, in 1024 units.
    let sum = |counts: [u64; 3]| {
        let [one, two, three] = counts;
        rate(1024, &[first, count(8590, 0, 0), count(8601, 0, one), count(8701, 0, two), count(8590 + 8192, 0, three)])
    };
    assert_eq!(sum([65_000, 535, 0]), 65_535 * 64 / 2);
    assert_eq!(sum([65_000, 536, 0]), 65_535 * 64 / 2);
    assert_eq!(sum([65_535, 65_535, 65_535]), 65_535 * 64 / 2);
    // The window of a VP that is added begins then: unit 7.
    assert_eq!(rate(43, &[count(398, 0, 43)]), 32767, "less than half of 65536, as m is 172");
    assert_eq!(rate(44, &[count(398, 0, 44)]), 0);
}

#[test]
fn v10_v13_times_begin_again() {
    let units = |units: u64| 397 + 8 * units;
    let round = 1 << 24;
    let rate = |later| after(SETTINGS, &[count(397, 0, 0), count(units(later), 0, 8)]).rate;
    assert_eq!([round - 1, round, round + 1, round + 2].map(rate), [0, 0, 0, 4 * 65536 / 2]);
    // It waits from unit 50 on, as requests tell.
    let calls = |later| {
        let settings = Settings { explore: 10, burst: 1, ..SETTINGS };
        let events =
            [ecn(397, 0, 1), count(units(5), 0, 1), count(units(later), 0, 1), (units(later + 3), Event::Request(0))];
        run_with(settings, &[MOST], &events).bursts
    };
    assert_eq!([9, 10, round - 1, round + 9, round + 10].map(calls), [0, 1, 1, 0, 1]);
}

/// Reports of VP 0 in a window of 4 units that began with the first event; *B* and whether it is armed.
fn state(events: &[(u64, Event)]) -> (u64, bool) {
    let read = after(Settings { window: 4, ..SETTINGS }, events);
    (read.bandwidth, read.probe_armed)
}

const NONE: (bool, bool) = (false, false);
const ECN: (bool, bool) = (true, false);
const PROBED: (bool, bool) = (false, true);
const BOTH: (bool, bool) = (true, true);

fn news(at: u64, (ecn, probed): (bool, bool), rate: u64) -> (u64, Event) {
    report(at, Report { count: 8, ecn, probed, rate, ..Report::default() })
}

#[test]
fn v12_a_mark_takes_effect_with_its_report() {
    // 42 packets since unit 7, half of that; then 16 in 4 units.
    let first = count(397, 0, 42);
    let before = 32_767;
    let behind = (before + 4 * 65_536) / 2;
    assert_eq!(state(&[first, news(400, NONE, 5)]), (MOST, false));
    assert_eq!(state(&[first, news(400, ECN, 5)]), (before, true), "in the window, with R as it is");
    assert_eq!(state(&[first, news(400, ECN, 5), news(401, ECN, 5)]), (before, true), "and again");
    assert_eq!(state(&[first, news(400, ECN, 5), news(429, NONE, 6)]), (before, true), "its end is not marked");
    assert_eq!(state(&[first, news(400, NONE, 5), news(429, ECN, 6)]), (behind, true), "at its end R comes first");
    assert_eq!(state(&[first, news(400, ECN, 5), news(429, NONE, 6), news(430, ECN, 6)]), (behind, true));
    // Without a rate it is only armed.
    let early = after(Settings { window: 40, ..SETTINGS }, &[news(100, ECN, 5)]);
    assert_eq!((early.bandwidth, early.probe_armed), (MOST, true));
}

#[test]
fn v12_a_burst_takes_effect_behind_a_mark() {
    let first = count(397, 0, 42);
    assert_eq!(state(&[first, news(400, PROBED, 5)]), (5, false));
    assert_eq!(state(&[first, news(400, PROBED, 5), news(429, NONE, 6)]), (5, false));
    assert_eq!(state(&[first, news(400, PROBED, 5), news(401, ECN, 6)]), (32_767, true));
    assert_eq!(state(&[first, news(400, ECN, 5), news(401, PROBED, 6)]), (6, false), "it does not wait any more");
    assert_eq!(state(&[first, news(400, BOTH, 5)]), (5, true), "the burst, and it waits");
    assert_eq!(state(&[first, news(400, ECN, 5), news(429, BOTH, 6)]), (6, true));
    assert_eq!(state(&[first, news(400, BOTH, 5), news(401, ECN, 6)]), (32_767, true));
    for rate in [1 << 24, 0xFFFF_FFFF] {
        assert_eq!(state(&[first, news(429, BOTH, rate)]), (MOST, true));
    }
}

/// V12 and V13: with both the VP waits from then on.
#[test]
fn v13_a_burst_with_a_mark_is_repeated() {
    let calls = |kind| {
        let settings = Settings { explore: 10, burst: 1, ..SETTINGS };
        let events = [news(397, kind, 9), count(480, 0, 1), (500, Event::Request(0))];
        run_with(settings, &[MOST], &events).bursts
    };
    assert_eq!([NONE, ECN, PROBED, BOTH].map(calls), [0, 1, 0, 1]);
}

#[test]
fn v13_calls() {
    // As told by bursts of one packet; a request behind each report.
    let calls = |explore, units: &[u64]| {
        let mut events = vec![ecn(397, 0, 1)];
        for unit in units {
            events.extend([count(397 + 8 * unit, 0, 1), (397 + 8 * unit + 16, Event::Request(0))]);
        }
        let answer = run_with(Settings { explore, burst: 1, ..SETTINGS }, &[MOST, MOST], &events);
        column(&answer, |grant| grant.burst)
    };
    assert_eq!(calls(4, &[2, 3, 4, 5, 6, 8, 10, 12]), [0, 0, 1, 0, 0, 2, 0, 3], "one every four units");
    assert_eq!(calls(5, &[4, 6, 9, 11]), [0, 1, 0, 2]);
    assert_eq!(calls(0xF_FFFF, &[4, 6, 10, 11]), [0; 4]);
    // T below 2 is no update.
    assert_eq!(calls(0, &[1, 2, 3, 4]), [0, 1, 0, 2]);
}
