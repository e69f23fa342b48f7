// SPDX-License-Identifier: MIT OR Apache-2.0
//! Small circuits, and the programs that they are lowered to.

mod enables;
mod shift;
mod state;
mod versions;
mod wide;
mod wiring;

use super::lower;
use crate::program::Program;
use crate::tests::{Build, Edge, cases, evaluate, play, show};
use crate::window::Window;
use rtl_model::netlist::circuit::{Circuit, NodeId, Value};

/// The program of one module.
fn program(build: Build) -> Program {
    lower(&Circuit { modules: vec![build.0] })
}

/// The limbs of the first output as text.
fn text(program: &Program) -> Vec<String> {
    program.outputs[0].1.iter().map(|&limb| show::word(program, limb)).collect()
}

/// The value of an output.
fn value(program: &Program, output: usize, inputs: &[Value]) -> Vec<u64> {
    let inputs: Vec<_> = inputs.iter().map(|value| value.used().to_vec()).collect();
    program.outputs[output].1.iter().map(|&limb| evaluate(program, limb, &inputs)).collect()
}

/// Values at the ends of a range and in between.
fn values(width: u32) -> Vec<Value> {
    let pattern = Value::from_limbs(width, &[0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, 0x0f1e_2d3c_4b5a_6978]);
    let (one, all) = (Value::from_u64(width, 1), Value::zero(width).not());
    vec![Value::zero(width), one, all, one.shl(width - 1), all.shr(1), pattern, pattern.not(), one.shl(width / 2)]
}

/// Builds an output of inputs with these widths and compares it with the expected value, for all of their values.
fn check(
    what: &str,
    widths: &[u32],
    make: impl Fn(&mut Build, &[NodeId]) -> NodeId,
    expected: impl Fn(&[Value]) -> Value,
) {
    let mut build = Build::new("small");
    let inputs: Vec<_> = widths.iter().enumerate().map(|(i, &width)| build.input(&format!("in{i}"), width)).collect();
    let output = make(&mut build, &inputs);
    build.output("out", output);
    let program = program(build);
    let mut choices = vec![vec![]];
    for &width in widths {
        let longer =
            |choice: &Vec<Value>| values(width).into_iter().map(|value| [&choice[..], &[value]].concat()).collect();
        choices = choices.iter().flat_map(|choice| -> Vec<_> { longer(choice) }).collect();
    }
    for inputs in choices {
        let expected = expected(&inputs);
        assert_eq!(value(&program, 0, &inputs), expected.used(), "{what} {widths:?} of {inputs:x?}");
    }
}

#[test]
fn every_program_computes_what_its_circuit_does() {
    for case in cases() {
        assert!(
            play(Edge::AtOnce(&case.program), &Window::default(), &case.stimulus) == case.expected,
            "{}",
            case.name
        );
    }
}
