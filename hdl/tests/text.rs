// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the Verilog looks like, and what errors say.

mod common;

use common::tools::{header, printed};
use common::{Build, counter, tally};
use hdl::print;
use rtl_model::netlist::circuit::*;
use rtl_model::ops::{Binary, Unary};

fn one(module: Module) -> Circuit {
    Circuit { modules: vec![module] }
}

#[test]
fn registers_variables_and_conditions() {
    insta::assert_snapshot!(printed(&one(counter()))[0].text);
}

#[test]
fn memory_and_instance() {
    insta::assert_snapshot!(printed(&tally(16, 8))[1].text);
}

#[test]
fn same_circuit_same_bytes() {
    assert_eq!(printed(&tally(1000, 20)), printed(&tally(1000, 20)));
}

/// The right side of `assign o = ..;`.
fn expression(make: impl FnOnce(&mut Build, [NodeId; 4]) -> NodeId) -> String {
    let mut b = Build::new("expression");
    let inputs = [b.input("a", 8), b.input("b", 8), b.input("p", 1), b.input("q", 1)];
    let value = make(&mut b, inputs);
    b.output("o", value);
    let text = &printed(&one(b.0))[0].text;
    let line = text.lines().find_map(|line| line.strip_prefix("assign o = ")).expect("an assignment");
    line.trim_end_matches(';').to_owned()
}

#[test]
fn brackets_where_verilog_would_read_it_differently() {
    let text = expression(|b, [x, y, ..]| {
        let three = b.constant(8, 3);
        let and = b.binary(Binary::And, x, y);
        b.binary(Binary::Eq, and, three)
    });
    assert_eq!(text, "(a & b) == 8'd3");
    let text = expression(|b, [x, y, ..]| {
        let (one, sum) = (b.constant(8, 1), b.binary(Binary::Add, x, y));
        let difference = b.binary(Binary::Sub, sum, one);
        b.binary(Binary::Shr, difference, y)
    });
    assert_eq!(text, "((a + b) - 8'd1) >> b");
    let text = expression(|b, [_, _, p, q]| {
        let (not, both) = (b.not(q), b.binary(Binary::And, p, q));
        let none = b.not(both);
        let last = b.binary(Binary::Or, none, not);
        b.binary(Binary::Or, p, last)
    });
    assert_eq!(text, "p || !(p && q) || !q");
    let text = expression(|b, [x, y, p, _]| {
        let any = b.unary(Unary::ReduceOr, x);
        let none = b.not(any);
        let product = b.binary(Binary::Mul, x, y);
        let zero = b.constant(16, 0xabcd);
        let both = b.binary(Binary::And, none, p);
        b.select(both, product, zero)
    });
    assert_eq!(text, "(!(|a) && p) ? ({8'd0, a} * {8'd0, b}) : 16'habcd");
}

#[test]
fn what_can_be_shorter_is() {
    let text = expression(|b, [x, y, p, _]| {
        let row = b.concat(&[x, p, y]);
        let part = b.slice(row, 0, 8);
        let (high, low) = (b.slice(part, 4, 4), b.slice(part, 0, 4));
        let again = b.concat(&[high, low]);
        let zero = b.constant(8, 0);
        b.binary(Binary::Xor, again, zero)
    });
    assert_eq!(text, "b");
    let text = expression(|b, [x, y, ..]| {
        let less = b.binary(Binary::Lt, x, y);
        b.not(less)
    });
    assert_eq!(text, "a >= b");
    let text = expression(|b, [_, _, p, _]| {
        let (yes, no) = (b.constant(1, 1), b.constant(1, 0));
        let same = b.select(p, no, yes);
        b.binary(Binary::Eq, same, yes)
    });
    assert_eq!(text, "!p");
}

#[test]
fn clashing_names_are_made_unique() {
    let mut b = Build::new("clash");
    let x = b.input("foo_reg", 4);
    let (foo, foo_q) = b.register("foo", 4, 0, false);
    let sum = b.binary(Binary::Add, x, foo_q);
    b.named(sum, "foo_next");
    b.0.body = vec![b.set(foo, sum)];
    let wire = b.not(sum);
    b.named(wire, "always");
    b.output("begin_", wire);
    b.output("foo_1", foo_q);
    let text = &printed(&one(b.0))[0].text;
    for line in [
        "reg [3:0] foo_1_reg, foo_1_next;",
        "wire [3:0] foo_next = foo_reg + foo_1_reg;",
        "wire [3:0] always_1 = ~foo_next;",
        "assign foo_1  = foo_1_reg;",
    ] {
        assert!(text.contains(line), "{line} in\n{text}");
    }
}

fn error(change: impl FnOnce(&mut Module)) -> String {
    let mut circuit = tally(16, 8);
    change(&mut circuit.modules[1]);
    let text = print(&circuit, &header()).expect_err("a bad circuit").to_string();
    // The line of the test is not part of what is tested.
    text.split(": ").filter(|part| !part.contains(".rs:")).collect::<Vec<_>>().join(": ")
}

#[test]
fn bad_circuits_are_errors() {
    let texts = [
        error(|m| m.inputs[0].name = "wire".into()),
        error(|m| m.outputs[0].name = "done.valid".into()),
        error(|m| m.inputs[0].name = "rst".into()),
        error(|m| m.name = "event_counter".into()),
        error(|m| m.nodes[0].args.push(NodeId(0))),
        error(|m| m.outputs[0].value = NodeId(999)),
        error(|m| m.outputs[0].width = 2),
        error(|m| m.instances[0].module = "nowhere".into()),
        error(|m| m.memories[0].depth = 0),
        error(|m| m.memories[0].slice = 0),
        error(|m| m.registers[0].width = 3),
        error(|m| m.nodes[0].op = Op::Input(7)),
    ];
    insta::assert_snapshot!(texts.join("\n"));
    let none = print(&Circuit { modules: Vec::new() }, &header()).expect_err("no module");
    assert_eq!(none.to_string(), "EMPTY CIRCUIT: there is no module to print");
}

#[test]
fn package_files() {
    let circuit = tally(16, 8);
    let files = printed(&circuit);
    let bench = [hdl::VerilogFile { name: "tally_r16w8_tb.v".into(), text: String::new() }];
    let memories = [("tally_r16w8_tb_in.hex".to_owned(), String::new())];
    let header = header();
    let package = hdl::package::Package {
        header: &header,
        version: "0.1.0",
        top: &circuit.top().name,
        rtl: &files,
        testbench: &bench,
        memories: &memories,
    };
    let all = [package.file_list(), package.fusesoc(), package.yosys()];
    let text: Vec<String> = all.iter().map(|(name, text)| format!("--- {name}\n{text}")).collect();
    insta::assert_snapshot!(text.join("\n"));
    let dir = common::tools::directory("package", &files);
    for (name, text) in &all {
        std::fs::write(dir.join(name), text).expect("file");
    }
    let (good, said) = common::tools::run(&dir, "iverilog", &["-g2001", "-Wall", "-o", "out.vvp", "-f", &all[0].0]);
    assert!(good && said.trim().is_empty(), "{said}");
    let (good, said) = common::tools::run(&dir, "yosys", &["-q", &all[2].0]);
    assert!(good, "{said}");
}
