// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests arithmetic on several limbs.

use super::{check, program, text};
use crate::tests::Build;
use rtl_model::netlist::circuit::Value;
use rtl_model::ops::{Binary, Unary};

const WIDTHS: [u32; 8] = [1, 63, 64, 65, 127, 128, 129, 192];

#[test]
fn operators_on_two_operands_of_any_width() {
    let all = [
        Binary::Add,
        Binary::Sub,
        Binary::And,
        Binary::Or,
        Binary::Xor,
        Binary::Eq,
        Binary::Ne,
        Binary::Lt,
        Binary::Le,
        Binary::LtSigned,
        Binary::LeSigned,
    ];
    for width in WIDTHS {
        for op in all {
            check(
                &format!("{op:?}"),
                &[width; 2],
                |build, args| build.binary(op, args[0], args[1]),
                |args| Value::binary(op, args[0], args[1]),
            );
        }
    }
}

#[test]
fn products() {
    for (left, right) in [(1, 1), (31, 32), (32, 32), (33, 31), (33, 32), (64, 64), (65, 1), (1, 128), (100, 92)] {
        check(
            "product",
            &[left, right],
            |build, args| build.binary(Binary::Mul, args[0], args[1]),
            |args| Value::binary(Binary::Mul, args[0], args[1]),
        );
    }
}

#[test]
fn operators_on_one_operand() {
    for width in WIDTHS {
        for op in [Unary::Not, Unary::ReduceAnd, Unary::ReduceOr, Unary::ReduceXor, Unary::FirstSet, Unary::CountOnes] {
            let (build, expected) = (|build: &mut Build, arg| build.unary(op, arg), |arg| Value::unary(op, arg));
            check(&format!("{op:?}"), &[width], |b, args| build(b, args[0]), |args| expected(args[0]));
        }
    }
}

/// Two inputs of a width, and an operator on them.
fn limbs(width: u32, op: Binary) -> Vec<String> {
    let mut build = Build::new("small");
    let (a, b) = (build.input("a", width), build.input("b", width));
    let output = build.binary(op, a, b);
    build.output("out", output);
    text(&program(build))
}

#[test]
fn a_carry_goes_up() {
    assert_eq!(limbs(64, Binary::Add), ["(add a b)"]);
    let (low, carry) = ("(add a.0 b.0)", "(lt (add a.0 b.0) a.0)");
    assert_eq!(limbs(65, Binary::Add), [low, &format!("(xor {carry} (xor a.1 b.1))")]);
    assert_eq!(limbs(66, Binary::Add), [low, &format!("(add (add a.1 b.1) (wider2 {carry}))")]);
    assert_eq!(limbs(66, Binary::Sub), ["(sub a.0 b.0)", "(sub (sub a.1 b.1) (wider2 (lt a.0 b.0)))"]);
}

#[test]
fn the_highest_limb_that_differs_decides() {
    let low = "(and (eq a.1 b.1) (lt a.0 b.0))";
    assert_eq!(limbs(128, Binary::Lt), [format!("(or {low} (lt a.1 b.1))")]);
    assert_eq!(limbs(128, Binary::LtSigned), [format!("(or {low} (ltsigned a.1 b.1))")]);
}
