// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lock-step of all forms of a design: the reference, the model compiled from the netlist, and the Verilog in
//! Verilator.

use crate::device::compiled::Compiled;
use crate::device::drive::Drive;
use crate::device::model::reference_of;
use crate::device::source::Source;
use crate::device::verilator::Verilator;
use crate::device::{Error, Ports};
use crate::lockstep::Lockstep;
use rtl_model::{Design, elaborate};

/// The reference is slower than the others: by default it runs one cycle of this number.
const SLOWER: u64 = 10;

/// From this number of cycles on, a run takes longer than a compilation.
const LONG: u64 = 1_000_000;

/// The settings of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct Readings {
    cycles: u64,
    reference: u64,
}

impl Readings {
    /// Compares for this number of cycles; the reference runs the first tenth of them.
    pub fn new(cycles: u64) -> Self {
        Readings { cycles, reference: cycles.div_ceil(SLOWER) }
    }

    /// Makes the reference run all cycles.
    pub fn whole(self) -> Self {
        Readings { reference: self.cycles, ..self }
    }

    /// Compares the model with the Verilog, and the reference with the model. `drive` makes the same traffic for each.
    /// The error is the first difference.
    pub fn agree<T: Design + 'static, D: Drive>(
        &self,
        design: &T,
        drive: impl Fn(&Ports) -> Result<D, Error>,
    ) -> Result<(), Error> {
        let circuit = elaborate(design).map_err(|report| Error::Design(report.to_string()))?;
        let (compiler, verilator) = match self.cycles < LONG {
            true => (Compiled::new().clocks(self.cycles), Verilator::new()),
            false => (Compiled::new(), Verilator::new().fast()),
        };
        let source = Source::of_circuit(&circuit)?;
        let (mut model, mut rtl) = (compiler.build(&circuit)?, verilator.build(&source)?);
        Lockstep::new(self.cycles).run(&mut model, &mut rtl, &mut drive(&source.ports)?)?;
        let (mut reference, mut model) = (reference_of(design)?, compiler.build(&circuit)?);
        let lockstep = Lockstep::new(self.reference).devices(["reference", "model"]);
        lockstep.run(&mut *reference, &mut model, &mut drive(&source.ports)?)
    }
}
