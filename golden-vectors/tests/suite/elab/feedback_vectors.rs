// SPDX-License-Identifier: MIT OR Apache-2.0
//! The committed vectors of the receiving half: consistent, what the oracle says, and complete in what they cover.

use super::vectors_help::*;
use golden_vectors::elab::feedback;
use golden_vectors::elab::feedback::oracle::{Arrival, Event, Settings, Shape, answer, due};
use golden_vectors::{TimedCase, TimedFile, TimedGroup};

fn file() -> TimedFile {
    committed("elab_feedback")
}

#[test]
fn file_reads_back_as_it_was_made() {
    reads_back(feedback::vectors());
}

/// The events of a case as they stand in the file.
fn events(group: &TimedGroup, case: &TimedCase) -> (Shape, Settings, Vec<(u64, Event)>) {
    let [pairs, vps, unit, ram_latency] = ["pairs", "vps", "unit", "ram_latency"].map(|name| group.configuration[name]);
    let (cycles, stands) = settings(group, case);
    let all = |value: &dyn Fn(&str) -> u64| Settings {
        valid: value("settings_valid") == 1,
        burst: value("settings_burst"),
        report_time: value("settings_report_time"),
    };
    let mut events: Vec<_> =
        cycles.into_iter().map(|at| (at, Event::Settings(all(&|port: &str| stands(port, at))))).collect();
    let ready = case.settings.get("due_ready").into_iter().flatten();
    assert_eq!(group.settings["due_ready"], 1);
    events.extend(ready.map(|&(at, level)| (at, Event::DueReady(level == 1))));
    events.extend(case.inputs["arrival"].iter().map(|row| {
        let [cycle, pair, sport, ecn, burst] = row[..] else { panic!("{row:?}") };
        (cycle, Event::Arrival(Arrival { pair, sport, ecn: ecn == 1, burst }))
    }));
    events.extend(case.inputs["query"].iter().map(|row| (row[0], Event::Query(row[1]))));
    events.extend(case.inputs["command"].iter().map(|row| (row[0], Event::Command(row[1]))));
    events.sort_by_key(|&(cycle, _)| cycle);
    (Shape::new(pairs, vps, unit).ram_latency(ram_latency), all(&|port: &str| group.settings[port]), events)
}

#[test]
fn expectations_are_the_oracle_s() {
    for group in &file().groups {
        for case in &group.tests {
            let (shape, first, events) = events(group, case);
            let answer = answer(shape, first, &events);
            let report = |r: &golden_vectors::elab::feedback::oracle::Report| {
                vec![r.cycle, r.pair, r.ok as u64, r.vp, r.count, r.ecn as u64, r.probed as u64, r.rate]
            };
            let reports: Vec<_> = answer.reports.iter().map(report).collect();
            assert_eq!(case.expect.outputs["report"], reports, "{}", case.id);
            let due: Vec<_> =
                due(shape, first, &events, case.cycles).iter().map(|due| vec![due.cycle, due.pair]).collect();
            assert_eq!(case.expect.outputs["due"], due, "{}", case.id);
            let counters = [
                ("refused_arrivals", answer.refused_arrivals),
                ("refused_queries", answer.refused_queries),
                ("empty_queries", answer.empty_queries),
            ];
            assert_eq!(case.expect.counters, counters.map(|(name, n)| (name.to_owned(), n)).into(), "{}", case.id);
        }
    }
}

/// W8 and W9, from the inputs alone.
#[test]
fn levels_are_known_in_every_cycle() {
    levels(&file(), "arrival_ready", |_| 1);
}

#[test]
fn every_row_and_every_flag_occurs() {
    covers(&file(), "W", 14);
}

#[test]
fn answers_take_every_value() {
    let file = file();
    let vps = values(&file, "report", "vp");
    assert!((0..64).all(|vp| vps.iter().any(|port| port % 64 == vp)));
    for flag in ["ok", "ecn", "probed"] {
        assert_eq!(values(&file, "report", flag), [0, 1].into());
    }
    let counts = values(&file, "report", "count");
    assert!((0..12).chain([100]).all(|count| counts.contains(&count)), "{counts:?}");
    assert_eq!(values(&file, "due", "pair"), (0..30).collect());
    let rates = values(&file, "report", "rate");
    assert!(rates.len() > 150 && rates.contains(&0xFFFF_0000), "a packet in every cycle, with the longest unit");
    assert!((0..32).all(|bit| rates.iter().any(|rate| rate >> bit & 1 == 1)));
}

#[test]
fn load_for_any_size() {
    for (pairs, vps, unit, latency) in [(1, 2, 8, 1), (3, 16, 200, 2), (64, 64, 65_535, 3)] {
        consistent_with(file(), feedback::load_vectors(Shape::new(pairs, vps, unit).ram_latency(latency)));
    }
}

/// W11: the settings after reset act, though `settings_valid` is 0 throughout.
#[test]
fn w11_vectors_of_any_size_test_the_settings_after_reset() {
    let of = |burst, time| Shape::new(4, 8, 8).reset_to(Settings::new(burst).report_time(time));
    let reset = |shape: Shape| {
        let groups = feedback::load_vectors(shape);
        let group = groups.into_iter().find(|group| group.name.starts_with("reset-")).unwrap();
        assert_eq!(group.settings["settings_valid"], 0);
        group
    };
    let answers = |shape: Shape, group: &TimedGroup| {
        let all = group.tests.iter().map(|case| {
            let (_, first, events) = events(group, case);
            (answer(shape, first, &events).reports, due(shape, first, &events, case.cycles))
        });
        all.collect::<Vec<_>>()
    };
    // Visits are four cycles apart, so that 57 to 60 are the same.
    for (shape, others) in
        [(of(5, 60), vec![of(6, 60), of(4, 60), of(5, 56), of(5, 61), of(5, 0)]), (of(5, 0), vec![of(5, 31)])]
    {
        let group = reset(shape);
        for other in others {
            assert!(answers(other, &group) != answers(shape, &group), "{other:?}");
        }
    }
}
