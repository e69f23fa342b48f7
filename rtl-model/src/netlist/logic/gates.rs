// SPDX-License-Identifier: MIT OR Apache-2.0
//! Operators as nodes.

use crate::constant::name_of;
use crate::logic::Gates;
use crate::netlist::circuit::{Op, Value};
use crate::netlist::net::{Net, Netlist};
use crate::netlist::problem::Title;
use crate::netlist::session::{width_problem, with};
use crate::ops::{Binary, Unary};
use crate::tables::{Linear, Table};
use std::panic::Location;

const SAME_WIDTH: &str = "extend(), truncate() or slice() one of them";

#[track_caller]
fn op(op: Op, args: &[Net], width: u32) -> Net {
    let site = Location::caller();
    with(|b| b.op(op, args, width, site))
}

/// The constant that replaces a value of the wrong width, so that elaboration can continue and find more problems.
#[track_caller]
fn zero(width: u32) -> Net {
    let site = Location::caller();
    with(|b| b.constant(Value::zero(width), site))
}

/// A difference of widths, with the lines that made both operands.
#[track_caller]
fn mismatch(what: &str, a: Net, b: Net) {
    let used = Location::caller();
    with(|m| {
        let (left, right) = (m.own(a, used), m.own(b, used));
        let sites = vec![
            ("left operand made", m.graph.node(left).site),
            ("right operand made", m.graph.node(right).site),
            ("used", used),
        ];
        let text = format!("{what}: {} and {} bits", a.width, b.width);
        m.problem(Title::WidthMismatch, text, SAME_WIDTH, sites);
    });
}

fn mnemonic(op: Binary) -> String {
    format!("{op:?}").to_lowercase()
}

impl Netlist {
    #[track_caller]
    fn two(operator: Binary, a: Net, b: Net, most: u32) -> Net {
        match operator.width(a.width, b.width) {
            Some(width) if width <= most => op(Op::Binary(operator), &[a, b], width),
            Some(width) => {
                width_problem(format!("a product of {width} bits"), "narrow the operands, or use Wide");
                zero(a.width)
            }
            None => {
                mismatch(&mnemonic(operator), a, b);
                zero(operator.width(a.width, a.width).unwrap_or(1))
            }
        }
    }

    #[track_caller]
    fn literal(width: u32, value: u64) -> Net {
        check_literal(width, value);
        let site = Location::caller();
        with(|b| b.constant(Value::from_u64(width, value), site))
    }

    #[track_caller]
    fn part(a: Net, low: u32, width: u32, most: u32) -> Net {
        if width >= 1 && width <= most && low + width <= a.width {
            return op(Op::Slice { low }, &[a], width);
        }
        let text = format!("slice of {width} bits from bit {low} of {} bits", a.width);
        width_problem(text, "a slice has at least one bit (a narrow one at most 64) and stays inside");
        zero(width.clamp(1, most))
    }

    #[track_caller]
    fn wider(a: Net, width: u32, signed: bool, most: u32) -> Net {
        if width >= a.width && width <= most {
            return op(if signed { Op::SignExtend } else { Op::ZeroExtend }, &[a], width);
        }
        width_problem(format!("extension from {} to {width} bits", a.width), "truncate() makes narrower");
        zero(width.clamp(1, most))
    }

    #[track_caller]
    fn join(high: Net, low: Net, most: u32) -> Net {
        if high.width + low.width <= most {
            return op(Op::Concat, &[high, low], high.width + low.width);
        }
        mismatch("concatenation is too wide", high, low);
        zero(most)
    }

    #[track_caller]
    fn choose(c: Net, a: Net, b: Net) -> Net {
        let c = condition(c);
        if a.width != b.width {
            mismatch("select", a, b);
            return a;
        }
        op(Op::Select, &[c, a, b], a.width)
    }
}

#[track_caller]
pub(super) fn condition(cond: Net) -> Net {
    if cond.width == 1 {
        return cond;
    }
    width_problem(format!("condition of {} bits", cond.width), "compare it, or use any()");
    op(Op::Unary(Unary::ReduceOr), &[cond], 1)
}

#[track_caller]
fn check_literal(width: u32, value: u64) {
    if width < 64 && value >> width != 0 {
        width_problem(format!("literal {value:#x} does not fit {width} bits"), "widen the left side first");
    }
}

impl Gates for Netlist {
    #[track_caller]
    fn constant(width: u32, value: u64) -> Net {
        Netlist::literal(width, value)
    }
    #[track_caller]
    fn named_constant(width: u32, value: u64, path: &'static str) -> Net {
        check_literal(width, value);
        let site = Location::caller();
        with(|b| b.named_constant(Value::from_u64(width, value), &name_of(path), site))
    }
    fn width(a: Net) -> u32 {
        a.width
    }
    #[track_caller]
    fn unary(operator: Unary, a: Net) -> Net {
        op(Op::Unary(operator), &[a], operator.width(a.width))
    }
    #[track_caller]
    fn binary(operator: Binary, a: Net, b: Net) -> Net {
        Netlist::two(operator, a, b, 64)
    }
    #[track_caller]
    fn select(c: Net, a: Net, b: Net) -> Net {
        Netlist::choose(c, a, b)
    }
    #[track_caller]
    fn concat(high: Net, low: Net) -> Net {
        Netlist::join(high, low, 64)
    }
    #[track_caller]
    fn slice(a: Net, low: u32, width: u32) -> Net {
        Netlist::part(a, low, width, 64)
    }
    #[track_caller]
    fn extend(a: Net, width: u32, signed: bool) -> Net {
        Netlist::wider(a, width, signed, 64)
    }
    #[track_caller]
    fn look_up(index: Net, table: &Table) -> Net {
        if index.width != table.index_width() {
            let text = format!("index of {} bits into a table that takes {}", index.width, table.index_width());
            width_problem(text, "extend(), truncate() or slice() the index");
            return zero(table.width());
        }
        let table_index = with(|b| b.graph.add_table(table));
        op(Op::Table(table_index), &[index], table.width())
    }
    #[track_caller]
    fn linear(a: Net, map: &Linear) -> Net {
        if a.width != map.width() {
            width_problem(format!("{} bits into a linear map of {}", a.width, map.width()), "extend() or slice() them");
            return zero(32);
        }
        let map_index = with(|b| b.graph.add_map(map));
        op(Op::Linear(map_index), &[a], 32)
    }
    #[track_caller]
    fn swap_bytes(a: Net) -> Net {
        if !a.width.is_multiple_of(8) {
            width_problem(format!("byte order of {} bits", a.width), "use whole bytes");
            return a;
        }
        let byte = |i: u32| Netlist::part(a, 8 * i, 8, 8);
        (1..a.width / 8).fold(byte(0), |high, i| Netlist::join(high, byte(i), 64))
    }
    #[track_caller]
    fn rotate_wide(a: Net, by: Net, unit: u32) -> Net {
        if a.width != unit << by.width {
            let text = format!("rotation of {} bits by {} bits of units of {unit}", a.width, by.width);
            width_problem(text, "the width is unit * 2^width(by)");
            return a;
        }
        op(Op::Rotate { unit }, &[a, by], a.width)
    }
    #[track_caller]
    fn lane(a: Net, index: Net, width: u32) -> Net {
        op(Op::Lane, &[a, index], width)
    }
    #[track_caller]
    fn any_each(a: Net, width: u32) -> Net {
        let lane = |i| Self::unary(Unary::ReduceOr, Netlist::part(a, i * width, width, 64));
        (1..a.width / width).fold(lane(0), |low, i| Netlist::join(lane(i), low, 64))
    }
    #[track_caller]
    fn spread(a: Net, width: u32) -> Net {
        let filled = |i| Netlist::wider(Netlist::part(a, i, 1, 1), width, true, 1024);
        (1..a.width).fold(filled(0), |low, i| Netlist::join(filled(i), low, 1024))
    }
    #[track_caller]
    fn constant_wide(width: u32, value: u64) -> Net {
        Netlist::literal(width, value)
    }
    fn width_wide(a: Net) -> u32 {
        a.width
    }
    #[track_caller]
    fn not_wide(a: Net) -> Net {
        Self::unary(Unary::Not, a)
    }
    #[track_caller]
    fn reduce_wide(operator: Unary, a: Net) -> Net {
        Self::unary(operator, a)
    }
    #[track_caller]
    fn binary_wide(operator: Binary, a: Net, b: Net) -> Net {
        Netlist::two(operator, a, b, 1024)
    }
    #[track_caller]
    fn compare_wide(operator: Binary, a: Net, b: Net) -> Net {
        Netlist::two(operator, a, b, 1024)
    }
    #[track_caller]
    fn shift_wide(operator: Binary, a: Net, by: Net) -> Net {
        Netlist::two(operator, a, by, 1024)
    }
    #[track_caller]
    fn select_wide(c: Net, a: Net, b: Net) -> Net {
        Netlist::choose(c, a, b)
    }
    #[track_caller]
    fn concat_wide(high: Net, low: Net) -> Net {
        Netlist::join(high, low, 1024)
    }
    #[track_caller]
    fn slice_wide(a: Net, low: u32, width: u32) -> Net {
        Netlist::part(a, low, width, 64)
    }
    #[track_caller]
    fn part_wide(a: Net, low: u32, width: u32) -> Net {
        Netlist::part(a, low, width, 1024)
    }
    #[track_caller]
    fn extend_wide(a: Net, width: u32, signed: bool) -> Net {
        Netlist::wider(a, width, signed, 1024)
    }
    fn widen(a: Net) -> Net {
        a
    }
}
