// SPDX-License-Identifier: MIT OR Apache-2.0
//! The software model as a device under test.

use crate::probe::probes;
use crate::stimulus::Stimulus;
use crate::{Dut, Error, Ports, Probe};
use rtl_model::model::{Watched, read_limbs, watched, write_limbs};
use rtl_model::netlist::circuit::{Circuit, Op};
use rtl_model::{Design, Leaf, Model, Signal, Stage, elaborate};

/// A stage read as values, with `N` limbs for the widest signal.
pub struct ModelDut<const N: usize, const CHECKED: bool, S: Stage<Model<N, CHECKED>>> {
    stage: S,
    shape: <S::In as Signal>::Shape,
    ports: Ports,
    watched: Vec<Watched>,
    probes: Vec<Probe>,
}

impl<const N: usize, const CHECKED: bool, S: Stage<Model<N, CHECKED>>> ModelDut<N, CHECKED, S> {
    /// A stage at power-up and the ports of its module.
    pub fn new(stage: S, ports: Ports) -> Self {
        ModelDut { shape: stage.input_shape(), stage, ports, watched: Vec::new(), probes: Vec::new() }
    }

    /// The same with its registers, from [`watched`].
    pub fn with_registers(self, watched: Vec<Watched>) -> Self {
        let probes = probes(watched.iter().map(|one| (&*one.scope, &*one.name, one.width)));
        ModelDut { watched, probes, ..self }
    }
}

impl<const N: usize, const CHECKED: bool, S: Stage<Model<N, CHECKED>>> Dut for ModelDut<N, CHECKED, S> {
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

    fn run(&mut self, stimulus: &Stimulus) -> u64 {
        let mut digest = crate::stimulus::Digest::default();
        let mut wait = 0;
        for (reset, row) in stimulus.rows() {
            if wait == 0 {
                let mut cycle = digest.cycle();
                self.stage.outputs().visit(&mut |leaf| match leaf {
                    Leaf::Narrow(x) => cycle.add(x.value()),
                    Leaf::Wide(x) => x.limbs().iter().take(x.width().div_ceil(64) as usize).for_each(|&x| cycle.add(x)),
                });
                cycle.end();
                wait = stimulus.every();
            }
            wait -= 1;
            self.stage.clock(&read_limbs(&self.shape, row));
            if reset {
                self.stage.reset();
            }
        }
        digest.finish()
    }

    fn probes(&self) -> &[Probe] {
        &self.probes
    }

    fn probe(&mut self, out: &mut [u64]) {
        for (register, probe) in self.watched.iter().zip(&self.probes) {
            register.read(probe.signal.of_mut(out));
        }
    }
}

/// The model of a design, in the smallest number of limbs that holds its widest signal. Widths have been checked when
/// this returns: they depend on the design alone, and it has been elaborated.
pub fn model_of<D: Design + 'static>(design: &D) -> Result<Box<dyn Dut>, Error> {
    let (ports, widest) = elaborated(design)?;
    Ok(match widest.div_ceil(64) {
        0..=1 => boxed::<1, false, D>(design, ports),
        2 => boxed::<2, false, D>(design, ports),
        3..=4 => boxed::<4, false, D>(design, ports),
        5..=8 => boxed::<8, false, D>(design, ports),
        _ => boxed::<16, false, D>(design, ports),
    })
}

/// The same with all widths checked again at every operator in every cycle.
pub fn checked_model_of<D: Design + 'static>(design: &D) -> Result<Box<dyn Dut>, Error> {
    let (ports, _) = elaborated(design)?;
    Ok(boxed::<16, true, D>(design, ports))
}

/// The same with its registers to be seen: a checked model, whose cells have names.
pub fn watched_model_of<D: Design + 'static>(design: &D) -> Result<Box<dyn Dut>, Error> {
    let (ports, _) = elaborated(design)?;
    let (stage, registers) = watched(|| design.build::<Model>());
    Ok(Box::new(ModelDut::<16, true, D::Stage<Model>>::new(stage, ports).with_registers(registers)))
}

fn elaborated<D: Design>(design: &D) -> Result<(Ports, u32), Error> {
    let circuit = elaborate(design).map_err(|report| Error::Design(report.to_string()))?;
    Ok((Ports::of_module(circuit.top()), widest(&circuit)))
}

fn boxed<const N: usize, const CHECKED: bool, D: Design + 'static>(design: &D, ports: Ports) -> Box<dyn Dut> {
    Box::new(ModelDut::<N, CHECKED, D::Stage<Model<N, CHECKED>>>::new(design.build(), ports))
}

/// Rows of memories are records and may be wider than any signal, so what only packs and unpacks them is left out.
fn widest(circuit: &Circuit) -> u32 {
    let mut widest = 1;
    for module in &circuit.modules {
        let rows: Vec<_> = module.memories.iter().map(|memory| memory.write.data).collect();
        for (i, node) in module.nodes.iter().enumerate() {
            let packs = matches!(node.op, Op::Concat) && rows.iter().any(|id| id.0 as usize == i);
            if !packs && !matches!(node.op, Op::MemoryData(..)) {
                widest = widest.max(node.width);
            }
        }
        let ports = module.inputs.iter().map(|p| p.width).chain(module.outputs.iter().map(|p| p.width));
        widest = ports.chain(module.registers.iter().map(|r| r.width)).fold(widest, u32::max);
    }
    widest
}
