// SPDX-License-Identifier: MIT OR Apache-2.0
//! A reader of some bits of a wide signal gets those bits and no others.

use super::{check, lower, program, text};
use crate::tests::{Build, show};
use rtl_model::netlist::circuit::{Circuit, NodeId, Op};
use rtl_model::{Linear, Table};

/// An output of inputs a of 40 bits, b of 100 and c of 1.
fn form(make: impl Fn(&mut Build, NodeId, NodeId, NodeId) -> NodeId) -> Vec<String> {
    let mut build = Build::new("small");
    let (a, b, c) = (build.input("a", 40), build.input("b", 100), build.input("c", 1));
    let output = make(&mut build, a, b, c);
    build.output("out", output);
    text(&program(build))
}

#[test]
fn wiring_hands_the_question_on() {
    // Input a has the highest bits: bits 101 to 140.
    let field = |low, width| {
        form(move |build, a, b, c| {
            let all = build.concat(&[a, b, c]);
            build.slice(all, low, width)
        })
    };
    assert_eq!(field(0, 1), ["c"]);
    assert_eq!(field(1, 64), ["b.0"]);
    assert_eq!(field(101, 40), ["a"]);
    assert_eq!(field(105, 8), ["(low8 (shr4 a))"]);
    assert_eq!(field(100, 2), ["(or (shl1 (low1 a)) (wider2 (shr35 b.1)))"]);
    assert_eq!(field(63, 4), ["(or (shl2 (low2 b.1)) (wider4 (shr62 b.0)))"], "over the border of two limbs");
}

#[test]
fn extensions_cost_what_is_there() {
    let zeros = |low, width| {
        form(move |build, a, _, _| {
            let wide = build.node(Op::ZeroExtend, &[a], 200);
            build.slice(wide, low, width)
        })
    };
    assert_eq!(zeros(0, 40), ["a"]);
    assert_eq!(zeros(40, 64), ["0"]);
    assert_eq!(zeros(36, 8), ["(wider8 (shr36 a))"]);
    let signs = |low, width| {
        form(move |build, a, _, _| {
            let wide = build.node(Op::SignExtend, &[a], 200);
            build.slice(wide, low, width)
        })
    };
    assert_eq!(signs(10, 30), ["(shr10 a)"]);
    assert_eq!(signs(100, 64), ["(fill64 (shr39 a))"]);
    assert_eq!(signs(36, 8), ["(or (shl4 (fill4 (shr39 a))) (wider8 (shr36 a)))"]);
    assert_eq!(form(|build, _, _, c| build.node(Op::SignExtend, &[c], 3)), ["(fill3 c)"]);
}

#[test]
fn parts_of_every_kind_of_signal() {
    for (low, width) in [(0, 1), (0, 64), (1, 64), (63, 2), (64, 64), (65, 63), (60, 100), (199, 1), (0, 200)] {
        check("slice", &[200], |build, args| build.slice(args[0], low, width), |args| args[0].slice(low, width));
        let of_concat = |build: &mut Build, args: &[NodeId]| {
            let all = build.concat(args);
            build.slice(all, low, width)
        };
        check("of concat", &[70, 1, 129], of_concat, |args| args[0].concat(args[1]).concat(args[2]).slice(low, width));
        let of_signed = |build: &mut Build, args: &[NodeId]| {
            let all = build.node(Op::SignExtend, args, 200);
            build.slice(all, low, width)
        };
        for from in [1, 63, 64, 65, 130] {
            check("of signed", &[from], of_signed, |args| args[0].sign_extend(200).slice(low, width));
        }
    }
}

#[test]
fn choices_tables_and_maps() {
    for width in [1, 64, 130] {
        let select = |build: &mut Build, args: &[NodeId]| build.select(args[0], args[1], args[2]);
        check("select", &[1, width, width], select, |args| if args[0].is_zero() { args[2] } else { args[1] });
    }
    let mut build = Build::new("small");
    let index = build.input("index", 2);
    build.0.tables.push(Table::new(8, [7, 5]));
    build.0.maps.push(Linear::new(&[1, 2]));
    let (table, map) = (build.node(Op::Table(0), &[index], 8), build.node(Op::Linear(0), &[index], 32));
    build.output("table", table);
    build.output("map", map);
    let program = program(build);
    let forms: Vec<_> = program.outputs.iter().map(|output| show::word(&program, output.1[0])).collect();
    assert_eq!(forms, ["(table0 index)", "(linear0 index)"]);
}

/// A parent with two instances of a child that has a register, a table and a variable.
#[test]
fn instances_are_opened() {
    let mut child = Build::new("child");
    let x = child.input("x", 8);
    let (kept, was) = child.register("kept", 8, 3, true);
    child.0.tables.push(Table::new(8, [1, 2]));
    let low = child.slice(was, 0, 1);
    let looked = child.node(Op::Table(0), &[low], 8);
    let looked = child.named(looked, "looked");
    child.0.body = vec![child.set(kept, x)];
    child.output("y", looked);
    let mut parent = Build::new("parent");
    let x = parent.input("x", 16);
    let (low, high) = (parent.slice(x, 0, 8), parent.slice(x, 8, 8));
    let first = parent.instance("first", &child.0, &[low]);
    let second = parent.instance("second", &child.0, &[high]);
    parent.output("one", first[0]);
    parent.output("two", second[0]);
    let program = lower(&Circuit { modules: vec![child.0, parent.0] });
    assert_eq!(show::all(&program), ["first_kept := (low8 x)", "second_kept := (shr8 x)"]);
    let words: Vec<_> = program.outputs.iter().map(|output| output.1[0]).collect();
    assert_eq!(show::word(&program, words[0]), "(table0 (low1 first_kept))");
    assert_eq!(show::word(&program, words[1]), "(table1 (low1 second_kept))");
    assert_eq!(program.words.name(words[1]), Some("second_looked"));
}
