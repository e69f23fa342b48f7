// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares the outputs of a timed case with the expectation.

use super::lanes::{Lane, output};
use crate::device::{Error, Ports};
use std::collections::BTreeMap;

/// Number of problems of a case that are listed.
const SHOWN: usize = 8;

/// Compares the rows of a stream, cycle by cycle.
pub fn outputs(lane: &Lane, expected: &[Vec<u64>], got: &[Vec<u64>], problems: &mut Vec<String>) {
    if expected == got {
        return;
    }
    let (expected, got) = (by_cycle(expected), by_cycle(got));
    let name = &lane.name;
    let text = |values: &[u64]| {
        let columns: Vec<_> = lane.names().zip(values).map(|(name, value)| format!("{name} {value}")).collect();
        columns.join(" ")
    };
    for (cycle, values) in &expected {
        match got.get(cycle) {
            None => problems.push(format!("{name} in cycle {cycle}: nothing, expected {}", text(values))),
            Some(others) => {
                for ((column, value), other) in lane.names().zip(*values).zip(*others) {
                    if value != other {
                        problems.push(format!("{name}_{column} in cycle {cycle}: {other}, expected {value}"));
                    }
                }
            }
        }
    }
    for (cycle, values) in got.iter().filter(|(cycle, _)| !expected.contains_key(cycle)) {
        problems.push(format!("{name} in cycle {cycle}: {}, expected nothing", text(values)));
    }
}

/// The values of the rows by their cycles; of two rows of one cycle the last.
fn by_cycle(rows: &[Vec<u64>]) -> BTreeMap<u64, &[u64]> {
    rows.iter().map(|row| (row[0], &row[1..])).collect()
}

/// Compares the counters at the end of a case.
pub fn counters(
    ports: &Ports,
    expected: &BTreeMap<String, u64>,
    seen: &[u64],
    problems: &mut Vec<String>,
) -> Result<(), Error> {
    for (name, &count) in expected {
        let got = seen[output(ports, name)?.offset];
        if got != count {
            problems.push(format!("{name}: {got}, expected {count}"));
        }
    }
    Ok(())
}

/// Keeps the first problems and adds the number of the others.
pub fn shortened(mut problems: Vec<String>) -> Vec<String> {
    let more = problems.len().saturating_sub(SHOWN);
    problems.truncate(SHOWN);
    if more > 0 {
        problems.push(format!("and {more} more"));
    }
    problems
}
