// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares shifts, rotations and lanes with those of the language's values.

use super::{check, program, text, value, values};
use crate::tests::Build;
use rtl_model::netlist::circuit::{Op, Value};
use rtl_model::ops::{Binary, index_width};

#[test]
fn shifts_by_every_amount() {
    for width in [1, 8, 63, 64, 65, 128, 130, 200] {
        for op in [Binary::Shl, Binary::Shr, Binary::ShrSigned] {
            let mut build = Build::new("small");
            let (a, by) = (build.input("a", width), build.input("by", 9));
            let output = build.binary(op, a, by);
            build.output("out", output);
            let program = program(build);
            for a in values(width) {
                for by in (0..width + 3).chain([256, 511]) {
                    let inputs = [a, Value::from_u64(9, by.into())];
                    let expected = Value::binary(op, a, inputs[1]);
                    assert_eq!(value(&program, 0, &inputs), expected.used(), "{op:?} of {a:x?} by {by}");
                }
            }
        }
    }
}

#[test]
fn an_amount_with_more_bits_than_a_word_is_beyond() {
    for width in [8, 100] {
        for op in [Binary::Shl, Binary::Shr, Binary::ShrSigned] {
            check(
                &format!("{op:?}"),
                &[width, 70],
                |build, args| build.binary(op, args[0], args[1]),
                |args| Value::binary(op, args[0], args[1]),
            );
        }
    }
}

#[test]
fn a_shift_by_a_number_is_wiring() {
    let shift = |op, by| {
        let mut build = Build::new("small");
        let a = build.input("a", 16);
        let by = build.constant(7, by);
        let output = build.binary(op, a, by);
        build.output("out", output);
        text(&program(build))
    };
    assert_eq!(shift(Binary::Shl, 3), ["(shl3 (low13 a))"]);
    assert_eq!(shift(Binary::Shr, 3), ["(wider16 (shr3 a))"]);
    assert_eq!(shift(Binary::Shr, 0), ["a"]);
    assert_eq!(shift(Binary::Shl, 16), ["0"]);
    assert_eq!(shift(Binary::Shr, 64), ["0"]);
}

#[test]
fn rotations_by_every_amount() {
    for (unit, bits) in [(1, 3), (1, 6), (1, 7), (8, 3), (8, 4), (24, 2), (24, 3), (64, 2), (100, 1), (128, 1)] {
        let width = unit << bits;
        let mut build = Build::new("small");
        let (a, by) = (build.input("a", width), build.input("by", bits));
        let output = build.node(Op::Rotate { unit }, &[a, by], width);
        build.output("out", output);
        let program = program(build);
        for a in values(width) {
            for by in 0..1 << bits {
                let inputs = [a, Value::from_u64(bits, by)];
                let expected = a.rotate_right(by as u32 * unit);
                assert_eq!(value(&program, 0, &inputs), expected.used(), "{a:x?} by {by} units of {unit}");
            }
        }
    }
}

#[test]
fn every_lane_and_none_beyond_the_last() {
    for (width, lanes) in
        [(1, 1), (1, 5), (8, 3), (8, 8), (8, 16), (16, 5), (32, 2), (32, 7), (64, 1), (64, 3), (64, 4)]
    {
        // The index has one bit more than needed, so that there are indices beyond the end.
        let bits = index_width(lanes) + 1;
        let mut build = Build::new("small");
        let (a, index) = (build.input("a", width * lanes as u32), build.input("index", bits));
        let output = build.node(Op::Lane, &[a, index], width);
        build.output("out", output);
        let program = program(build);
        for a in values(width * lanes as u32) {
            for index in 0..1 << bits {
                let expected = if index < lanes { a.slice_u64(index as u32 * width, width) } else { 0 };
                let inputs = [a, Value::from_u64(bits, index)];
                assert_eq!(value(&program, 0, &inputs), [expected], "lane {index} of {lanes} of {width} bits, {a:x?}");
            }
        }
    }
}
