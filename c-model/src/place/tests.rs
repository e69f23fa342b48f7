// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests the places of words. The evaluator of [`crate::tests`] checks the rules for all placed programs: nothing is
//! used before its definition or outside of its scope, and nothing is read before it is assigned.

use super::*;
use crate::live::{self, Purpose};
use crate::tests::{Edge, Machine, Make, Plan, Run, cases, play, show};
use crate::{group, order, window};

/// The lines of all blocks as text, arms inside braces.
fn lines(placed: &Placed, block: BlockId) -> Vec<String> {
    let program = &placed.program;
    let name = |word: WordId| show::word(program, word);
    let inside = |block: BlockId| format!("{{ {} }}", lines(placed, block).join("; "));
    let line = |line: &Line| match *line {
        Line::Declare(variable) => match program.variables[variable].default {
            Some(default) => format!("declare {} = {}", program.variables[variable].name, name(default)),
            None => format!("declare {}", program.variables[variable].name),
        },
        Line::Define(word) => format!("define {}", name(word)),
        Line::Run(i) => match &program.blocks[block].statements[i] {
            Statement::If { condition, arms: [yes, no] } => {
                format!("if {} {} else {}", name(*condition), inside(*yes), inside(*no))
            }
            other => show::statement(program, other),
        },
    };
    placed.lines[block].iter().map(line).collect()
}

fn placed(make: Make) -> (Vec<String>, Placed) {
    let placed = place(make.0, &Window::default());
    (lines(&placed, 0), placed)
}

/// A program with registers a to d, inputs x and y, and the flag on.
struct Some {
    make: Make,
    cells: [usize; 4],
    x: WordId,
    y: WordId,
    on: WordId,
}

fn some() -> Some {
    let mut make = Make::new();
    let (x, y, on) = (make.input("x", 8), make.input("y", 8), make.input("on", 1));
    let cells = ["a", "b", "c", "d"].map(|name| make.cell(name, 8).0);
    Some { make, cells, x, y, on }
}

#[test]
fn what_is_used_once_stands_where_it_is_used() {
    let Some { mut make, cells: [a, ..], x, y, .. } = some();
    let sum = make.0.words.add(x, y);
    make.run(Make::set(a, sum));
    let (text, placed) = placed(make);
    assert_eq!(text, ["a := (add x y)"]);
    assert_eq!(placed.forms[sum.0 as usize], Form::Inline);
}

#[test]
fn what_is_used_twice_is_defined_once_ahead_of_the_first_use() {
    let Some { mut make, cells: [a, b, c, _], x, y, .. } = some();
    let sum = make.0.words.add(x, y);
    make.run(Make::set(a, x));
    make.run(Make::set(b, sum));
    make.run(Make::set(c, sum));
    let (text, placed) = placed(make);
    assert_eq!(text, ["a := x", "define (add x y)", "b := (add x y)", "c := (add x y)"]);
    assert_eq!(placed.forms[sum.0 as usize], Form::Local);
}

#[test]
fn what_one_arm_needs_stands_in_that_arm() {
    let Some { mut make, cells: [a, b, ..], x, y, on } = some();
    let sum = make.0.words.add(x, y);
    let branch = make.branch(on, vec![Make::set(a, sum), Make::set(b, sum)], vec![Make::set(a, x)]);
    make.run(branch);
    let (text, _) = placed(make);
    assert_eq!(text, ["if on { define (add x y); a := (add x y); b := (add x y) } else { a := x }"]);
}

#[test]
fn what_both_arms_need_stands_in_each() {
    let Some { mut make, cells: [a, b, ..], x, y, on } = some();
    let sum = make.0.words.add(x, y);
    let branch = make.branch(on, vec![Make::set(a, sum)], vec![Make::set(b, sum)]);
    make.run(branch);
    let (text, _) = placed(make);
    assert_eq!(text, ["if on { define (add x y); a := (add x y) } else { define (add x y); b := (add x y) }"]);
}

#[test]
fn what_is_needed_outside_too_or_by_the_condition_stands_ahead_of_the_branch() {
    let Some { mut make, cells: [a, b, ..], x, y, on } = some();
    let sum = make.0.words.add(x, y);
    let branch = make.branch(on, vec![Make::set(a, sum)], vec![]);
    make.run(branch);
    make.run(Make::set(b, sum));
    let (text, _) = placed(make);
    assert_eq!(text, ["define (add x y)", "if on { a := (add x y) } else {  }", "b := (add x y)"]);

    let Some { mut make, cells: [a, ..], x, y, .. } = some();
    let sum = make.0.words.add(x, y);
    let zero = make.0.words.constant(8, 0);
    let none = make.0.words.eq(sum, zero);
    let branch = make.branch(none, vec![], vec![Make::set(a, sum)]);
    make.run(branch);
    let (text, _) = placed(make);
    assert_eq!(text, ["define (add x y)", "if (eq (add x y) 0) {  } else { a := (add x y) }"]);
}

/// Two branches that each assign the same word of 8 bits to a register, and the word.
fn in_two_branches(make_word: impl Fn(&mut Make, WordId, WordId) -> WordId) -> (Vec<String>, String) {
    let Some { mut make, cells: [a, b, ..], x, y, on } = some();
    let word = make_word(&mut make, x, y);
    for cell in [a, b] {
        let branch = make.branch(on, vec![Make::set(cell, word)], vec![]);
        make.run(branch);
    }
    let word = show::word(&make.0, word);
    (placed(make).0, word)
}

#[test]
fn of_two_branches_each_has_its_own_wiring() {
    let (text, word) = in_two_branches(|make, x, _| {
        let high = make.0.words.shr(x, 4, 4);
        make.0.words.resize(high, 8)
    });
    let branch = |cell: &str| format!("if on {{ define {word}; {cell} := {word} }} else {{  }}");
    assert_eq!(text, [branch("a"), branch("b")]);
}

#[test]
fn work_for_two_branches_is_done_once() {
    let (text, word) = in_two_branches(|make, x, y| make.0.words.add(x, y));
    let branch = |cell: &str| format!("if on {{ {cell} := {word} }} else {{  }}");
    assert_eq!(text, [format!("define {word}"), branch("a"), branch("b")]);
}

#[test]
fn a_cell_that_is_read_behind_its_assignment_is_saved_ahead_of_it() {
    let mut make = Make::new();
    let [(a, was_a), (b, was_b)] = ["a", "b"].map(|name| make.cell(name, 8));
    make.run(Make::set(a, was_b));
    make.run(Make::set(b, was_a));
    let (text, placed) = placed(make);
    assert_eq!(text, ["define a", "a := b", "b := a"]);
    assert_eq!(placed.forms[was_a.0 as usize], Form::Local);
    assert_eq!(placed.forms[was_b.0 as usize], Form::Inline);
}

#[test]
fn an_assignment_in_the_other_arm_saves_nothing() {
    let mut make = Make::new();
    let on = make.input("on", 1);
    let [(a, was_a), (b, was_b)] = ["a", "b"].map(|name| make.cell(name, 8));
    let branch = make.branch(on, vec![Make::set(a, was_b)], vec![Make::set(b, was_a)]);
    make.run(branch);
    let (text, _) = placed(make);
    assert_eq!(text, ["if on { a := b } else { b := a }"]);
}

#[test]
fn a_variable_is_declared_in_the_block_that_holds_all_of_it() {
    let Some { mut make, cells: [a, ..], x, y, on } = some();
    let (v, of_v) = make.variable("v", 8, Some(y));
    let inner = make.branch(on, vec![Make::put(v, x)], vec![]);
    let statements = vec![inner, Make::set(a, of_v)];
    let low = make.0.words.low(y, 1);
    let outer = make.branch(low, statements, vec![]);
    make.run(outer);
    let (text, _) = placed(make);
    assert_eq!(text, ["if (low1 y) { declare v = y; if on { v = x } else {  }; a := v } else {  }"]);
}

#[test]
fn what_depends_on_a_variable_stands_behind_its_last_assignment() {
    let Some { mut make, cells: [a, b, ..], x, y, on } = some();
    let (v, of_v) = make.variable("v", 8, Some(y));
    let sum = make.0.words.add(of_v, x);
    let branch = make.branch(on, vec![Make::put(v, x)], vec![]);
    make.run(branch);
    make.run(Make::set(a, sum));
    make.run(Make::set(b, sum));
    let (text, _) = placed(make);
    assert_eq!(
        text,
        ["declare v = y", "if on { v = x } else {  }", "define (add v x)", "a := (add v x)", "b := (add v x)"]
    );
}

#[test]
fn what_is_needed_inside_the_branch_that_assigns_and_behind_it_is_computed_twice() {
    let Some { mut make, cells: [a, b, ..], x, y, on } = some();
    let (v, of_v) = make.variable("v", 8, Some(y));
    let sum = make.0.words.add(of_v, x);
    let branch = make.branch(on, vec![Make::put(v, x), Make::set(a, sum)], vec![]);
    make.run(branch);
    make.run(Make::set(b, sum));
    let (text, placed) = placed(make);
    assert_eq!(text, ["declare v = y", "if on { v = x; a := (add v x) } else {  }", "b := (add v x)"]);
    assert_eq!(placed.forms[sum.0 as usize], Form::Inline);
}

/// A sum of a word and `x` with this number of operations.
fn work(make: &mut Make, x: WordId, y: WordId, operations: u32) -> WordId {
    (0..operations).fold(y, |sum, i| if i % 2 == 0 { make.0.words.add(sum, x) } else { make.0.words.xor(sum, x) })
}

#[test]
fn a_choice_becomes_a_branch_if_a_side_is_much_work() {
    for operations in [WORTH_A_BRANCH - 1, WORTH_A_BRANCH] {
        let Some { mut make, cells: [a, ..], x, y, on } = some();
        let much = work(&mut make, x, y, operations);
        let choice = make.0.words.select(on, much, x);
        make.run(Make::set(a, choice));
        let (text, placed) = placed(make);
        let much = show::word(&placed.program, much);
        let name = format!("chosen_{}", choice.0);
        let expected = match operations < WORTH_A_BRANCH {
            true => vec![format!("a := (select on {much} x)")],
            false => vec![
                format!("declare {name}"),
                format!("if on {{ {name} = {much} }} else {{ {name} = x }}"),
                format!("a := (select on {much} x)"),
            ],
        };
        assert_eq!(text, expected, "{operations} operations");
        let chosen = matches!(placed.forms[choice.0 as usize], Form::Chosen(_));
        assert_eq!(chosen, operations == WORTH_A_BRANCH);
    }
}

#[test]
fn choices_by_one_condition_share_their_branch() {
    let Some { mut make, cells: [a, ..], x, y, on } = some();
    let one = work(&mut make, x, y, WORTH_A_BRANCH + 1);
    let other = work(&mut make, y, x, WORTH_A_BRANCH + 1);
    let first = make.0.words.select(on, one, x);
    let second = make.0.words.select(on, y, other);
    let both = make.0.words.and(first, second);
    make.run(Make::set(a, both));
    let (_, placed) = placed(make);
    let branches = placed.program.blocks[0].statements.iter().filter(|it| matches!(it, Statement::If { .. }));
    assert_eq!(branches.count(), 1);
    assert!([first, second].iter().all(|word| matches!(placed.forms[word.0 as usize], Form::Chosen(_))));
}

#[test]
fn every_program_computes_what_it_did() {
    let (mut local, mut chosen) = (0, 0);
    for case in cases() {
        let (mut edge, mut outputs) = (case.program.clone(), case.program.clone());
        live::keep(&mut edge, Purpose::Edge);
        live::keep(&mut outputs, Purpose::Outputs);
        let window = window::slide(&mut edge);
        group::group(&mut edge);
        order::sort(&mut edge, &window);
        order::sort(&mut outputs, &window);
        let (edge, outputs) = (place(edge, &window), place(outputs, &window));
        local += edge.forms.iter().filter(|form| **form == Form::Local).count();
        chosen += edge.forms.iter().filter(|form| matches!(form, Form::Chosen(_))).count();
        assert!(play(Edge::Placed(&edge), &window, &case.stimulus) == case.expected, "{}", case.name);
        let plan = Plan::new(Edge::Placed(&edge), &window);
        let mut machine = Machine::new(&edge.program, &window);
        for ((reset, inputs), expected) in case.stimulus.iter().zip(&case.expected) {
            let read = Run::new(&outputs, &window, &mut machine, &Vec::new()).outputs();
            assert!(read == *expected, "{}", case.name);
            machine.clock(&plan, *reset, inputs);
        }
    }
    assert!(local > 500 && chosen > 10, "{local} constants, {chosen} choices");
}
