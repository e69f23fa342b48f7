// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random modules: no tool complains about the print, and Icarus computes what an interpreter of the netlist computes.

use crate::common::interpreter::Interpreter;
use crate::common::random::{Random, module};
use crate::common::tools::{directory, lint, printed, run};
use hdl::VerilogFile;
use rtl_model::netlist::circuit::*;
use std::fmt::Write;

const MODULES: u64 = 24;
const CLOCKS: usize = 12;
fn hex(value: &Value) -> String {
    let digits: String = value.limbs().iter().rev().map(|limb| format!("{limb:016x}")).collect();
    format!("{}'h{}", value.width(), &digits[digits.len() - value.width().div_ceil(4) as usize..])
}

fn simulate(seed: u64, module: &Module) {
    let mut random = Random(seed ^ 0x5555);
    let mut text = String::from("module bench;\nreg clk, rst;\n");
    let mut ports = vec![".clk(clk), .rst(rst)".to_owned()];
    for port in &module.inputs {
        writeln!(text, "reg [{}:0] {};", port.width - 1, port.name).unwrap();
        ports.push(format!(".{0}({0})", port.name));
    }
    for port in &module.outputs {
        writeln!(text, "wire [{}:0] {};", port.width - 1, port.name).unwrap();
        ports.push(format!(".{0}({0})", port.name));
    }
    writeln!(text, "{} dut ({});\ninitial begin\nclk = 1'b0;", module.name, ports.join(", ")).unwrap();
    let registers = module.registers.iter().map(|register| register.init).collect();
    let mut interpreter = Interpreter { module, inputs: Vec::new(), registers };
    for clock in 0..CLOCKS {
        let reset = random.below(8) == 0;
        writeln!(text, "rst = {};", reset as u8).unwrap();
        interpreter.inputs = module.inputs.iter().map(|port| random.value(port.width)).collect();
        for (port, value) in module.inputs.iter().zip(&interpreter.inputs) {
            writeln!(text, "{} = {};", port.name, hex(value)).unwrap();
        }
        writeln!(text, "#1;").unwrap();
        for output in &module.outputs {
            let (name, value) = (&output.name, hex(&interpreter.node(output.value)));
            writeln!(text, "if ({name} !== {value}) $display(\"BAD clock {clock} {name} %h {value}\", {name});")
                .unwrap();
        }
        writeln!(text, "clk = 1'b1; #1 clk = 1'b0;").unwrap();
        interpreter.clock(reset);
    }
    text.push_str("$display(\"DONE\");\nend\nendmodule\n");
    let mut files = printed(&Circuit { modules: vec![module.clone()] });
    files.push(VerilogFile { name: "bench.v".into(), text });
    let dir = directory(&module.name, &files);
    let (good, said) = run(&dir, "iverilog", &["-g2001", "-s", "bench", "-o", "out.vvp", &files[0].name, "bench.v"]);
    assert!(good, "{said}");
    let (_, said) = run(&dir, "vvp", &["-n", "out.vvp"]);
    assert_eq!(said.trim(), "DONE", "in {}", dir.display());
}

#[test]
fn random_modules_lint_and_compute() {
    for seed in 1..=MODULES {
        let module = module(seed);
        simulate(seed, &module);
        lint(&format!("lint_{}", module.name), &Circuit { modules: vec![module] });
    }
}
