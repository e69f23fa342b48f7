// SPDX-License-Identifier: MIT OR Apache-2.0
//! The simplest form of an expression has the value of the expression.

use super::*;
use std::panic::Location;

/// The value of a node if input `i` has value `inputs[i]`.
fn value(g: &Graph, id: NodeId, inputs: &[Value]) -> Value {
    let node = g.node(id);
    if let Op::Input(i) = node.op {
        return inputs[i];
    }
    let args: Vec<Value> = node.args.iter().map(|&arg| value(g, arg, inputs)).collect();
    match node.op {
        Op::Constant(value) => value,
        Op::Unary(op) => Value::unary(op, args[0]),
        Op::Binary(op) => Value::binary(op, args[0], args[1]),
        Op::Select => args[if args[0].is_zero() { 2 } else { 1 }],
        Op::Concat => args[1..].iter().fold(args[0], |high, low| high.concat(*low)),
        Op::Slice { low } => args[0].slice(low, node.width),
        Op::ZeroExtend => args[0].resize(node.width),
        Op::SignExtend => args[0].sign_extend(node.width),
        op => unreachable!("{op:?} is not made here"),
    }
}

fn input(g: &mut Graph, i: usize, width: u32) -> NodeId {
    g.push(Op::Input(i), vec![], width, Location::caller())
}

fn numbers(width: u32) -> impl Iterator<Item = Value> {
    (0..1 << width).map(move |x| Value::from_u64(width, x))
}

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

#[test]
fn operators_on_constants_and_on_equal_operands() {
    let site = Location::caller();
    for (op, width) in BINARY.into_iter().flat_map(|op| (1..4).map(move |width| (op, width))) {
        let result = op.width(width, width).expect("equal widths fit");
        let mut g = Graph::default();
        let x = input(&mut g, 0, width);
        for number in numbers(width) {
            let constant = g.literal(number, site);
            for (left, right) in [(x, constant), (constant, x), (x, x), (constant, constant)] {
                let folded = fold(&mut g, Op::Binary(op), vec![left, right], result, site);
                for is in numbers(width).map(|x| [x]) {
                    let expected = Value::binary(op, value(&g, left, &is), value(&g, right, &is));
                    assert_eq!(value(&g, folded, &is), expected, "{op:?} of {width} bits with {number:?} at {is:?}");
                }
            }
        }
    }
}

#[test]
fn selections_of_single_bits() {
    let site = Location::caller();
    let mut g = Graph::default();
    let (cond, x) = (input(&mut g, 0, 1), input(&mut g, 1, 1));
    let not = fold(&mut g, Op::Unary(Unary::Not), vec![cond], 1, site);
    let all = [cond, not, x, g.literal(Value::zero(1), site), g.literal(Value::from_u64(1, 1), site)];
    for (cond, then, other) in (0..125).map(|i| (all[i / 25], all[i / 5 % 5], all[i % 5])) {
        let folded = fold(&mut g, Op::Select, vec![cond, then, other], 1, site);
        for inputs in numbers(2).map(|x| [x.slice(1, 1), x.slice(0, 1)]) {
            let taken = if value(&g, cond, &inputs).is_zero() { other } else { then };
            assert_eq!(value(&g, folded, &inputs), value(&g, taken, &inputs));
        }
    }
}

/// All slices of a concatenation and of both extensions, before and after names are known.
#[test]
fn slices_through_wiring() {
    let site = Location::caller();
    for mut g in [Graph::default(), Graph::from_parts(vec![], vec![], vec![])] {
        let (a, b) = (input(&mut g, 0, 3), input(&mut g, 1, 2));
        let joined = fold(&mut g, Op::Concat, vec![a, b, a], 8, site);
        let zeros = fold(&mut g, Op::ZeroExtend, vec![a], 8, site);
        let signs = fold(&mut g, Op::SignExtend, vec![a], 8, site);
        for (wire, low, width) in [joined, zeros, signs]
            .into_iter()
            .flat_map(|wire| (0..8).flat_map(move |low| (1..9 - low).map(move |width| (wire, low, width))))
        {
            let folded = fold(&mut g, Op::Slice { low }, vec![wire], width, site);
            for inputs in numbers(5).map(|x| [x.slice(2, 3), x.slice(0, 2)]) {
                assert_eq!(value(&g, folded, &inputs), value(&g, wire, &inputs).slice(low, width));
            }
        }
    }
}

#[test]
fn a_slice_across_a_concatenation_waits_for_its_name() {
    let site = Location::caller();
    let across = |mut g: Graph, name: Option<&str>| {
        let (a, b) = (input(&mut g, 0, 4), input(&mut g, 1, 4));
        let joined = fold(&mut g, Op::Concat, vec![a, b], 8, site);
        name.into_iter().for_each(|name| g.name(joined, || name.to_owned()));
        let slice = fold(&mut g, Op::Slice { low: 2 }, vec![joined], 4, site);
        g.node(slice).op
    };
    let known = || Graph::from_parts(vec![], vec![], vec![]);
    assert_eq!(across(Graph::default(), None), Op::Slice { low: 2 });
    assert_eq!(across(known(), Some("header")), Op::Slice { low: 2 });
    assert_eq!(across(known(), None), Op::Concat);
}
