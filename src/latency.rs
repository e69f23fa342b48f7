// SPDX-License-Identifier: MIT OR Apache-2.0
//! Clocks from one transfer to another, counted on the model with nothing stalling.

use crate::failure::{Failure, Outcome};
use devices::AnyStage;
use golden_vectors::VectorFile;
use golden_vectors::oracle::frame::{self, Options};
use serde::Serialize;
use std::sync::OnceLock;
use testbench::Dut;
use testbench::builder_bench::{Building, builder_streams};
use testbench::random::Random;
use testbench::stream::{Frame, Sink, Streams, beats};

/// Clocks from one port to another, nothing stalling.
#[derive(Debug, Serialize)]
pub struct Latency {
    /// Where it goes in.
    pub from: String,
    /// Where it comes out.
    pub to: String,
    /// Clocks from the one transfer to the other.
    pub clocks: u64,
}

/// From a frame's first beat in to its first beat and its record out. The frame is the first golden vector that is
/// RoCEv2.
pub fn parser(stage: &AnyStage) -> Outcome<Vec<Latency>> {
    of_frame(&mut *stage.reference()?, &["m_axis", "m_record"])
}

/// From a frame's first beat in to its first beat out.
pub fn icrc(stage: &AnyStage) -> Outcome<Vec<Latency>> {
    of_frame(&mut *stage.reference()?, &["m_axis"])
}

/// From a frame of one beat in, with its record, to frame and record out.
pub fn frame_gate(stage: &AnyStage) -> Outcome<Vec<Latency>> {
    let mut dut = stage.reference()?;
    let mut streams = Streams::new(dut.ports(), Random::new(1)).source("s_axis", |source| source)?;
    streams = streams.sink("m_axis", |sink| sink)?;
    let mut outputs = vec!["m_axis"];
    if dut.ports().input("s_record_tvalid").is_some() {
        streams = streams.source("s_record", |source| source)?.sink("m_record", |sink| sink)?;
        outputs.push("m_record");
        let records = streams.source_mut("s_record")?;
        let record = vec![0; records.channel().limbs()].into_boxed_slice();
        records.send([record]);
    }
    let source = streams.source_mut("s_axis")?;
    let items = beats(source.channel(), &Frame { bytes: vec![0; 8], user: 0 })?;
    source.send(items);
    first_transfers(&mut *dut, streams, "s_axis", &outputs)
}

/// From a record in to the first beat of its frame, which has no payload.
pub fn header_builder(stage: &AnyStage) -> Outcome<Vec<Latency>> {
    let mut dut = stage.reference()?;
    let record = frame::read(&rocev2_frame()?, &Options::default()).record;
    let building = Building::of(&record, 0, vec![0; 4]);
    let streams = builder_streams(dut.ports(), vec![building], 0.0, 0.0, 1)?;
    first_transfers(&mut *dut, streams, "s_record", &["m_axis"])
}

/// From a frame's first beat in to the first transfer of each output.
fn of_frame(dut: &mut dyn Dut, outputs: &[&str]) -> Outcome<Vec<Latency>> {
    let mut streams = Streams::new(dut.ports(), Random::new(1)).source("s_axis", |source| source)?;
    for output in outputs {
        streams = streams.sink(output, |sink| sink)?;
    }
    let source = streams.source_mut("s_axis")?;
    let items = beats(source.channel(), &Frame { bytes: rocev2_frame()?, user: 0 })?;
    source.send(items);
    first_transfers(dut, streams, "s_axis", outputs)
}

/// The first golden vector that is RoCEv2. The file is long: it is read once.
fn rocev2_frame() -> Outcome<Vec<u8>> {
    static FRAME: OnceLock<Vec<u8>> = OnceLock::new();
    match FRAME.get() {
        Some(frame) => Ok(frame.clone()),
        None => first_rocev2().map(|frame| FRAME.get_or_init(|| frame).clone()),
    }
}

fn first_rocev2() -> Outcome<Vec<u8>> {
    let file = VectorFile::embedded_stage("header_parser")?;
    let mut cases = file.iter().flat_map(VectorFile::cases);
    let rocev2 = |fields: &std::collections::BTreeMap<String, golden_vectors::Field>| {
        fields.get("transport").is_some_and(|field| field.matches(2))
    };
    let case = cases.find(|case| rocev2(&case.expect.fields));
    case.map(|case| case.frame.clone()).ok_or_else(|| Failure::message("no vector is RoCEv2"))
}

/// Clocks from the first transfer of the first source, `from`, to that of each sink, which are called `outputs`.
fn first_transfers(dut: &mut dyn Dut, mut streams: Streams, from: &str, outputs: &[&str]) -> Outcome<Vec<Latency>> {
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

/// From an event to its sum.
pub fn tally(stage: &AnyStage) -> Outcome<Vec<Latency>> {
    let mut dut = stage.reference()?;
    let (valid, done) = ("event_valid", "done_valid");
    let mut input = vec![0; dut.ports().input_limbs()];
    for _ in 0..8 {
        dut.clock(false, &input);
    }
    let port = dut.ports().input(valid).ok_or_else(|| no_port(valid))?.offset;
    input[port] = 1;
    dut.clock(false, &input);
    input[port] = 0;
    let clocks = 1 + until(&mut *dut, &input, done)?;
    Ok(vec![Latency { from: valid.to_owned(), to: done.to_owned(), clocks }])
}

/// Of a stage that answers requests and operations, of contexts that are not open as well: from a request to its grant, and
/// from an operation to its response.
pub fn contexts(stage: &AnyStage) -> Outcome<Vec<Latency>> {
    let mut dut = stage.reference()?;
    let request = answered(&mut *dut, "request_valid", "grant_valid")?;
    let control = answered(&mut *dut, "control_valid", "response_valid")?;
    Ok(vec![request, control])
}

/// Of a stage that answers asks: from an ask to its report.
pub fn asks(stage: &AnyStage) -> Outcome<Vec<Latency>> {
    let mut dut = stage.reference()?;
    Ok(vec![answered(&mut *dut, "query_valid", "report_valid")?])
}

/// From one event on an input, outside a sweep, to its answer.
fn answered(dut: &mut dyn Dut, asks: &str, answers: &str) -> Outcome<Latency> {
    let mut input = vec![0; dut.ports().input_limbs()];
    let at = dut.ports().input(asks).ok_or_else(|| no_port(asks))?.offset;
    until(dut, &input, "control_ready")?;
    input[at] = 1;
    dut.clock(false, &input);
    input[at] = 0;
    let clocks = 1 + until(dut, &input, answers)?;
    Ok(Latency { from: asks.to_owned(), to: answers.to_owned(), clocks })
}

/// Clocks until an output is 1.
fn until(dut: &mut dyn Dut, input: &[u64], name: &str) -> Outcome<u64> {
    let port = dut.ports().output(name).ok_or_else(|| no_port(name))?.offset;
    let mut outputs = vec![0; dut.ports().output_limbs()];
    for clocks in 0..1000 {
        dut.outputs(&mut outputs);
        if outputs[port] != 0 {
            return Ok(clocks);
        }
        dut.clock(false, input);
    }
    Err(Failure::message(format!("the model never sets {name}")))
}

fn no_port(name: &str) -> Failure {
    Failure::message(format!("the model has no port {name}"))
}
