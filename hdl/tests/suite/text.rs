// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the Verilog looks like, and what errors say.

use crate::common::tools::{header, printed};
use crate::common::{Build, components, counter, tally};
use hdl::package::{Family, Package};
use hdl::{VerilogFile, print};
use rtl_model::netlist::circuit::*;
use rtl_model::ops::{Binary, Unary};
use std::path::PathBuf;

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
fn each_large_component_has_a_section() {
    let text = &printed(&one(components()))[0].text;
    let titles: Vec<&str> = text.lines().filter(|line| line.contains("-----")).collect();
    let names: Vec<&str> = titles.iter().filter_map(|line| line.split(' ').nth(1)).collect();
    assert_eq!(names, ["marker", "walker"]);
    assert!(text.contains("\n// Marks what the walker has seen.\n"));
    // What belongs to no component comes first; each has one block of either kind.
    let sections: Vec<&str> = text.split("-----\n").collect();
    for (section, inside) in sections.iter().zip(["count_next = ", "marker_7_next = ", "walker_7_next = "]) {
        assert_eq!(section.matches("always @(*) begin").count(), 1, "{inside}");
        assert!(section.contains(inside), "{inside}");
    }
    assert!(sections[2].contains("reg [7:0] rows [0:15];"), "the memory stands with its component");
}

#[test]
fn everything_is_declared_once_and_before_it_is_read() {
    let text = &printed(&one(components()))[0].text;
    for name in ["count_reg", "walker_3_reg", "marker_3_reg", "walker_3_next", "rows_data_reg", "rows_data_row_reg"] {
        let words = |line: &str| line.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == name);
        let lines: Vec<&str> = text.lines().filter(|line| words(line)).collect();
        let declared = lines.iter().filter(|line| line.starts_with("reg ")).count();
        assert!(declared == 1 && lines[0].starts_with("reg "), "{name}: {lines:?}");
    }
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

/// File list, FuseSoC core and yosys script of a table of counters.
fn packaged(family: Family, top: &str, files: &[VerilogFile]) -> [(String, String); 3] {
    let bench = [VerilogFile { name: format!("{top}_tb.v"), text: String::new() }];
    let memories = [(format!("{top}_tb_in.hex"), String::new())];
    let package = Package {
        header: &header(),
        version: "0.1.0",
        top,
        description: "A table of counters: adds one",
        family,
        rtl: files,
        testbench: &bench,
        memories: &memories,
    };
    [package.file_list(), package.fusesoc(), package.yosys()]
}

/// Writes the files of a package into a directory of their own.
fn written(name: &str, files: &[VerilogFile], package: &[(String, String)]) -> PathBuf {
    let dir = crate::common::tools::directory(name, files);
    for (name, text) in package {
        std::fs::write(dir.join(name), text).expect("file");
    }
    dir
}

#[test]
fn package_files() {
    let circuit = tally(16, 8);
    let files = printed(&circuit);
    let all = packaged(Family::Ecp5, &circuit.top().name, &files);
    let text: Vec<String> = all.iter().map(|(name, text)| format!("--- {name}\n{text}")).collect();
    insta::assert_snapshot!(text.join("\n"));
    let dir = written("package", &files, &all);
    let (good, said) =
        crate::common::tools::run(&dir, "iverilog", &["-g2001", "-Wall", "-o", "out.vvp", "-f", &all[0].0]);
    assert!(good && said.trim().is_empty(), "{said}");
}

#[test]
fn scripts_synthesize_for_the_family() {
    let circuit = tally(16, 8);
    let (files, top) = (printed(&circuit), &circuit.top().name);
    for (family, cell) in
        [(Family::Ecp5, Some("TRELLIS_FF")), (Family::UltraScalePlus, Some("FDRE")), (Family::Agilex, None)]
    {
        let all = packaged(family, top, &files);
        let dir = written(&format!("package_{family:?}"), &files, &all);
        let json = dir.join(format!("{top}.json"));
        std::fs::remove_file(&json).ok();
        let (good, said) = crate::common::tools::run(&dir, "yosys", &["-q", &all[2].0]);
        assert!(good, "{family:?}: {said}");
        let netlist = std::fs::read_to_string(&json).ok();
        assert_eq!(netlist.is_some(), cell.is_some(), "{family:?}");
        let holds = |what: &str| netlist.as_ref().is_some_and(|text| text.contains(&format!("\"type\": \"{what}\"")));
        assert!(cell.is_none_or(holds) && !holds("OBUF") && !holds("BUFG"), "{family:?}");
        assert_eq!(all[1].1.contains("\n  synth:"), cell.is_some(), "{family:?}");
        let left_out = "# yosys cannot synthesize for Agilex; use the vendor's tool.\n";
        assert!(all[1..].iter().all(|(_, text)| text.contains(left_out) == cell.is_none()), "{family:?}");
    }
}

#[test]
fn scripts_refuse_latches_and_loops() {
    for (name, body) in [("latch", "always @(*) if (a) y = b;"), ("loop", "always @(*) y = ~(y & a) ^ b;")] {
        let text = format!("module {name} (input wire a, input wire b, output reg y);\n{body}\nendmodule\n");
        let files = [VerilogFile { name: format!("{name}.v"), text }];
        for family in [Family::Ecp5, Family::UltraScalePlus, Family::Agilex] {
            let all = packaged(family, name, &files);
            let dir = written(&format!("package_{name}"), &files, &all);
            let (good, said) = crate::common::tools::run(&dir, "yosys", &["-q", &all[2].0]);
            assert!(!good, "{family:?}, {name}: {said}");
        }
    }
}

#[test]
fn a_full_line_of_settings_ends_like_any_other() {
    for first in 100..115 {
        let settings = vec!["a".repeat(first), "b = 1".to_owned()];
        let comment = hdl::Header { settings, ..header() }.comment();
        let lines: Vec<_> = comment.lines().skip(2).collect();
        assert!(lines.iter().all(|line| line.starts_with("// ") && line.matches("//").count() == 1), "{lines:?}");
        assert_eq!(comment.matches(", b = 1").count() + comment.matches(",\n// b = 1").count(), 1, "{comment}");
    }
}
