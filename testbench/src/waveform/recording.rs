// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cycles that are kept in memory.

use super::{Layout, Signal};
use crate::device::{Dut, Error, Ports, Probe};
use std::collections::VecDeque;

/// The rows of some cycles.
#[derive(Clone, Debug)]
pub struct Recording {
    layout: Layout,
    first: u64,
    most: usize,
    rows: VecDeque<Box<[u64]>>,
}

impl Recording {
    /// Keeps every cycle.
    pub fn all(layout: Layout) -> Self {
        Recording::last(usize::MAX, layout)
    }

    /// Keeps the last `most` cycles.
    pub fn last(most: usize, layout: Layout) -> Self {
        Recording { layout, first: 0, most: most.max(1), rows: VecDeque::new() }
    }

    /// Adds a cycle. Only the registers are read from the device.
    pub fn add(&mut self, reset: bool, inputs: &[u64], outputs: &[u64], dut: &mut dyn Dut) {
        let oldest = if self.rows.len() == self.most { self.rows.pop_front() } else { None };
        self.first += oldest.is_some() as u64;
        let mut row = oldest.unwrap_or_else(|| vec![0; self.layout.limbs()].into());
        self.layout.fill(&mut row, reset, inputs, outputs, dut);
        self.rows.push_back(row);
    }

    /// The signals of a row.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The range of the cycles that are kept.
    pub fn cycles(&self) -> std::ops::Range<u64> {
        self.first..self.first + self.rows.len() as u64
    }

    /// The row of a cycle, if it is kept.
    pub fn row(&self, cycle: u64) -> Option<&[u64]> {
        let index = usize::try_from(cycle.checked_sub(self.first)?).ok()?;
        self.rows.get(index).map(|row| &**row)
    }

    /// The limbs of a signal in a cycle, lowest first.
    pub fn value(&self, signal: &Signal, cycle: u64) -> Option<&[u64]> {
        self.row(cycle).map(|row| signal.port.of(row))
    }
}

/// A device under test whose cycles are recorded.
pub struct Recorded<D> {
    dut: D,
    outputs: Vec<u64>,
    recording: Recording,
}

impl<D: Dut> Recorded<D> {
    /// Records every cycle from now on.
    pub fn new(dut: D) -> Self {
        let recording = Recording::all(Layout::of(&dut));
        Recorded { outputs: vec![0; dut.ports().output_limbs()], dut, recording }
    }

    /// The cycles that have been recorded.
    pub fn recording(&self) -> &Recording {
        &self.recording
    }
}

impl<D: Dut> Dut for Recorded<D> {
    fn ports(&self) -> &Ports {
        self.dut.ports()
    }

    fn outputs(&mut self, out: &mut [u64]) {
        self.dut.outputs(out);
    }

    fn clock(&mut self, reset: bool, input: &[u64]) {
        self.dut.outputs(&mut self.outputs);
        self.recording.add(reset, input, &self.outputs, &mut self.dut);
        self.dut.clock(reset, input);
    }

    fn probes(&self) -> &[Probe] {
        self.dut.probes()
    }

    fn probe(&mut self, out: &mut [u64]) {
        self.dut.probe(out);
    }

    fn failure(&mut self) -> Option<Error> {
        self.dut.failure()
    }
}
