// SPDX-License-Identifier: MIT OR Apache-2.0
//! The golden vectors as a self-checking Verilog testbench: the same cases without the drivers of this crate.

mod builder;

pub use builder::builder_testbench;

use crate::benches::parser_bench::has_records;
use crate::conform::mark;
use crate::conform::timed_bench;
use crate::device::icarus::run_testbench;
use crate::device::random::Random;
use crate::device::source::Source;
use crate::device::{Error, Ports};
use crate::streams::record::{ANY, expected_ports};
use crate::streams::side_band::{self, Carrier, SideBandStimulus};
use crate::streams::{Channel, Frame, Item as Beat, beats};
use golden_vectors::{Case, Field, Reason, TimedGroup, Verdict};
use hdl::testbench::{Expected, Item, Stimulus, TestbenchFiles, generate, of_cycles};
use rtl_model::netlist::circuit::Circuit;

/// Seed of the side band, which is random but the same in every run.
const SEED: u64 = 1;

/// Makes the testbench of a header parser, or of another stage that frames pass through, for the given cases.
pub fn parser_testbench<'a>(
    circuit: &Circuit,
    header: &hdl::Header,
    cases: impl IntoIterator<Item = &'a Case>,
) -> Result<TestbenchFiles, Error> {
    let ports = Ports::of_module(circuit.top());
    let input = Channel::input(&ports, "s_axis")?;
    let output = Channel::output(&ports, "m_axis")?;
    let record = if has_records(&ports) { Some(Channel::output(&ports, "m_record")?) } else { None };
    let mark = mark(&ports);
    let side_band = side_band::of_ports(&ports);
    let (into, out_of) = (Carrier::of(&input, side_band)?, Carrier::of(&output, side_band)?);
    let mut random = Random::new(SEED);
    let (mut sent, mut frames, mut records) = (Vec::new(), Vec::new(), Vec::new());
    for case in cases {
        let bad = Frame { bytes: case.frame.clone(), user: if case.bad_frame { mark } else { 0 } };
        let whole = beats(&input, &bad)?;
        let along = side_band::draw(side_band, whole.len(), &mut random);
        for (mut beat, along) in whole.into_iter().zip(&along) {
            into.put(&mut beat, along);
            let fields = input.fields().map(|(name, _)| limbs(&input, &beat, name)).collect::<Result<_, _>>()?;
            sent.push(Item { fields });
        }
        let (drop, reason) = (case.expect.verdict == Verdict::Drop, case.expect.reason.unwrap_or(Reason::None));
        let bytes = case.expect.frame.as_ref().unwrap_or(&case.frame).clone();
        let judged = Frame { bytes, user: drop as u64 | (reason.code() as u64) << 1 };
        for (mut beat, along) in beats(&output, &judged)?.into_iter().zip(&along) {
            out_of.put(&mut beat, along);
            frames.push(expected_beat(&output, &beat)?);
        }
        if let (Some(channel), Some(first)) = (&record, along.first()) {
            records.push(expected_record(channel, case, first));
        }
    }
    let mut outputs = vec![("m_axis".into(), frames)];
    if record.is_some() {
        outputs.push(("m_record".into(), records));
    }
    let stimulus = Stimulus { inputs: vec![("s_axis".into(), sent)], outputs, ..Stimulus::default() };
    generate(circuit.top(), header, &stimulus).map_err(|error| Error::Design(error.to_string()))
}

/// Makes the testbench of a stage with timed vectors: the cases of the groups one after the other.
pub fn timed_testbench(
    circuit: &Circuit,
    header: &hdl::Header,
    groups: &[TimedGroup],
) -> Result<TestbenchFiles, Error> {
    let ports = Ports::of_module(circuit.top());
    let cases = groups.iter().flat_map(|group| group.tests.iter().map(move |case| (group, case)));
    let mut failed = None;
    // The tables are made one after the other, because all of them together are large.
    let tables = cases
        .map_while(|(group, case)| timed_bench::cycles(&ports, group, case).map_err(|error| failed = Some(error)).ok());
    let files = of_cycles(circuit.top(), header, tables.flatten(), 10);
    match failed {
        Some(error) => Err(error),
        None => files.map_err(|error| Error::Design(error.to_string())),
    }
}

/// Runs a testbench in Icarus and returns what it printed if it passed.
pub fn run(source: &Source, files: &TestbenchFiles) -> Result<String, Error> {
    let mut verilog = source.files.clone();
    verilog.push((files.testbench.name.clone(), files.testbench.text.clone()));
    run_testbench(&format!("{}_tb", source.top), &verilog, &files.memories)
}

fn limbs(channel: &Channel, beat: &Beat, name: &str) -> Result<Vec<u64>, Error> {
    Ok(beat[channel.field(name)?.1].to_vec())
}

/// The expectation for a beat. Bytes that are not kept are not compared.
fn expected_beat(channel: &Channel, beat: &Beat) -> Result<Expected, Error> {
    let keep = limbs(channel, beat, "tkeep")?;
    let kept = |byte: usize| if keep[byte / 64] >> (byte % 64) & 1 == 1 { 0xff } else { 0 };
    let field = |(name, width): (&str, u32)| {
        let value = limbs(channel, beat, name)?;
        let mask = match name {
            "tdata" => (0..value.len()).map(|i| (0..8).fold(0, |m, j| m | kept(8 * i + j) << (8 * j))).collect(),
            _ => ones(width),
        };
        Ok((value, mask))
    };
    Ok(Expected { fields: channel.fields().map(field).collect::<Result<_, Error>>()? })
}

/// The expectation for a record. Bits that the case does not define are not compared. `along` is the side band of the
/// frame's first beat.
fn expected_record(channel: &Channel, case: &Case, along: &SideBandStimulus) -> Expected {
    let ports = expected_ports(&case.expect.fields);
    let field = |(name, width): (&str, u32)| {
        match name {
            "tid" => return (vec![along.tid], ones(width)),
            "tdest" => return (vec![along.tdest], ones(width)),
            "tuser" => return (along.tuser.clone(), ones(width)),
            _ => {}
        }
        let Field { value, mask } = ports.get(name).copied().unwrap_or(ANY);
        let cut = |value: u128| {
            let limbs = ones(width).into_iter().enumerate();
            limbs.map(|(i, ones)| value.checked_shr(64 * i as u32).unwrap_or(0) as u64 & ones).collect()
        };
        (cut(value), cut(mask))
    };
    Expected { fields: channel.fields().map(field).collect() }
}

fn ones(width: u32) -> Vec<u64> {
    (0..width.div_ceil(64)).map(|i| !0 >> (64 - (width - 64 * i).min(64))).collect()
}
