// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs of oracles that have a function for one clock cycle, and the expected outputs that follow from them.
//!
//! A run is a list of outputs, each with the cycle from which they stand.

use super::fields::Fields;
use super::ports::map_of;
use crate::schema::timed::Span;
use std::borrow::Borrow;
use std::collections::BTreeMap;

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

/// The outputs of a run that has those of every cycle.
pub fn dense<O>(outputs: &[O]) -> Vec<(u64, &O)> {
    (0..).zip(outputs).collect()
}

/// What is valid on a stream in the first `cycles` cycles, once for each cycle.
pub fn valid<O, T: Copy>(
    outputs: &[(u64, O)],
    cycles: u64,
    of: impl Fn(&O) -> Option<T>,
) -> impl Iterator<Item = (u64, T)> {
    let valid = spans(outputs, cycles).filter_map(move |(from, end, out)| Some((from..end, of(out)?)));
    valid.flat_map(|(cycles, value)| cycles.map(move |cycle| (cycle, value)))
}

/// A level in all of the first `cycles` cycles.
pub fn level<O>(outputs: &[(u64, O)], cycles: u64, of: impl Fn(&O) -> u64) -> Vec<Span> {
    let mut levels: Vec<Span> = Vec::new();
    for (from, end, out) in spans(outputs, cycles) {
        let value = of(out);
        match levels.last_mut() {
            Some([_, last, same]) if *same == value => *last = end - 1,
            _ => levels.push([from, end - 1, value]),
        }
    }
    levels
}

/// The levels of ports in all of the first `cycles` cycles.
pub fn levels<T: 'static, O: Borrow<T>>(
    outputs: &[(u64, O)],
    cycles: u64,
    ports: &Fields<T>,
) -> BTreeMap<String, Vec<Span>> {
    map_of(ports.each().map(|(port, value)| (port, level(outputs, cycles, |out| value(out.borrow())))))
}
