// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests which statement runs first, and which cells are saved.

use super::*;
use crate::live::{self, Purpose};
use crate::place::{Line, place};
use crate::program::Memory;
use crate::tests::{Edge, Make, cases, play, show};
use crate::{group, window};

fn sorted(mut make: Make) -> (Vec<String>, Vec<String>) {
    let none = Window::default();
    sort(&mut make.0, &none);
    let text = show::all(&make.0);
    (text, saved(&make.0, &none))
}

/// The cells that are saved.
fn saved(program: &Program, window: &Window) -> Vec<String> {
    let placed = place(program.clone(), window);
    let cell = |line: &Line| match *line {
        Line::Define(word) => match placed.program.words.word(word).op {
            Op::Cell(cell) => Some(placed.program.cells[cell].name.clone()),
            _ => None,
        },
        _ => None,
    };
    placed.lines.iter().flatten().filter_map(cell).collect()
}

#[test]
fn who_reads_a_cell_runs_ahead_of_who_assigns_it() {
    let mut make = Make::new();
    let x = make.input("x", 8);
    let [(a, was_a), (b, was_b), (c, _)] = ["a", "b", "c"].map(|name| make.cell(name, 8));
    make.run(Make::set(a, x));
    make.run(Make::set(b, was_a));
    make.run(Make::set(c, was_b));
    let (text, saved) = sorted(make);
    assert_eq!(text, ["c := b", "b := a", "a := x"]);
    assert!(saved.is_empty(), "{saved:?}");
}

#[test]
fn of_registers_that_change_places_one_is_saved() {
    for count in 2..5 {
        let mut make = Make::new();
        let cells: Vec<_> = (0..count).map(|i| make.cell(&format!("r{i}"), 8)).collect();
        for i in 0..count {
            make.run(Make::set(cells[i].0, cells[(i + 1) % count].1));
        }
        let (_, saved) = sorted(make);
        assert_eq!(saved, ["r0"], "a ring of {count}");
    }
}

#[test]
fn the_circle_is_cut_where_it_costs_least() {
    // The first reads one cell of the second, the second reads two of the first: the second runs first, and one cell is
    // saved.
    let mut make = Make::new();
    let on = make.input("on", 1);
    let [(a, was_a), (b, was_b), (c, was_c)] = ["a", "b", "c"].map(|name| make.cell(name, 8));
    let first = make.branch(on, vec![Make::set(a, was_c), Make::set(b, was_c)], vec![]);
    let sum = make.0.words.add(was_a, was_b);
    make.run(first);
    make.run(Make::set(c, sum));
    let (text, saved) = sorted(make);
    assert_eq!(text, ["c := (add a b)", "if on { a := c; b := c } else {  }"]);
    assert_eq!(saved, ["c"]);
}

#[test]
fn a_cell_in_the_window_keeps_its_old_place_and_nobody_waits_for_it() {
    let mut make = Make::new();
    let x = make.input("x", 8);
    let [(a, was_a), (b, _), (c, _)] = ["a", "b", "c"].map(|name| make.cell(name, 8));
    make.run(Make::set(a, x));
    make.run(Make::set(b, was_a));
    let twice = make.0.words.add(was_a, was_a);
    make.run(Make::set(c, twice));
    let window = window::slide(&mut make.0);
    assert!(window.place(a).is_some());
    sort(&mut make.0, &window);
    assert_eq!(show::all(&make.0), ["a := x", "c := (add a a)"], "the order of the source");
    assert!(saved(&make.0, &window).is_empty());
}

#[test]
fn a_variable_is_read_behind_all_of_its_assignments_and_they_keep_their_order() {
    let mut make = Make::new();
    let (x, on) = (make.input("x", 8), make.input("on", 1));
    let (v, of_v) = make.variable("v", 8, None);
    let (a, _) = make.cell("a", 8);
    make.run(Make::set(a, of_v));
    make.run(Make::put(v, x));
    let zero = make.0.words.constant(8, 0);
    let again = make.branch(on, vec![Make::put(v, zero)], vec![]);
    make.run(again);
    let (text, _) = sorted(make);
    assert_eq!(text, ["v = x", "if on { v = 0 } else {  }", "a := v"]);
}

#[test]
fn a_default_is_read_behind_what_it_reads() {
    let mut make = Make::new();
    let (x, on) = (make.input("x", 8), make.input("on", 1));
    let (v, of_v) = make.variable("v", 8, None);
    let one = make.0.words.constant(8, 1);
    let next = make.0.words.add(of_v, one);
    let (w, of_w) = make.variable("w", 8, Some(next));
    let (a, _) = make.cell("a", 8);
    make.run(Make::set(a, of_w));
    let set = make.branch(on, vec![Make::put(w, x)], vec![]);
    make.run(set);
    make.run(Make::put(v, x));
    let (text, _) = sorted(make);
    assert_eq!(text, ["v = x", "if on { w = x } else {  }", "a := w"]);
}

#[test]
fn who_reads_a_default_waits_for_what_the_default_reads() {
    let mut make = Make::new();
    let x = make.input("x", 8);
    let (v, of_v) = make.variable("v", 8, None);
    let one = make.0.words.constant(8, 1);
    let next = make.0.words.add(of_v, one);
    let (_, of_w) = make.variable("w", 8, Some(next));
    let (a, _) = make.cell("a", 8);
    make.run(Make::set(a, of_w));
    make.run(Make::put(v, x));
    let (text, _) = sorted(make);
    assert_eq!(text, ["v = x", "a := w"]);
}

#[test]
fn a_row_is_read_before_it_is_written() {
    let mut make = Make::new();
    let (x, at) = (make.input("x", 8), make.input("at", 2));
    let (a, _) = make.cell("a", 8);
    make.0.memories.push(Memory { name: "rows".into(), depth: 4, width: 8, lanes: 1 });
    make.run(Statement::Write { memory: 0, address: at, lane: None, data: vec![x] });
    make.run(Statement::Read { memory: 0, to: vec![Some(a)], address: at, hold: None });
    let (text, _) = sorted(make);
    assert_eq!(text, ["0 := rows[at]", "rows[at] := x"]);
}

#[test]
fn run_one_after_the_other_all_statements_do_what_they_did_at_once() {
    let mut other = 0;
    for case in cases() {
        let mut program = case.program.clone();
        live::keep(&mut program, Purpose::Edge);
        let window = window::slide(&mut program);
        group::group(&mut program);
        let sequence = |program: &Program| {
            let statements = program.blocks[0].statements.iter();
            statements.map(|it| (it.targets(), it.words(), it.blocks())).collect::<Vec<_>>()
        };
        let before = sequence(&program);
        sort(&mut program, &window);
        other += usize::from(before != sequence(&program));
        let outputs = play(Edge::InOrder(&program), &window, &case.stimulus);
        assert!(outputs == case.expected, "{}", case.name);
    }
    assert!(other > 20, "{other} cases have another order");
}

#[test]
fn of_the_small_tally_two_registers_are_saved() {
    // The statement that sweeps through the table; its address and end are computed from its own state.
    let case = cases().iter().find(|case| case.name.starts_with("tally")).expect("it is a case");
    let mut program = case.program.clone();
    live::keep(&mut program, Purpose::Edge);
    let window = window::slide(&mut program);
    group::group(&mut program);
    sort(&mut program, &window);
    let mut saved = saved(&program, &window);
    saved.sort();
    assert_eq!(saved, ["sweep_row", "sweeping"]);
}
