// SPDX-License-Identifier: MIT OR Apache-2.0
//! The side band through every stage that frames pass through: golden vectors on the model, the Verilated RTL and
//! Icarus, the testbenches, and lock-step. A stage that changes the side band must be found.

use devices::AnyStage;
use golden_vectors::{Case, VectorFile};
use pipeline::frame::header_builder::{HeaderBuilderConfig, UdpChecksum};
use pipeline::frame::header_parser::HeaderParserConfig;
use pipeline::frame::icrc::{IcrcConfig, IcrcMode};
use pipeline::headers::side_band::SideBand;
use testbench::benches::builder_bench::builder_streams;
use testbench::benches::parser_bench::Traffic;
use testbench::benches::traffic::parser_streams;
use testbench::conform::selfcheck;
use testbench::conform::{self, CaseResult};
use testbench::device::drive::RandomDrive;
use testbench::device::icarus::IcarusDut;
use testbench::device::random::Random;
use testbench::device::verilator::Verilator;
use testbench::lockstep::Lockstep;
use testbench::streams::Frame;
use testbench::{Dut, Ports};
use tier::{is_all, pick};

const STAGES: [&str; 5] = ["header_parser", "header_parser_core", "icrc", "icrc_insert", "header_builder"];
const UDP_CHECKSUM: UdpChecksum = UdpChecksum::Recorded;

/// Most cases of a run.
const CASES: usize = 400;

/// Most cases of a run in Icarus, which takes its time.
fn icarus_cases() -> usize {
    if is_all() { 120 } else { 40 }
}

const fn bits(tid: u32, tdest: u32, tuser: u32) -> SideBand {
    SideBand { tid, tdest, tuser }
}

/// Widths of the side band, each with a width of the bus.
const SHAPES: [(SideBand, u32); 5] = [
    (SideBand::NONE, 64),
    (bits(8, 4, 0), 64),
    (bits(8, 8, 97), 512),
    (bits(0, 0, 128), 128),
    (bits(SideBand::MAX_ID_WIDTH, 1, SideBand::MAX_USER_WIDTH), 1024),
];

fn stage(name: &str, side_band: SideBand, width: u32) -> AnyStage {
    let parser = HeaderParserConfig { side_band, ..HeaderParserConfig::new(width) };
    let icrc = |mode| IcrcConfig { side_band, ..IcrcConfig::new(width, mode) };
    match name {
        "header_parser" => parser.into(),
        "header_parser_core" => HeaderParserConfig { record_buffer: false, counters: false, ..parser }.into(),
        "icrc" => icrc(IcrcMode::Check).into(),
        "icrc_insert" => icrc(IcrcMode::Insert).into(),
        _ => HeaderBuilderConfig { side_band, udp_checksum: UDP_CHECKSUM, ..HeaderBuilderConfig::new(width) }.into(),
    }
}

/// The vectors of a stage: a selection from all of its files.
fn vectors(name: &str, most: usize) -> Vec<Case> {
    let file = if name.starts_with("icrc") { name } else { "header_parser" };
    let file = VectorFile::embedded_stage(file).expect("the file is consistent").expect("the file is there");
    let fits = |case: &&Case| name != "header_builder" || conform::builder::building(case).is_some();
    let all: Vec<_> = file.cases().filter(fits).cloned().collect();
    let apart = all.len().div_ceil(most);
    all.into_iter().step_by(apart).collect()
}

fn results(name: &str, dut: &mut dyn Dut, cases: &[Case], stall: f64) -> Vec<CaseResult> {
    let traffic = Traffic { stall, seed: 7 };
    let results = match name {
        "header_builder" => conform::builder::run(dut, cases, traffic, UDP_CHECKSUM),
        _ => conform::run(dut, cases, traffic),
    };
    results.expect("it runs")
}

/// The core does not keep a record for a consumer that pauses.
fn pace(name: &str) -> f64 {
    if name == "header_parser_core" { 0.0 } else { 0.3 }
}

fn conforms(what: &str, name: &str, dut: &mut dyn Dut, most: usize) {
    let results = results(name, dut, &vectors(name, most), pace(name));
    let failed: Vec<_> = results.iter().filter(|result| !result.passed()).collect();
    assert!(results.len() > most / 3 && failed.is_empty(), "{what}: {:#?}", &failed[..failed.len().min(3)]);
}

#[test]
fn ports_are_there_for_what_has_a_width() {
    let ports = |name, side_band| {
        let circuit = stage(name, side_band, 64).circuit().expect("it elaborates");
        let top = circuit.top();
        let inputs = top.inputs.iter().map(|port| (port.name.clone(), port.width));
        let all = inputs.chain(top.outputs.iter().map(|port| (port.name.clone(), port.width)));
        let side = |name: &str| ["_tid", "_tdest", "_tuser"].iter().any(|end| name.ends_with(end));
        all.filter(|(name, _)| side(name)).map(|(name, width)| format!("{name} {width}")).collect::<Vec<_>>()
    };
    assert_eq!(ports("header_parser", SideBand::NONE), ["s_axis_tuser 1", "m_axis_tuser 5"]);
    assert_eq!(ports("icrc", SideBand::NONE), ["s_axis_tuser 5", "m_axis_tuser 5"]);
    assert_eq!(ports("header_builder", SideBand::NONE), ["s_axis_tuser 1", "m_axis_tuser 5"]);
    let axis = |prefix: &str, user: u32| {
        ["tid 8".into(), "tdest 4".into(), format!("tuser {user}")].map(|port| format!("{prefix}_{port}"))
    };
    let some = bits(8, 4, 97);
    for name in ["header_parser", "header_parser_core"] {
        let expected = [axis("s_axis", 98), axis("m_axis", 102), axis("m_record", 97)].concat();
        assert_eq!(ports(name, some), expected, "{name}");
    }
    for name in ["icrc", "icrc_insert"] {
        assert_eq!(ports(name, some), [axis("s_axis", 102), axis("m_axis", 102)].concat(), "{name}");
    }
    let of_payload = vec!["s_axis_tuser 1".to_owned()];
    let expected = [axis("s_record", 97).to_vec(), of_payload, axis("m_axis", 102).to_vec()].concat();
    assert_eq!(ports("header_builder", some), expected);
}

#[test]
fn the_models_carry_it() {
    for name in STAGES {
        for (side_band, width) in pick(SHAPES, 2) {
            let mut model = stage(name, side_band, width).model().expect("it elaborates");
            conforms(&format!("model of {name}, {width} bits, {side_band:?}"), name, &mut *model, CASES);
        }
    }
}

#[test]
fn the_rtl_in_icarus_carries_it() {
    for name in pick(STAGES, 2) {
        let source = stage(name, bits(8, 4, 97), 128).source().expect("it prints");
        conforms(&format!("Icarus, {name}"), name, &mut IcarusDut::new(&source).expect("it compiles"), icarus_cases());
    }
}

/// A device in which one bit of an output is inverted in every cycle.
struct Tampered {
    inner: Box<dyn Dut>,
    limb: usize,
    bit: u32,
}

impl Dut for Tampered {
    fn ports(&self) -> &Ports {
        self.inner.ports()
    }

    fn outputs(&mut self, out: &mut [u64]) {
        self.inner.outputs(out);
        out[self.limb] ^= 1 << self.bit;
    }

    fn clock(&mut self, reset: bool, input: &[u64]) {
        self.inner.clock(reset, input);
    }
}

#[test]
fn a_stage_that_changes_it_fails() {
    let side_band = bits(8, 4, 97);
    for name in STAGES {
        let mut places = vec![("m_axis_tid", 0), ("m_axis_tdest", 3), ("m_axis_tuser", 5), ("m_axis_tuser", 101)];
        if name.starts_with("header_parser") {
            places.extend([("m_record_tid", 7), ("m_record_tdest", 0), ("m_record_tuser", 0), ("m_record_tuser", 96)]);
        }
        let cases = &vectors(name, CASES)[..20];
        for (port, bit) in places {
            let inner = stage(name, side_band, 64).model().expect("it elaborates");
            let limb = inner.ports().output(port).expect("it is there").offset + bit / 64;
            let mut wrong = Tampered { inner, limb, bit: bit as u32 % 64 };
            let results = results(name, &mut wrong, cases, 0.0);
            let named = |result: &CaseResult| result.problems.iter().any(|what| what.contains(port));
            assert!(results.iter().all(named), "{name}, {port}: {:?}", results[0]);
        }
    }
}

#[test]
fn the_testbenches_drive_and_compare_it() {
    let header = hdl::Header { tool: "mpnic".into(), config_hash: "none".into(), ..Default::default() };
    // The testbench pauses, but the core does not hold its records.
    for name in pick(STAGES.into_iter().filter(|name| *name != "header_parser_core"), 1) {
        let circuit = stage(name, bits(8, 4, 97), 64).circuit().expect("it elaborates");
        let mut source = stage(name, bits(8, 4, 97), 64).source().expect("it prints");
        let cases = vectors(name, icarus_cases());
        let files = match name {
            "header_builder" => selfcheck::builder_testbench(&circuit, &header, &cases, UDP_CHECKSUM),
            _ => selfcheck::parser_testbench(&circuit, &header, &cases),
        };
        let files = files.expect("it is made");
        selfcheck::run(&source, &files).expect("it passes");
        // The same Verilog with one inverted bit of the user's.
        let text = &mut source.files[0].1;
        let at = text.find("assign m_axis_tuser").expect("it is driven");
        let end = at + text[at..].find(';').expect("it ends");
        let wrong = text[at..end].replacen("= ", "= 102'h20000000000000000000000000 ^ (", 1) + ")";
        text.replace_range(at..end, &wrong);
        let failed = selfcheck::run(&source, &files).expect_err("a wrong side band fails").to_string();
        assert!(failed.contains("FAIL stream=m_axis") && failed.contains("field=tuser"), "{name}: {failed}");
    }
}

#[test]
fn the_verilated_rtl_carries_it_and_agrees_with_the_model_in_every_cycle() {
    let shapes = [(bits(8, 4, 0), 64), (bits(8, 8, 97), 512), (bits(0, 0, 128), 128)];
    let all = STAGES.into_iter().flat_map(|name| shapes.map(|shape| (name, shape)));
    for (name, (side_band, width)) in pick(all, 2) {
        let cases = vectors(name, CASES);
        let stage = stage(name, side_band, width);
        let source = stage.source().expect("it prints");
        let rtl = || Verilator::new().build(&source).expect("it compiles");
        conforms(&format!("RTL of {name}, {width} bits, {side_band:?}"), name, &mut rtl(), CASES);
        let mut model = stage.model().expect("it elaborates");
        let mut streams = match name {
            "header_builder" => {
                let buildings = cases.iter().filter_map(conform::builder::building).collect();
                builder_streams(model.ports(), buildings, 0.3, 0.0005, 1)
            }
            _ => {
                let frames = cases.iter().map(|case| Frame { bytes: case.frame.clone(), user: 0 }).collect();
                parser_streams(model.ports(), frames, pace(name), 0.0005, 1)
            }
        }
        .expect("it has the streams");
        Lockstep::new(20_000).run(&mut model, &mut rtl(), &mut streams).expect("they agree");
        let mut model = stage.model().expect("it elaborates");
        let mut drive = RandomDrive::new(model.ports(), Random::new(4));
        Lockstep::new(5_000).run(&mut model, &mut rtl(), &mut drive).expect("they agree");
    }
}
