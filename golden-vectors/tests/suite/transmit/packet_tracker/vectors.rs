// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors: consistent, and complete in what they cover.

use super::FILE;
use super::replay::{answer, differs, expanded, shape};
use golden_vectors::transmit::packet_tracker::oracle::{Settings, Shape};
use golden_vectors::transmit::packet_tracker::{load_vectors, wrap_vectors};
use golden_vectors::{Outcome, TimedFile};
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn file_reads_back_as_it_was_made() {
    FILE.check().unwrap();
    assert!(TimedFile::embedded_stage("packet_tracker").unwrap().unwrap() == *FILE);
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
    for row in (1..=37).map(|row| format!("D{row}")).chain(FILE.provenance.rows.iter().cloned()) {
        assert!(rows.get(&row).is_some_and(|&count| count >= 2), "{row}: {rows:?}");
    }
    let flags: BTreeSet<_> = FILE.cases().flat_map(|case| &case.flags).collect();
    assert_eq!(flags, FILE.notes.keys().collect());
}

/// The values of a column of a stream, over all sizes.
fn values(stream: &str, column: &str) -> BTreeSet<u64> {
    let mut values = BTreeSet::new();
    for group in &FILE.groups {
        let columns = group.outputs.get(stream).or_else(|| group.inputs.get(stream)).unwrap();
        let at = 1 + columns.iter().position(|known| known.name == column).unwrap();
        let rows =
            group.tests.iter().flat_map(|case| case.expect.outputs.get(stream).unwrap_or_else(|| &case.inputs[stream]));
        values.extend(rows.map(|row| row[at]));
    }
    values
}

#[test]
fn ports_take_every_value() {
    let all = |count: u64| (0..count).collect::<BTreeSet<_>>();
    for (stream, column, count) in [
        ("ack", "kind", 4),
        ("ack", "reason", 256),
        ("send", "op", 4),
        ("send", "last", 2),
        ("command", "op", 8),
        ("command", "all", 2),
        ("event", "kind", 5),
        ("event", "marked", 2),
        ("event", "retx", 2),
        ("event", "timed", 2),
        ("event", "rtx_count", 4),
        ("event", "restore", 2),
        ("event", "packet", 2),
        ("event", "retransmission", 2),
        ("event", "last", 2),
        ("outcome", "kind", 7),
        ("outcome", "rtx_count", 4),
        ("outcome", "trigger", 2),
        ("outcome", "marked", 2),
        ("outcome", "timed", 2),
        ("sent", "ok", 2),
        ("sent", "rtx_count", 4),
        ("response", "op", 8),
        ("response", "done", 2),
        ("response", "open", 2),
        ("response", "failed", 2),
    ] {
        assert_eq!(values(stream, column), all(count), "{stream} {column}");
    }
    for (stream, column, least) in [
        ("event", "room", 200),
        ("event", "packets", 30),
        ("event", "rtx_packets", 4),
        ("event", "quanta", 60),
        ("outcome", "age", 200),
        ("outcome", "ev", 100),
        ("response", "in_flight", 50),
        ("response", "marked", 15),
        ("response", "retries", 5),
    ] {
        let found = values(stream, column).len();
        assert!(found >= least, "{stream} {column}: {found}");
    }
    assert!(values("event", "quanta").contains(&65_535));
    for psn in [0, 1, 0x00FF_FFFF, 0xFFFF_FFFF, 0xFFFF_FFFE] {
        assert!(values("sent", "psn").contains(&psn), "{psn:#x}");
    }
    // As many packets as the largest window, and one at a time.
    assert!(values("event", "packets").is_superset(&[0, 1, 64, 128, 256].into()));
}

/// Every counter counts somewhere, and nothing is under way at the end of a case, when counters are read.
#[test]
fn counters_count_and_are_read_when_all_is_quiet() {
    let mut counted = BTreeSet::new();
    for case in FILE.cases() {
        counted.extend(case.expect.counters.iter().filter(|(_, count)| **count > 1).map(|(name, _)| name.clone()));
        let [from, last, quiet] = *case.expect.levels["quiet"].last().unwrap();
        assert!(quiet == 1 && last + 1 == case.cycles && from + 48 < case.cycles, "{}", case.id);
    }
    assert_eq!(counted.len(), 12, "{counted:?}");
}

/// The same traffic can be made for other sizes, and for settings after reset that are not the defaults.
#[test]
fn load_for_any_size() {
    let reset = Settings { tick: 30_000, rto: 200, retries: 1, span: 9, backoff: 40, backoff_limit: 3, tail_probe: 70 };
    let shapes = [
        Shape::new(2, 64).ram_latency(3).reset(reset),
        Shape::new(32, 512).psn_bits(24).ev_bits(16).cccs(5).ram_latency(1),
        Shape::new(4096, 64).cccs(1),
        Shape::new(2, 4096).ev_bits(1),
    ];
    let mut cases = 0;
    for shape in shapes {
        let file = FILE.with(load_vectors(shape));
        file.check().unwrap();
        cases += file.cases().filter(|case| !case.expect.outputs["outcome"].is_empty()).count();
    }
    // Each size has also a case of the settings after reset.
    assert_eq!(cases, 20);
}

/// The rows of the file are what the oracle is asked, and what it answers.
#[test]
fn expectations_are_the_oracle_s() {
    let file = TimedFile::embedded_stage("packet_tracker").unwrap().unwrap();
    for group in &file.groups {
        for case in &group.tests {
            assert_eq!(differs(case, &answer(group, case, shape(group))), None, "{}", case.id);
        }
    }
}

/// D32: a stage with other settings after reset does not pass, though `settings_valid` is 0 throughout: each of them acts.
#[test]
fn d32_vectors_of_any_size_test_the_settings_after_reset() {
    let reset = Settings { tick: 30_000, rto: 300, retries: 1, span: 9, backoff: 40, backoff_limit: 3, tail_probe: 70 };
    let size = Shape::new(4, 64);
    let groups = load_vectors(size.reset(reset));
    let group = groups.iter().find(|group| group.name.starts_with("defaults-")).unwrap();
    assert_eq!(group.settings["settings_valid"], 0);
    let case = &group.tests[0];
    let events = |settings: Settings| {
        let answer = answer(group, case, size.reset(settings));
        let (event, failure) =
            (expanded(&answer, case.cycles, |out| out.event), expanded(&answer, case.cycles, |out| out.failure));
        (event.collect::<Vec<_>>(), failure.collect::<Vec<_>>())
    };
    for other in [
        Settings { tick: 30_100, ..reset },
        Settings { rto: 310, ..reset },
        Settings { rto: 299, ..reset },
        Settings { retries: 2, ..reset },
        Settings { retries: 0, ..reset },
        Settings { span: 8, ..reset },
        Settings { span: 10, ..reset },
        Settings { tail_probe: 71, ..reset },
    ] {
        assert_ne!(events(reset), events(other), "{other:?}");
    }
}

/// Times at the limits of their widths.
#[test]
fn wraps() {
    let file = wrap_vectors(Shape::new(2, 64));
    file.check().unwrap();
    let counters: Vec<_> = file.cases().map(|case| case.expect.counters["timeouts"]).collect();
    // With the settings after reset the tail is probed: one of two packets is late the first time.
    assert_eq!(counters, [3, 15, 18, 6, 6]);
    let failures: Vec<_> = file.cases().map(|case| case.expect.outputs["failure"].len()).collect();
    assert_eq!(failures, [0, 1, 0, 0, 0]);
}
