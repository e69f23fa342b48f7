// SPDX-License-Identifier: MIT OR Apache-2.0
//! The meaning of each operation on words, written independently: [`crate::words`] simplifies and [`crate::print`]
//! prints; this defines the expected value.

use crate::program::Program;
use crate::words::{Op, Word};

/// The value of a word from those of its operands. Neither operands nor result have bits above their widths.
pub fn apply(program: &Program, word: &Word, args: &[u64]) -> u64 {
    let all = !0 >> (64 - word.width);
    let signed = |i: usize| {
        let above = 64 - program.words.width(word.args[i]);
        (args[i] << above) as i64 >> above
    };
    let value = match word.op {
        Op::Constant(value) => value,
        Op::Not => !args[0] & all,
        Op::Fill if args[0] == 1 => all,
        Op::Fill => 0,
        Op::And => args[0] & args[1],
        Op::Or => args[0] | args[1],
        Op::Xor => args[0] ^ args[1],
        Op::Add => args[0].wrapping_add(args[1]) & all,
        Op::Sub => args[0].wrapping_sub(args[1]) & all,
        Op::Mul => args[0].wrapping_mul(args[1]) & all,
        Op::Eq => u64::from(args[0] == args[1]),
        Op::Lt => u64::from(args[0] < args[1]),
        Op::LtSigned => u64::from(signed(0) < signed(1)),
        Op::Shl(by) => args[0] << by,
        Op::Shr(by) => args[0] >> by,
        Op::ShlBy => args[0].checked_shl(args[1] as u32).expect("less than 64") & all,
        Op::ShrBy => args[0].checked_shr(args[1] as u32).expect("less than 64"),
        Op::Low => args[0] & all,
        Op::Wider => args[0],
        Op::CountOnes => args[0].count_ones().into(),
        // For 0 the result is not used, so it is a value that no test can expect.
        Op::FirstSet if args[0] == 0 => 0x5555 & all,
        Op::FirstSet => args[0].trailing_zeros().into(),
        Op::Select => args[if args[0] == 1 { 1 } else { 2 }],
        Op::Table(table) => program.tables[table].at(args[0]),
        Op::Linear(map) => program.maps[map].of(args[0]).into(),
        Op::Input(..) | Op::Cell(_) | Op::Variable(_) | Op::Array | Op::Element => {
            unreachable!("not from values alone")
        }
    };
    assert_eq!(value & !all, 0, "bits above the width: {word:?} of {args:x?}");
    value
}
