// SPDX-License-Identifier: MIT OR Apache-2.0
//! All readings of a design in lock-step: the reference, the model compiled from the netlist, Verilated Verilog.

use crate::compiled::Compiled;
use crate::drive::Drive;
use crate::lockstep::Lockstep;
use crate::model::reference_of;
use crate::source::Source;
use crate::verilator::Verilator;
use crate::{Error, Ports};
use rtl_model::{Design, elaborate};

/// The reference is slower than the others: it takes part in one cycle of so many.
const SLOWER: u64 = 10;

/// From so many cycles on they run longer than they compile.
const LONG: u64 = 1_000_000;

/// A comparison of them.
#[derive(Clone, Copy, Debug)]
pub struct Readings {
    cycles: u64,
    reference: u64,
}

impl Readings {
    /// Of so many cycles; the reference takes part in the first tenth of them.
    pub fn new(cycles: u64) -> Self {
        Readings { cycles, reference: cycles.div_ceil(SLOWER) }
    }

    /// Of the reference as many as of the others.
    pub fn whole(self) -> Self {
        Readings { reference: self.cycles, ..self }
    }

    /// Model against Verilog, and reference against model; `drive` makes the same traffic for each. The error is the first
    /// difference.
    pub fn agree<T: Design + 'static, D: Drive>(
        &self,
        design: &T,
        drive: impl Fn(&Ports) -> Result<D, Error>,
    ) -> Result<(), Error> {
        let circuit = elaborate(design).map_err(|report| Error::Design(report.to_string()))?;
        // As it runs for users: what the compiler makes of the C is part of what is compared.
        let compiler = Compiled::new();
        let verilator = if self.cycles < LONG { Verilator::new() } else { Verilator::new().fast() };
        let source = Source::of_circuit(&circuit)?;
        let (mut model, mut rtl) = (compiler.build(&circuit)?, verilator.build(&source)?);
        Lockstep::new(self.cycles).run(&mut model, &mut rtl, &mut drive(&source.ports)?)?;
        let (mut reference, mut model) = (reference_of(design)?, compiler.build(&circuit)?);
        let lockstep = Lockstep::new(self.reference).devices(["reference", "model"]);
        lockstep.run(&mut *reference, &mut model, &mut drive(&source.ports)?)
    }
}
