// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every field of all transport headers: alone against all others, and with patterns that make every bit unique.

use super::{Carrier, Stack, base, stacks};
use crate::collect::aim;
use crate::collect::frames::Suite;
use std::collections::BTreeSet;

/// Digits of a bit number. No stack has 2^9 bits.
const DIGITS: usize = 9;

/// Adds the groups `fields-rocev2`, `fields-uet` and `fields-elab`.
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

/// The fields that already have a case: carrier, header, name and first bit. The same field at the same place in
/// another type is not repeated.
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

/// Adds one frame per digit. Frame `n` has digit `n` of each bit's number in that bit, so no two bits are equal in
/// all frames, and a swap of bits is seen.
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

/// `length` bytes in which each bit is one digit of its own number, counted from 1.
pub fn number_digits(length: usize, digit: usize) -> Vec<u8> {
    let bit = |at: usize| (at + 1) >> digit & 1;
    (0..length).map(|byte| (0..8).fold(0, |bits, at| bits << 1 | bit(byte * 8 + at) as u8)).collect()
}

/// A payload whose end moves through the bytes of a beat.
fn payload(counter: usize) -> Vec<u8> {
    vec![0x6D; counter * 7 % 40]
}
