// SPDX-License-Identifier: MIT OR Apache-2.0
//! Verilator, Icarus and yosys have nothing to say about what is printed.

use crate::common::tools::lint;
use crate::common::{Build, components, counter, tally};
use rtl_model::netlist::circuit::*;
use rtl_model::ops::{Binary, Unary};

const WIDTHS: [u32; 5] = [1, 7, 64, 65, 200];

const UNARY: [Unary; 6] =
    [Unary::Not, Unary::ReduceAnd, Unary::ReduceOr, Unary::ReduceXor, Unary::FirstSet, Unary::CountOnes];

const BINARY: [Binary; 15] = [
    Binary::Add,
    Binary::Sub,
    Binary::Mul,
    Binary::And,
    Binary::Or,
    Binary::Xor,
    Binary::Eq,
    Binary::Ne,
    Binary::Lt,
    Binary::Le,
    Binary::LtSigned,
    Binary::LeSigned,
    Binary::Shl,
    Binary::Shr,
    Binary::ShrSigned,
];

fn one(module: Module) -> Circuit {
    Circuit { modules: vec![module] }
}

/// Every operator on inputs, on constants, and inside another expression.
fn operators(width: u32) -> Module {
    let mut b = Build::new(&format!("operators_{width}"));
    let (x, y, z) = (b.input("x", width), b.input("y", width), b.input("z", width));
    let condition = b.input("condition", 1);
    let sum = b.binary(Binary::Add, x, z);
    let max = b.not(z);
    let (zero, three) = (b.constant(width, 0), b.constant(width, 3));
    let ones = b.not(zero);
    for (i, &op) in UNARY.iter().enumerate() {
        for (j, arg) in [x, sum, three].into_iter().enumerate() {
            let value = b.unary(op, arg);
            b.output(&format!("unary_{i}_{j}"), value);
        }
    }
    for (i, &op) in BINARY.iter().enumerate() {
        let pairs = [(x, y), (sum, max), (x, three), (three, x), (x, zero), (zero, x), (x, ones), (ones, x), (x, x)];
        for (j, (left, right)) in pairs.into_iter().enumerate() {
            let value = b.binary(op, left, right);
            b.output(&format!("binary_{i}_{j}"), value);
        }
    }
    let chosen = b.select(condition, sum, y);
    b.output("chosen", chosen);
    let joined = b.concat(&[x, condition, sum]);
    b.output("joined", joined);
    let low = (width - 1) / 2;
    let piece = b.slice(chosen, low, width - low);
    b.output("piece", piece);
    for (i, more) in [0, 1, 9].into_iter().enumerate() {
        for (j, op) in [Op::ZeroExtend, Op::SignExtend].into_iter().enumerate() {
            for (k, arg) in [x, chosen, piece].into_iter().enumerate() {
                let wide = b.width(arg) + more;
                let value = b.node(op, &[arg], wide);
                b.output(&format!("extended_{i}_{j}_{k}"), value);
            }
        }
    }
    b.0
}

#[test]
fn every_operator() {
    for width in WIDTHS {
        lint(&format!("lint_operators_{width}"), &one(operators(width)));
    }
}

#[test]
fn state_conditions_and_instances() {
    lint("lint_counter", &one(counter()));
    lint("lint_tally", &tally(16, 8));
    lint("lint_components", &one(components()));
}

#[test]
fn memories() {
    for (depth, width, latency, collision, reads) in [
        (1, 3, 1, Collision::Hold, 1),
        (2, 1, 2, Collision::ReadFirst, 2),
        (1000, 17, 2, Collision::Hold, 1),
        (1024, 32, 1, Collision::ReadFirst, 2),
        (1024, 32, 3, Collision::Hold, 2),
        (5000, 8, 1, Collision::Hold, 1),
    ] {
        let name = format!("memory_{depth}x{width}l{latency}");
        let mut b = Build::new(&name);
        let bits = rtl_model::ops::index_width(depth);
        let write = (b.input("write_enable", 1), b.input("write_row", bits), b.input("write_data", width));
        let ports: Vec<(NodeId, NodeId)> =
            (0..reads).map(|i| (b.input(&format!("read_{i}"), 1), b.input(&format!("row_{i}"), bits))).collect();
        let data = b.memory("table", (depth, width, latency), collision, write, &ports);
        for (i, data) in data.into_iter().enumerate() {
            b.output(&format!("data_{i}"), data);
        }
        lint(&format!("lint_{name}"), &one(b.0));
    }
}

#[test]
fn cases_and_unused_bits() {
    let mut b = Build::new("cases");
    let (state_in, word) = (b.input("state_in", 2), b.input("word", 40));
    let ignored = b.input("ignored", 9);
    let (state, state_q) = b.register("state", 2, 1, false);
    let (dead, dead_q) = b.register("dead", 9, 0, true);
    let zero = b.constant(8, 0);
    let (pick, pick_q) = b.variable("pick", zero);
    let (whole, whole_q) = b.variable("always", word);
    let parts: Vec<NodeId> = (0..4).map(|i| b.slice(word, 9 * i, 8)).collect();
    let arms = (0..3).map(|i| (Value::from_u64(2, i), vec![b.put(pick, parts[i as usize])])).collect();
    let yes = b.constant(1, 1);
    let full = (0..4).map(|i| (Value::from_u64(2, i), if i == 2 { vec![] } else { vec![b.set(state, state_in)] }));
    b.0.body = vec![
        Statement::Case { subject: state_q, arms, otherwise: vec![b.put(pick, parts[3])] },
        Statement::Case { subject: state_in, arms: full.collect(), otherwise: vec![b.set(state, state_q)] },
        Build::when(yes, vec![b.set(dead, ignored)]),
        b.put(whole, word),
    ];
    let low = b.slice(pick_q, 0, 3);
    let high = b.slice(whole_q, 39, 1);
    let unused = b.unary(Unary::ReduceXor, dead_q);
    b.named(unused, "unused_parity");
    b.output("low", low);
    b.output("high", high);
    b.output("state", state_q);
    lint("lint_cases", &one(b.0));
}
