// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests what is removed and what is kept.

use super::*;
use crate::program::Memory;
use crate::tests::{Edge, Machine, Make, Plan, cases, play, show};
use crate::window::Window;

#[test]
fn what_no_output_depends_on_is_gone() {
    let mut make = Make::new();
    let x = make.input("x", 8);
    let [(a, was_a), (b, was_b), (c, was_c), (d, was_d)] = ["a", "b", "c", "d"].map(|name| make.cell(name, 8));
    make.output("out", was_a);
    make.run(Make::set(a, was_b));
    make.run(Make::set(b, x));
    // They read each other and b, and nothing else reads them.
    let sum = make.0.words.add(was_b, was_d);
    make.run(Make::set(c, sum));
    make.run(Make::set(d, was_c));
    keep(&mut make.0, Purpose::Edge);
    assert_eq!(show::all(&make.0), ["a := b", "b := x"]);
}

#[test]
fn a_condition_is_needed_by_what_is_under_it() {
    let mut make = Make::new();
    let x = make.input("x", 8);
    let (on, is_on) = make.cell("on", 1);
    let [(a, was_a), (b, _)] = ["a", "b"].map(|name| make.cell(name, 8));
    make.output("out", was_a);
    let low = make.0.words.low(x, 1);
    make.run(Make::set(on, low));
    let branch = make.branch(is_on, vec![Make::set(a, x), Make::set(b, x)], vec![Make::set(b, was_a)]);
    make.run(branch);
    keep(&mut make.0, Purpose::Edge);
    assert_eq!(show::all(&make.0), ["on := (low1 x)", "if on { a := x } else {  }"]);
}

#[test]
fn a_variable_keeps_its_default_and_all_of_its_assignments() {
    let mut make = Make::new();
    let (x, on) = (make.input("x", 8), make.input("on", 1));
    let [(a, was_a), (b, was_b)] = ["a", "b"].map(|name| make.cell(name, 8));
    let (v, of_v) = make.variable("v", 8, Some(was_b));
    let (w, _) = make.variable("w", 8, Some(x));
    make.output("out", was_a);
    let branch = make.branch(on, vec![Make::put(v, x), Make::put(w, x)], vec![]);
    make.run(branch);
    make.run(Make::set(a, of_v));
    make.run(Make::set(b, x));
    keep(&mut make.0, Purpose::Edge);
    assert_eq!(show::all(&make.0), ["if on { v = x } else {  }", "a := v", "b := x"]);
}

/// A memory whose reads have two limbs; an output shows those that are `seen`.
fn memory(seen: &[usize]) -> Make {
    let mut make = Make::new();
    let (x, at) = (make.input("x", 64), make.input("at", 2));
    let data = ["low", "high"].map(|name| make.cell(name, 64));
    make.0.memories.push(Memory { name: "rows".into(), depth: 4, width: 128, lanes: 1 });
    seen.iter().for_each(|&i| make.output("out", data[i].1));
    make.run(Statement::Read { memory: 0, to: vec![Some(data[0].0), Some(data[1].0)], address: at, hold: None });
    make.run(Statement::Write { memory: 0, address: at, lane: None, data: vec![x, x] });
    make
}

#[test]
fn a_memory_is_read_where_somebody_looks() {
    for (seen, expected) in [
        (&[0, 1][..], vec!["0,1 := rows[at]", "rows[at] := x,x"]),
        (&[1], vec!["-,1 := rows[at]", "rows[at] := x,x"]),
        (&[], vec![]),
    ] {
        let mut make = memory(seen);
        keep(&mut make.0, Purpose::Edge);
        assert_eq!(show::all(&make.0), expected, "{seen:?}");
    }
}

#[test]
fn what_is_written_to_a_memory_that_is_read_is_needed() {
    let mut make = memory(&[0]);
    let x = make.input("y", 64);
    let (kept, was) = make.cell("kept", 64);
    make.run(Make::set(kept, x));
    let Statement::Write { data, .. } = &mut make.0.blocks[0].statements[1] else { panic!("the write") };
    data[1] = was;
    keep(&mut make.0, Purpose::Edge);
    assert_eq!(show::all(&make.0), ["0,- := rows[at]", "rows[at] := x,kept", "kept := y"]);
}

#[test]
fn a_branch_that_is_decided_is_what_it_takes() {
    let mut make = Make::new();
    let x = make.input("x", 8);
    let (a, was_a) = make.cell("a", 8);
    make.output("out", was_a);
    let one = make.0.words.constant(1, 1);
    let never = make.0.words.not(one);
    let two = make.0.words.constant(8, 2);
    for condition in [one, never] {
        let branch = make.branch(condition, vec![Make::set(a, x)], vec![Make::set(a, two)]);
        make.run(branch);
    }
    for subject in [2, 3] {
        let arm = make.block(vec![Make::set(a, x)]);
        let otherwise = make.block(vec![Make::set(a, was_a)]);
        let subject = make.0.words.constant(8, subject);
        make.run(Statement::Case { subject, arms: vec![(2, arm)], otherwise });
    }
    keep(&mut make.0, Purpose::Edge);
    assert_eq!(show::all(&make.0), ["a := x", "a := 2", "a := x", "a := a"]);
}

#[test]
fn a_branch_with_nothing_in_it_is_gone_and_an_empty_first_arm_is_turned_over() {
    let mut make = Make::new();
    let (x, on) = (make.input("x", 8), make.input("on", 1));
    let [(a, was_a), (b, _)] = ["a", "b"].map(|name| make.cell(name, 8));
    make.output("out", was_a);
    let inner = make.branch(on, vec![Make::set(b, x)], vec![]);
    let outer = make.branch(on, vec![inner], vec![Make::set(b, x)]);
    make.run(outer);
    let late = make.branch(on, vec![Make::set(b, x)], vec![Make::set(a, x)]);
    make.run(late);
    let (arm, otherwise) = (make.block(vec![Make::set(b, x)]), make.block(vec![]));
    make.run(Statement::Case { subject: x, arms: vec![(2, arm)], otherwise });
    keep(&mut make.0, Purpose::Edge);
    assert_eq!(show::all(&make.0), ["if (not on) { a := x } else {  }"]);
}

#[test]
fn the_outputs_assign_variables_alone() {
    let mut make = Make::new();
    let x = make.input("x", 8);
    let [(a, was_a), (on, is_on)] = [make.cell("a", 8), make.cell("on", 1)];
    let (v, of_v) = make.variable("v", 8, Some(was_a));
    make.output("out", of_v);
    make.run(Make::set(a, x));
    let low = make.0.words.low(x, 1);
    make.run(Make::set(on, low));
    let one = make.0.words.constant(8, 1);
    let branch = make.branch(is_on, vec![Make::put(v, one)], vec![]);
    make.run(branch);
    keep(&mut make.0, Purpose::Outputs);
    assert_eq!(show::all(&make.0), ["if on { v = 1 } else {  }"]);
    assert_eq!(make.0.roots, [of_v]);
}

#[test]
fn nothing_that_is_seen_changes() {
    let none = Window::default();
    let mut gone = 0;
    for case in cases() {
        let (mut edge, mut outputs) = (case.program.clone(), case.program.clone());
        keep(&mut edge, Purpose::Edge);
        keep(&mut outputs, Purpose::Outputs);
        let count = |program: &Program| program.blocks.iter().map(|block| block.statements.len()).sum::<usize>();
        gone += count(&case.program) - count(&edge);
        assert!(play(Edge::AtOnce(&edge), &none, &case.stimulus) == case.expected, "{}", case.name);
        // The outputs alone are computed from the state of each clock cycle.
        let (plan, alone) = (Plan::new(Edge::AtOnce(&edge), &none), Plan::new(Edge::AtOnce(&outputs), &none));
        let mut machine = Machine::new(&edge, &none);
        for ((reset, inputs), expected) in case.stimulus.iter().zip(&case.expected) {
            assert!(machine.outputs(&alone) == *expected, "{}", case.name);
            machine.clock(&plan, *reset, inputs);
        }
    }
    assert!(gone > 100, "of all cases {gone} statements are gone");
}
