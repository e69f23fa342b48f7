// SPDX-License-Identifier: MIT OR Apache-2.0
//! Computes the outputs of a circuit without a program.

use super::interpreter::Interpreter;
use super::machine::{Ports, Stimulus};
use rtl_model::model::{Instance, read_limbs, write_limbs};
use rtl_model::netlist::circuit::{Module, Value};
use rtl_model::{Design, Model, Stage};

/// The outputs of a module without memories and instances before each edge, evaluated from its netlist.
pub fn interpreted(module: &Module, stimulus: &Stimulus) -> Vec<Ports> {
    let registers = module.registers.iter().map(|register| register.init).collect();
    let mut interpreter = Interpreter { module, inputs: Vec::new(), registers };
    let clock = |(reset, inputs): &(bool, Ports)| {
        let value =
            |(port, limbs): (&rtl_model::netlist::circuit::Input, &Vec<u64>)| Value::from_limbs(port.width, limbs);
        interpreter.inputs = module.inputs.iter().zip(inputs).map(value).collect();
        let output = |output: &rtl_model::netlist::circuit::Output| interpreter.node(output.value).used().to_vec();
        let outputs = module.outputs.iter().map(output).collect();
        interpreter.clock(*reset);
        outputs
    };
    stimulus.iter().map(clock).collect()
}

/// The outputs of a stage before each edge, evaluated as a model.
pub fn reference<D: Design>(design: &D, widths: &[u32], stimulus: &Stimulus) -> Vec<Ports> {
    let stage = Instance::new(|| design.build::<Model>());
    let shape = stage.input_shape();
    let clock = |(reset, inputs): &(bool, Ports)| {
        let mut row = vec![0; widths.iter().map(|width| width.div_ceil(64) as usize).sum()];
        write_limbs(&stage.outputs(), &mut row);
        stage.clock(&read_limbs(&shape, &inputs.concat()));
        if *reset {
            stage.reset();
        }
        let mut rest = &row[..];
        let port = |width: &u32| {
            let (port, behind) = rest.split_at(width.div_ceil(64) as usize);
            rest = behind;
            port.to_vec()
        };
        widths.iter().map(port).collect()
    };
    stimulus.iter().map(clock).collect()
}
