// SPDX-License-Identifier: MIT OR Apache-2.0
//! The committed vectors with frames: what the oracle says at every pace, and complete in what they cover.

use super::recorded::same_at_every_pace;
use golden_vectors::receive::reorder::oracle::{PoolShape, Shape};
use golden_vectors::receive::reorder::{load_vectors, payload_vectors};
use golden_vectors::{Outcome, TimedFile};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

static FILE: LazyLock<TimedFile> = LazyLock::new(payload_vectors);

#[test]
fn file_reads_back_as_it_was_made() {
    assert!(TimedFile::embedded_file("reorder_payload").unwrap().unwrap() == *FILE);
}

/// What the contract leaves open changes nothing: each case has one answer only.
#[test]
fn answers_are_the_same_at_every_pace() {
    assert_eq!(same_at_every_pace(&FILE), FILE.number_of_tests);
}

#[test]
fn half_of_the_cases_must_refuse_something() {
    let invalid = FILE.cases().filter(|case| case.result == Outcome::Invalid).count();
    assert!(invalid * 2 >= FILE.number_of_tests, "{invalid} of {}", FILE.number_of_tests);
}

#[test]
fn every_row_and_every_flag_occurs() {
    let mut rows = BTreeMap::new();
    for row in FILE.cases().flat_map(|case| &case.rows) {
        *rows.entry(row.clone()).or_insert(0) += 1;
    }
    let of_stage = (1..=21).chain(30..=40).filter(|row| ![7, 15, 16].contains(row)).map(|row| format!("R{row}"));
    for row in of_stage.chain(FILE.provenance.rows.iter().cloned()) {
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
    assert_eq!(values("m_axis", "tlast"), all(2));
    assert_eq!(values("m_axis", "tuser"), all(32));
    assert_eq!(values("m_axis", "delivery_connection"), all(4));
    for column in ["done", "open", "draining"] {
        assert_eq!(values("response", column), all(2), "{column}");
    }
    let mut free: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
    for group in &FILE.groups {
        let levels = group.tests.iter().flat_map(|case| &case.expect.levels["free_cells"]);
        free.entry(group.configuration["cells"]).or_default().extend(levels.map(|&[_, _, free]| free));
    }
    assert_eq!(free[&16], all(17), "every number of free cells");
    for cause in ["no_buffer", "no_cells", "over_quota", "below_reserve"] {
        let counted: u64 = FILE.cases().map(|case| case.expect.counters[cause]).sum();
        assert!(counted > 50, "{cause}: {counted}");
    }
}

/// Every case ends with the sum of its refused frames, and every frame that left came.
#[test]
fn causes_and_frames_add_up() {
    let mut left = 0;
    for case in FILE.cases() {
        let counters = &case.expect.counters;
        let causes: u64 = ["no_cells", "over_quota", "below_reserve"].map(|cause| counters[cause]).iter().sum();
        assert!(causes <= counters["no_buffer"], "{}", case.id);
        let column = |rows: &[Vec<u64>], at: usize| rows.iter().map(|row| row[at]).collect::<BTreeSet<_>>();
        let (came, went) = (column(&case.inputs["s_axis"], 1), column(&case.expect.outputs["m_axis"], 1));
        assert!(went.is_subset(&came), "{}", case.id);
        left += case.expect.outputs["m_axis"].iter().filter(|row| row[3] == 1).count();
    }
    assert!(left > 1000, "{left}");
}

/// The same traffic can be made for other sizes.
#[test]
fn load_for_any_size() {
    for shape in [
        Shape::new(2, 64).paths(2).ram_latency(3).pool(PoolShape::new(256, 32, 128)),
        Shape::new(16, 128).paths(16).psn_bits(32).ram_latency(1).pool(PoolShape::new(1024, 4096, 1024)),
        Shape::new(8, 1024).pool(PoolShape::new(512, 512, 256)),
    ] {
        let file = FILE.with(load_vectors(shape));
        file.check().unwrap();
        assert_eq!(same_at_every_pace(&file), file.number_of_tests);
    }
}
