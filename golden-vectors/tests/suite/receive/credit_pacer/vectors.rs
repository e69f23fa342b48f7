// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors: consistent, and complete in what they cover.

use super::FILE;
use super::replay::{answer, differs, expanded, shape};
use golden_vectors::receive::credit_pacer::load_vectors;
use golden_vectors::receive::credit_pacer::oracle::{Settings, Shape};
use golden_vectors::{Outcome, TimedFile};
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn file_reads_back_as_it_was_made() {
    FILE.check().unwrap();
    assert!(TimedFile::embedded_stage("credit_pacer").unwrap().unwrap() == *FILE);
}

/// The rows of the file are what the oracle is asked, and what it answers.
#[test]
fn expectations_are_the_oracle_s() {
    let file = TimedFile::embedded_stage("credit_pacer").unwrap().unwrap();
    for group in &file.groups {
        for case in &group.tests {
            assert_eq!(differs(case, &answer(group, case, shape(group))), None, "{}", case.id);
        }
    }
}

#[test]
fn one_case_in_three_must_refuse_something() {
    let invalid = FILE.cases().filter(|case| case.result == Outcome::Invalid).count();
    assert!(invalid * 3 >= FILE.number_of_tests, "{invalid} of {}", FILE.number_of_tests);
}

#[test]
fn every_row_and_every_flag_occurs() {
    let mut rows = BTreeMap::new();
    for row in FILE.cases().flat_map(|case| &case.rows) {
        *rows.entry(row.clone()).or_insert(0) += 1;
    }
    for row in (1..=12).map(|row| format!("PC{row}")).chain(FILE.provenance.rows.iter().cloned()) {
        assert!(rows.get(&row).is_some_and(|&count| count >= 9), "{row}: {rows:?}");
    }
    let flags: BTreeSet<_> = FILE.cases().flat_map(|case| &case.flags).collect();
    assert_eq!(flags, FILE.notes.keys().collect());
}

/// The values of some columns of a stream together, over all sizes.
fn values<const N: usize>(stream: &str, names: [&str; N]) -> BTreeSet<[u64; N]> {
    let mut values = BTreeSet::new();
    for group in &FILE.groups {
        let columns = group.outputs.get(stream).or_else(|| group.inputs.get(stream)).unwrap();
        let at = names.map(|name| 1 + columns.iter().position(|column| column.name == name).unwrap());
        let rows =
            group.tests.iter().flat_map(|case| case.expect.outputs.get(stream).unwrap_or_else(|| &case.inputs[stream]));
        values.extend(rows.map(|row| at.map(|at| row[at])));
    }
    values
}

/// Every command, done and not, that leaves a source in each state that it can leave.
#[test]
fn responses_have_every_state() {
    let states = values("response", ["op", "done", "open", "queued", "ahead"]);
    let mut expected = BTreeSet::new();
    for (op, done) in [(0, 1), (1, 0), (1, 1), (3, 0)] {
        expected.extend([(0, 0), (0, 1), (1, 0), (1, 1)].map(|(queued, ahead)| [op, done, 1, queued, ahead]));
    }
    // A closed source, and a number that is none; a close.
    expected.extend([
        [0, 0, 0, 0, 0],
        [0, 1, 0, 0, 0],
        [1, 0, 0, 0, 0],
        [2, 0, 0, 0, 0],
        [2, 1, 0, 0, 0],
        [3, 0, 0, 0, 0],
    ]);
    assert_eq!(states, expected);
}

#[test]
fn ports_take_every_value() {
    assert_eq!(values("grant", ["ahead"]), [[0], [1]].into());
    assert_eq!(values("demand", ["repeat"]), [[0], [1]].into());
    for (stream, column) in
        [("demand", "target"), ("command", "number"), ("response", "credit"), ("response", "target")]
    {
        let found: Vec<_> = values(stream, [column]).into_iter().flatten().collect();
        for bit in 0..24 {
            assert!(found.iter().any(|value| value >> bit & 1 == 1), "{stream} {column} {bit}");
            assert!(found.iter().any(|value| value >> bit & 1 == 0), "{stream} {column} {bit}");
        }
        assert!(found.contains(&0) && found.contains(&0xFF_FFFF), "{stream} {column}");
    }
    let quanta = values("grant", ["quanta", "ahead"]);
    for bit in 0..12 {
        for ahead in [0, 1] {
            assert!(quanta.contains(&[1 << bit, ahead]), "{bit} {ahead}");
        }
    }
    assert!(quanta.contains(&[4095, 0]) && quanta.contains(&[4095, 1]));
    // A number that is said again has not grown; it is never in advance.
    assert!(quanta.contains(&[0, 0]) && !quanta.contains(&[0, 1]));
    let again: Vec<_> = values("grant", ["quanta", "credit"]).into_iter().filter(|[quanta, _]| *quanta == 0).collect();
    for bit in 0..24 {
        assert!(again.iter().any(|[_, credit]| credit >> bit & 1 == 1), "{bit}");
        assert!(again.iter().any(|[_, credit]| credit >> bit & 1 == 0), "{bit}");
    }
    let credits: Vec<_> = values("grant", ["credit"]).into_iter().flatten().collect();
    assert!(credits.contains(&0) && credits.contains(&0xFF_FFFF));
    assert!((0..24).all(|bit| credits.iter().any(|value| value >> bit & 1 == 1)));
}

/// Every counter counts in every size, and nothing is under way at the end of a case, when counters are read.
#[test]
fn counters_count_and_are_read_when_all_is_quiet() {
    let mut counted = BTreeSet::new();
    let mut unfinished = 0;
    for group in &FILE.groups {
        for case in &group.tests {
            let size = &group.configuration;
            let counts = case.expect.counters.iter().filter(|(_, count)| **count > 1);
            counted.extend(counts.map(|(name, _)| (size.clone(), name.clone())));
            let answer = answer(group, case, shape(group));
            let &(last, out) = answer.last().unwrap();
            assert!(last + 64 < case.cycles, "{}: {last} of {}", case.id, case.cycles);
            // The next case begins with a reset while a grant is on the ports.
            unfinished += u64::from(out.grant.is_some());
        }
    }
    assert_eq!(counted.len(), 9 * 4, "{counted:?}");
    assert!(unfinished >= 20, "{unfinished}");
}

/// The same traffic can be made for other sizes, and for settings after reset that are not the defaults.
#[test]
fn load_for_any_size() {
    let reset = Settings { rate: 40_000, quota: 9, burst: 30, advance: 50 };
    let off = Settings { rate: 0, quota: 0, burst: 0, advance: 0 };
    let most = Settings { rate: (1 << 24) - 1, quota: 4095, burst: 4095, advance: (1 << 24) - 1 };
    let shapes = [
        Shape::new(1).ram_latency(3).reset(reset),
        Shape::new(2).ram_latency(1).reset(off),
        Shape::new(5).reset(most),
        Shape::new(1024),
        Shape::new(16384).ram_latency(3).reset(reset),
    ];
    for shape in shapes {
        let file = FILE.with(load_vectors(shape));
        file.check().unwrap();
        let granted = file.cases().filter(|case| case.expect.counters["credits"] > 20).count();
        assert!(granted >= 4, "{shape:?}: {granted}");
    }
}

/// PC11: a stage with other settings after reset does not pass, though `settings_valid` is 0 throughout: each of them
/// acts.
#[test]
fn pc11_vectors_of_any_size_test_the_settings_after_reset() {
    for reset in [Settings::DEFAULT, Settings { rate: 20_000, quota: 9, burst: 30, advance: 50 }] {
        let size = Shape::new(4);
        let groups = load_vectors(size.reset(reset));
        let group = groups.iter().find(|group| group.name.starts_with("defaults-")).unwrap();
        assert_eq!(group.settings["settings_valid"], 0);
        let case = &group.tests[0];
        assert!(case.settings.get("settings_valid").is_none_or(|changes| changes[0].0 + 150 > case.cycles));
        let outputs = |settings: Settings| {
            let answer = answer(group, case, size.reset(settings));
            let grants: Vec<_> = expanded(&answer, case.cycles, |out| out.grant).collect();
            (grants, expanded(&answer, case.cycles, |out| out.response).collect::<Vec<_>>())
        };
        for other in [
            Settings { rate: reset.rate + reset.rate / 100, ..reset },
            Settings { rate: reset.rate - reset.rate / 100, ..reset },
            Settings { quota: reset.quota + 1, ..reset },
            Settings { quota: reset.quota - 1, ..reset },
            Settings { burst: reset.burst + 1, ..reset },
            Settings { burst: reset.burst - 1, ..reset },
            Settings { advance: reset.advance + 1, ..reset },
            Settings { advance: reset.advance - 1, ..reset },
        ] {
            assert_ne!(outputs(reset), outputs(other), "{other:?}");
        }
    }
}
