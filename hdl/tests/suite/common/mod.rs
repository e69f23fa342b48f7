// SPDX-License-Identifier: MIT OR Apache-2.0
//! Circuits by hand, and the tools that read the Verilog.

mod build;
pub mod interpreter;
pub mod random;
pub mod tools;

pub use build::Build;
use rtl_model::netlist::circuit::*;
use rtl_model::ops::Binary;

/// A counter with a saturating limit and a flag that is a named net.
pub fn counter() -> Module {
    let mut b = Build::new("event_counter");
    let valid = b.input("event_valid", 1);
    let amount = b.input("event_amount", 8);
    let clear = b.input("clear", 1);
    let (count, count_q) = b.register("count", 16, 0, true);
    let (last, last_q) = b.register("last", 8, 3, false);
    let wide = b.node(Op::ZeroExtend, &[amount], 16);
    let sum = b.binary(Binary::Add, count_q, wide);
    let less = b.binary(Binary::Lt, sum, count_q);
    let over = b.named(less, "overflow");
    let max = b.constant(16, 0xffff);
    let next = b.select(over, max, sum);
    let (step, step_q) = b.variable("step", next);
    let zero = b.constant(16, 0);
    let quiet = b.not(valid);
    b.0.body = vec![
        Build::when(clear, vec![b.put(step, zero)]),
        Statement::If {
            arms: vec![(clear, vec![b.set(count, zero)]), (quiet, vec![])],
            otherwise: vec![b.set(count, step_q), b.set(last, amount)],
        },
    ];
    let low = b.slice(last_q, 0, 4);
    b.output("count", count_q);
    b.output("low", low);
    b.output("overflow", over);
    b.0
}

/// Two components, one with a table of its own, so large that each is a section; registers of the first read the second.
pub fn components() -> Module {
    const REGISTERS: usize = 100;
    let mut b = Build::new("components");
    let (valid, data) = (b.input("valid", 1), b.input("data", 8));
    let row = b.slice(data, 0, 4);
    let read = b.memory("rows", (16, 8, 2), Collision::Hold, (valid, row, data), &[(valid, row)])[0];
    b.0.memories[0].scope = ["walker", "table"].map(str::to_owned).to_vec();
    let mut make = |scope: &str, i: usize| {
        let made = b.register(&format!("{scope}_{i}"), 8, 0, i == 0);
        b.0.registers[made.0].scope = vec![scope.to_owned()];
        made
    };
    let pairs: Vec<_> = (0..REGISTERS).map(|i| (make("marker", i), make("walker", i))).collect();
    let (count, counted) = b.register("count", 8, 0, true);
    let (mut body, mut last) = (Vec::new(), read);
    for &((marker, marked), (walker, walked)) in &pairs {
        let (sum, both) = (b.binary(Binary::Add, walked, counted), b.binary(Binary::Xor, marked, last));
        body.extend([b.set(marker, sum), b.set(walker, both)]);
        last = walked;
    }
    let next = b.binary(Binary::Add, counted, data);
    body.push(b.set(count, next));
    b.0.body = vec![Build::when(valid, body)];
    b.0.docs.insert(vec!["marker".into()], "Marks what the walker has seen.".into());
    b.output("last", last);
    b.output("first", pairs[0].0.1);
    b.0
}

/// Counts events per row of a table, with an instance inside.
pub fn tally(depth: u64, width: u32) -> Circuit {
    let child = counter();
    let mut b = Build::new(&format!("tally_r{depth}w{width}"));
    let bits = rtl_model::ops::index_width(depth);
    let valid = b.input("event_valid", 1);
    let row = b.input("event_row", bits);
    let amount = b.input("event_amount", 8);
    let (read_valid, read_valid_q) = b.register("read_valid", 1, 0, true);
    let (read_row, read_row_q) = b.register("read_row", bits, 0, false);
    let one = b.constant(width, 1);
    let placeholder = b.constant(width, 0);
    let data =
        b.memory("rows", (depth, width, 1), Collision::Hold, (read_valid_q, read_row_q, placeholder), &[(valid, row)]);
    let sum = b.binary(Binary::Add, data[0], one);
    b.0.memories[0].write.data = sum;
    b.0.body = vec![b.set(read_valid, valid), Build::when(valid, vec![b.set(read_row, row)])];
    let zero = b.constant(1, 0);
    let counted = b.instance("total", &child, &[valid, amount, zero]);
    b.output("done_valid", read_valid_q);
    b.output("done_value", data[0]);
    b.output("total_count", counted[0]);
    Circuit { modules: vec![child, b.0] }
}
