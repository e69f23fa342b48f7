// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors: consistent, and complete in what they cover.

use super::FILE;
use super::replay::{answer, differs, expanded, size};
use golden_vectors::routing::lia_router::load_vectors;
use golden_vectors::routing::lia_router::oracle::{Hop, Settings, Shape, Size};
use golden_vectors::{Outcome, TimedFile};
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn file_reads_back_as_it_was_made() {
    FILE.check().unwrap();
    assert!(TimedFile::embedded_stage("lia_router").unwrap().unwrap() == *FILE);
}

/// The rows of the file are what the oracle is asked, and what it answers.
#[test]
fn expectations_are_the_oracle_s() {
    for group in &FILE.groups {
        for case in &group.tests {
            assert_eq!(differs(case, &answer(group, case, size(group))), None, "{}", case.id);
        }
    }
}

#[test]
fn one_case_in_eight_must_refuse_something() {
    let invalid = FILE.cases().filter(|case| case.result == Outcome::Invalid).count();
    assert!(invalid * 8 >= FILE.number_of_tests, "{invalid} of {}", FILE.number_of_tests);
}

#[test]
fn every_row_and_every_flag_occurs() {
    let mut rows = BTreeMap::new();
    for row in FILE.cases().flat_map(|case| &case.rows) {
        *rows.entry(row.clone()).or_insert(0) += 1;
    }
    let of_page = (1..=10).map(|row| format!("LR{row}"));
    let of_source = [5, 6].into_iter().chain(10..=21).map(|row| format!("L{row:02}"));
    for row in of_page.chain(of_source).chain(FILE.provenance.rows.iter().cloned()) {
        assert!(rows.get(&row).is_some_and(|&count| count >= 3), "{row}: {rows:?}");
    }
    let flags: BTreeSet<_> = FILE.cases().flat_map(|case| &case.flags).collect();
    assert_eq!(flags, FILE.notes.keys().collect());
}

/// The values of some columns of a stream together, of each size.
fn values<const N: usize>(stream: &str, names: [&str; N]) -> BTreeMap<Vec<u64>, BTreeSet<[u64; N]>> {
    let mut values: BTreeMap<Vec<u64>, BTreeSet<[u64; N]>> = BTreeMap::new();
    for group in &FILE.groups {
        let columns = group.outputs.get(stream).or_else(|| group.inputs.get(stream)).unwrap();
        let at = names.map(|name| 1 + columns.iter().position(|column| column.name == name).unwrap());
        let rows =
            group.tests.iter().flat_map(|case| case.expect.outputs.get(stream).unwrap_or_else(|| &case.inputs[stream]));
        let size = group.configuration.values().copied().collect();
        values.entry(size).or_default().extend(rows.map(|row| at.map(|at| row[at])));
    }
    values
}

/// In every size each port is left through, each group and switch is between, each link is drawn, and hops are of all
/// numbers that there are.
#[test]
fn responses_have_every_path() {
    for group in &FILE.groups {
        let shape = size(group).shape;
        let key: Vec<u64> = group.configuration.values().copied().collect();
        let all =
            |name: &str| -> BTreeSet<u64> { values("response", [name])[&key].iter().map(|[value]| *value).collect() };
        assert_eq!(all("port"), (0..shape.ports()).collect(), "{}", group.name);
        assert_eq!(all("group"), (0..shape.groups()).collect(), "{}", group.name);
        assert_eq!(all("switch"), (0..shape.switches).collect(), "{}", group.name);
        assert_eq!(all("link"), (0..shape.links()).collect(), "{}", group.name);
        assert_eq!(all("level"), [0, 1, 2].into());
        let least = if shape.global_ports == 1 { 5 } else { 6 };
        assert!((0..=least).all(|hops| all("hops").contains(&hops)), "{}: {:?}", group.name, all("hops"));
        let rules: BTreeSet<_> = values("response", ["minimal", "l1", "l2"])[&key].clone();
        let forms = if shape.trunks >= shape.global_ports { 6 } else { 8 };
        assert!(rules.len() >= forms, "{}: {rules:?}", group.name);
    }
}

/// Every command, done and not.
#[test]
fn commands_are_done_and_not() {
    let mut states = BTreeSet::new();
    values("state", ["op", "done"]).into_values().for_each(|of_size| states.extend(of_size));
    assert_eq!(states, [[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [3, 0]].into());
}

/// Every bit of what a read finds is seen at 1, and at the largest number.
#[test]
fn loads_take_every_value() {
    for (size, values) in values("state", ["queued", "injected", "extended"]) {
        // The parameters are in the order of their names.
        let bits = size[0];
        let largest = (1 << bits) - 1;
        for column in 0..3 {
            let seen = values.iter().fold(0, |seen, row| seen | row[column]);
            let all = if column == 0 { largest >> 1 } else { largest };
            assert_eq!(seen, all, "{size:?}, column {column}");
        }
        assert!(values.iter().any(|row| row[2] == largest), "{size:?}");
    }
}

/// The same traffic can be made for other sizes, and for settings after reset that are not the defaults.
#[test]
fn load_for_any_size() {
    let other = Settings {
        weight: 3,
        limits: [2, 9],
        biases: [-1, 32767, -7],
        link_threshold: 1,
        saturated_links: 0,
        remote_threshold: 4,
        interval: 1,
        first_hop: Hop::Kept,
        second_hop: Hop::Dropped,
        corrected: false,
    };
    let sizes = [
        Size::new(Shape::balanced(1)).ram_latency(3),
        Size::new(Shape::balanced(5).counter_bits(11)).reset(other),
        Size::new(Shape::balanced(6).trunks(12)).ram_latency(1),
        Size::new(Shape::balanced(16)),
    ];
    for size in sizes {
        let file = FILE.with(load_vectors(size));
        file.check().unwrap();
        let routed = file.cases().filter(|case| case.expect.outputs["response"].len() > 100).count();
        assert!(routed >= 3, "{size:?}: {routed}");
    }
}

/// LR9: a stage with other settings after reset does not pass, though `settings_valid` is 0 throughout.
#[test]
fn lr9_vectors_of_any_size_test_the_settings_after_reset() {
    let size = Size::new(Shape::balanced(2).counter_bits(12));
    let reset = Settings { limits: [60, 120], ..size.reset };
    let groups = load_vectors(size.reset(reset));
    let group = groups.iter().find(|group| group.name.starts_with("defaults-")).unwrap();
    let case = &group.tests[0];
    let outputs = |settings: Settings| {
        let answer = answer(group, case, size.reset(settings));
        let responses: Vec<_> = expanded(&answer, case.cycles, |out| out.response).collect();
        (responses, expanded(&answer, case.cycles, |out| out.state).collect::<Vec<_>>())
    };
    for other in [
        Settings { weight: reset.weight + 1, ..reset },
        Settings { weight: reset.weight - 1, ..reset },
        Settings { limits: [reset.limits[0] + 1, reset.limits[1]], ..reset },
        Settings { limits: [reset.limits[0] - 1, reset.limits[1]], ..reset },
        Settings { limits: [reset.limits[0], reset.limits[1] + 1], ..reset },
        Settings { limits: [reset.limits[0], reset.limits[1] - 1], ..reset },
        Settings { interval: reset.interval * 2, ..reset },
        Settings { first_hop: Hop::Kept, ..reset },
        Settings { second_hop: Hop::Kept, ..reset },
    ] {
        assert_ne!(outputs(reset), outputs(other), "{other:?}");
    }
}
