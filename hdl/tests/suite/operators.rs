// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every operator at every width from 1 to 130: what Icarus computes from the print is what `Words` computes.

use crate::common::Build;
use crate::common::tools::{directory, printed, run};
use hdl::VerilogFile;
use rtl_model::netlist::circuit::*;
use rtl_model::ops::{Binary, Unary};
use std::fmt::Write;

const VECTORS: usize = 6;

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 ^ self.0 >> 29
    }

    /// Random bits, or one of the values at which carries and signs turn.
    fn value(&mut self, width: u32) -> Value {
        let limbs = [(); 16].map(|()| self.next());
        let random = Value::from_limbs(width, &limbs);
        match self.next() % 8 {
            0 => Value::zero(width),
            1 => Value::zero(width).not(),
            2 => Value::from_u64(width, self.next() % (width as u64 + 3)),
            3 => Value::from_u64(width, 1).shl(width - 1),
            4 => Value::from_u64(width, 1).shl((self.next() % width as u64) as u32),
            _ => random,
        }
    }
}

/// The inputs of one vector.
type Inputs = [Value; 5];
const X: usize = 0;
const Y: usize = 1;
const AMOUNT: usize = 2;
const OTHER: usize = 3;
const FLAG: usize = 4;

fn widths(width: u32) -> [u32; 5] {
    [width, width, 1 + width * 7 % 40, 1 + width * 5 % 131, 1]
}

type Expected = Box<dyn Fn(&Inputs) -> Value>;

/// The module for a width, with what each output should be.
fn module(width: u32) -> (Module, Vec<Expected>) {
    let mut b = Build::new(&format!("operators_{width}"));
    let names = ["x", "y", "amount", "other", "flag"];
    let inputs: Vec<NodeId> = names.iter().zip(widths(width)).map(|(name, width)| b.input(name, width)).collect();
    let mut list: Vec<(NodeId, Expected)> = Vec::new();
    use Unary::*;
    for op in [Not, ReduceAnd, ReduceOr, ReduceXor, FirstSet, CountOnes] {
        list.push((b.unary(op, inputs[X]), Box::new(move |v| Value::unary(op, v[X]))));
        let sum = b.binary(Binary::Add, inputs[X], inputs[Y]);
        let nested = move |v: &Inputs| Value::unary(op, Value::binary(Binary::Add, v[X], v[Y]));
        list.push((b.unary(op, sum), Box::new(nested)));
    }
    use Binary::*;
    for op in [Add, Sub, And, Or, Xor, Eq, Ne, Lt, Le, LtSigned, LeSigned, Mul] {
        let value = b.binary(op, inputs[X], inputs[Y]);
        list.push((value, Box::new(move |v| Value::binary(op, v[X], v[Y]))));
        // Operators inside operators: precedence, and carries that must not survive.
        let sum = b.binary(Add, inputs[X], inputs[Y]);
        let inverse = b.not(inputs[Y]);
        let value = b.binary(op, sum, inverse);
        let nested = move |v: &Inputs| Value::binary(op, Value::binary(Add, v[X], v[Y]), v[Y].not());
        list.push((value, Box::new(nested)));
    }
    let value = b.binary(Mul, inputs[X], inputs[OTHER]);
    list.push((value, Box::new(|v| Value::binary(Mul, v[X], v[OTHER]))));
    for op in [Shl, Shr, ShrSigned] {
        for by in [AMOUNT, OTHER, Y] {
            let value = b.binary(op, inputs[X], inputs[by]);
            list.push((value, Box::new(move |v| Value::binary(op, v[X], v[by]))));
        }
        let shifted = b.binary(op, inputs[X], inputs[AMOUNT]);
        let value = b.binary(Add, shifted, inputs[Y]);
        list.push((value, Box::new(move |v| Value::binary(Add, Value::binary(op, v[X], v[AMOUNT]), v[Y]))));
    }
    let difference = b.binary(Sub, inputs[X], inputs[Y]);
    let chosen = b.select(inputs[FLAG], difference, inputs[Y]);
    let choice = |v: &Inputs| {
        if v[FLAG].is_zero() { v[Y] } else { Value::binary(Sub, v[X], v[Y]) }
    };
    list.push((chosen, Box::new(choice)));
    let joined = b.concat(&[difference, inputs[FLAG], inputs[OTHER]]);
    let join = |v: &Inputs| Value::binary(Sub, v[X], v[Y]).concat(v[FLAG]).concat(v[OTHER]);
    list.push((joined, Box::new(join)));
    let (low, part) = (width / 3, width - width / 3 - width / 4);
    let piece = b.slice(chosen, low, part);
    list.push((piece, Box::new(move |v| choice(v).slice(low, part))));
    let across = b.slice(joined, 1, width);
    list.push((across, Box::new(move |v| join(v).slice(1, width))));
    for more in [0, 1, 13] {
        for (arg, from) in [(chosen, width), (piece, part)] {
            let value = move |v: &Inputs| {
                if from == width { choice(v) } else { choice(v).slice(low, part) }
            };
            let zero = b.node(Op::ZeroExtend, &[arg], b.width(arg) + more);
            list.push((zero, Box::new(move |v| value(v).resize(value(v).width() + more))));
            let sign = b.node(Op::SignExtend, &[arg], b.width(arg) + more);
            list.push((sign, Box::new(move |v| value(v).sign_extend(value(v).width() + more))));
        }
    }
    let expected = list
        .into_iter()
        .enumerate()
        .map(|(i, (value, expected))| {
            b.output(&format!("o{i}"), value);
            expected
        })
        .collect();
    (b.0, expected)
}

fn hex(value: &Value) -> String {
    let digits: String = value.limbs().iter().rev().map(|limb| format!("{limb:016x}")).collect();
    format!("{}'h{}", value.width(), digits.trim_start_matches('0').to_owned() + if value.is_zero() { "0" } else { "" })
}

#[test]
fn prints_compute_what_words_compute() {
    let mut random = Random(2024);
    let mut modules = Vec::new();
    let mut declarations = String::new();
    let mut checks = String::new();
    let mut count = 0;
    for width in 1..=130 {
        let (module, expected) = module(width);
        let names: Vec<&str> = module.inputs.iter().map(|input| input.name.as_str()).collect();
        let mut ports = vec![".clk(1'b0)".to_owned(), ".rst(1'b0)".to_owned()];
        for (name, bits) in names.iter().zip(widths(width)) {
            writeln!(declarations, "reg [{}:0] {name}_{width};", bits - 1).unwrap();
            ports.push(format!(".{name}({name}_{width})"));
        }
        for output in &module.outputs {
            writeln!(declarations, "wire [{}:0] {}_{width};", output.width - 1, output.name).unwrap();
            ports.push(format!(".{0}({0}_{width})", output.name));
        }
        writeln!(declarations, "{} m{width}({});", module.name, ports.join(", ")).unwrap();
        for _ in 0..VECTORS {
            let inputs: Inputs = widths(width).map(|width| random.value(width));
            for (name, value) in names.iter().zip(&inputs) {
                writeln!(checks, "{name}_{width} = {};", hex(value)).unwrap();
            }
            writeln!(checks, "#1;").unwrap();
            for (output, expected) in module.outputs.iter().zip(&expected) {
                let (name, value) = (&output.name, hex(&expected(&inputs)));
                writeln!(
                    checks,
                    "if ({name}_{width} !== {value}) $display(\"BAD width {width} {name} %h\", {name}_{width});"
                )
                .unwrap();
                count += 1;
            }
        }
        modules.push(module);
    }
    let mut files = printed(&Circuit { modules });
    let text = format!("module bench;\n{declarations}\ninitial begin\n{checks}$display(\"DONE\");\nend\nendmodule\n");
    files.push(VerilogFile { name: "bench.v".into(), text });
    let dir = directory("operators", &files);
    let mut args = vec!["-g2001", "-s", "bench", "-o", "out.vvp"];
    args.extend(files.iter().map(|file| file.name.as_str()));
    let (good, said) = run(&dir, "iverilog", &args);
    assert!(good, "{said}");
    let (_, said) = run(&dir, "vvp", &["-n", "out.vvp"]);
    assert_eq!(said.trim(), "DONE", "in {} ({count} checks)", dir.display());
    assert!(count > 30_000, "{count} checks");
}
