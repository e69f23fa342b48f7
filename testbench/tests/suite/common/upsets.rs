// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reference and Verilated RTL of a design in lock-step, while stored bits of both flip.

use rtl_model::model::Instance;
use rtl_model::netlist::circuit::Memory;
use rtl_model::{Design, Model, elaborate};
use std::collections::{BTreeMap, BTreeSet};
use testbench::device::drive::Drive;
use testbench::device::model::ModelDut;
use testbench::device::random::Random;
use testbench::device::source::Source;
use testbench::device::verilator::Verilator;
use testbench::{Dut, Error, NativeDut, Ports};

/// The two, and in how many clock cycles each output was not 0.
pub struct Pair<D: Design> {
    model: ModelDut<D::Stage<Model>>,
    rtl: NativeDut,
    memories: Vec<Memory>,
    ports: Ports,
    times: BTreeMap<String, u64>,
    /// At most one bit per row flips in a run.
    pub one_per_row: bool,
    /// Memories and rows in which a bit has been flipped.
    flipped: BTreeSet<(usize, u64)>,
    /// Number of flipped bits.
    pub flips: u64,
}

impl<D: Design> Pair<D> {
    pub fn new(design: &D) -> Result<Self, Error> {
        let circuit = elaborate(design).map_err(|report| Error::Design(report.to_string()))?;
        let source = Source::of_circuit(&circuit)?;
        let rtl = Verilator::new().watch(true).build(&source)?;
        let model = ModelDut::new(Instance::new(|| design.build::<Model>()), source.ports.clone());
        let memories = circuit.top().memories.clone();
        let sizes = |of: Vec<(u64, u32)>| of;
        assert_eq!(
            sizes(model.memories().iter().map(|m| (m.depth, m.width)).collect()),
            sizes(memories.iter().map(|m| (m.depth, m.width)).collect()),
            "model and netlist have the same memories in the same order"
        );
        Ok(Pair {
            model,
            rtl,
            memories,
            ports: source.ports,
            times: BTreeMap::new(),
            one_per_row: false,
            flipped: BTreeSet::new(),
            flips: 0,
        })
    }

    pub fn ports(&self) -> &Ports {
        &self.ports
    }

    /// In how many clock cycles an output was not 0.
    pub fn times(&self, output: &str) -> u64 {
        self.times.get(output).copied().unwrap_or(0)
    }

    /// Flips a bit of a memory in both.
    pub fn flip(&mut self, memory: usize, row: u64, bit: u32) -> Result<(), Error> {
        self.model.memories()[memory].flip(row, bit);
        self.flips += 1;
        self.rtl.flip(&self.memories[memory].name, row, bit)
    }

    /// This many clock cycles, or until this output is not 0; in each, with this probability, a bit at random flips.
    pub fn run(
        &mut self,
        cycles: u64,
        drive: &mut dyn Drive,
        random: &mut Random,
        chance: f64,
        until: Option<&str>,
    ) -> Result<(), Error> {
        let (mut left, mut right) = (vec![0; self.ports.output_limbs()], vec![0; self.ports.output_limbs()]);
        let mut input = vec![0; self.ports.input_limbs()];
        for cycle in 0..cycles {
            self.model.outputs(&mut left);
            self.rtl.outputs(&mut right);
            for port in &self.ports.outputs {
                assert_eq!(port.of(&left), port.of(&right), "cycle {cycle}: `{}`", port.name);
                if port.of(&left).iter().any(|&limb| limb != 0) {
                    *self.times.entry(port.name.clone()).or_insert(0) += 1;
                }
            }
            if until.is_some_and(|output| self.times(output) > 0) {
                break;
            }
            let reset = drive.drive(&left, &mut input);
            self.model.clock(reset, &input);
            self.rtl.clock(reset, &input);
            if random.chance(chance) {
                let memory = random.below(self.memories.len() as u64) as usize;
                let (depth, width) = (self.memories[memory].depth, self.memories[memory].width);
                let (row, bit) = (random.below(depth), random.below(width.into()) as u32);
                // Three flipped bits of a word that is not read meanwhile look like one.
                if self.flipped.insert((memory, row)) || !self.one_per_row {
                    self.flip(memory, row, bit)?;
                }
            }
        }
        drive.finish()
    }
}
