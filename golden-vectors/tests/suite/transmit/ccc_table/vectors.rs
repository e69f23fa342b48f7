// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors: consistent, and complete in what they cover.

use super::FILE;
use golden_vectors::transmit::ccc_table::oracle::{Algorithms, Settings, Shape};
use golden_vectors::transmit::ccc_table::{load_vectors, wrap_vectors};
use golden_vectors::{Outcome, TimedFile};
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn file_reads_back_as_it_was_made() {
    FILE.check().unwrap();
    assert!(TimedFile::embedded_stage("ccc_table").unwrap().unwrap() == *FILE);
}

#[test]
fn one_case_in_six_must_refuse_something() {
    let invalid = FILE.cases().filter(|case| case.result == Outcome::Invalid).count();
    assert!(invalid * 6 >= FILE.number_of_tests, "{invalid} of {}", FILE.number_of_tests);
}

#[test]
fn every_row_and_every_flag_occurs() {
    let mut rows = BTreeMap::new();
    for row in FILE.cases().flat_map(|case| &case.rows) {
        *rows.entry(row.clone()).or_insert(0) += 1;
    }
    for row in (1..=34).map(|row| format!("C{row}")).chain(FILE.provenance.rows.iter().cloned()) {
        assert!(rows.get(&row).is_some_and(|&count| count >= 2), "{row}: {rows:?}");
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
    for column in ["done", "open", "granted", "nscc", "rccc"] {
        assert_eq!(values("response", column), all(2), "{column}");
    }
    for (column, count) in [("op", 8), ("state", 4), ("class", 4), ("weight", 16)] {
        assert_eq!(values("response", column), all(count), "{column}");
    }
    for column in ["retransmission", "ack_request"] {
        assert_eq!(values("grant", column), all(2), "{column}");
    }
    assert_eq!(values("grant", "packets"), all(16).into_iter().skip(1).collect());
    let most = (1 << 28) - 1;
    for (stream, column, least) in [
        ("grant", "limit", 500),
        ("grant", "credit_target", 100),
        ("response", "cwnd", 800),
        ("response", "base_rtt", 40),
        ("response", "delay", 200),
        ("response", "inflight", 300),
        ("response", "credit", 100),
    ] {
        let found = values(stream, column).len();
        assert!(found > least, "{column}: {found}");
    }
    assert!(values("grant", "limit").is_superset(&[0, most].into()));
    assert!(values("response", "max_wnd").is_superset(&[1, 4096, most].into()));
    // Negative.
    for column in ["inflight", "credit"] {
        assert!(values("response", column).iter().any(|value| value >> 28 == 1), "{column}");
    }
}

/// Every counter counts somewhere, and nothing is under way at the end of a case, when counters are read.
#[test]
fn counters_count_and_are_read_when_all_is_quiet() {
    let mut counted = BTreeSet::new();
    for case in FILE.cases() {
        counted.extend(case.expect.counters.iter().filter(|(_, count)| **count > 1).map(|(name, _)| name.clone()));
        let last = |stream: &str| case.expect.outputs[stream].last().map_or(0, |row| row[0]);
        assert!(last("grant").max(last("response")) + 16 < case.cycles, "{}", case.id);
    }
    // Too much in flight takes too many events for a committed case.
    assert!(counted.len() == 10 && !counted.contains("excess_sends"), "{counted:?}");
}

/// The same traffic can be made for other sizes, and for settings after reset that are not the defaults.
#[test]
fn load_for_any_size() {
    let reset = Settings { mtu: 1500, config_wnd: 30_000, ..Settings::RESET };
    let shapes = [
        Shape::new(Algorithms::Nscc, 5).ram_latency(3).reset(reset),
        Shape::new(Algorithms::Both, 17).classes(4).delay_shift(5).ram_latency(1),
        Shape::new(Algorithms::Rccc, 2).classes(1),
        Shape::new(Algorithms::None, 1),
    ];
    let mut cases = 0;
    for shape in shapes {
        let file = FILE.with(load_vectors(shape));
        file.check().unwrap();
        cases += file.cases().filter(|case| !case.expect.outputs["grant"].is_empty()).count();
    }
    assert_eq!(cases, 16);
}

/// Counts at the limits of their widths.
#[test]
fn wraps() {
    let mut cases = 0;
    for shape in [Shape::new(Algorithms::Both, 1), Shape::new(Algorithms::Nscc, 1)] {
        let file = wrap_vectors(shape);
        file.check().unwrap();
        let refused = |case: &&golden_vectors::TimedCase| {
            let counters = &case.expect.counters;
            counters["excess_sends"] + counters["excess_acks"] + counters["refused_data"] > 0
        };
        cases += file.cases().filter(refused).count();
    }
    assert!(cases >= 2, "{cases}");
}
