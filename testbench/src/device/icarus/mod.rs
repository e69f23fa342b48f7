// SPDX-License-Identifier: MIT OR Apache-2.0
//! The RTL in Icarus Verilog: as a device under test that exchanges one line per cycle through a pipe ([`IcarusDut`]),
//! and as a self-checking testbench ([`run_testbench`]).

mod harness;

use crate::device::ports::{lay_out, total};
use crate::device::source::Source;
use crate::device::tool::ICARUS;
use crate::device::{Dut, Error, Port, Ports, Probe};
use crate::files::{Listed, listed};
use bitvec::prelude::*;
use harness::Unknown;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Compiles files of a directory to `name.vvp`.
fn compile(dir: &Path, name: &str, top: &str, files: &[String]) -> Result<(), Error> {
    let mut command = Command::new("iverilog");
    command.current_dir(dir).args(["-g2001", "-s", top, "-o", name]).args(files);
    ICARUS.run(&mut command).map(drop)
}

/// Runs a testbench that ends by printing `PASS` or `FAIL`, with its data files in the same directory. Returns what it
/// printed.
///
/// The run is an error unless there is a line that starts with `PASS` and none with `FAIL`.
pub fn run_testbench(top: &str, verilog: &[(String, String)], data: &[(String, String)]) -> Result<String, Error> {
    let dir = listed(tempfile::tempdir).map_err(Error::file(std::env::temp_dir()))?;
    for (name, text) in verilog.iter().chain(data) {
        let path = dir.path().join(name);
        std::fs::write(&path, text).map_err(Error::file(path))?;
    }
    let files: Vec<_> = verilog.iter().map(|(name, _)| name.clone()).collect();
    compile(dir.path(), "testbench.vvp", top, &files)?;
    let output = ICARUS.run(Command::new("vvp").current_dir(dir.path()).args(["-n", "testbench.vvp"]))?;
    let line = |start: &str| output.lines().any(|line| line.starts_with(start));
    if line("PASS") && !line("FAIL") {
        return Ok(output);
    }
    Err(Error::Tool { tool: "vvp".into(), output })
}

/// RTL in Icarus, with one line out and one line in per cycle. It is slow, but an independent check of the Verilog.
pub struct IcarusDut {
    ports: Ports,
    process: Child,
    to: Option<BufWriter<ChildStdin>>,
    from: BufReader<ChildStdout>,
    probes: Vec<Probe>,
    /// The outputs, followed by the probes: the signals in a line of the simulation, and their values in this cycle.
    signals: Vec<Port>,
    row: Vec<u64>,
    cycle: u64,
    failure: Option<Error>,
    _dir: Listed<tempfile::TempDir>,
}

impl IcarusDut {
    /// Compiles the design and starts it at power-up.
    pub fn new(source: &Source) -> Result<Self, Error> {
        IcarusDut::build(source, false, Unknown::default())
    }

    /// The same in a testbench that leaves bytes unknown: whatever the inputs have there, `tdata` is X in bytes whose
    /// `tkeep` is 0, and while there is no beat. An output that is X is a failure, as always. A stage that passes `tdata`
    /// on without a look `passes` X in such bytes: the outputs have 0 there.
    pub fn with_unknown_bytes(source: &Source, passes: bool) -> Result<Self, Error> {
        IcarusDut::build(source, false, Unknown { inputs: true, outputs: passes })
    }

    /// Compiles the design with its registers as probes and starts it at power-up.
    pub fn watched(source: &Source) -> Result<Self, Error> {
        IcarusDut::build(source, true, Unknown::default())
    }

    fn build(source: &Source, watch: bool, unknown: Unknown) -> Result<Self, Error> {
        let dir = listed(tempfile::tempdir).map_err(Error::file(std::env::temp_dir()))?;
        let mut files = source.write_to(dir.path())?;
        let path = dir.path().join(harness::FILE);
        std::fs::write(&path, harness::text(source, watch, unknown)).map_err(Error::file(path))?;
        files.push(harness::FILE.into());
        compile(dir.path(), "dut.vvp", harness::TOP, &files)?;
        let mut command = Command::new("vvp");
        command.current_dir(dir.path()).args(["-n", "dut.vvp"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().map_err(|cause| ICARUS.missing(&command, &cause))?;
        let to = process.stdin.take().map(BufWriter::new);
        let from = BufReader::new(process.stdout.take().expect("standard output is a pipe"));
        let probes = if watch { source.probes() } else { Vec::new() };
        let ports = source.ports.clone();
        let signals = ports.outputs.iter().chain(probes.iter().map(|probe| &probe.signal));
        let signals = lay_out(signals.map(|port| (port.name.as_str(), port.width)));
        let row = vec![0; total(signals.iter())];
        let mut dut = IcarusDut { ports, process, to, from, probes, signals, row, cycle: 0, failure: None, _dir: dir };
        dut.receive();
        Ok(dut)
    }

    /// Reads the line of this cycle. A failure is kept for [`Dut::failure`]; from then on the outputs are 0.
    fn receive(&mut self) {
        if self.failure.is_some() {
            return;
        }
        let mut line = String::new();
        if let Err(source) = self.from.read_line(&mut line) {
            self.failure = Some(Error::File { path: "vvp".into(), source });
        } else if let Err(what) = unpack(line.trim(), &self.signals, &mut self.row) {
            self.failure = Some(Error::Protocol(format!("Icarus, cycle {}: {what}", self.cycle)));
        }
        if self.failure.is_some() {
            self.row.fill(0);
        }
    }

    fn send(&mut self, reset: bool, input: &[u64]) {
        let Some(to) = &mut self.to else { return };
        let line = pack(reset, &self.ports, input);
        if let Err(source) = writeln!(to, "{line}").and_then(|()| to.flush()) {
            self.failure.get_or_insert(Error::File { path: "vvp".into(), source });
        }
    }
}

/// Joins `rst` and all inputs, the first lowest, as `$fscanf` reads them.
fn pack(reset: bool, ports: &Ports, input: &[u64]) -> String {
    let mut bits: BitVec<u64, Lsb0> = BitVec::new();
    bits.push(reset);
    for port in &ports.inputs {
        bits.extend_from_bitslice(&port.of(input).view_bits::<Lsb0>()[..port.width as usize]);
    }
    bits.chunks(4).rev().map(|nibble| char::from_digit(nibble.load_le::<u32>(), 16).expect("four bits")).collect()
}

/// Joins all signals, the first lowest, as `$display` writes them.
fn unpack(line: &str, signals: &[Port], row: &mut [u64]) -> Result<(), String> {
    if let Some(unknown) = line.strip_prefix('b') {
        return Err(format!("`{}` is unknown (x)", first_unknown(unknown, signals)));
    }
    let mut bits: BitVec<u64, Lsb0> = BitVec::new();
    for digit in line.chars().rev() {
        let value = digit.to_digit(16).ok_or_else(|| format!("unexpected line `{line}`"))?;
        bits.extend_from_bitslice(&[value as u64].view_bits::<Lsb0>()[..4]);
    }
    let mut at = 0;
    for port in signals {
        let width = port.width as usize;
        let Some(value) = bits.get(at..at + width) else { return Err(format!("the simulation ended: `{line}`")) };
        let limbs = port.of_mut(row);
        limbs.fill(0);
        limbs.view_bits_mut::<Lsb0>()[..width].copy_from_bitslice(value);
        at += width;
    }
    Ok(())
}

fn first_unknown<'a>(bits: &str, signals: &'a [Port]) -> &'a str {
    let at = bits.bytes().rev().position(|bit| !b"01".contains(&bit)).unwrap_or(0);
    let mut end = 0;
    let beyond = |port: &&Port| {
        end += port.width as usize;
        end > at
    };
    signals.iter().find(beyond).map_or("?", |port| &port.name)
}

impl Dut for IcarusDut {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs(&mut self, out: &mut [u64]) {
        out.copy_from_slice(&self.row[..out.len()]);
    }

    fn clock(&mut self, reset: bool, input: &[u64]) {
        self.send(reset, input);
        self.cycle += 1;
        self.receive();
    }

    fn probes(&self) -> &[Probe] {
        &self.probes
    }

    fn probe(&mut self, out: &mut [u64]) {
        out.copy_from_slice(&self.row[self.ports.output_limbs()..]);
    }

    fn failure(&mut self) -> Option<Error> {
        self.failure.take()
    }
}

impl Drop for IcarusDut {
    fn drop(&mut self) {
        // The simulation ends at the end of its input.
        self.to = None;
        let _ = self.process.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_packed_without_gaps() {
        let ports = Ports::new([("a", 3), ("b", 70)], [("p", 5), ("q", 66)]);
        assert_eq!(pack(true, &ports, &[0b101, 1, 0x20]), "200000000000000001b");
        let mut outputs = [0; 3];
        unpack("40000000000000003f", &ports.outputs, &mut outputs).expect("hexadecimal");
        assert_eq!(outputs, [31, 1, 2]);
    }

    #[test]
    fn an_unknown_output_is_named() {
        let ports = Ports::new([], [("p", 5), ("q", 66)]);
        let bits = |at: usize| format!("b{}x{}", "0".repeat(70 - at), "1".repeat(at));
        let error = unpack(&bits(4), &ports.outputs, &mut [0; 3]).expect_err("x");
        assert_eq!(error, "`p` is unknown (x)");
        let error = unpack(&bits(5), &ports.outputs, &mut [0; 3]).expect_err("x");
        assert_eq!(error, "`q` is unknown (x)");
        assert!(unpack("", &ports.outputs, &mut [0; 3]).expect_err("nothing").contains("ended"));
    }
}
