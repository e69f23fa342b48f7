// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests which statements are split, and into which parts.

use super::program;
use crate::lower::versions::split;
use crate::tests::{Build, show};
use rtl_model::netlist::circuit::Statement;
use rtl_model::ops::Binary;
use std::borrow::Cow;

/// `when(on) { v = x; later = y; register = later }`, where `later` starts from v if `from_it`.
fn module(from_it: bool) -> Build {
    let mut build = Build::new("small");
    let (x, y, on) = (build.input("x", 8), build.input("y", 8), build.input("on", 1));
    let (v, of_v) = build.variable("v", x);
    let one = build.constant(8, 1);
    let start = build.binary(Binary::Add, if from_it { of_v } else { x }, one);
    let (later, of_later) = build.variable("later", start);
    let (kept, was) = build.register("kept", 8, 0, false);
    build.0.body = vec![Build::when(on, vec![build.put(v, y), build.put(later, y), build.set(kept, of_later)])];
    build.output("out", was);
    build
}

#[test]
fn a_branch_is_whole_unless_one_of_its_variables_starts_from_another() {
    let whole = module(false);
    let statements = split(&whole.0);
    assert!(matches!(statements[..], [Cow::Borrowed(Statement::If { .. })]));
    assert_eq!(show::all(&program(module(false))), ["if on { v = y; later = y; kept := later } else {  }"]);
}

#[test]
fn each_variable_gets_a_branch_of_its_own_and_the_registers_one() {
    assert_eq!(
        show::all(&program(module(true))),
        ["if on { v = y } else {  }", "if on { later = y } else {  }", "if on { kept := later } else {  }"]
    );
}

#[test]
fn arms_of_a_case_and_branches_inside_are_split_too() {
    let mut build = Build::new("small");
    let (x, on) = (build.input("x", 2), build.input("on", 1));
    let (v, of_v) = build.variable("v", x);
    let (later, of_later) = build.variable("later", of_v);
    let value = |value| rtl_model::netlist::circuit::Value::from_u64(2, value);
    let arms = vec![(value(1), vec![Build::when(on, vec![build.put(later, x)])]), (value(2), vec![build.put(v, x)])];
    build.0.body = vec![Statement::Case { subject: x, arms, otherwise: vec![build.put(later, x)] }];
    build.output("out", of_later);
    assert_eq!(
        show::all(&program(build)),
        ["case x 1 {  } 2 { v = x } else {  }", "case x 1 { if on { later = x } else {  } } 2 {  } else { later = x }"]
    );
}
