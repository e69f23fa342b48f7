// SPDX-License-Identifier: MIT OR Apache-2.0
//! What happened at the ports of a device, and the VCD of it. Names are those of the source.

use crate::{Dut, Error, Port, Ports};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use vcd::{IdCode, TimescaleUnit, Value, Writer};

/// Time units of a cycle.
const PERIOD: u64 = 10;

/// The rows of some cycles.
#[derive(Clone, Debug)]
pub struct Recording {
    ports: Ports,
    first: u64,
    most: usize,
    rows: VecDeque<Row>,
}

#[derive(Clone, Debug)]
struct Row {
    reset: bool,
    inputs: Box<[u64]>,
    outputs: Box<[u64]>,
}

impl Recording {
    /// Of every cycle.
    pub fn all(ports: Ports) -> Self {
        Recording::last(usize::MAX, ports)
    }

    /// Of the last `most` cycles.
    pub fn last(most: usize, ports: Ports) -> Self {
        Recording { ports, first: 0, most: most.max(1), rows: VecDeque::new() }
    }

    /// Adds a cycle.
    pub fn add(&mut self, reset: bool, inputs: &[u64], outputs: &[u64]) {
        if self.rows.len() == self.most {
            self.rows.pop_front();
            self.first += 1;
        }
        self.rows.push_back(Row { reset, inputs: inputs.into(), outputs: outputs.into() });
    }

    /// Cycles kept.
    pub fn cycles(&self) -> usize {
        self.rows.len()
    }
}

/// A device whose ports are recorded.
pub struct Recorded<D> {
    dut: D,
    outputs: Vec<u64>,
    recording: Recording,
}

impl<D: Dut> Recorded<D> {
    /// Records every cycle from now on.
    pub fn new(dut: D) -> Self {
        let recording = Recording::all(dut.ports().clone());
        Recorded { outputs: vec![0; dut.ports().output_limbs()], dut, recording }
    }

    /// What has been recorded.
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
        self.recording.add(reset, input, &self.outputs);
        self.dut.clock(reset, input);
    }

    fn failure(&mut self) -> Option<Error> {
        self.dut.failure()
    }
}

/// Writes recordings of the same cycles side by side, each in a scope of its own.
pub fn write_vcd(path: &Path, scopes: &[(&str, &Recording)]) -> Result<(), Error> {
    let file = File::create(path).map_err(Error::file(path))?;
    write_to(BufWriter::new(file), scopes).map_err(Error::file(path))
}

/// The same, anywhere.
pub fn write_to(to: impl Write, scopes: &[(&str, &Recording)]) -> std::io::Result<()> {
    let mut writer = Writer::new(to);
    writer.timescale(1, TimescaleUnit::NS)?;
    let mut columns = Vec::new();
    for (name, recording) in scopes {
        writer.add_module(name)?;
        columns.push(Column::declare(&mut writer, recording)?);
        writer.upscope()?;
    }
    writer.enddefinitions()?;
    let first = scopes.iter().map(|(_, r)| r.first).min().unwrap_or(0);
    let end = scopes.iter().map(|(_, r)| r.first + r.rows.len() as u64).max().unwrap_or(0);
    for cycle in first..end {
        writer.timestamp(cycle * PERIOD)?;
        columns.iter_mut().try_for_each(|column| column.change(&mut writer, cycle))?;
        writer.timestamp(cycle * PERIOD + PERIOD / 2)?;
        columns.iter().try_for_each(|column| writer.change_scalar(column.clk, Value::V0))?;
    }
    writer.timestamp(end * PERIOD)?;
    writer.flush()
}

/// The nets of one recording.
struct Column<'a> {
    recording: &'a Recording,
    clk: IdCode,
    rst: IdCode,
    ids: Vec<IdCode>,
    last: Option<&'a Row>,
}

impl<'a> Column<'a> {
    fn declare(writer: &mut Writer<impl Write>, recording: &'a Recording) -> std::io::Result<Self> {
        let clk = writer.add_wire(1, "clk")?;
        let rst = writer.add_wire(1, "rst")?;
        let ports = recording.ports.inputs.iter().chain(&recording.ports.outputs);
        let ids = ports.map(|p| writer.add_wire(p.width, &p.name)).collect::<Result<_, _>>()?;
        Ok(Column { recording, clk, rst, ids, last: None })
    }

    /// The rising edge and what is at the ports in the cycle before it.
    fn change(&mut self, writer: &mut Writer<impl Write>, cycle: u64) -> std::io::Result<()> {
        let index = cycle.checked_sub(self.recording.first).map(|i| i as usize);
        let Some(row) = index.and_then(|i| self.recording.rows.get(i)) else { return Ok(()) };
        writer.change_scalar(self.clk, Value::V1)?;
        if self.last.is_none_or(|last| last.reset != row.reset) {
            writer.change_scalar(self.rst, row.reset)?;
        }
        let ports = &self.recording.ports;
        let inputs = ports.inputs.iter().map(|p| (p, &row.inputs, self.last.map(|last| &last.inputs)));
        let outputs = ports.outputs.iter().map(|p| (p, &row.outputs, self.last.map(|last| &last.outputs)));
        for (&id, (port, now, before)) in self.ids.iter().zip(inputs.chain(outputs)) {
            if before.is_none_or(|before| port.of(before) != port.of(now)) {
                change(writer, id, port, now)?;
            }
        }
        self.last = Some(row);
        Ok(())
    }
}

fn change(writer: &mut Writer<impl Write>, id: IdCode, port: &Port, row: &[u64]) -> std::io::Result<()> {
    let limbs = port.of(row);
    let bit = |i: u32| Value::from(limbs[i as usize / 64] >> (i % 64) & 1 == 1);
    match port.width {
        1 => writer.change_scalar(id, bit(0)),
        width => writer.change_vector(id, (0..width).rev().map(bit)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_reads_as_it_was_written() {
        let mut recording = Recording::all(Ports::new([("go", 1)], [("wide", 66)]));
        recording.add(true, &[0], &[5, 2]);
        recording.add(false, &[1], &[5, 2]);
        let mut text = Vec::new();
        write_to(&mut text, &[("dut", &recording)]).expect("memory takes everything");
        let text = String::from_utf8(text).expect("VCD is text");
        let vector = format!("b10{}101 ", "0".repeat(61));
        assert_eq!(text.matches(&vector).count(), 1, "a value is written when it changes:\n{text}");
        assert!(text.contains("$var wire 66 ") && text.contains("#20\n"), "{text}");
    }
}
