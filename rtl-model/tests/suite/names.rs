// SPDX-License-Identifier: MIT OR Apache-2.0
//! Nets are called after the Rust bindings that hold them.

use rtl_model::netlist::circuit::{Module, Op, Origin};
use rtl_model::ops::Binary;
use rtl_model::*;

/// Two operands with their own record, to be returned as one.
#[derive(Bundle)]
struct Pair<L: Reading> {
    one: Bits<L>,
    other: Bits<L>,
}

#[derive(Bundle)]
struct In<L: Reading> {
    a: Bits<L>,
    b: Bits<L>,
    c: Bits<L>,
}

#[derive(Bundle)]
struct Out<L: Reading> {
    out: Bits<L>,
}

/// A stage with one register, for what is made of the inputs.
struct Wires<L: Logic> {
    out: Reg<Bits<L>>,
}

#[derive(Clone, Copy)]
struct WiresConfig;

impl Design for WiresConfig {
    type Stage<L: Logic> = Wires<L>;
    fn module_name(&self) -> String {
        "wires".into()
    }
    fn build<L: Logic>(&self) -> Wires<L> {
        Wires { out: Reg::named("out", &bits(8)) }
    }
}

#[name_nets]
fn added<L: Logic>(left: Bits<L>, right: Bits<L>) -> Bits<L> {
    left + right
}

#[name_nets]
fn both<L: Logic>(pair: (Bits<L>, Bits<L>)) -> Pair<L> {
    let (x, y) = pair;
    Pair { one: x & y, other: x | y }
}

#[name_nets]
#[allow(clippy::let_and_return)]
impl<L: Logic> Wires<L> {
    /// A parameter that is made in the call, and a binding inside the callee.
    fn masked(&self, by: Bits<L>) -> Bits<L> {
        let inner = by ^ 0x55;
        inner
    }
}

#[name_nets]
impl<L: Logic> Stage<L> for Wires<L> {
    type In = In<L>;
    type Out = Out<L>;
    fn input_shape(&self) -> In<Shape> {
        In { a: bits(8), b: bits(8), c: bits(8) }
    }
    fn outputs(&self) -> Out<L> {
        Out { out: self.out.get() }
    }
    #[allow(clippy::let_and_return, unused_mut)]
    fn clock(&self, input: &In<L>) {
        let In { a, b, c } = *input;
        // Nothing here is a signal, or has a type that is known where it is bound.
        let (mut list, count, none) = (Vec::new(), 3, None::<u64>);
        list.push(count);
        let text = format!("{list:?}{none:?}");
        let closure = |x: Bits<L>| {
            let inside = x - c;
            inside
        };
        let sum = added(a, b);
        let Pair { one: renamed, other } = both((a, b));
        let pair = both((b, c));
        let _unnamed = a & c;
        let mut turn = a * b;
        turn = turn.truncate(8) ^ c;
        when(a.any(), || {
            let under = self.masked(a << 1);
            self.out.set(under & closure(b));
        })
        .otherwise(|| self.out.set(added(b, c) | (a ^ b)));
        let last = sum ^ renamed ^ other ^ turn ^ pair.one ^ pair.other ^ _unnamed;
        let outer = self.masked(last);
        when(b.any(), || self.out.set(outer)).otherwise(|| assert_eq!(text, "[3]None"));
    }
}

fn module() -> Module {
    elaborate(&WiresConfig).expect("it elaborates").top().clone()
}

/// Name and origin of the first node with this operator on these inputs.
fn hint(module: &Module, op: Binary, inputs: [&str; 2]) -> (String, Origin) {
    let is = |id, name: &str| matches!(module.node(id).op, Op::Input(i) if module.inputs[i].name == name);
    let found = module
        .nodes
        .iter()
        .find(|node| node.op == Op::Binary(op) && node.args.iter().zip(inputs).all(|(&arg, name)| is(arg, name)));
    let hint = found.and_then(|node| node.hint.clone()).unwrap_or_else(|| panic!("no hint of {op:?} {inputs:?}"));
    (hint.name, hint.origin)
}

fn named(module: &Module, name: &str) -> usize {
    module.nodes.iter().filter(|node| node.hint.as_ref().is_some_and(|hint| hint.name == name)).count()
}

#[test]
fn a_binding_names_what_it_holds() {
    let module = module();
    assert_eq!(hint(&module, Binary::Add, ["a", "b"]), ("sum".into(), Origin::Binding));
    assert_eq!(named(&module, "last"), 1);
    assert_eq!(named(&module, "inside"), 1, "in a closure");
    assert_eq!(named(&module, "under"), 1, "under a condition; the inner binding gives way to the outer one");
    assert_eq!(named(&module, "outer"), 1);
    assert_eq!(named(&module, "inner"), 0);
}

#[test]
fn patterns_and_records_name_their_fields() {
    let module = module();
    assert_eq!(hint(&module, Binary::And, ["a", "b"]), ("renamed".into(), Origin::Binding));
    assert_eq!(hint(&module, Binary::Or, ["a", "b"]), ("other".into(), Origin::Binding));
    assert_eq!(hint(&module, Binary::And, ["b", "c"]), ("pair_one".into(), Origin::Binding));
    assert_eq!(hint(&module, Binary::Or, ["b", "c"]), ("pair_other".into(), Origin::Binding));
}

#[test]
fn an_assignment_names_its_value() {
    assert_eq!(named(&module(), "turn"), 2, "what it was, and what it became");
}

#[test]
fn without_a_binding_the_function_and_its_parameters_name() {
    let module = module();
    assert_eq!(hint(&module, Binary::Add, ["b", "c"]), ("added".into(), Origin::Result));
    assert_eq!(named(&module, "by"), 1, "a << 1");
}

#[test]
fn an_underscore_asks_for_no_name() {
    let module = module();
    let node = module.nodes.iter().find(|node| node.op == Op::Binary(Binary::And) && node.hint.is_none());
    assert!(node.is_some());
    assert_eq!(named(&module, "_unnamed"), 0);
}

/// The values are what they would be without names.
#[test]
fn the_model_computes_as_before() {
    let stage: Wires<Model> = WiresConfig.build();
    let lit = |x| Bits::<Model>::lit(8, x);
    for (a, b, c) in [(0_u64, 0_u64, 9_u64), (3, 0, 5), (200, 100, 50), (0, 7, 255)] {
        stage.clock(&In { a: lit(a), b: lit(b), c: lit(c) });
        let last = (a + b) ^ (a & b) ^ (a | b) ^ (a * b % 256) ^ c ^ (b & c) ^ (b | c) ^ (a & c);
        let first = if a != 0 { ((a << 1) ^ 0x55) & (b.wrapping_sub(c)) } else { (b + c) | (a ^ b) };
        let expected = if b != 0 { last ^ 0x55 } else { first };
        assert_eq!(stage.outputs().out.value(), expected & 0xff, "{a} {b} {c}");
    }
}
