// SPDX-License-Identifier: MIT OR Apache-2.0
//! Latencies in clock cycles, measured on the model without stalls: the probes that stages share.

mod receive;

pub use receive::{KEY, Path, receive};

use crate::failure::{Failure, Outcome};
use devices::AnyStage;
use rtl_model::netlist::interfaces::{Direction, Interface};
use serde::Serialize;
use testbench::device::random::Random;
use testbench::streams::{Frame, Sink, Streams, beats};
use testbench::{Dut, Port, Ports};

/// The number of clock cycles from one transfer to another, without stalls.
#[derive(Debug, Serialize)]
pub struct Latency {
    /// The input: a stream, or the port of an event.
    pub from: String,
    /// The output: a stream, or the port of an event.
    pub to: String,
    /// Clock cycles from the one transfer to the other.
    pub clocks: u64,
}

/// A latency in clock cycles and in time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Time {
    /// The input at which it begins.
    pub from: String,
    /// The output at which it ends.
    pub to: String,
    /// The latency in clock cycles.
    pub clocks: u64,
    /// The latency in nanoseconds.
    pub ns: f64,
}

impl Time {
    /// Latencies at this clock.
    pub fn all(latencies: &[Latency], clock_mhz: f64) -> Vec<Self> {
        let time = |Latency { from, to, clocks }: &Latency| Time {
            from: from.clone(),
            to: to.clone(),
            clocks: *clocks,
            ns: *clocks as f64 * 1e3 / clock_mhz,
        };
        latencies.iter().map(time).collect()
    }

    /// Whether it ends at this interface: it names the interface, or the port that says that there is a transfer.
    pub fn ends_at(&self, interface: &str) -> bool {
        self.to.strip_prefix(interface).is_some_and(|rest| ["", "_valid", "_tvalid"].contains(&rest))
    }
}

/// Measures from a frame's first beat on the stream `input` to the first transfer of each output. The frame is the first
/// golden vector that is RoCEv2.
pub fn of_frame(stage: &AnyStage, input: &str, outputs: &[&str]) -> Outcome<Vec<Latency>> {
    of_bytes(stage, &rocev2_frame(), input, outputs)
}

/// The same for another frame.
fn of_bytes(stage: &AnyStage, frame: &[u8], input: &str, outputs: &[&str]) -> Outcome<Vec<Latency>> {
    let mut dut = stage.reference()?;
    let mut streams = Streams::new(dut.ports(), Random::new(1)).source(input, |source| source)?;
    for output in outputs {
        streams = streams.sink(output, |sink| sink)?;
    }
    let source = streams.source_mut(input)?;
    let items = beats(source.channel(), &Frame { bytes: frame.to_vec(), user: 0 })?;
    source.send(items);
    first_transfers(&mut *dut, streams, input, outputs)
}

/// Measures from an event on each input interface to the answer to it; `pairs` are pairs of interfaces. A context that
/// is not open is answered as well. Events are sent once the interface `ready` accepts transfers, which is after the
/// sweep; without one, at once.
pub fn answers(stage: &AnyStage, ready: Option<&str>, pairs: &[(&str, &str)]) -> Outcome<Vec<Latency>> {
    answers_to(stage, &[], ready, pairs)
}

/// The same with these values on input ports, for events that need them; 0 on all others.
pub fn answers_to(
    stage: &AnyStage,
    values: &[(&str, u64)],
    ready: Option<&str>,
    pairs: &[(&str, &str)],
) -> Outcome<Vec<Latency>> {
    let mut dut = stage.reference()?;
    let ports = dut.ports().clone();
    let ready = ready.map(|name| ready_of(&ports, name)).transpose()?;
    let mut latencies = Vec::new();
    for (asks, answers) in pairs {
        let (from, to) = (event_on(&ports, asks, Direction::In)?, event_on(&ports, answers, Direction::Out)?);
        let mut input = vec![0; ports.input_limbs()];
        for (name, value) in values {
            input[ports.input(name).ok_or_else(|| no_interface(name))?.offset] = *value;
        }
        let clocks = answered(&mut *dut, input, ready, from, to)?;
        latencies.push(Latency { from: from.name.clone(), to: to.name.clone(), clocks });
    }
    Ok(latencies)
}

/// The port that says that the input interface accepts a transfer.
fn ready_of<'a>(ports: &'a Ports, name: &str) -> Outcome<&'a Port> {
    let ready = ports.interface(name, Direction::In).and_then(Interface::ready).ok_or_else(|| no_interface(name))?;
    Ok(ports.port(ready, Direction::Out)?)
}

/// The port whose 1 is an event: the valid of the interface, or its only field if it has no handshake.
fn event_on<'a>(ports: &'a Ports, name: &str, direction: Direction) -> Outcome<&'a Port> {
    let interface = ports.interface(name, direction).ok_or_else(|| no_interface(name))?;
    let event = match (interface.valid(), interface.fields.as_slice()) {
        (Some(valid), _) => valid,
        (None, [field]) => field,
        _ => return Err(no_interface(name)),
    };
    Ok(ports.port(event, direction)?)
}

fn answered(dut: &mut dyn Dut, mut input: Vec<u64>, ready: Option<&Port>, from: &Port, to: &Port) -> Outcome<u64> {
    if let Some(ready) = ready {
        until(dut, &input, ready)?;
    }
    // A frame of one beat.
    let last = from.name.strip_suffix("tvalid").map(|stream| format!("{stream}tlast"));
    let last = last.and_then(|last| dut.ports().input(&last).map(|last| last.offset));
    let event = std::iter::once(from.offset).chain(last);
    event.clone().for_each(|at| input[at] = 1);
    dut.clock(false, &input);
    event.for_each(|at| input[at] = 0);
    Ok(1 + until(dut, &input, to)?)
}

/// Measures from the first transfer of the first source, `from`, to that of each sink. `outputs` are the names of the
/// sinks.
pub fn first_transfers(dut: &mut dyn Dut, mut streams: Streams, from: &str, outputs: &[&str]) -> Outcome<Vec<Latency>> {
    let mut seen = vec![None; 1 + outputs.len()];
    streams.run(dut, 1000, |streams| {
        let (sources, sinks) = streams.parts();
        let moved = std::iter::once(sources[0].taken()).chain(sinks.iter().map(Sink::taken));
        for (seen, _) in seen.iter_mut().zip(moved).filter(|(seen, moved)| seen.is_none() && *moved > 0) {
            *seen = Some(streams.cycle());
        }
        seen.iter().all(Option::is_some)
    })?;
    let clocks = |at: usize| seen[at].unwrap_or(0) - seen[0].unwrap_or(0);
    let latency = |to: &str, clocks| Latency { from: from.to_owned(), to: to.to_owned(), clocks };
    Ok(outputs.iter().zip(1..).map(|(to, at)| latency(to, clocks(at))).collect())
}

/// A frame of RoCEv2: the first golden vector that is one. Their file is long, so it is not read for that.
pub fn rocev2_frame() -> Vec<u8> {
    ROCEV2.to_vec()
}

/// UDP over IPv4 with a BTH and an ICRC, 58 bytes.
const ROCEV2: [u8; 58] = {
    let words: [u64; 7] = [
        0x0211_2233_4455_0266,
        0x7788_99aa_0800_4500,
        0x002c_0001_4000_4011,
        0x26be_0a00_0001_0a00,
        0x0002_c000_12b7_0018,
        0x0000_0400_ffff_0000,
        0x0011_8000_0005_f689,
    ];
    let mut bytes = [0; 58];
    let mut at = 0;
    while at < 56 {
        bytes[at] = words[at / 8].to_be_bytes()[at % 8];
        at += 1;
    }
    (bytes[56], bytes[57]) = (0xee, 0xb6);
    bytes
};

/// Clock cycles within which tables are swept.
const PATIENCE: u64 = 1 << 22;

/// Counts clock cycles until an output is 1.
fn until(dut: &mut dyn Dut, input: &[u64], port: &Port) -> Outcome<u64> {
    let mut outputs = vec![0; dut.ports().output_limbs()];
    for clocks in 0..PATIENCE {
        dut.outputs(&mut outputs);
        if outputs[port.offset] != 0 {
            return Ok(clocks);
        }
        dut.clock(false, input);
    }
    Err(Failure::message(format!("the model never sets {}", port.name)))
}

fn no_interface(name: &str) -> Failure {
    Failure::message(format!("the model has no interface {name} of events"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use golden_vectors::VectorFile;

    #[test]
    fn the_frame_is_the_first_golden_vector_that_is_rocev2() {
        let file = VectorFile::embedded_stage("header_parser").expect("the vectors").expect("of the parser");
        let is_rocev2 =
            |case: &&golden_vectors::Case| case.expect.fields.get("transport").is_some_and(|field| field.matches(2));
        assert_eq!(file.cases().find(is_rocev2).map(|case| case.frame.clone()), Some(rocev2_frame()));
    }
}
