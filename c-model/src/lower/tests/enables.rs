// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests which variables are replaced by conditions, and by which.

use super::{program, text};
use crate::tests::Build;
use rtl_model::netlist::circuit::{NodeId, Statement, Value};

/// The value of a variable with a default that `body` assigns. Inputs are a, b and c of one bit and s of two.
fn form(default: u64, body: impl Fn(&mut Build, usize, [NodeId; 4]) -> Vec<Statement>) -> String {
    let mut build = Build::new("small");
    let inputs = [("a", 1), ("b", 1), ("c", 1), ("s", 2)].map(|(name, width)| build.input(name, width));
    let default = build.constant(1, default);
    let (v, of_v) = build.variable("v", default);
    build.0.body = body(&mut build, v, inputs);
    build.output("out", of_v);
    text(&program(build)).concat()
}

fn one(build: &mut Build, v: usize) -> Statement {
    let one = build.constant(1, 1);
    build.put(v, one)
}

#[test]
fn a_flag_that_branches_set_is_their_conditions() {
    let branch = form(0, |build, v, [a, ..]| vec![Build::when(a, vec![one(build, v)])]);
    assert_eq!(branch, "a");
    let inside = form(0, |build, v, [a, b, ..]| vec![Build::when(a, vec![Build::when(b, vec![one(build, v)])])]);
    assert_eq!(inside, "(and a b)");
    let two = form(0, |build, v, [a, b, ..]| [a, b].map(|on| Build::when(on, vec![one(build, v)])).to_vec());
    assert_eq!(two, "(or a b)");
}

#[test]
fn a_later_arm_means_that_no_earlier_one_is_taken() {
    let chain = form(0, |build, v, [a, b, c, _]| {
        let set = one(build, v);
        vec![Statement::If { arms: vec![(a, vec![]), (b, vec![]), (c, vec![set])], otherwise: vec![] }]
    });
    assert_eq!(chain, "(and (and (not a) (not b)) c)");
    let otherwise =
        form(0, |build, v, [a, ..]| vec![Statement::If { arms: vec![(a, vec![])], otherwise: vec![one(build, v)] }]);
    assert_eq!(otherwise, "(not a)");
}

#[test]
fn an_arm_of_a_case_is_a_comparison_and_all_others_are_none() {
    let arm = form(0, |build, v, [.., s]| {
        vec![Statement::Case {
            subject: s,
            arms: vec![(Value::from_u64(2, 2), vec![one(build, v)])],
            otherwise: vec![],
        }]
    });
    assert_eq!(arm, "(eq 2 s)");
    let others = form(0, |build, v, [.., s]| {
        vec![Statement::Case {
            subject: s,
            arms: vec![(Value::from_u64(2, 2), vec![])],
            otherwise: vec![one(build, v)],
        }]
    });
    assert_eq!(others, "v");
}

#[test]
fn other_variables_stay_variables() {
    let starts_at_1 = form(1, |build, v, [a, ..]| vec![Build::when(a, vec![one(build, v)])]);
    assert_eq!(starts_at_1, "v");
    let becomes_0 = form(0, |build, v, [a, ..]| {
        let zero = build.constant(1, 0);
        vec![Build::when(a, vec![build.put(v, zero)])]
    });
    assert_eq!(becomes_0, "v");
    let becomes_another = form(0, |build, v, [a, b, ..]| vec![Build::when(a, vec![build.put(v, b)])]);
    assert_eq!(becomes_another, "v");
    let many = form(0, |build, v, [a, ..]| (0..5).map(|_| Build::when(a, vec![one(build, v)])).collect());
    assert_eq!(many, "v");
}

#[test]
fn what_is_always_assigned_is_what_it_is_assigned() {
    let always = form(1, |build, v, [a, ..]| vec![build.put(v, a)]);
    assert_eq!(always, "a");
}
