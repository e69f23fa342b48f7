// SPDX-License-Identifier: MIT OR Apache-2.0
//! Words are in their simplest form, and simplification does not change their values.

use super::*;
use crate::program::Program;
use crate::tests::{Make, evaluate, show};

const WIDTHS: [u32; 5] = [1, 2, 8, 63, 64];

/// Numbers at the ends of a range and in between.
fn values(width: u32) -> Vec<u64> {
    let all = mask(width);
    let mut values: Vec<_> = [0, 1, 2, 5, all / 2, all / 2 + 1, all - 1, all, 0x0123_4567_89ab_cdef]
        .iter()
        .map(|value| value & all)
        .collect();
    values.sort_unstable();
    values.dedup();
    values
}

/// The value as 128 bits in two's complement.
fn signed(value: u64, width: u32) -> i128 {
    if value >> (width - 1) == 1 { i128::from(value) - (1 << width) } else { value.into() }
}

/// Compares `make` with `expected` for all values of two operands of these widths, each as a number and as an input.
fn check(
    what: &str,
    (left, right): (u32, u32),
    make: impl Fn(&mut Words, WordId, WordId) -> WordId,
    expected: impl Fn(u64, u64) -> u128,
) {
    for a in values(left) {
        for b in values(right) {
            for given in 0..8 {
                let mut program = Make::new();
                let numbers = |program: &mut Make| {
                    [(left, a), (right, b)].map(|(width, value)| program.0.words.constant(width, value))
                };
                let inputs = |program: &mut Make| [program.input("a", left), program.input("b", right)];
                // If operands can be exchanged, the older one comes first: numbers are made before the inputs, or after
                // them.
                let (numbers, inputs) = match given & 4 {
                    0 => (numbers(&mut program), inputs(&mut program)),
                    _ => {
                        let inputs = inputs(&mut program);
                        (numbers(&mut program), inputs)
                    }
                };
                let words = &mut program.0.words;
                let a_word = if given & 1 == 1 { numbers[0] } else { inputs[0] };
                let b_word = if given & 2 == 2 { numbers[1] } else { inputs[1] };
                let result = make(words, a_word, b_word);
                let width = words.width(result);
                let number = words.number(result);
                let value = evaluate(&program.0, result, &vec![vec![a], vec![b]]);
                let expected = (expected(a, b) & u128::from(mask(width))) as u64;
                assert_eq!(value, expected, "{what} of {a:#x} and {b:#x} in {left} and {right} bits, given {given}");
                assert!(given & 3 < 3 || number == Some(expected), "{what}: numbers give a number");
            }
        }
    }
}

#[test]
fn operations_of_two_operands_of_one_width() {
    for width in WIDTHS {
        let both = (width, width);
        check("and", both, Words::and, |a, b| (a & b).into());
        check("or", both, Words::or, |a, b| (a | b).into());
        check("xor", both, Words::xor, |a, b| (a ^ b).into());
        check("add", both, Words::add, |a, b| u128::from(a) + u128::from(b));
        check("sub", both, Words::sub, |a, b| u128::from(a).wrapping_sub(b.into()));
        check("eq", both, Words::eq, |a, b| (a == b).into());
        let inverted = |words: &mut Words, a, b| {
            let a = words.not(a);
            words.eq(a, b)
        };
        check("eq inverted", both, inverted, |a, b| (!a & mask(width) == b).into());
        check("lt", both, Words::lt, |a, b| (a < b).into());
        check("signed", both, Words::lt_signed, |a, b| (signed(a, width) < signed(b, width)).into());
        for (condition, taken) in [(0, 1), (1, 0)] {
            let select = |words: &mut Words, a, b| {
                let condition = words.constant(1, condition);
                words.select(condition, a, b)
            };
            check("select", both, select, |a, b| [a, b][taken].into());
        }
    }
}

#[test]
fn operations_of_operands_with_widths_of_their_own() {
    for left in WIDTHS {
        for right in WIDTHS {
            for width in WIDTHS.into_iter().filter(|&width| width >= left.max(right)) {
                let product = |words: &mut Words, a, b| words.mul(a, b, width);
                check("mul", (left, right), product, |a, b| u128::from(a).wrapping_mul(b.into()));
            }
        }
        let equal = |words: &mut Words, condition, value| {
            let zero = words.constant(left, 0);
            words.select(condition, value, zero)
        };
        check("select or 0", (1, left), equal, |condition, value| u128::from(condition * value));
        let ones = |words: &mut Words, condition, value| {
            let ones = words.constant(left, !0);
            words.select(condition, ones, value)
        };
        check("select of ones", (1, left), ones, |condition, value| if condition == 1 { !0 } else { value.into() });
        let shift = |op: Op| move |words: &mut Words, value, by| words.shift_by(op.clone(), value, by);
        check("left by", (left, 6), shift(Op::ShlBy), |value, by| u128::from(value) << by);
        check("right by", (left, 6), shift(Op::ShrBy), |value, by| u128::from(value) >> by);
    }
}

#[test]
fn operations_of_one_operand() {
    for width in WIDTHS {
        let one = (width, 1);
        check("not", one, |words, a, _| words.not(a), |a, _| !u128::from(a));
        check(
            "not twice",
            one,
            |words, a, _| {
                let a = words.not(a);
                words.not(a)
            },
            |a, _| a.into(),
        );
        check("fill", one, |words, _, b| words.fill(b, width), |_, b| if b == 1 { !0 } else { 0 });
        check("ones", one, |words, a, _| words.count(Op::CountOnes, a, 7), |a, _| a.count_ones().into());
        for to in WIDTHS {
            check("resize", one, |words, a, _| words.resize(a, to), |a, _| a.into());
            let twice = |words: &mut Words, a, _| {
                let a = words.resize(a, to);
                words.resize(a, width)
            };
            check("resize twice", one, twice, |a, _| (a & mask(to)).into());
            for by in [0, 1, 7, 31, 62, 63, 64, 70] {
                check("left", one, |words, a, _| words.shl(a, by, to), |a, _| u128::from(a) << by);
                check("right", one, |words, a, _| words.shr(a, by, to), |a, _| u128::from(a) >> by);
                let again = |words: &mut Words, a, _| {
                    let a = words.shr(a, by, width.saturating_sub(by).max(1));
                    words.shr(a, 3, to)
                };
                check("right twice", one, again, |a, _| u128::from(a) >> by >> 3);
                let cut = |words: &mut Words, a, _| {
                    let a = words.shl(a, by, 64);
                    words.low(a, to)
                };
                check("left, cut", one, cut, |a, _| u128::from(a) << by & u128::from(mask(64)));
            }
        }
    }
}

/// The index of the lowest 1; for 0 it is a number that nothing uses.
#[test]
fn first_set() {
    for width in WIDTHS {
        let find = |words: &mut Words, a, _| words.count(Op::FirstSet, a, 6);
        for a in values(width).into_iter().filter(|&a| a != 0) {
            let mut program = Make::new();
            let input = program.input("a", width);
            let word = find(&mut program.0.words, input, input);
            assert_eq!(evaluate(&program.0, word, &vec![vec![a]]), a.trailing_zeros().into());
            let number = program.0.words.constant(width, a);
            let word = find(&mut program.0.words, number, number);
            assert_eq!(program.0.words.number(word), Some(a.trailing_zeros().into()));
        }
    }
}

#[test]
fn equal_words_are_one() {
    let mut make = Make::new();
    let (a, b) = (make.input("a", 8), make.input("b", 8));
    let words = &mut make.0.words;
    assert_eq!(words.add(a, b), words.add(b, a));
    assert_ne!(words.sub(a, b), words.sub(b, a));
    assert_ne!(words.resize(a, 9), words.resize(a, 10));
    let one = words.constant(8, 1);
    assert_eq!(words.constant(8, 257), one);
    let count = words.len();
    words.and(a, b);
    words.and(b, a);
    assert_eq!(words.len(), count + 1);
}

/// The word that `of` makes from inputs a and b of 8 bits and c of one, as text.
fn form(of: impl Fn(&mut Words, WordId, WordId, WordId) -> WordId) -> String {
    let mut make = Make::new();
    let (a, b, c) = (make.input("a", 8), make.input("b", 8), make.input("c", 1));
    let word = of(&mut make.0.words, a, b, c);
    show::word(&make.0, word)
}

#[test]
fn the_simplest_form() {
    let forms = [
        (
            form(|w, a, b, _| {
                let sum = w.add(a, b);
                w.sub(sum, sum)
            }),
            "0",
        ),
        (form(|w, a, _, _| w.and(a, a)), "a"),
        (form(|w, a, _, _| w.xor(a, a)), "0"),
        (
            form(|w, a, _, _| {
                let ones = w.constant(8, 255);
                w.xor(a, ones)
            }),
            "(not a)",
        ),
        (
            form(|w, a, _, _| {
                let (a, zero) = (w.not(a), w.constant(8, 0));
                w.eq(a, zero)
            }),
            "(eq 255 a)",
        ),
        (
            form(|w, a, b, c| {
                let c = w.not(c);
                w.select(c, a, b)
            }),
            "(select c b a)",
        ),
        (form(|w, a, _, c| w.select(c, a, a)), "a"),
        (
            form(|w, _, _, c| {
                let (one, zero) = (w.constant(1, 1), w.constant(1, 0));
                w.select(c, zero, one)
            }),
            "(not c)",
        ),
        (
            form(|w, _, _, c| {
                let (one, zero) = (w.constant(8, 1), w.constant(8, 0));
                w.select(c, one, zero)
            }),
            "(wider8 c)",
        ),
        (
            form(|w, a, _, _| {
                let eight = w.constant(8, 8);
                w.mul(a, eight, 16)
            }),
            "(shl3 a)",
        ),
        // Bits that are shifted out at the top are not computed.
        (form(|w, a, _, _| w.shl(a, 6, 8)), "(shl6 (low2 a))"),
        (
            form(|w, a, _, _| {
                let a = w.shr(a, 2, 6);
                w.shr(a, 3, 3)
            }),
            "(shr5 a)",
        ),
        (
            form(|w, a, _, _| {
                let a = w.resize(a, 20);
                w.low(a, 3)
            }),
            "(low3 a)",
        ),
        (
            form(|w, a, _, _| {
                let a = w.shl(a, 8, 16);
                w.low(a, 8)
            }),
            "0",
        ),
        (
            form(|w, a, b, _| {
                let (array, at) = (w.array(vec![a, b]), w.constant(32, 1));
                w.element(array, at)
            }),
            "b",
        ),
        (
            form(|w, a, b, _| {
                let array = w.array(vec![a]);
                w.element(array, b)
            }),
            "a",
        ),
    ];
    for (is, expected) in forms {
        assert_eq!(is, expected);
    }
}

#[test]
fn a_word_keeps_its_first_name() {
    let mut program = Program::default();
    let word = program.words.leaf(Op::Cell(0), 8);
    assert_eq!(program.words.name(word), None);
    program.words.set_name(word, "first".into());
    program.words.set_name(word, "second".into());
    assert_eq!(program.words.name(word), Some("first"));
}
