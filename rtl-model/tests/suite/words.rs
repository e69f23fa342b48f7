// SPDX-License-Identifier: MIT OR Apache-2.0
//! Wide values against `u128`, and narrow ones against wide ones.

use proptest::prelude::*;
use rtl_model::model::Word;
use rtl_model::ops::{Binary, Unary};
use rtl_model::words::Words;

fn wide(width: u32, value: u128) -> Words {
    Words::from_limbs(width, &[value as u64, (value >> 64) as u64])
}

fn number(value: Words) -> u128 {
    assert!(value.limbs()[2..].iter().all(|&limb| limb == 0));
    value.limbs()[0] as u128 | (value.limbs()[1] as u128) << 64
}

fn cut(width: u32, value: u128) -> u128 {
    if width >= 128 { value } else { value & ((1 << width) - 1) }
}

fn signed(width: u32, value: u128) -> i128 {
    (value << (128 - width)) as i128 >> (128 - width)
}

const BINARY: [Binary; 15] = [
    Binary::Add,
    Binary::Sub,
    Binary::Mul,
    Binary::And,
    Binary::Or,
    Binary::Xor,
    Binary::Eq,
    Binary::Ne,
    Binary::Lt,
    Binary::Le,
    Binary::LtSigned,
    Binary::LeSigned,
    Binary::Shl,
    Binary::Shr,
    Binary::ShrSigned,
];

fn expected(op: Binary, width: u32, a: u128, b: u128) -> u128 {
    let by = b.min(200) as u32;
    cut(
        width,
        match op {
            Binary::Add => a.wrapping_add(b),
            Binary::Sub => a.wrapping_sub(b),
            Binary::Mul => unreachable!("twice as wide"),
            Binary::And => a & b,
            Binary::Or => a | b,
            Binary::Xor => a ^ b,
            Binary::Eq => (a == b) as u128,
            Binary::Ne => (a != b) as u128,
            Binary::Lt => (a < b) as u128,
            Binary::Le => (a <= b) as u128,
            Binary::LtSigned => (signed(width, a) < signed(width, b)) as u128,
            Binary::LeSigned => (signed(width, a) <= signed(width, b)) as u128,
            Binary::Shl => a.checked_shl(by).unwrap_or(0),
            Binary::Shr => a.checked_shr(by).unwrap_or(0),
            Binary::ShrSigned => (signed(width, a) >> by.min(127)) as u128,
        },
    )
}

proptest! {
    #[test]
    fn operators_compute_what_numbers_do(width in 1u32..=128, a: u128, b: u128, small in 0u128..140) {
        let (a, b, small) = (cut(width, a), cut(width, b), cut(width, small));
        for op in BINARY.into_iter().filter(|&op| op != Binary::Mul) {
            for b in [b, small, a] {
                let got = number(Words::binary(op, wide(width, a), wide(width, b)));
                prop_assert_eq!(got, expected(op, width, a, b), "{:?} {:#x} {:#x}", op, a, b);
            }
        }
    }

    #[test]
    fn products_are_whole(left in 1u32..=64, right in 1u32..=64, a: u64, b: u64) {
        let (a, b) = (cut(left, a as u128), cut(right, b as u128));
        prop_assert_eq!(number(Words::binary(Binary::Mul, wide(left, a), wide(right, b))), a * b);
    }

    #[test]
    fn parts_and_turns(width in 2u32..=128, value: u128, low in 0u32..128, by in 0u32..128) {
        let value = cut(width, value);
        let (low, by) = (low % width, by % width);
        let part = width - low;
        prop_assert_eq!(number(wide(width, value).slice(low, part)), value >> low);
        if part <= 64 {
            prop_assert_eq!(wide(width, value).slice_u64(low, part) as u128, value >> low);
        }
        let turned = if by == 0 { value } else { cut(width, value >> by | value << (width - by)) };
        prop_assert_eq!(number(wide(width, value).rotate_right(by)), turned);
        let joined = wide(part, value >> low).concat(wide(64, 5));
        prop_assert_eq!(number(joined.slice(64, part)), value >> low);
        prop_assert_eq!(joined.low(), 5);
    }

    #[test]
    fn narrow_values_agree_with_wide_ones(width in 1u32..=64, a: u64, b: u64) {
        let (a, b) = (cut(width, a as u128), cut(width, b as u128));
        let narrow = |x: u128| Word::cut(width, x as u64);
        for op in BINARY.into_iter().filter(|&op| op != Binary::Mul || width <= 32) {
            let got = narrow(a).binary(op, narrow(b));
            prop_assert_eq!(got.value() as u128, number(Words::binary(op, wide(width, a), wide(width, b))), "{:?}", op);
        }
        for op in [Unary::Not, Unary::ReduceAnd, Unary::ReduceOr, Unary::ReduceXor, Unary::FirstSet, Unary::CountOnes] {
            let got = narrow(a).unary(op);
            let same = Words::unary(op, wide(width, a));
            prop_assert_eq!((got.width(), got.value() as u128), (same.width(), number(same)), "{:?}", op);
        }
    }
}
