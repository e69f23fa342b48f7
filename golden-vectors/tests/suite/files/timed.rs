// SPDX-License-Identifier: MIT OR Apache-2.0
//! The committed timed vectors: consistent, what the oracle says, and complete in what they cover.

use golden_vectors::transmit::entropy_selector;
use golden_vectors::transmit::entropy_selector::oracle::{
    Command, Ev, Event, Grant, Kind, Op, Settings, SettingsPorts, Shape, answer,
};
use golden_vectors::{Outcome, TimedCase, TimedFile, TimedGroup, VectorError, Vectors};
use std::collections::{BTreeMap, BTreeSet};
use tier::pick;

fn committed() -> TimedFile {
    TimedFile::embedded_stage("entropy_selector").unwrap().unwrap()
}

#[test]
fn file_reads_back_as_it_was_made() {
    assert_eq!(committed(), entropy_selector::vectors());
    let stages: Vec<_> = Vectors::embedded().unwrap().iter().map(|file| file.stage().to_owned()).collect();
    let frames = ["header_parser", "icrc", "icrc_insert", "header_builder"];
    let timed = [
        "entropy_selector",
        "path_scheduler",
        "elab_scheduler",
        "elab_feedback",
        "frame_gate",
        "context_lookup",
        "reorder",
        "reorder",
        "ack_generator",
        "ccc_table",
        "packet_tracker",
        "credit_pacer",
        "lia_router",
    ];
    let blocks = ["fifo", "skid_buffer", "arbiter"];
    assert_eq!(stages, [frames.as_slice(), &timed, &blocks, &["mark_monitor"]].concat());
}

/// The settings by their ports.
fn settings(value: impl Fn(&str) -> u64) -> SettingsPorts {
    let values = Settings {
        rtt: value("settings_rtt"),
        saturation: value("settings_saturation"),
        seed: value("settings_seed"),
        explore: value("settings_explore"),
        freeze: value("settings_freeze"),
        idle: value("settings_idle"),
        reroute: value("settings_reroute"),
    };
    SettingsPorts { valid: value("settings_valid") == 1, pipeline: value("pipeline"), values }
}

/// A row of the stream `command`.
fn command(row: &[u64]) -> Command {
    let &[_, op, ccc, start, fixed, stride, mode, rod, space, class] = row else {
        panic!("{row:?}");
    };
    Command { op: Op::of(op), ccc, start, fixed: fixed == 1, stride, mode, rod: rod == 1, space, class }
}

/// The events of a case as they stand in the file.
fn events(group: &TimedGroup, case: &TimedCase) -> (Shape, SettingsPorts, Vec<(u64, Event)>) {
    let value = |name: &str| group.configuration[name];
    let shape = Shape::new(value("cccs"), value("evs")).modes(value("modes")).ram_latency(value("ram_latency"));
    let shape = shape.ports(value("ports")).wire(value("wire_base"), value("wire_range"));
    let first = settings(|port| group.settings[port]);
    let stands = |port: &str, at: u64| {
        let changes = case.settings.get(port).into_iter().flatten();
        changes.rev().find(|&&(from, _)| from <= at).map_or(group.settings[port], |&(_, value)| value)
    };
    let mut events = Vec::new();
    let cycles: BTreeSet<u64> = case.settings.values().flatten().map(|&(at, _)| at).collect();
    for at in cycles {
        events.push((at, Event::Settings(settings(|port| stands(port, at)))));
    }
    events.extend(case.inputs["request"].iter().map(|row| (row[0], Event::Request(row[1], row[2]))));
    let told = |row: &Vec<u64>| Event::Feedback(row[1], Ev::Wire(row[2]), Kind::of(row[3]));
    events.extend(case.inputs["feedback"].iter().map(|row| (row[0], told(row))));
    events.extend(case.inputs["reroute"].iter().map(|row| (row[0], Event::Reroute(row[1]))));
    events.extend(case.inputs["command"].iter().map(|row| (row[0], Event::Command(command(row)))));
    events.sort_by_key(|&(cycle, _)| cycle);
    (shape, first, events)
}

#[test]
fn expectations_are_the_oracle_s() {
    let file = committed();
    for group in &file.groups {
        for case in &group.tests {
            let (shape, first, events) = events(group, case);
            let answer = answer(shape, first, &events);
            let grant = |g: &Grant| {
                vec![g.cycle, g.ccc, g.open.into(), g.blocked.into(), g.ev, g.saturated.into(), g.port] //
            };
            let grants: Vec<_> = answer.grants.iter().map(grant).collect();
            let responses: Vec<_> = answer
                .responses
                .iter()
                .map(|r| {
                    let (op, done, open) = (r.op.code(), r.done.into(), r.open.into());
                    vec![r.cycle, op, r.ccc, done, open, r.last, r.marked, r.mode, r.space, r.class]
                })
                .collect();
            assert_eq!(case.expect.outputs["grant"], grants, "{}", case.id);
            assert_eq!(case.expect.outputs["response"], responses, "{}", case.id);
            let counters = ["refused_requests", "blocked_requests", "feedback_closed", "feedback_range"];
            let expected =
                [answer.refused_requests, answer.blocked_requests, answer.feedback_closed, answer.feedback_range];
            assert_eq!(counters.map(|counter| case.expect.counters[counter]), expected, "{}", case.id);
        }
    }
}

#[test]
fn a_third_of_the_cases_and_more_must_refuse_something() {
    let file = committed();
    let invalid = file.cases().filter(|case| case.result == Outcome::Invalid).count();
    assert!(invalid * 3 >= file.number_of_tests, "{invalid} of {}", file.number_of_tests);
}

#[test]
fn every_row_and_every_flag_occurs() {
    let file = committed();
    let mut rows = BTreeMap::new();
    for row in file.cases().flat_map(|case| &case.rows) {
        *rows.entry(row.clone()).or_insert(0) += 1;
    }
    let tables = [("S", 24), ("O", 2), ("N", 6), ("P", 7), ("X", 2), ("K", 5)];
    let of_stage = tables.iter().flat_map(|(table, last)| (1..=*last).map(move |row| format!("{table}{row}")));
    for row in of_stage.chain(file.provenance.rows.iter().cloned()) {
        assert!(rows.get(&row).is_some_and(|&count| count >= 5), "{row}: {rows:?}");
    }
    let flags: BTreeSet<_> = file.cases().flat_map(|case| &case.flags).collect();
    assert_eq!(flags, file.notes.keys().collect());
}

#[test]
fn answers_take_every_value() {
    let file = committed();
    let mut seen: BTreeMap<(u64, &str, usize), BTreeSet<u64>> = BTreeMap::new();
    for group in &file.groups {
        for (stream, rows) in group.tests.iter().flat_map(|case| &case.expect.outputs) {
            for row in rows {
                for (column, &value) in row.iter().enumerate().skip(1) {
                    seen.entry((group.configuration["evs"], stream, column)).or_default().insert(value);
                }
            }
        }
    }
    for evs in [16, 32, 64, 128, 256, 1024] {
        let granted: BTreeSet<_> = seen[&(evs, "grant", 4)].iter().filter(|&&ev| ev != 0).map(|ev| ev % evs).collect();
        assert_eq!(granted, (0..evs).collect(), "every EV of {evs} is granted");
        for (stream, column, values) in [("grant", 2, 2), ("grant", 5, 2), ("response", 3, 2), ("response", 4, 2)] {
            assert_eq!(seen[&(evs, stream, column)].len(), values, "{evs} {stream} {column}");
        }
        assert!(seen[&(evs, "response", 6)].len() >= 5, "numbers of marks that a read gives");
    }
    for evs in [16, 256] {
        assert_eq!(seen[&(evs, "grant", 3)].len(), 2, "blocked or not");
        assert_eq!(seen[&(evs, "response", 7)], (0..7).collect(), "modes that a read gives");
    }
    assert_eq!(seen[&(16, "response", 1)], (0..8).collect(), "operations and codes that are none");
    assert_eq!(seen[&(16, "response", 9)], (0..8).collect(), "RTT classes that a read gives");
}

/// Of which modes CCCs are opened.
fn opened<'a>(groups: impl IntoIterator<Item = &'a TimedGroup>) -> BTreeMap<u64, BTreeSet<u64>> {
    let mut opened: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for group in groups {
        for case in &group.tests {
            let done = case.expect.outputs["response"].iter().map(|row| row[1] == 1 && row[3] == 1);
            let done = case.inputs["command"].iter().zip(done).filter(|(_, done)| *done).map(|(row, _)| row[6]);
            opened.entry(group.configuration["modes"]).or_default().extend(done);
        }
    }
    opened
}

fn bits(modes: u64) -> BTreeSet<u64> {
    (0..7).filter(|mode| modes >> mode & 1 == 1).collect()
}

#[test]
fn stages_with_all_modes_with_some_and_with_one_open_what_they_have() {
    let opened = opened(&committed().groups);
    assert_eq!(opened.keys().copied().collect::<Vec<_>>(), [1, 3, 8, 18, 32, 64, 127]);
    assert!(opened.iter().all(|(&modes, seen)| *seen == bits(modes)), "{opened:?}");
}

#[test]
fn load_for_any_size_mixes_the_modes_of_the_stage() {
    for (cccs, evs, latency) in pick([(1, 16, 1), (2, 64, 3), (100, 256, 2)], 1) {
        for modes in [1, 2, 18, 32, 40, 64, 127] {
            let groups = entropy_selector::load_vectors(Shape::new(cccs, evs).ram_latency(latency).modes(modes));
            assert_eq!(opened(&groups), [(modes, bits(modes))].into(), "{cccs}");
            let mut file = committed();
            file.number_of_tests = groups.iter().map(|group| group.tests.len()).sum();
            file.groups = groups;
            file.check().unwrap();
        }
    }
}

/// S24: the settings after reset act, each of them, though `settings_valid` is 0 throughout.
#[test]
fn s24_vectors_of_any_size_test_the_settings_after_reset() {
    let few = Settings { freeze: 20, rtt: 100, ..Settings::DEFAULT };
    let defaults = |settings: Settings| {
        let shape = Shape::new(4, 64).modes(127).settings(settings);
        let groups = entropy_selector::load_vectors(shape);
        let group = groups.into_iter().find(|group| group.name.starts_with("defaults-")).unwrap();
        assert_eq!(group.settings["settings_valid"], 0);
        assert!(group.tests.iter().all(|test| !test.settings.contains_key("settings_valid")));
        group
    };
    let expected = defaults(few);
    let others = [
        Settings { rtt: few.rtt + 1, ..few },
        Settings { saturation: few.saturation - 1, ..few },
        Settings { saturation: few.saturation + 8, ..few },
        Settings { seed: few.seed ^ (1 << 29), ..few },
        Settings { explore: few.explore + 1, ..few },
        Settings { freeze: few.freeze + 1, ..few },
        Settings { idle: few.idle + 1, ..few },
        Settings { reroute: few.reroute - 1, ..few },
    ];
    for other in others {
        // The same inputs on a stage with other settings.
        let shape = Shape::new(4, 64).modes(127).settings(other);
        let differs = expected.tests.iter().any(|test| {
            let (_, first, events) = events(&expected, test);
            let answer = answer(shape, first, &events);
            let grants: Vec<_> = answer.grants.iter().map(|grant| [grant.ev, grant.saturated.into()]).collect();
            let expected: Vec<_> = test.expect.outputs["grant"].iter().map(|row| [row[4], row[5]]).collect();
            grants != expected
        });
        assert!(differs, "{other:?}");
    }
}

#[test]
fn schema_file_is_named_and_asks_for_the_same_members() {
    let text = include_str!("../../../schemas/mpnic-timed-vectors-v1.schema.json");
    let schema: serde_json::Value = serde_json::from_str(text).unwrap();
    assert!(schema["$id"].as_str().unwrap().ends_with("mpnic-timed-vectors-v1.schema.json"));
    assert_eq!(committed().schema.name, "mpnic-timed-vectors-v1");
    let file = serde_json::to_value(committed()).unwrap();
    let members = |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    let group = &file["groups"][0];
    assert_eq!(members(&file), members(&schema["properties"]));
    assert_eq!(members(group), members(&schema["$defs"]["group"]["properties"]));
    let tests = file["groups"].as_array().unwrap().iter().flat_map(|group| group["tests"].as_array().unwrap());
    let all: BTreeSet<_> = tests.flat_map(&members).collect();
    let test = &schema["$defs"]["test"]["properties"];
    assert_eq!(all, members(test));
    assert_eq!(members(&group["tests"][0]["expect"]), members(&test["expect"]["properties"]));
}

#[test]
fn a_broken_file_is_told_from_a_good_one() {
    let broken = |change: fn(&mut TimedFile)| {
        let mut file = committed();
        change(&mut file);
        file.check().unwrap_err()
    };
    fn request(file: &mut TimedFile) -> &mut Vec<Vec<u64>> {
        file.groups[0].tests[0].inputs.get_mut("request").unwrap()
    }
    assert!(matches!(broken(|file| file.schema.name = "mpnic-vectors-v1".into()), VectorError::Schema { .. }));
    assert!(matches!(broken(|file| file.number_of_tests += 1), VectorError::Count { .. }));
    assert!(matches!(
        broken(|file| file.groups[1].tests[0].id = file.groups[0].tests[0].id.clone()),
        VectorError::DuplicateId(_)
    ));
    assert!(matches!(broken(|file| file.notes.clear()), VectorError::UnexplainedFlag { .. }));
    assert!(matches!(broken(|file| file.groups[0].inputs.clear()), VectorError::Port { .. }));
    assert!(matches!(broken(|file| file.groups[0].widths.clear()), VectorError::Port { .. }));
    assert!(matches!(
        broken(|file| file.groups[0].widths.values_mut().for_each(|width| *width = 65)),
        VectorError::Width { .. }
    ));
    assert!(matches!(broken(|file| request(file)[0].push(0)), VectorError::Row { row: 0, .. }));
    assert!(matches!(broken(|file| request(file)[1][0] = 0), VectorError::Row { row: 1, .. }));
    assert!(matches!(broken(|file| request(file)[2][1] = 2), VectorError::Row { row: 2, .. }));
    assert!(matches!(broken(|file| file.groups[0].tests[0].cycles = 10), VectorError::Row { .. }));
    assert!(matches!(
        broken(|file| file.groups[0].tests[0].expect.counters.values_mut().for_each(|count| *count = 1 << 32)),
        VectorError::Row { .. }
    ));
    assert!(matches!(
        broken(|file| file.groups[0].tests[0].expect.levels.values_mut().for_each(|spans| spans[0] = [5, 4, 0])),
        VectorError::Row { .. }
    ));
    assert!(matches!(Vectors::from_json("x", "{}"), Err(VectorError::Json { .. })));
    assert!(matches!(Vectors::load("no/such/file"), Err(VectorError::Read { .. })));
}
