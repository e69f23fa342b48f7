// SPDX-License-Identifier: MIT OR Apache-2.0
//! The committed vectors: consistent, what the oracle says at every pace, and complete in what they cover.

use super::recorded::same_at_every_pace;
use golden_vectors::receive::reorder::oracle::{Settings, Shape};
use golden_vectors::receive::reorder::{load_vectors, vectors};
use golden_vectors::{Outcome, TimedFile};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

static FILE: LazyLock<TimedFile> = LazyLock::new(vectors);

#[test]
fn file_reads_back_as_it_was_made() {
    assert!(TimedFile::embedded_stage("reorder").unwrap().unwrap() == *FILE);
}

/// What the contract leaves open changes nothing: each case has one answer only.
#[test]
fn answers_are_the_same_at_every_pace() {
    assert_eq!(same_at_every_pace(&FILE), FILE.number_of_tests);
}

#[test]
fn two_in_five_cases_must_refuse_something() {
    let invalid = FILE.cases().filter(|case| case.result == Outcome::Invalid).count();
    assert!(invalid * 5 >= FILE.number_of_tests * 2, "{invalid} of {}", FILE.number_of_tests);
}

#[test]
fn every_row_and_every_flag_occurs() {
    let mut rows = BTreeMap::new();
    for row in FILE.cases().flat_map(|case| &case.rows) {
        *rows.entry(row.clone()).or_insert(0) += 1;
    }
    for row in (1..=21).map(|row| format!("R{row}")).chain(FILE.provenance.rows.iter().cloned()) {
        assert!(rows.get(&row).is_some_and(|&count| count >= 3), "{row}: {rows:?}");
    }
    let flags: BTreeSet<_> = FILE.cases().flat_map(|case| &case.flags).collect();
    assert_eq!(flags, FILE.notes.keys().collect());
}

/// The values of a column of an output stream, over all sizes.
fn values(stream: &str, column: &str) -> BTreeSet<u64> {
    let mut values = BTreeSet::new();
    for group in &FILE.groups {
        let at = 1 + group.outputs[stream].iter().position(|known| known.name == column).unwrap();
        values.extend(group.tests.iter().flat_map(|case| &case.expect.outputs[stream]).map(|row| row[at]));
    }
    values
}

#[test]
fn outputs_take_every_value() {
    let all = |count: u64| (0..count).collect::<BTreeSet<_>>();
    assert_eq!(values("answer", "outcome"), all(8));
    for (stream, column) in [
        ("answer", "late"),
        ("answer", "suspected"),
        ("event", "by_span"),
        ("event", "by_time"),
        ("response", "done"),
        ("response", "open"),
        ("response", "draining"),
    ] {
        assert_eq!(values(stream, column), all(2), "{stream} {column}");
    }
    assert_eq!(values("response", "op"), all(4));
    assert!(values("answer", "held").is_superset(&all(1024)));
    assert_eq!(values("delivery", "connection"), all(32));
    assert_eq!(values("event", "connection"), all(32));
    assert!(values("answer", "flags").len() > 128);
    assert!(values("response", "duration").len() > 5 && values("response", "path_time").len() > 20);
}

/// Events in the file are in its order, each fits in its ports, and the same traffic can be made for other sizes.
#[test]
fn load_for_any_size() {
    let reset = Settings { span: 5, time: 3 };
    let shapes = [
        Shape::new(2, 64).paths(2).ram_latency(3),
        Shape::new(16, 128).paths(16).psn_bits(32).handle_bits(64).ram_latency(1),
        Shape::new(2, 1024).handle_bits(1).reset(reset),
    ];
    for shape in shapes {
        let file = FILE.with(load_vectors(shape));
        file.check().unwrap();
        for case in file.groups.iter().filter(|group| group.name.starts_with("reset-")).flat_map(|group| &group.tests) {
            let reported = !case.expect.outputs["event"].is_empty();
            assert_eq!(reported, !case.id.ends_with("span-0"), "{}", case.id);
        }
    }
}
