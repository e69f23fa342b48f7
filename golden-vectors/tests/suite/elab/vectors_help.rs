// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is asked of the committed vectors of either half.

use golden_vectors::{Outcome, TimedCase, TimedFile, TimedGroup};
use std::collections::{BTreeMap, BTreeSet};

/// The committed vectors of a stage.
pub fn committed(stage: &str) -> TimedFile {
    TimedFile::embedded_stage(stage).unwrap().unwrap()
}

/// They are what is made, and the file is found by its name.
pub fn reads_back(made: TimedFile) {
    assert_eq!(committed(&made.stage), made);
}

/// The cycles in which settings of a case change, and what stands on a setting in a cycle.
pub fn settings<'a>(group: &'a TimedGroup, case: &'a TimedCase) -> (BTreeSet<u64>, impl Fn(&str, u64) -> u64 + 'a) {
    let cycles = case.settings.values().flatten().map(|&(at, _)| at).collect();
    let stands = |port: &str, at: u64| {
        let changes = case.settings.get(port).into_iter().flatten();
        changes.rev().find(|&&(from, _)| from <= at).map_or(group.settings[port], |&(_, value)| value)
    };
    (cycles, stands)
}

/// In every cycle of every case: that the tables are swept, and that streams are ready, which are not so for some cycles
/// behind the acceptance of an operation. All that goes in goes in where it is accepted.
pub fn levels(file: &TimedFile, other: &str, wait: impl Fn(u64) -> u64) {
    for (group, case) in file.groups.iter().flat_map(|group| group.tests.iter().map(move |case| (group, case))) {
        let sweep = group.configuration["pairs"] * group.configuration["vps"] + 32;
        let wait = wait(group.configuration["ram_latency"]);
        let ports = ["busy", "command_ready", other];
        let mut expected: BTreeMap<&str, Vec<u64>> = ports.iter().map(|&port| (port, vec![])).collect();
        for cycle in 0..case.cycles {
            let since = |row: &&Vec<u64>| row[0] < cycle && cycle <= row[0] + wait;
            let last = case.inputs["command"].iter().rfind(since).map(|row| row[0]);
            let swept = cycle >= sweep;
            let values = [!swept, swept && last.is_none(), swept && last.is_none_or(|at| at + 1 != cycle)];
            ports.iter().zip(values).for_each(|(&port, value)| expected.get_mut(port).unwrap().push(value.into()));
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

/// Rows of the contract and of the requirements, and flags, are all there; so are refusals.
pub fn covers(file: &TimedFile, table: &str, last: u64) {
    let mut rows = BTreeMap::new();
    for row in file.cases().flat_map(|case| &case.rows) {
        *rows.entry(row.clone()).or_insert(0) += 1;
    }
    let of_stage = (1..=last).map(|row| format!("{table}{row}"));
    for row in of_stage.chain(file.provenance.rows.iter().cloned()) {
        assert!(rows.get(&row).is_some_and(|&count| count >= 3), "{row}: {rows:?}");
    }
    let flags: BTreeSet<_> = file.cases().flat_map(|case| &case.flags).collect();
    assert_eq!(flags, file.notes.keys().collect());
    let invalid = file.cases().filter(|case| case.result == Outcome::Invalid).count();
    assert!(invalid * 5 >= file.number_of_tests * 2, "{invalid} of {}", file.number_of_tests);
}

/// The values of a column of an output stream, over all sizes.
pub fn values(file: &TimedFile, stream: &str, column: &str) -> BTreeSet<u64> {
    let mut values = BTreeSet::new();
    for group in &file.groups {
        let at = 1 + group.outputs[stream].iter().position(|known| known.name == column).unwrap();
        values.extend(group.tests.iter().flat_map(|case| &case.expect.outputs[stream]).map(|row| row[at]));
    }
    values
}

/// The file with other groups is consistent.
pub fn consistent_with(mut file: TimedFile, groups: Vec<TimedGroup>) {
    file.number_of_tests = groups.iter().map(|group| group.tests.len()).sum();
    file.groups = groups;
    file.check().unwrap();
}
