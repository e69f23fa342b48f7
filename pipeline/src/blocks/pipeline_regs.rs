// SPDX-License-Identifier: MIT OR Apache-2.0
//! [`PipelineRegs`]: the registers of a record in consecutive steps of a pipeline.

use rtl_model::{Pipeline, Reg, Signal};
use std::ops::RangeInclusive;

/// Registers that hold a record in consecutive steps of a pipeline, one register per step. They are addressed by the
/// number of the step, as the drawing of the pipeline has it. Steps beside the read of a memory depend on its latency;
/// there may be none.
pub struct PipelineRegs<T: Signal> {
    first: u32,
    pipeline: Option<Pipeline>,
    regs: Vec<Reg<T>>,
}

impl<T: Signal> PipelineRegs<T> {
    /// A register per step, named `field_step`.
    #[track_caller]
    pub fn new(steps: RangeInclusive<u32>, shape: &T::Shape) -> Self {
        PipelineRegs::of(steps, |step| Reg::numbered(step, shape))
    }

    /// The registers that `reg` makes, one per step.
    pub fn of(steps: RangeInclusive<u32>, reg: impl Fn(u32) -> Reg<T>) -> Self {
        let (first, mut regs) = (*steps.start(), Vec::new());
        // A loop, because names are given by nesting of calls.
        for step in first..*steps.end() + 1 {
            regs.push(reg(step));
        }
        PipelineRegs { first, pipeline: None, regs }
    }

    /// The same registers, as those of this pipeline: what comes out of one is in its step, and what enters it must be in
    /// the step before, or in none. The netlist checks both.
    pub fn checked(self, pipeline: Pipeline) -> Self {
        PipelineRegs { pipeline: Some(pipeline), ..self }
    }

    /// The same registers, with reset also of plain signals.
    pub fn with_reset(self) -> Self {
        PipelineRegs { regs: self.regs.into_iter().map(Reg::with_reset).collect(), ..self }
    }

    /// The same registers, none of which reset changes.
    pub fn without_reset(self) -> Self {
        PipelineRegs { regs: self.regs.into_iter().map(Reg::without_reset).collect(), ..self }
    }

    #[track_caller]
    fn reg(&self, step: u32) -> &Reg<T> {
        &self.regs[index(step, self.first, self.regs.len())]
    }

    /// The record in this step.
    #[track_caller]
    pub fn at(&self, step: u32) -> T {
        let record = self.reg(step).get();
        match self.pipeline {
            Some(pipeline) => pipeline.at(step, record),
            None => record,
        }
    }

    /// The record of another operation, which is in this step now: to compare with, or to forward.
    #[track_caller]
    pub fn across(&self, step: u32) -> T {
        self.reg(step).get()
    }

    /// The number of the last step.
    fn last_step(&self) -> u32 {
        self.first + self.regs.len() as u32 - 1
    }

    /// The record in the last step.
    #[track_caller]
    pub fn last(&self) -> T {
        self.at(self.last_step())
    }

    /// The records in all steps, the first step first.
    #[track_caller]
    pub fn all(&self) -> Vec<T> {
        let mut records = Vec::with_capacity(self.regs.len());
        // A loop, because with a closure the closure would be the tracked caller.
        for step in self.first..self.first + self.regs.len() as u32 {
            records.push(self.at(step));
        }
        records
    }

    /// The same where the number of steps does not depend on the configuration.
    #[track_caller]
    pub fn each<const N: usize>(&self) -> [T; N] {
        assert_eq!(self.regs.len(), N, "so many steps have a register");
        let mut records = [self.at(self.first); N];
        for (record, step) in records.iter_mut().zip(self.first..).skip(1) {
            *record = self.at(step);
        }
        records
    }

    /// The record that is in this step from the next clock edge on.
    #[track_caller]
    pub fn set(&self, step: u32, record: T) {
        if let Some(pipeline) = self.pipeline {
            pipeline.enters(step, record);
        }
        self.reg(step).set(record);
    }

    /// Each of these steps takes over the record of the step before it.
    #[track_caller]
    pub fn advance(&self, steps: RangeInclusive<u32>) {
        for step in (*steps.start()..*steps.end() + 1).rev() {
            self.set(step, self.at(step - 1));
        }
    }

    /// Every record goes on to the next step, and `record` enters the first one.
    #[track_caller]
    pub fn shift(&self, record: T) {
        if !self.regs.is_empty() {
            self.advance(self.first + 1..=self.last_step());
            self.set(self.first, record);
        }
    }
}

#[track_caller]
fn index(step: u32, first: u32, length: usize) -> usize {
    let index = step.wrapping_sub(first) as usize;
    assert!(index < length, "no register for step {step}");
    index
}
