// SPDX-License-Identifier: MIT OR Apache-2.0
//! `Logic` for nets: operators become nodes, branches become statements.

use super::Netlist;
use super::build::with;
use super::child::ChildNet;
use super::circuit::*;
use super::memory::MemoryNet;
use super::net::{Net, width_problem};
use super::problem::Title;
use super::state::{self, LineNet, RegisterNet, VariableNet};
use crate::constant::Constant;
use crate::logic::{Logic, Reading};
use crate::names::Called;
use crate::ops::{Binary, Unary};
use crate::ram::RamShape;
use crate::signal::Signal;
use crate::stage::{Design, Stage};
use crate::state::Resets;
use crate::tables::{Linear, Table};
use std::panic::Location;

impl Reading for Netlist {
    type Narrow = Net;
    type Wide = Net;
}

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
            ("left operand made", m.module.node(left).site),
            ("right operand made", m.module.node(right).site),
            ("used", used),
        ];
        let text = format!("{what}: {} and {} bits", a.width, b.width);
        m.problem(Title::WidthMismatch, text, SAME_WIDTH, sites);
    });
}

#[track_caller]
fn condition(cond: Net) -> Net {
    if cond.width == 1 {
        return cond;
    }
    width_problem(format!("condition of {} bits", cond.width), "compare it, or use any()");
    op(Op::Unary(Unary::ReduceOr), &[cond], 1)
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

/// Offers a node a name.
fn offer(a: Net, origin: Origin, name: &str) {
    with(|b| {
        let depth = b.calls;
        // A net of another module is reported where it is used.
        if let Some(node) = b.module.nodes.get_mut(a.node.0 as usize).filter(|_| a.serial == b.serial) {
            let new = Hint { name: name.to_owned(), origin, depth };
            node.hint = Hint::better(node.hint.take(), Some(new));
        }
    });
}

/// A call of a function that gives names begins.
pub(crate) fn enter_call() {
    with(|b| b.calls += 1);
}

/// The call ends.
pub(crate) fn leave_call() {
    with(|b| b.calls -= 1);
}

#[track_caller]
fn check_literal(width: u32, value: u64) {
    if width < 64 && value >> width != 0 {
        width_problem(format!("literal {value:#x} does not fit {width} bits"), "widen the left side first");
    }
}

impl Logic for Netlist {
    type Cell<T: Signal<Logic = Self>> = RegisterNet<T>;
    type Scratch<T: Signal<Logic = Self>> = VariableNet<T>;
    type Memory<T: Signal<Logic = Self>> = MemoryNet<T>;
    type Line<T: Signal<Logic = Self>> = LineNet<T>;
    type Child<D: Design> = ChildNet<D>;
    type Chain = u32;
    type Switch = (Net, u32);
    const NAMES: bool = true;

    fn enter_scope(name: &str, doc: &str) {
        with(|b| {
            b.names.enter(name);
            if !doc.is_empty() {
                b.module.docs.insert(b.names.scope().to_vec(), doc.to_owned());
            }
        });
    }
    fn leave_scope() {
        with(|b| b.names.leave());
    }

    #[track_caller]
    fn constant(width: u32, value: u64) -> Net {
        Netlist::literal(width, value)
    }
    #[track_caller]
    fn named_constant(width: u32, constant: Constant) -> Net {
        check_literal(width, constant.value);
        let site = Location::caller();
        with(|b| b.named_constant(Value::from_u64(width, constant.value), &constant.name(), site))
    }
    fn width(a: Net) -> u32 {
        a.width
    }
    #[track_caller]
    fn name(a: Net, name: &str, index: Option<usize>) {
        let site = Location::caller();
        with(|b| {
            let id = b.own(a, site);
            let node = &mut b.module.nodes[id.0 as usize];
            let named = matches!(
                node.op,
                Op::Constant(_)
                    | Op::Input(_)
                    | Op::Register(_)
                    | Op::Variable(_)
                    | Op::MemoryData(..)
                    | Op::InstanceOutput(..)
            );
            if !named && node.name.is_none() {
                node.name = Some(index.map_or(name.to_string(), |i| format!("{name}_{i}")));
            }
        });
    }
    fn offer_name(a: Net, origin: Origin, name: &str) {
        offer(a, origin, name);
    }
    fn ignore(a: Net) {
        with(|b| {
            if let Op::Input(i) = b.module.node(a.node).op {
                b.module.inputs[i].unused_ok = true;
            }
        });
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
        let table_index = with(|b| b.table(table));
        op(Op::Table(table_index), &[index], table.width())
    }
    #[track_caller]
    fn linear(a: Net, map: &Linear) -> Net {
        if a.width != map.width() {
            width_problem(format!("{} bits into a linear map of {}", a.width, map.width()), "extend() or slice() them");
            return zero(32);
        }
        let map_index = with(|b| b.map(map));
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
    fn name_wide(a: Net, name: &str, index: Option<usize>) {
        Self::name(a, name, index);
    }
    fn offer_name_wide(a: Net, origin: Origin, name: &str) {
        offer(a, origin, name);
    }
    fn ignore_wide(a: Net) {
        Self::ignore(a);
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

    #[track_caller]
    fn cell<T: Signal<Logic = Self>>(called: Called, shape: &T::Shape, init: Option<T>) -> RegisterNet<T> {
        state::register(called, "", shape, init, Location::caller())
    }
    #[track_caller]
    fn cell_get<T: Signal<Logic = Self>>(cell: &RegisterNet<T>) -> T {
        cell.get()
    }
    #[track_caller]
    fn cell_set<T: Signal<Logic = Self>>(cell: &RegisterNet<T>, value: T) {
        cell.set(value);
    }
    fn cell_resets<T: Signal<Logic = Self>>(cell: &RegisterNet<T>, resets: Resets) {
        cell.resets(resets);
    }
    #[track_caller]
    fn scratch<T: Signal<Logic = Self>>(name: &str, initial: T) -> VariableNet<T> {
        state::variable(name, initial)
    }
    #[track_caller]
    fn scratch_get<T: Signal<Logic = Self>>(scratch: &VariableNet<T>) -> T {
        scratch.get()
    }
    #[track_caller]
    fn scratch_set<T: Signal<Logic = Self>>(scratch: &VariableNet<T>, value: T) {
        scratch.set(value);
    }
    #[track_caller]
    fn memory<T: Signal<Logic = Self>>(called: Called, ram: &RamShape, shape: &T::Shape) -> MemoryNet<T> {
        MemoryNet::new(called, ram, shape)
    }
    #[track_caller]
    fn memory_read<T: Signal<Logic = Self>>(memory: &MemoryNet<T>, port: usize, address: Net) {
        memory.read(port, address);
    }
    #[track_caller]
    fn memory_write<T: Signal<Logic = Self>>(memory: &MemoryNet<T>, address: Net, value: T) {
        memory.write(address, value);
    }
    #[track_caller]
    fn memory_write_lane<T: Signal<Logic = Self>>(memory: &MemoryNet<T>, address: Net, lane: Net, value: Net) {
        memory.write_lane(address, lane, value);
    }
    #[track_caller]
    fn memory_data<T: Signal<Logic = Self>>(memory: &MemoryNet<T>, port: usize) -> T {
        memory.data(port)
    }
    #[track_caller]
    fn memory_clock<T: Signal<Logic = Self>>(memory: &MemoryNet<T>) {
        memory.clock();
    }
    #[track_caller]
    fn line<T: Signal<Logic = Self>>(called: Called, shape: &T::Shape, length: usize) -> LineNet<T> {
        state::line(called, shape, length)
    }
    #[track_caller]
    fn line_get<T: Signal<Logic = Self>>(line: &LineNet<T>) -> T {
        line.last().get()
    }
    #[track_caller]
    fn line_shift<T: Signal<Logic = Self>>(line: &LineNet<T>, value: T) {
        line.shift(value);
    }
    fn line_resets<T: Signal<Logic = Self>>(line: &LineNet<T>, resets: Resets) {
        line.resets(resets);
    }
    #[track_caller]
    fn child<D: Design>(called: Called, design: &D) -> ChildNet<D> {
        ChildNet::new(called, design)
    }
    #[track_caller]
    fn child_outputs<D: Design>(child: &ChildNet<D>) -> <D::Stage<Self> as Stage<Self>>::Out {
        child.outputs()
    }
    #[track_caller]
    fn child_clock<D: Design>(child: &ChildNet<D>, input: &<D::Stage<Self> as Stage<Self>>::In) {
        child.clock(input);
    }
    fn child_shape<D: Design>(child: &ChildNet<D>) -> <<D::Stage<Self> as Stage<Self>>::In as Signal>::Shape {
        child.input_shape()
    }

    #[track_caller]
    fn when(cond: Net, body: &dyn Fn()) -> u32 {
        let (cond, site) = (condition(cond), Location::caller());
        let group = with(|b| b.group());
        let arm = branch(group, 0, body);
        with(|b| {
            let cond = b.own(cond, site);
            b.blocks.last_mut().expect("open").push(Statement::If { arms: vec![(cond, arm)], otherwise: vec![] });
        });
        group
    }
    #[track_caller]
    fn or_when(group: u32, cond: Net, body: &dyn Fn()) -> u32 {
        let (cond, site) = (condition(cond), Location::caller());
        let arm_index = with(|b| match last(b) {
            Statement::If { arms, .. } => arms.len() as u32,
            _ => unreachable!("follows its when"),
        });
        let arm = branch(group, arm_index, body);
        with(|b| {
            let cond = b.own(cond, site);
            if let Statement::If { arms, .. } = last(b) {
                arms.push((cond, arm));
            }
        });
        group
    }
    fn otherwise(group: u32, body: &dyn Fn()) {
        let arm = branch(group, u32::MAX, body);
        with(|b| {
            if let Statement::If { otherwise, .. } = last(b) {
                *otherwise = arm;
            }
        });
    }
    #[track_caller]
    fn switch(subject: Net) -> (Net, u32) {
        let site = Location::caller();
        with(|b| {
            let node = b.own(subject, site);
            let case = Statement::Case { subject: node, arms: vec![], otherwise: vec![] };
            b.blocks.last_mut().expect("open").push(case);
            (subject, b.group())
        })
    }
    #[track_caller]
    fn case((subject, group): (Net, u32), value: u64, body: &dyn Fn()) -> (Net, u32) {
        let site = Location::caller();
        if subject.width < 64 && value >> subject.width != 0 {
            let text = format!("case {value:#x} does not fit {} bits", subject.width);
            width_problem(text, "the subject never has this value");
            return (subject, group);
        }
        let value = Value::from_u64(subject.width, value);
        let (index, twice) = with(|b| match last(b) {
            Statement::Case { arms, .. } => (arms.len() as u32, arms.iter().any(|(v, _)| *v == value)),
            _ => unreachable!("follows its switch"),
        });
        if twice {
            let text = format!("value {:#x} twice in one switch", value.low());
            with(|b| b.problem(Title::DuplicateCase, text, "merge the two bodies", vec![("second", site)]));
        }
        let arm = branch(group, index, body);
        with(|b| {
            if let Statement::Case { arms, .. } = last(b) {
                arms.push((value, arm));
            }
        });
        (subject, group)
    }
    fn default((_, group): (Net, u32), body: &dyn Fn()) {
        let arm = branch(group, u32::MAX, body);
        with(|b| {
            if let Statement::Case { otherwise, .. } = last(b) {
                *otherwise = arm;
            }
        });
    }
}

/// Runs a body in a block of its own.
fn branch(group: u32, arm: u32, body: &dyn Fn()) -> Vec<Statement> {
    with(|b| {
        b.path.push((group, arm));
        b.blocks.push(vec![]);
    });
    body();
    with(|b| {
        b.path.pop();
        b.blocks.pop().expect("opened above")
    })
}

fn last(b: &mut super::build::Builder) -> &mut Statement {
    b.blocks.last_mut().and_then(|block| block.last_mut()).expect("a when or switch stands here")
}
