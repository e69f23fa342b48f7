// SPDX-License-Identifier: MIT OR Apache-2.0
//! W3 and W7 by hand-made examples; the arithmetic stands in `rates`.

use super::feedback_help::*;
use golden_vectors::elab::feedback::oracle::{Event, Settings, answer};

/// The rates that are reported, in queries behind packets in a row on VP 1.
fn rates(numbers: &[u64]) -> Vec<u64> {
    let events = [bursts(60, numbers), queries(61 + numbers.len() as u64 + 4, 2)].concat();
    let probed = reports(&events, |report| report.probed.then_some(report.rate));
    assert!(probed[1].is_none(), "a result is reported once");
    probed.into_iter().flatten().collect()
}

/// So many packets a cycle, in units of 200 cycles, with 16 bits behind the point.
const ALL: u64 = 200 << 16;

#[test]
fn w3_w7_by_numbers() {
    // Three packets are enough.
    assert_eq!(rates(&[7, 7]), [0; 0]);
    assert_eq!(rates(&[7, 7, 7]), [ALL]);
    assert_eq!(rates(&[7, 7, 7, 7, 0, 7]), [ALL]);
    // An interruption is enough behind two.
    assert_eq!(rates(&[7, 7, 0]), [ALL]);
    assert_eq!(rates(&[7, 7, 0, 0, 7, 0]), [ALL]);
    assert_eq!(rates(&[7, 0]), [0; 0]);
    assert_eq!(rates(&[7, 0, 7, 7, 7, 0]), [0; 0], "a burst of one packet is over");
    assert_eq!(rates(&[7, 0, 8, 8, 0]), [ALL]);
    // Another burst begins.
    assert_eq!(rates(&[7, 7, 7, 8]), [0; 0]);
    assert_eq!(rates(&[7, 7, 7, 8, 8, 7, 7, 7]), [ALL]);
    assert_eq!(rates(&[7, 8, 7, 8, 7, 8]), [0; 0]);
    assert_eq!(rates(&[0, 0, 0]), [0; 0]);
}

#[test]
fn w3_w7_spans() {
    // The first and the third packet of a burst so many cycles apart: p and m are those of V11.
    for (span, rate) in [(2, ALL), (3, 2 * ALL / 3), (4, ALL / 2), (400, ALL / 200), (1000, ALL / 500)] {
        let row = [60, 61, 60 + span].map(|at| arrival(at, 1, false, 9));
        let seen = reports(&[&row[..], &queries(70 + span, 1)].concat(), |report| (report.probed, report.rate));
        let (probed, is) = seen[0];
        assert!(probed && is <= rate + rate / 128 && is + 1 + rate / 65536 >= rate, "{span}: {is} for {rate}");
    }
    // 20 is 101 in binary behind the leading bit: m is 160, and floor(2^24 / 160) is 104857.
    let row = [60, 61, 80].map(|at| arrival(at, 1, false, 9));
    assert_eq!(reports(&[&row[..], &queries(90, 1)].concat(), |report| report.rate), [2 * 200 * 104_857 / 32]);
}

#[test]
fn w3_settings() {
    for (enough, packets, probed) in
        [(0, 1, false), (0, 2, true), (1, 2, true), (2, 2, true), (667, 666, false), (667, 667, true)]
    {
        let events = [bursts(60, &vec![5; packets]), queries(900, 1)].concat();
        assert_eq!(answer(SHAPE, Settings::new(enough), &events).reports[0].probed, probed, "{enough} {packets}");
    }
}

/// E16: half of what 100 Gb/s carry in 160 us are 667 packets, and up to 65535 are counted.
#[test]
fn w3_w11_long_bursts() {
    let seen = |settings: Settings, packets: usize| {
        let events = [bursts(60, &vec![5; packets]), queries(70_000, 1)].concat();
        let report = answer(SHAPE, settings, &events).reports[0];
        (report.probed, report.rate)
    };
    let reset = Settings::default();
    assert_eq!([666, 667].map(|packets| seen(reset, packets).0), [false, true], "without a setting");
    // A packet in each cycle, in 200 cycles per unit.
    let most = Settings::new(65_535);
    assert_eq!([65_534, 65_535].map(|packets| seen(most, packets).0), [false, true]);
    let rate = seen(most, 65_535).1;
    assert!((200 << 16..=(200 << 16) * 129 / 128).contains(&rate), "{rate}");
}

#[test]
fn w3_each_vp_by_itself() {
    let row = [
        arrival(60, 1, false, 7),
        arrival(61, 2, false, 7),
        arrival(62, 1, false, 7),
        packet(63, 2),
        arrival(64, 1, false, 7),
    ];
    let seen = reports(&[&row[..], &queries(70, 2)].concat(), |report| (report.vp - PORT, report.probed));
    assert_eq!(seen, [(1, true), (2, false)]);
    let other =
        [arrival(60, 1, false, 7), arrival(61, 1, false, 7), arrival(62, 9, false, 7), arrival(63, 9, false, 7)];
    assert_eq!(reports(&[&other[..], &queries(70, 1)].concat(), |report| report.probed), [false], "a new VP");
}

#[test]
fn w7_results_are_told_apart_modulo_256() {
    for (results, probed) in [(1, true), (255, true), (256, false), (257, true)] {
        let numbers: Vec<u64> = (1..=results).flat_map(|number| [number, number, number]).collect();
        let events: Vec<(u64, Event)> = [bursts(60, &numbers), queries(1000, 1)].concat();
        assert_eq!(reports(&events, |report| report.probed), [probed], "{results}");
    }
}
