// SPDX-License-Identifier: MIT OR Apache-2.0
//! Operators on values.

use crate::logic::Gates;
use crate::model::arith::{Word, check_fits, check_lanes, check_one_bit, check_slice, width_error};
use crate::model::values::Model;
use crate::ops::{Binary, Unary, index_width};
use crate::tables::{Linear, Table};
use crate::words::Words;

impl Gates for Model {
    #[track_caller]
    fn constant(width: u32, value: u64) -> Word {
        check_fits(width, value);
        Word::known(width, value)
    }
    fn width(a: Word) -> u32 {
        a.width()
    }
    #[track_caller]
    fn unary(op: Unary, a: Word) -> Word {
        a.unary(op)
    }
    #[track_caller]
    fn binary(op: Binary, a: Word, b: Word) -> Word {
        match op.width(a.width(), b.width()) {
            Some(width) if width <= 64 => {}
            _ => width_error("operator", a.width(), b.width()),
        }
        a.binary(op, b)
    }
    #[track_caller]
    fn select(c: Word, a: Word, b: Word) -> Word {
        check_one_bit(c);
        if a.width() != b.width() {
            width_error("select", a.width(), b.width());
        }
        let value = if c.value() != 0 { a.value() } else { b.value() };
        Word::known(a.width(), value)
    }
    #[track_caller]
    fn concat(high: Word, low: Word) -> Word {
        let width = high.width() + low.width();
        if width > 64 {
            width_error("concatenation to more than 64 bits", high.width(), low.width());
        }
        Word::known(width, high.value() << low.width() | low.value())
    }
    #[track_caller]
    fn slice(a: Word, low: u32, width: u32) -> Word {
        check_slice(a.width(), low, width, 64);
        Word::cut(width, a.value() >> low)
    }
    #[track_caller]
    fn extend(a: Word, width: u32, signed: bool) -> Word {
        if width < a.width() || width > 64 {
            width_error("extension", a.width(), width);
        }
        if signed { Word::cut(width, a.signed() as u64) } else { Word::known(width, a.value()) }
    }
    #[track_caller]
    fn look_up(index: Word, table: &Table) -> Word {
        if index.width() != table.index_width() {
            width_error("table", index.width(), table.index_width());
        }
        Word::known(table.width(), table.at(index.value()))
    }
    #[track_caller]
    fn linear(a: Word, map: &Linear) -> Word {
        if a.width() != map.width() {
            width_error("linear map", a.width(), map.width());
        }
        Word::known(32, map.of(a.value()).into())
    }
    #[track_caller]
    fn swap_bytes(a: Word) -> Word {
        if !a.width().is_multiple_of(8) {
            width_error("bytes", a.width(), 8);
        }
        Word::known(a.width(), a.value().swap_bytes() >> (64 - a.width()))
    }
    #[track_caller]
    fn rotate_wide(a: Words, by: Word, unit: u32) -> Words {
        if a.width() != unit << by.width() {
            width_error("rotation", a.width(), unit << by.width());
        }
        a.rotate_right(by.value() as u32 * unit)
    }
    #[track_caller]
    fn lane(a: Words, index: Word, width: u32) -> Word {
        check_lanes(a.width(), width);
        if index.width() != index_width((a.width() / width).into()) {
            width_error("lane", index.width(), index_width((a.width() / width).into()));
        }
        Word::known(width, a.lane(index.value(), width))
    }
    #[track_caller]
    fn any_each(a: Words, width: u32) -> Word {
        check_lanes(a.width(), width);
        Word::known(a.width() / width, a.any_each(width))
    }
    #[track_caller]
    fn spread(a: Word, width: u32) -> Words {
        check_lanes(a.width() * width, width);
        check_capacity(a.width() * width);
        Words::spread(a.value(), a.width(), width)
    }
    #[track_caller]
    fn constant_wide(width: u32, value: u64) -> Words {
        check_fits(width.min(64), value);
        check_capacity(width);
        Words::from_u64(width, value)
    }
    fn width_wide(a: Words) -> u32 {
        a.width()
    }
    fn not_wide(a: Words) -> Words {
        a.not()
    }
    fn reduce_wide(op: Unary, a: Words) -> Word {
        Word::cut(op.width(a.width()), Words::unary(op, a).low())
    }
    #[track_caller]
    fn binary_wide(op: Binary, a: Words, b: Words) -> Words {
        match op.width(a.width(), b.width()) {
            Some(width) => check_capacity(width),
            None => width_error("operator", a.width(), b.width()),
        }
        Words::binary(op, a, b)
    }
    #[track_caller]
    fn compare_wide(op: Binary, a: Words, b: Words) -> Word {
        if a.width() != b.width() {
            width_error("comparison", a.width(), b.width());
        }
        Word::cut(1, Words::binary(op, a, b).low())
    }
    fn shift_wide(op: Binary, a: Words, by: Word) -> Words {
        let by = by.value().min(u32::MAX as u64) as u32;
        match op {
            Binary::Shl => a.shl(by),
            Binary::Shr => a.shr(by),
            _ => a.shr_signed(by),
        }
    }
    #[track_caller]
    fn select_wide(c: Word, a: Words, b: Words) -> Words {
        check_one_bit(c);
        if a.width() != b.width() {
            width_error("select", a.width(), b.width());
        }
        if c.value() != 0 { a } else { b }
    }
    #[track_caller]
    fn concat_wide(high: Words, low: Words) -> Words {
        check_capacity(high.width() + low.width());
        high.concat(low)
    }
    #[track_caller]
    fn slice_wide(a: Words, low: u32, width: u32) -> Word {
        check_slice(a.width(), low, width, 64);
        Word::known(width, a.slice_u64(low, width))
    }
    #[track_caller]
    fn part_wide(a: Words, low: u32, width: u32) -> Words {
        check_slice(a.width(), low, width, 1024);
        a.slice(low, width)
    }
    #[track_caller]
    fn extend_wide(a: Words, width: u32, signed: bool) -> Words {
        if width < a.width() {
            width_error("extension", a.width(), width);
        }
        check_capacity(width);
        if signed { a.sign_extend(width) } else { a.resize(width) }
    }
    fn widen(a: Word) -> Words {
        Words::from_u64(a.width(), a.value())
    }
}

#[track_caller]
fn check_capacity(width: u32) {
    if width > Words::MAX_WIDTH {
        width_error("wider than a signal can be", width, Words::MAX_WIDTH);
    }
}
