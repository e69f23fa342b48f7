// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests which assignments share a branch.

use super::*;
use crate::live::{self, Purpose};
use crate::tests::{Edge, Make, cases, play, show};
use crate::window;

/// Registers r0, r1, .. that each take their neighbour's value when their condition holds.
fn choosing(conditions: &[&str]) -> Make {
    let mut make = Make::new();
    let mut known: Vec<(&str, WordId)> = Vec::new();
    let cells: Vec<_> = (0..=conditions.len()).map(|i| make.cell(&format!("r{i}"), 8)).collect();
    for (i, name) in conditions.iter().enumerate() {
        let condition = match known.iter().find(|one| one.0 == *name) {
            Some(&(_, word)) => word,
            None => {
                known.push((name, make.input(name, 1)));
                known[known.len() - 1].1
            }
        };
        let value = make.0.words.select(condition, cells[i + 1].1, cells[i].1);
        make.run(Make::set(cells[i].0, value));
    }
    make
}

#[test]
fn four_choices_by_one_condition_are_a_branch() {
    let mut make = choosing(&["on"; 4]);
    group(&mut make.0);
    assert_eq!(
        show::all(&make.0),
        ["if on { r0 := r1; r1 := r2; r2 := r3; r3 := r4 } else { r0 := r0; r1 := r1; r2 := r2; r3 := r3 }"]
    );
}

#[test]
fn three_are_none() {
    let mut make = choosing(&["on"; 3]);
    let before = show::all(&make.0);
    group(&mut make.0);
    assert_eq!(show::all(&make.0), before);
}

#[test]
fn each_condition_has_a_branch_of_its_own_behind_what_has_none() {
    let mut make = choosing(&["a", "b", "a", "b", "a", "c", "b", "b", "a"]);
    group(&mut make.0);
    let text = show::all(&make.0);
    assert_eq!(text.len(), 3, "{text:?}");
    assert_eq!(text[0], "r5 := (select c r6 r5)");
    assert!(text[1].starts_with("if a { r0 := r1; r2 := r3; r4 := r5; r8 := r9 } else"), "{}", text[1]);
    assert!(text[2].starts_with("if b { r1 := r2; r3 := r4; r6 := r7; r7 := r8 } else"), "{}", text[2]);
}

#[test]
fn a_choice_that_is_used_elsewhere_too_stays_a_value() {
    let mut make = choosing(&["on"; 4]);
    let Statement::Assign { value, .. } = make.0.blocks[0].statements[0] else { panic!("an assignment") };
    let (other, _) = make.cell("other", 8);
    make.run(Make::set(other, value));
    let before = show::all(&make.0);
    group(&mut make.0);
    assert_eq!(show::all(&make.0), before, "of the four only three are free");
}

#[test]
fn a_second_assignment_to_a_register_stays_behind_the_first() {
    let mut make = choosing(&["on"; 4]);
    let one = make.0.words.constant(8, 1);
    make.run(Make::set(0, one));
    group(&mut make.0);
    let text = show::all(&make.0);
    assert!(text.len() == 2 && text[0].starts_with("if on") && text[1] == "r0 := 1", "{text:?}");
}

#[test]
fn arms_are_looked_at_too() {
    let mut make = Make::new();
    let [a, b] = ["a", "b"].map(|name| make.input(name, 1));
    let cells: Vec<_> = (0..5).map(|i| make.cell(&format!("r{i}"), 8)).collect();
    for i in 0..4 {
        let inner = make.0.words.select(b, cells[i + 1].1, cells[0].1);
        let zero = make.0.words.constant(8, 0);
        let value = make.0.words.select(a, inner, zero);
        make.run(Make::set(cells[i].0, value));
    }
    group(&mut make.0);
    let zeros = "r0 := 0; r1 := 0; r2 := 0; r3 := 0";
    let expected = "if a { if b { r0 := r1; r1 := r2; r2 := r3; r3 := r4 } \
                    else { r0 := r0; r1 := r0; r2 := r0; r3 := r0 } } else { ";
    assert_eq!(show::all(&make.0), [format!("{expected}{zeros} }}")]);
}

#[test]
fn nothing_else_changes() {
    let mut branches = 0;
    for case in cases() {
        let mut program = case.program.clone();
        live::keep(&mut program, Purpose::Edge);
        let window = window::slide(&mut program);
        let before = program.blocks.len();
        group(&mut program);
        branches += program.blocks.len() - before;
        let outputs = play(Edge::AtOnce(&program), &window, &case.stimulus);
        assert!(outputs == case.expected, "{}", case.name);
    }
    assert!(branches >= 4, "of all cases {branches} arms are new");
}
