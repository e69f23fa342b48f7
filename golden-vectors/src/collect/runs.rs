// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs of oracles that have a function for one clock cycle, and the expected outputs that follow from them.
//!
//! A run is a list of outputs, each with the cycle from which they stand.

use crate::schema::timed::{Row, Span};

/// A port of a stream: name, width and value.
pub type Field = (&'static str, u32, u64);

/// The outputs of so many cycles and of the one after them. The changes are in the order of their cycles; `next` makes the
/// inputs of a cycle from those of the one before it, `apply` puts a change into them, and `step` is one cycle.
pub fn run<I, C: Copy, O: PartialEq>(
    mut inputs: I,
    changes: &[(u64, C)],
    cycles: u64,
    next: impl Fn(&mut I),
    apply: impl Fn(&mut I, C),
    mut step: impl FnMut(&I) -> O,
) -> Vec<(u64, O)> {
    let mut changes = changes.iter().peekable();
    let mut outputs: Vec<(u64, O)> = Vec::new();
    for cycle in 0..=cycles {
        next(&mut inputs);
        while let Some(&(_, change)) = changes.next_if(|(at, _)| *at == cycle) {
            apply(&mut inputs, change);
        }
        let out = step(&inputs);
        if outputs.last().is_none_or(|(_, last)| *last != out) {
            outputs.push((cycle, out));
        }
    }
    outputs
}

/// What stands in a cycle.
pub fn at<O>(outputs: &[(u64, O)], cycle: u64) -> Option<&O> {
    outputs.iter().rev().find(|(from, _)| *from <= cycle).map(|(_, out)| out)
}

/// What is on the outputs, with the first cycle and the one behind the last, of the first `cycles` cycles.
fn spans<O>(outputs: &[(u64, O)], cycles: u64) -> impl Iterator<Item = (u64, u64, &O)> {
    let ends = outputs.iter().skip(1).map(|&(from, _)| from).chain([cycles]);
    let spans = outputs.iter().zip(ends).map(move |((from, out), end)| (*from, end.min(cycles), out));
    spans.filter(|(from, end, _)| from < end)
}

/// The names and widths of the columns of a stream.
pub fn columns(fields: &[Field]) -> Vec<(&'static str, u32)> {
    fields.iter().map(|&(name, width, _)| (name, width)).collect()
}

/// A row without its cycle.
pub fn row(fields: &[Field]) -> Row {
    fields.iter().map(|&(_, _, value)| value).collect()
}

/// The rows of what is valid on a stream in the first `cycles` cycles.
pub fn rows<O, T>(
    outputs: &[(u64, O)],
    cycles: u64,
    of: impl Fn(&O) -> Option<T>,
    fields: impl Fn(&T) -> Vec<Field>,
) -> Vec<Row> {
    let mut rows = Vec::new();
    for (from, end, out) in spans(outputs, cycles) {
        if let Some(value) = of(out) {
            let row = row(&fields(&value));
            rows.extend((from..end).map(|cycle| [cycle].into_iter().chain(row.iter().copied()).collect::<Row>()));
        }
    }
    rows
}

/// A level in all of the first `cycles` cycles.
pub fn levels<O, V: Into<u64>>(outputs: &[(u64, O)], cycles: u64, of: impl Fn(&O) -> V) -> Vec<Span> {
    let mut levels: Vec<Span> = Vec::new();
    for (from, end, out) in spans(outputs, cycles) {
        let value = of(out).into();
        match levels.last_mut() {
            Some([_, last, same]) if *same == value => *last = end - 1,
            _ => levels.push([from, end - 1, value]),
        }
    }
    levels
}
