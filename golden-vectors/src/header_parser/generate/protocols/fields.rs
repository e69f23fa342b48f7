// SPDX-License-Identifier: MIT OR Apache-2.0
//! The fields of all transport headers: each alone against all others, and all bits told apart.

use super::{Carrier, Stack, base, stacks};
use crate::collect::aim;
use crate::collect::frames::Suite;
use std::collections::BTreeSet;

/// More bits than any stack has, so that the number of a bit has this many digits.
const DIGITS: usize = 9;

/// The groups `fields-rocev2`, `fields-uet` and `fields-elab`.
pub fn add(suite: &mut Suite) {
    let about = "fields of the headers at their corners, and bits read from the wrong place";
    let groups: [(&str, &[Carrier]); 3] = [
        ("fields-rocev2", &[Carrier::Rocev2]),
        ("fields-uet", &[Carrier::Uet, Carrier::UetNative]),
        ("fields-elab", &[Carrier::Elab]),
    ];
    for (group, carriers) in groups {
        suite.group(group, about);
        let mut seen = BTreeSet::new();
        let mut counter = 0;
        for stack in stacks().iter().filter(|stack| carriers.contains(&stack.carrier)) {
            corners(suite, stack, &mut seen, &mut counter);
            numbered(suite, stack, &mut counter);
        }
    }
}

/// Carrier, object, name and bit of a field. A field that stands in the same place behind another type is the same.
type Seen = BTreeSet<(Carrier, &'static str, &'static str, usize)>;

fn corners(suite: &mut Suite, stack: &Stack, seen: &mut Seen, counter: &mut usize) {
    for place in &stack.places {
        if place.decides() || !seen.insert((stack.carrier, place.object, place.name, place.at)) {
            continue;
        }
        for (name, rest, value) in [("alone", 0, u128::MAX), ("missing", 0xFF, 0)] {
            let mut bytes = stack.filled(&vec![rest; stack.bytes.len()]);
            place.set(&mut bytes, value);
            let what = if rest == 0 { "all ones, every other at zero" } else { "zero, every other all ones" };
            let field = format!("{}.{}", place.object, place.name);
            let frame = stack.carrier.frame(base(*counter), &bytes, &payload(*counter));
            *counter += 1;
            suite.add(
                format!("{}-{}-{name}", stack.name, field.replace(['.', '_'], "-")),
                format!("{field} at {what}"),
                aim(&["Corner"], &["R16", stack.row]),
                frame.bytes(),
            );
        }
    }
}

/// Frames of which the n-th has digit n of each bit's number: no two bits are alike in all of them.
fn numbered(suite: &mut Suite, stack: &Stack, counter: &mut usize) {
    for digit in 0..DIGITS {
        let bits = number_digits(stack.bytes.len(), digit);
        let frame = stack.carrier.frame(base(*counter), &stack.filled(&bits), &payload(*counter));
        *counter += 1;
        suite.add(
            format!("{}-bits-{digit}", stack.name),
            format!("each bit of the headers is digit {digit} of its number"),
            aim(&["Bits"], &["R16", stack.row]),
            frame.bytes(),
        );
    }
}

/// `length` bytes, each bit of which is a digit of its own number, from 1 on.
pub fn number_digits(length: usize, digit: usize) -> Vec<u8> {
    let bit = |at: usize| (at + 1) >> digit & 1;
    (0..length).map(|byte| (0..8).fold(0, |bits, at| bits << 1 | bit(byte * 8 + at) as u8)).collect()
}

/// A payload that ends at different bytes of a beat.
fn payload(counter: usize) -> Vec<u8> {
    vec![0x6D; counter * 7 % 40]
}
