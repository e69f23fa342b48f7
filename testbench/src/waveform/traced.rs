// SPDX-License-Identifier: MIT OR Apache-2.0
//! A device under test that writes its cycles to a file while it runs.

use super::{Layout, TraceFile, Writer};
use crate::device::{Dut, Error, Ports, Probe};
use std::fs::File;
use std::io::BufWriter;

/// A device under test that is traced. It behaves as the device inside.
pub struct Traced<D> {
    dut: D,
    layout: Layout,
    outputs: Vec<u64>,
    row: Vec<u64>,
    cycle: u64,
    file: TraceFile,
    writer: Writer<BufWriter<File>>,
    failure: Option<Error>,
    broken: bool,
}

impl<D: Dut> Traced<D> {
    /// Traces every cycle from now on, in a scope of this name.
    pub fn new(dut: D, scope: &str, file: TraceFile) -> Result<Self, Error> {
        let layout = Layout::of(&dut);
        let writer = file.writer(scope, &layout).map_err(Error::file(file.path()))?;
        let (outputs, row) = (vec![0; dut.ports().output_limbs()], vec![0; layout.limbs()]);
        Ok(Traced { dut, layout, outputs, row, cycle: 0, file, writer, failure: None, broken: false })
    }

    /// Ends the trace. When this returns, the file has its final name.
    pub fn finish(mut self) -> Result<(), Error> {
        if self.broken {
            let said = || Error::Protocol(format!("{}: the waveform is not whole", self.file.path().display()));
            return Err(self.failure.take().unwrap_or_else(said));
        }
        self.writer.finish(self.cycle).map_err(Error::file(self.file.path()))?;
        self.file.keep()
    }
}

impl<D: Dut> Dut for Traced<D> {
    fn ports(&self) -> &Ports {
        self.dut.ports()
    }

    fn outputs(&mut self, out: &mut [u64]) {
        self.dut.outputs(out);
    }

    fn clock(&mut self, reset: bool, input: &[u64]) {
        if !self.broken {
            self.dut.outputs(&mut self.outputs);
            self.layout.fill(&mut self.row, reset, input, &self.outputs, &mut self.dut);
            let written = self.writer.cycle(self.cycle, &[Some(&self.row)]);
            self.failure = written.map_err(Error::file(self.file.path())).err();
            self.broken = self.failure.is_some();
        }
        self.cycle += 1;
        self.dut.clock(reset, input);
    }

    fn probes(&self) -> &[Probe] {
        self.dut.probes()
    }

    fn probe(&mut self, out: &mut [u64]) {
        self.dut.probe(out);
    }

    fn failure(&mut self) -> Option<Error> {
        // A caller that asks for a failure ends the run.
        self.failure.take().or_else(|| self.dut.failure())
    }
}
