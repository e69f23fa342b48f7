// SPDX-License-Identifier: MIT OR Apache-2.0
//! The software model as a device under test: the reference, and the fast model that is compiled from the netlist.

use crate::device::compiled::Compiled;
use crate::device::probe::probes;
use crate::device::{Dut, Error, Ports, Probe};
use rtl_model::model::{Instance, Stored, read_limbs, write_limbs};
use rtl_model::netlist::circuit::Circuit;
use rtl_model::{Design, Model, Signal, Stage, elaborate};

/// The reference: a stage that is run with values.
pub struct ModelDut<S: Stage<Model>> {
    stage: Instance<S>,
    shape: <S::In as Signal>::Shape,
    ports: Ports,
    probes: Vec<Probe>,
}

impl<S: Stage<Model>> ModelDut<S> {
    /// Makes a device from a stage at power-up and the ports of its module.
    pub fn new(stage: Instance<S>, ports: Ports) -> Self {
        ModelDut { shape: stage.input_shape(), stage, ports, probes: Vec::new() }
    }

    /// The memories of the stage, whose stored bits can be flipped.
    pub fn memories(&self) -> &[Stored] {
        self.stage.memories()
    }

    /// Makes the registers visible as probes.
    pub fn with_registers(self) -> Self {
        let registers = self.stage.registers().iter();
        let probes = probes(registers.map(|one| (&*one.scope, &*one.name, one.width)));
        ModelDut { probes, ..self }
    }
}

impl<S: Stage<Model>> Dut for ModelDut<S> {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs(&mut self, out: &mut [u64]) {
        write_limbs(&self.stage.outputs(), out);
    }

    fn clock(&mut self, reset: bool, input: &[u64]) {
        self.stage.clock(&read_limbs(&self.shape, input));
        if reset {
            self.stage.reset();
        }
    }

    fn probes(&self) -> &[Probe] {
        &self.probes
    }

    fn probe(&mut self, out: &mut [u64]) {
        for (register, probe) in self.stage.registers().iter().zip(&self.probes) {
            register.read(probe.signal.of_mut(out));
        }
    }
}

/// The model of a design, for a short run: compiled from its netlist, or the reference if there is no C compiler.
pub fn model_of<D: Design + 'static>(design: &D) -> Result<Box<dyn Dut>, Error> {
    model_with(&Compiled::new().soon(), design)
}

/// The model of a design, compiled by a given compiler.
pub fn model_with<D: Design + 'static>(compiler: &Compiled, design: &D) -> Result<Box<dyn Dut>, Error> {
    let circuit = circuit_of(design)?;
    match compiler.build(&circuit) {
        Ok(model) => Ok(Box::new(model)),
        Err(Error::MissingTool { .. }) => Ok(Box::new(reference(design, &circuit))),
        Err(error) => Err(error),
    }
}

/// The reference of a design. Every operator checks its widths in every cycle.
pub fn reference_of<D: Design + 'static>(design: &D) -> Result<Box<dyn Dut>, Error> {
    Ok(Box::new(reference(design, &circuit_of(design)?)))
}

/// The reference of a design with its registers as probes.
pub fn watched_reference_of<D: Design + 'static>(design: &D) -> Result<Box<dyn Dut>, Error> {
    Ok(Box::new(reference(design, &circuit_of(design)?).with_registers()))
}

fn circuit_of<D: Design>(design: &D) -> Result<Circuit, Error> {
    elaborate(design).map_err(|report| Error::Design(report.to_string()))
}

fn reference<D: Design>(design: &D, circuit: &Circuit) -> ModelDut<D::Stage<Model>> {
    ModelDut::new(Instance::new(|| design.build()), Ports::of_module(circuit.top()))
}
