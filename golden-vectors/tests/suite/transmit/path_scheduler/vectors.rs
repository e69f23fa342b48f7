// SPDX-License-Identifier: MIT OR Apache-2.0
//! The committed vectors: consistent, what the oracle says, and complete in what they cover.

use golden_vectors::transmit::path_scheduler;
use golden_vectors::transmit::path_scheduler::oracle::{
    Command,
    Entropy,
    Event,
    Feedback,
    Packet,
    Report,
    Request,
    Settings,
    Shape,
    answer, //
};
use golden_vectors::{Outcome, TimedCase, TimedFile, TimedGroup};
use std::collections::{BTreeMap, BTreeSet};

fn committed() -> TimedFile {
    TimedFile::embedded_stage("path_scheduler").unwrap().unwrap()
}

#[test]
fn file_reads_back_as_it_was_made() {
    assert_eq!(committed(), path_scheduler::vectors());
}

/// The settings by their ports.
fn settings(value: impl Fn(&str) -> u64) -> Option<Settings> {
    let value = |name: &str| value(&format!("settings_{name}"));
    let settings = Settings {
        flowlet: value("flowlet"),
        raise: value("raise"),
        fail: value("fail"),
        fail_time: value("fail_time"),
        wait: value("wait") == 1,
        migrate: value("migrate"),
        window: value("window"),
        initial: value("initial"),
        rtt: value("rtt"),
        delay: value("delay"),
    };
    (value("valid") == 1).then_some(settings)
}

/// The size that a group has.
fn shape(group: &TimedGroup) -> Shape {
    let value = |name: &str| group.configuration[name];
    let entropy = [Entropy::Xor, Entropy::Table][value("entropy") as usize];
    let shape = Shape::new(value("qps"), value("paths")).ram_latency(value("ram_latency")).entropy(entropy);
    shape.weight_bits(value("weight_bits")).in_flight_bits(value("in_flight_bits"))
}

/// The events of a case as they stand in the file.
fn events(group: &TimedGroup, case: &TimedCase) -> (Shape, Option<Settings>, Vec<(u64, Event)>) {
    let first = settings(|port| group.settings[port]);
    let stands = |port: &str, at: u64| {
        let changes = case.settings.get(port).into_iter().flatten();
        changes.rev().find(|&&(from, _)| from <= at).map_or(group.settings[port], |&(_, value)| value)
    };
    let mut events = Vec::new();
    let cycles: BTreeSet<u64> = case.settings.values().flatten().map(|&(at, _)| at).collect();
    events.extend(cycles.into_iter().map(|at| (at, Event::Settings(settings(|port| stands(port, at))))));
    let ready = case.settings.get("event_ready").into_iter().flatten();
    events.extend(ready.map(|&(at, level)| (at, Event::Ready(level == 1))));
    events.extend(case.inputs["request"].iter().map(|row| {
        let request = Request { qp: row[1], kind: Packet::ALL[row[2] as usize], path: row[3] };
        (row[0], Event::Request(request))
    }));
    events.extend(case.inputs["feedback"].iter().map(|row| {
        let [cycle, qp, path, kind, rtt, bandwidth] = row[..] else { panic!("{row:?}") };
        (cycle, Event::Feedback(Feedback { qp, path, kind, rtt, bandwidth }))
    }));
    events.extend(case.inputs["command"].iter().map(|row| {
        let [cycle, op, qp, path, psn, entropy, mode, flowlet, weight, force] = row[..] else { panic!("{row:?}") };
        (cycle, Event::Command(Command { op, qp, path, psn, entropy, mode, flowlet, weight, force: force == 1 }))
    }));
    events.sort_by_key(|&(cycle, _)| cycle);
    (shape(group), first, events)
}

/// The rows of events: one in each cycle in which it is valid.
fn standing(reports: &[Report], cycles: u64) -> Vec<Vec<u64>> {
    let mut rows = Vec::new();
    for report in reports {
        let causes = report.causes;
        let flags = [report.more, causes.failed, causes.all_failed, causes.congested, causes.saturated];
        for cycle in report.cycle..report.last.map_or(cycles, |last| cycles.min(last + 1)) {
            rows.push([cycle, report.qp, report.path].into_iter().chain(flags.map(u64::from)).collect());
        }
    }
    rows
}

#[test]
fn expectations_are_the_oracle_s() {
    let file = committed();
    for group in &file.groups {
        for case in &group.tests {
            let (shape, first, events) = events(group, case);
            let answer = answer(shape, first, &events);
            let grants: Vec<_> = answer
                .grants
                .iter()
                .map(|g| vec![g.cycle, g.qp, g.ok as u64, g.path, g.entropy, g.psn, g.flags, g.flowlet, g.tag])
                .collect();
            assert_eq!(case.expect.outputs["grant"], grants, "{}", case.id);
            let responses: Vec<_> = answer
                .responses
                .iter()
                .map(|r| {
                    let mode = r.mode.map_or(0, |mode| mode as u64);
                    let operation = [r.cycle, r.op, r.qp, r.path, r.done as u64, r.open as u64, mode];
                    let flags = [r.congested, r.avoided, r.full].map(u64::from);
                    let state =
                        [r.state as u64, r.weight, r.limit].into_iter().chain(flags).chain([r.in_flight, r.window]);
                    operation.into_iter().chain(state).collect::<Vec<_>>()
                })
                .collect();
            assert_eq!(case.expect.outputs["response"], responses, "{}", case.id);
            assert_eq!(case.expect.outputs["event"], standing(&answer.reports, case.cycles), "{}", case.id);
            // Every operation of a case stands where it is accepted.
            assert_eq!(responses.len(), case.inputs["command"].len(), "{}", case.id);
            let counters = [
                ("refused_requests", answer.refused_requests),
                ("no_path_requests", answer.no_path_requests),
                ("full_requests", answer.full_requests),
                ("feedback_closed", answer.feedback_closed),
                ("feedback_range", answer.feedback_range),
                ("feedback_absent", answer.feedback_absent),
            ];
            assert_eq!(case.expect.counters, counters.map(|(name, n)| (name.to_owned(), n)).into(), "{}", case.id);
        }
    }
}

/// T16 and T18, from the inputs alone: which of the three are 1 in which cycle.
#[test]
fn levels_are_known_in_every_cycle() {
    let file = committed();
    for (group, case) in file.groups.iter().flat_map(|group| group.tests.iter().map(move |case| (group, case))) {
        let sweep = group.configuration["qps"] * group.configuration["paths"];
        let wait = 3 * group.configuration["ram_latency"] + 8;
        let mut expected = BTreeMap::from([("busy", vec![]), ("command_ready", vec![]), ("feedback_ready", vec![])]);
        for cycle in 0..case.cycles {
            let since = |row: &&Vec<u64>| row[0] < cycle && cycle <= row[0] + wait;
            let last = case.inputs["command"].iter().rfind(since).map(|row| row[0]);
            let swept = cycle >= sweep;
            let values = [!swept, swept && last.is_none(), swept && last.is_none_or(|at| at + 1 != cycle)];
            expected.values_mut().zip(values).for_each(|(levels, value)| levels.push(u64::from(value)));
        }
        for (port, expected) in expected {
            let spans = case.expect.levels[port].iter();
            let levels: Vec<u64> = spans.flat_map(|&[first, last, value]| (first..=last).map(move |_| value)).collect();
            assert_eq!(levels, expected, "{} {port}", case.id);
            for row in case.inputs.get(port.trim_end_matches("_ready")).into_iter().flatten() {
                assert_eq!(levels[row[0] as usize], 1, "{} {port}", case.id);
            }
        }
    }
}

#[test]
fn two_in_five_cases_must_refuse_something() {
    let file = committed();
    let invalid = file.cases().filter(|case| case.result == Outcome::Invalid).count();
    assert!(invalid * 5 >= file.number_of_tests * 2, "{invalid} of {}", file.number_of_tests);
}

#[test]
fn every_row_and_every_flag_occurs() {
    let file = committed();
    let mut rows = BTreeMap::new();
    for row in file.cases().flat_map(|case| &case.rows) {
        *rows.entry(row.clone()).or_insert(0) += 1;
    }
    let of_stage = (1..=28).map(|row| format!("T{row}"));
    for row in of_stage.chain(file.provenance.rows.iter().cloned()) {
        assert!(rows.get(&row).is_some_and(|&count| count >= 3), "{row}: {rows:?}");
    }
    let flags: BTreeSet<_> = file.cases().flat_map(|case| &case.flags).collect();
    assert_eq!(flags, file.notes.keys().collect());
}

/// The values of a column of an output stream, over all sizes.
fn values(file: &TimedFile, stream: &str, column: &str) -> BTreeSet<u64> {
    let mut values = BTreeSet::new();
    for group in &file.groups {
        let at = 1 + group.outputs[stream].iter().position(|known| known.name == column).unwrap();
        values.extend(group.tests.iter().flat_map(|case| &case.expect.outputs[stream]).map(|row| row[at]));
    }
    values
}

#[test]
fn answers_take_every_value() {
    let file = committed();
    let all = |count: u64| (0..count).collect::<BTreeSet<_>>();
    assert_eq!(values(&file, "response", "state"), all(6));
    assert!(values(&file, "response", "weight").is_superset(&all(17)));
    assert!(values(&file, "response", "limit").is_superset(&all(16)));
    for bit in ["congested", "avoided", "full"] {
        assert_eq!(values(&file, "response", bit), all(2), "{bit}");
    }
    for bit in ["more", "failed", "all_failed", "congested", "saturated"] {
        assert_eq!(values(&file, "event", bit), all(2), "{bit}");
    }
    assert_eq!(values(&file, "event", "qp"), all(16));
    assert_eq!(values(&file, "response", "granularity"), all(4));
    let flags = values(&file, "grant", "flags");
    // F without S is the first packet, or the same sub-path once more.
    assert!([0, 1, 2, 3, 4, 8, 9, 10, 11].iter().all(|flag| flags.contains(flag)), "{flags:?}");
    let tags = values(&file, "grant", "tag");
    assert!((1..16).all(|weight| tags.contains(&(weight << 2))), "{tags:?}");
    assert!((1..3).all(|mode| tags.iter().filter(|&&tag| tag & 3 == mode).count() >= 8), "{tags:?}");
    let done = |done: u64| {
        let rows = file.cases().flat_map(|case| &case.expect.outputs["response"]).filter(move |row| row[4] == done);
        rows.map(|row| row[1]).collect::<BTreeSet<_>>()
    };
    let paths = values(&file, "grant", "path");
    assert_eq!(paths, all(64));
    assert_eq!(done(1), all(13));
    assert!((0..14).chain([15]).all(|op| done(0).contains(&op)), "{:?}", done(0));
}

/// The group `reset` has a case for each setting, in which another value after reset would be seen.
#[test]
fn settings_after_reset_act() {
    let (window, initial) = (5, 0);
    let reset = Settings {
        flowlet: 3,
        raise: 2,
        fail: 2,
        fail_time: 1,
        wait: true,
        migrate: 2,
        window,
        initial,
        rtt: 2,
        delay: 9,
    };
    for reset in [reset, Settings::DEFAULT] {
        let Settings { flowlet, raise, fail, fail_time, wait, migrate, window, initial, rtt, delay } = reset;
        let groups = path_scheduler::load_vectors(Shape::new(2, 4).reset(reset));
        let group = groups.iter().find(|group| group.name.starts_with("reset-")).unwrap();
        assert!(group.tests.iter().all(|case| group.settings["settings_valid"] == 0 && case.settings.is_empty()));
        for (name, other) in [
            ("flowlet", Settings { flowlet: flowlet + 1, ..reset }),
            ("raise", Settings { raise: raise + 1, ..reset }),
            ("raise", Settings { raise: raise - 1, ..reset }),
            ("fail", Settings { fail: fail + 1, ..reset }),
            ("fail", Settings { fail: fail - 1, ..reset }),
            ("fail_time", Settings { fail_time: fail_time + 1, ..reset }),
            ("fail_time", Settings { fail_time: fail_time - 1, ..reset }),
            ("wait", Settings { wait: !wait, ..reset }),
            ("migrate", Settings { migrate: migrate + 1, ..reset }),
            ("window", Settings { window: window + 1, ..reset }),
            ("window", Settings { window: window - 1, ..reset }),
            ("initial", Settings { initial: initial + 1, ..reset }),
            ("rtt", Settings { rtt: rtt + 1, ..reset }),
            ("rtt", Settings { rtt: rtt - 1, ..reset }),
            ("delay", Settings { delay: delay + 1, ..reset }),
            ("delay", Settings { delay: delay - 1, ..reset }),
        ] {
            let seen = group.tests.iter().any(|case| {
                let (shape, first, events) = events(group, case);
                answer(shape.reset(reset), first, &events) != answer(shape.reset(other), first, &events)
            });
            assert!(seen, "{name}: {other:?}");
        }
    }
}

#[test]
fn load_for_any_size() {
    for (qps, paths, latency) in [(1, 2, 1), (3, 16, 2), (64, 64, 3)] {
        let groups = path_scheduler::load_vectors(Shape::new(qps, paths).ram_latency(latency));
        let mut file = committed();
        file.number_of_tests = groups.iter().map(|group| group.tests.len()).sum();
        file.groups = groups;
        file.check().unwrap();
    }
}
