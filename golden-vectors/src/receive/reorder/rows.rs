// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fields and levels as the vectors have them.

use super::oracle::{Arrival, Outputs};
use crate::schema::timed::Span;

/// The fields of an arrival that both ways to hold packets have.
pub fn fields(arrival: Arrival) -> [u64; 6] {
    let Arrival { connection, found, psn, path, flags, length, .. } = arrival;
    [connection, found.into(), psn, path, flags, length]
}

/// A level in all cycles.
pub fn spans(outputs: &[Outputs], of: impl Fn(&Outputs) -> u64) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for (cycle, value) in (0..).zip(outputs.iter().map(of)) {
        match spans.last_mut() {
            Some([_, last, same]) if *same == value => *last = cycle,
            _ => spans.push([cycle, cycle, value]),
        }
    }
    spans
}
