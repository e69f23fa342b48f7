// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests which registers are in the window and where, and that they move.

use super::*;
use crate::live::{self, Purpose};
use crate::tests::{Edge, Make, cases, play, show};
use crate::words::WordId;

/// A chain of `names` that starts with `from`: cells and values.
fn chain(make: &mut Make, names: &[&str], from: WordId) -> Vec<(usize, WordId)> {
    let cells: Vec<_> = names.iter().map(|name| make.cell(name, 8)).collect();
    let mut value = from;
    for &(cell, word) in &cells {
        make.run(Make::set(cell, value));
        value = word;
    }
    cells
}

fn places(window: &Window, cells: &[(usize, WordId)]) -> Vec<Option<usize>> {
    cells.iter().map(|cell| window.place(cell.0)).collect()
}

#[test]
fn chains_lie_side_by_side_with_a_gap_ahead_of_each() {
    let mut make = Make::new();
    let (x, y) = (make.input("x", 8), make.input("y", 8));
    let a = chain(&mut make, &["a1", "a2", "a3"], x);
    let b = chain(&mut make, &["b1", "b2"], y);
    let window = slide(&mut make.0);
    assert_eq!(places(&window, &a), [Some(1), Some(2), Some(3)]);
    assert_eq!(places(&window, &b), [Some(5), Some(6)]);
    assert_eq!(window.size, 8);
    assert_eq!(show::all(&make.0), ["a1 := x", "b1 := y"], "the others move with the window");
}

#[test]
fn what_went_in_comes_out_as_many_clocks_later_as_the_chain_is_long() {
    let mut make = Make::new();
    let (x, y) = (make.input("x", 8), make.input("y", 8));
    let a = chain(&mut make, &["a1", "a2", "a3"], x);
    let b = chain(&mut make, &["b1", "b2"], y);
    make.output("a", a[2].1);
    make.output("b", b[1].1);
    // An initial value moves through the chain like any other.
    make.0.cells[a[1].0].init = 77;
    let stimulus: Vec<_> = (0..10).map(|i| (false, vec![vec![100 + i], vec![200 + i]])).collect();
    let window = slide(&mut make.0);
    let outputs = play(Edge::AtOnce(&make.0), &window, &stimulus);
    let expected: Vec<_> = (0..10u64)
        .map(|i| {
            let a = [0, 77, 0].get(i as usize).copied().unwrap_or_else(|| 100 + i - 3);
            vec![vec![a], vec![if i < 2 { 0 } else { 200 + i - 2 }]]
        })
        .collect();
    assert_eq!(outputs, expected);
}

#[test]
fn a_reset_sets_the_place_that_the_register_has_behind_the_edge() {
    let mut make = Make::new();
    let x = make.input("x", 8);
    let a = chain(&mut make, &["a1", "a2", "a3"], x);
    make.output("a", a[1].1);
    (make.0.cells[a[1].0].init, make.0.cells[a[1].0].reset) = (9, true);
    let stimulus: Vec<_> = (0..6).map(|i| (i == 3, vec![vec![100 + i]])).collect();
    let window = slide(&mut make.0);
    assert_eq!(places(&window, &a), [Some(1), Some(2), Some(3)]);
    assert_eq!(play(Edge::AtOnce(&make.0), &window, &stimulus).concat().concat(), [9, 0, 100, 101, 9, 103]);
}

#[test]
fn other_readers_do_not_keep_a_register_out() {
    let mut make = Make::new();
    let x = make.input("x", 8);
    let a = chain(&mut make, &["a1", "a2"], x);
    let (other, _) = make.cell("other", 8);
    let sum = make.0.words.add(a[0].1, a[1].1);
    make.run(Make::set(other, sum));
    let window = slide(&mut make.0);
    assert_eq!(places(&window, &a), [Some(1), Some(2)]);
    assert_eq!(show::all(&make.0), ["a1 := x", "other := (add a1 a2)"]);
}

#[test]
fn a_register_that_is_not_assigned_in_every_clock_ends_a_chain_or_stays_ahead_of_it() {
    for (at, expected) in [
        (0, [None, Some(1), Some(2), Some(3)]),
        (1, [None, None, Some(1), Some(2)]),
        // One place is no chain; a chain of two comes before it.
        (2, [Some(1), Some(2), None, None]),
        (3, [Some(1), Some(2), Some(3), None]),
    ] {
        let mut make = Make::new();
        let (x, stop) = (make.input("x", 8), make.input("stop", 1));
        let a = chain(&mut make, &["a1", "a2", "a3", "a4"], x);
        // The assignment is made conditional.
        let always = make.0.blocks[0].statements.remove(at);
        let branch = make.branch(stop, vec![], vec![always]);
        make.run(branch);
        let window = slide(&mut make.0);
        assert_eq!(places(&window, &a), expected, "with condition {at}");
    }
}

#[test]
fn a_register_that_is_assigned_twice_is_out() {
    let mut make = Make::new();
    let (x, on) = (make.input("x", 8), make.input("on", 1));
    let a = chain(&mut make, &["a1", "a2", "a3"], x);
    let again = make.branch(on, vec![Make::set(a[2].0, x)], vec![]);
    make.run(again);
    let window = slide(&mut make.0);
    assert_eq!(places(&window, &a), [Some(1), Some(2), None]);
    assert_eq!(show::all(&make.0), ["a1 := x", "a3 := a2", "if on { a3 := x } else {  }"]);
}

#[test]
fn of_two_copies_of_a_register_the_first_goes_on_in_its_chain() {
    let mut make = Make::new();
    let x = make.input("x", 8);
    let a = chain(&mut make, &["a1", "a2"], x);
    let b = chain(&mut make, &["b1", "b2"], a[0].1);
    let window = slide(&mut make.0);
    assert_eq!(places(&window, &a), [Some(1), Some(2)]);
    assert_eq!(places(&window, &b), [Some(4), Some(5)], "a chain of its own, whose head is assigned");
    assert_eq!(show::all(&make.0), ["a1 := x", "b1 := a1"]);
}

#[test]
fn a_ring_has_no_beginning_and_stays_out() {
    let mut make = Make::new();
    let [(a, was_a), (b, was_b)] = ["a", "b"].map(|name| make.cell(name, 8));
    make.run(Make::set(a, was_b));
    make.run(Make::set(b, was_a));
    let (c, was_c) = make.cell("c", 8);
    make.run(Make::set(c, was_c));
    let window = slide(&mut make.0);
    assert!(window.is_empty());
    assert_eq!(show::all(&make.0), ["a := b", "b := a", "c := c"]);
}

#[test]
fn nothing_else_changes() {
    let mut moved = 0;
    for case in cases() {
        let mut program = case.program.clone();
        live::keep(&mut program, Purpose::Edge);
        let before = program.blocks[0].statements.len();
        let window = slide(&mut program);
        moved += before - program.blocks[0].statements.len();
        let outputs = play(Edge::AtOnce(&program), &window, &case.stimulus);
        assert!(outputs == case.expected, "{}", case.name);
    }
    assert!(moved > 100, "of all cases {moved} assignments have become moves");
}
