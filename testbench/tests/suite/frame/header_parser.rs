// SPDX-License-Identifier: MIT OR Apache-2.0
//! The header parser: golden vectors on the model, the Verilated RTL and Icarus, all readings in lock-step, and an
//! encoder's capture.

use crate::common::{captures, sample, soak};
use golden_vectors::VectorFile;
use pipeline::frame::header_parser::HeaderParserConfig;
use testbench::benches::parser_bench::{Traffic, parse};
use testbench::benches::replay;
use testbench::benches::traffic::parser_streams;
use testbench::conform::selfcheck;
use testbench::conform::{CaseResult, counters};
use testbench::device::drive::RandomDrive;
use testbench::device::icarus::IcarusDut;
use testbench::device::model::{model_of, reference_of};
use testbench::device::random::Random;
use testbench::device::source::Source;
use testbench::device::verilator::Verilator;
use testbench::lockstep::readings::Readings;
use testbench::streams::Frame;
use testbench::{Dut, Ports, conform};
use tier::{is_all, pick};

const WIDTHS: [u32; 5] = [64, 128, 256, 512, 1024];

fn vectors() -> VectorFile {
    VectorFile::embedded_stage("header_parser").expect("the file is consistent").expect("the file is there")
}

fn rtl(width: u32) -> impl Dut {
    let source = Source::of_design(&HeaderParserConfig::new(width)).expect("it prints");
    Verilator::new().build(&source).expect("it compiles")
}

fn conforms(name: &str, dut: &mut dyn Dut, stall: f64) {
    conforms_to(&vectors(), name, dut, stall);
}

fn conforms_to(file: &VectorFile, name: &str, dut: &mut dyn Dut, stall: f64) {
    let mut results = conform::run(dut, file.cases(), Traffic { stall, seed: 1 }).expect("it runs");
    results.push(counters(dut, file.cases()).expect("there are counters"));
    let failed: Vec<&CaseResult> = results.iter().filter(|r| !r.passed()).collect();
    assert!(failed.is_empty(), "{name}: {} of {}: {:#?}", failed.len(), results.len(), &failed[..failed.len().min(5)]);
}

#[test]
fn the_model_conforms() {
    for (width, stall) in pick(WIDTHS.into_iter().flat_map(|width| [(width, 0.0), (width, 0.4)]), 1) {
        let mut model = model_of(&HeaderParserConfig::new(width)).expect("it elaborates");
        conforms(&format!("model, {width} bits, stall {stall}"), &mut model, stall);
    }
    let mut reference = reference_of(&HeaderParserConfig::new(64)).expect("it elaborates");
    conforms_to(&sample(vectors(), if is_all() { 1 } else { 4 }), "reference", &mut reference, 0.2);
}

#[test]
fn the_verilated_rtl_conforms() {
    for width in pick(WIDTHS, 1) {
        conforms(&format!("RTL, {width} bits"), &mut rtl(width), 0.3);
    }
}

#[test]
fn the_rtl_in_icarus_conforms() {
    let source = Source::of_design(&HeaderParserConfig::new(128)).expect("it prints");
    conforms_to(
        &sample(vectors(), if is_all() { 8 } else { 40 }),
        "Icarus, 128 bits",
        &mut IcarusDut::new(&source).expect("it compiles"),
        0.3,
    );
}

#[test]
fn the_self_checking_testbench_passes_and_can_fail() {
    let circuit = rtl_model::elaborate(&HeaderParserConfig::new(64)).expect("it elaborates");
    let source = Source::of_circuit(&circuit).expect("it prints");
    let header = hdl::Header { tool: "mpnic".into(), ..Default::default() };
    let mut file = sample(vectors(), if is_all() { 24 } else { 120 });
    let files = selfcheck::parser_testbench(&circuit, &header, file.cases()).expect("it is made");
    selfcheck::run(&source, &files).expect("it passes");
    let case = &mut file.groups[0].tests[0];
    case.expect.fields.values_mut().for_each(|field| field.value ^= 1);
    let files = selfcheck::parser_testbench(&circuit, &header, file.cases()).expect("it is made");
    let failed = selfcheck::run(&source, &files).expect_err("a wrong expectation fails").to_string();
    assert!(failed.contains("FAIL"), "{failed}");
}

#[test]
fn model_and_rtl_agree_in_every_cycle() {
    let frames: Vec<_> = vectors().cases().map(|c| Frame { bytes: c.frame.clone(), user: 0 }).collect();
    for (width, short) in pick([(64, 60_000), (128, 50_000), (256, 50_000), (512, 50_000), (1024, 50_000)], 1) {
        let (config, readings) = (HeaderParserConfig::new(width), Readings::new(soak::cycles(short)));
        for (seed, stall) in [0.0, 0.3, 0.8].into_iter().enumerate() {
            let drive = |ports: &Ports| parser_streams(ports, frames.clone(), stall, 0.0005, seed as u64);
            readings.agree(&config, drive).expect("they agree");
        }
        // Inputs that break all rules.
        let drive = |ports: &Ports| Ok(RandomDrive::new(ports, Random::new(4)));
        readings.agree(&config, drive).expect("they agree");
    }
}

#[test]
fn replayed_frames_say_what_the_encoder_put_in() {
    let (frames, expected) = captures::rocev2();
    let mut model = model_of(&HeaderParserConfig::new(512)).expect("it elaborates");
    let outcomes = parse(&mut model, &frames, Traffic::default()).expect("it runs");
    let lines: Vec<_> = outcomes.iter().enumerate().map(|(i, outcome)| replay::line(i, outcome, true)).collect();
    captures::agree(&expected, &lines);
}
