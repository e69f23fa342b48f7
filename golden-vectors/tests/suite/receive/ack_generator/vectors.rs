// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors: consistent, and complete in what they cover.

use golden_vectors::receive::ack_generator::oracle::{Protocol, Settings, Shape};
use golden_vectors::receive::ack_generator::{load_vectors, vectors, wrap_vectors};
use golden_vectors::{Outcome, TimedFile};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

static FILE: LazyLock<TimedFile> = LazyLock::new(vectors);

#[test]
fn file_reads_back_as_it_was_made() {
    FILE.check().unwrap();
    assert!(TimedFile::embedded_stage("ack_generator").unwrap().unwrap() == *FILE);
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
    for row in (1..=26).map(|row| format!("G{row}")).chain(FILE.provenance.rows.iter().cloned()) {
        assert!(rows.get(&row).is_some_and(|&count| count >= 3), "{row}: {rows:?}");
    }
    let flags: BTreeSet<_> = FILE.cases().flat_map(|case| &case.flags).collect();
    assert_eq!(flags, FILE.notes.keys().collect());
}

/// The values of a column of an output stream, over all sizes of a protocol.
fn values(protocol: Protocol, stream: &str, column: &str) -> BTreeSet<u64> {
    let mut values = BTreeSet::new();
    for group in FILE.groups.iter().filter(|group| group.configuration["protocol"] == protocol as u64) {
        let at = 1 + group.outputs[stream].iter().position(|known| known.name == column).unwrap();
        values.extend(group.tests.iter().flat_map(|case| &case.expect.outputs[stream]).map(|row| row[at]));
    }
    values
}

#[test]
fn outputs_take_every_value() {
    use Protocol::{Roce, Uet};
    let all = |count: u64| (0..count).collect::<BTreeSet<_>>();
    let some = |values: &[u64]| values.iter().copied().collect::<BTreeSet<_>>();
    assert_eq!(values(Roce, "ack", "kind"), some(&[0, 2]));
    assert_eq!(values(Uet, "ack", "kind"), all(3));
    assert_eq!(values(Uet, "ack", "code"), some(&[0, 1, 2, 4, 7, 0x0B, 0x0E, 0x15, 0x1A]));
    assert_eq!(values(Roce, "ack", "flags"), all(8));
    let (mark, retx, probe) = (0x20, 0x10, 0x08);
    let flags = [0, mark, retx, mark | retx, probe, probe | mark, probe | retx, probe | mark | retx];
    assert_eq!(values(Uet, "ack", "flags"), some(&flags));
    assert!(values(Roce, "ack", "syndrome").is_superset(&some(&[0, 1, 2, 4, 8, 16, 31, 32, 33, 34, 36, 40, 48, 0x60])));
    for protocol in [Roce, Uet] {
        for column in ["done", "open", "draining"] {
            assert_eq!(values(protocol, "response", column), all(2), "{protocol:?} {column}");
        }
        assert_eq!(values(protocol, "response", "op"), all(4));
        assert_eq!(values(protocol, "ack", "connection"), all(32));
    }
    for column in ["multipath", "ecn"] {
        assert_eq!(values(Roce, "ack", column), all(2), "{column}");
    }
    for (column, least) in [("path", 200), ("tag", 100), ("flowlet", 300), ("msn", 60), ("psn", 500)] {
        assert!(values(Roce, "ack", column).len() > least, "{column}");
    }
    assert!(values(Uet, "ack", "service_time").is_superset(&some(&[1, 65_535])));
    assert!(values(Uet, "ack", "psn_offset").is_superset(&some(&[0, 1, 0x7FFF, 0x8000, 0xFFFF])));
    assert!(values(Uet, "ack", "pend").is_superset(&some(&[0, 1, 2, 4, 8, 16, 32, 64, 127])));
    assert!(values(Uet, "ack", "restore") == all(2));
}

/// Every counter counts somewhere, and nothing is under way at the end of a case, when counters are read.
#[test]
fn counters_count_and_are_read_when_all_is_quiet() {
    let mut counted = BTreeSet::new();
    for case in FILE.cases() {
        counted.extend(case.expect.counters.iter().filter(|(_, count)| **count > 1).map(|(name, _)| name.clone()));
        let last = |stream: &str| case.expect.outputs[stream].last().map_or(0, |row| row[0]);
        assert!(last("ack").max(last("response")) + 16 < case.cycles, "{}", case.id);
    }
    assert_eq!(counted.len(), 9, "{counted:?}");
}

/// The same traffic can be made for other sizes, and for settings after reset that are not the defaults.
#[test]
fn load_for_any_size() {
    let reset = Settings { count: 9, time: 3, ..Settings::reset(Protocol::Roce, 64) };
    let shapes = [
        Shape::new(Protocol::Roce, 2, 64).replies(1024).ram_latency(3).reset(reset),
        Shape::new(Protocol::Uet, 16, 128).handle_bits(2).ram_latency(1),
        Shape::new(Protocol::Uet, 2, 512).handle_bits(8),
    ];
    let mut cases = 0;
    for shape in shapes {
        let file = FILE.with(load_vectors(shape));
        file.check().unwrap();
        cases += file.cases().filter(|case| !case.expect.outputs["ack"].is_empty()).count();
    }
    assert_eq!(cases, 15);
}

/// Numbers that wrap: the last ones are smaller than those before.
#[test]
fn wraps() {
    for (shape, stream, column) in [
        (Shape::new(Protocol::Roce, 2, 1024), "ack", "msn"),
        (Shape::new(Protocol::Uet, 2, 64), "ack", "rcvd_bytes"),
        (Shape::new(Protocol::Uet, 2, 64), "response", "bytes"),
    ] {
        let file = wrap_vectors(shape);
        file.check().unwrap();
        let group = &file.groups[0];
        let at = 1 + group.outputs[stream].iter().position(|known| known.name == column).unwrap();
        let values: Vec<u64> = group.tests[1].expect.outputs[stream].iter().map(|row| row[at]).collect();
        assert!(values.windows(2).any(|pair| pair[1] < pair[0]), "{column}: {values:?}");
        assert!(group.tests[0].expect.counters["expired"] > 3, "{:?}", group.tests[0].expect.counters);
    }
}
