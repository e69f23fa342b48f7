// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ICRC: golden vectors on the model, the Verilated RTL and Icarus, all readings in lock-step, and captures of an
//! encoder outside the project.

use crate::common::{captures, sample, soak};
use golden_vectors::VectorFile;
use golden_vectors::frame::icrc::oracle::{check, place};
use golden_vectors::headers::codec::Options;
use pipeline::frame::icrc::{IcrcConfig, IcrcMode};
use testbench::benches::parser_bench::{Traffic, parse};
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
const MODES: [IcrcMode; 2] = [IcrcMode::Check, IcrcMode::Insert];

fn sizes() -> Vec<(IcrcMode, u32)> {
    MODES.into_iter().flat_map(|mode| WIDTHS.map(|width| (mode, width))).collect()
}

fn vectors(mode: IcrcMode) -> VectorFile {
    let stage = match mode {
        IcrcMode::Check => "icrc",
        IcrcMode::Insert => "icrc_insert",
    };
    VectorFile::embedded_stage(stage).expect("the file is consistent").expect("the file is there")
}

fn rtl(config: &IcrcConfig) -> impl Dut {
    let source = Source::of_design(config).expect("it prints");
    Verilator::new().build(&source).expect("it compiles")
}

fn conforms(name: &str, dut: &mut dyn Dut, mode: IcrcMode, stall: f64) {
    let file = vectors(mode);
    let mut results = conform::run(dut, file.cases(), Traffic { stall, seed: 1 }).expect("it runs");
    results.push(counters(dut, file.cases()).expect("there are counters"));
    let failed: Vec<&CaseResult> = results.iter().filter(|r| !r.passed()).collect();
    assert!(failed.is_empty(), "{name}: {} of {}: {:#?}", failed.len(), results.len(), &failed[..failed.len().min(5)]);
}

#[test]
fn the_model_conforms() {
    let stalls = |(mode, width)| [0.0, 0.4].map(|stall| (mode, width, stall));
    for (mode, width, stall) in pick(sizes().into_iter().flat_map(stalls), 3) {
        let mut model = model_of(&IcrcConfig::new(width, mode)).expect("it elaborates");
        conforms(&format!("model, {mode:?}, {width} bits, stall {stall}"), &mut model, mode, stall);
    }
    for mode in MODES {
        let mut reference = reference_of(&IcrcConfig::new(64, mode)).expect("it elaborates");
        conforms("reference", &mut reference, mode, 0.2);
    }
}

#[test]
fn the_verilated_rtl_conforms() {
    for (mode, width) in pick(sizes(), 2) {
        let config = IcrcConfig::new(width, mode);
        conforms(&format!("RTL, {mode:?}, {width} bits"), &mut rtl(&config), mode, 0.3);
    }
}

#[test]
fn the_rtl_in_icarus_conforms() {
    for (mode, width) in pick([(IcrcMode::Check, 256), (IcrcMode::Insert, 128)], 1) {
        let source = Source::of_design(&IcrcConfig::new(width, mode)).expect("it prints");
        let mut dut = IcarusDut::new(&source).expect("it compiles");
        conforms(&format!("Icarus, {mode:?}, {width} bits"), &mut dut, mode, 0.3);
    }
}

#[test]
fn the_self_checking_testbench_passes_and_can_fail() {
    for mode in MODES {
        let circuit = rtl_model::elaborate(&IcrcConfig::new(64, mode)).expect("it elaborates");
        let source = Source::of_circuit(&circuit).expect("it prints");
        let header = hdl::Header { tool: "mpnic".into(), ..Default::default() };
        let mut file = sample(vectors(mode), if is_all() { 3 } else { 40 });
        let files = selfcheck::parser_testbench(&circuit, &header, file.cases()).expect("it is made");
        selfcheck::run(&source, &files).expect("it passes");
        let expect = &mut file.groups[0].tests[1].expect;
        match &mut expect.frame {
            Some(frame) => frame[40] ^= 1,
            None => expect.reason = Some(golden_vectors::Reason::Icrc),
        }
        let files = selfcheck::parser_testbench(&circuit, &header, file.cases()).expect("it is made");
        let failed = selfcheck::run(&source, &files).expect_err("a wrong expectation fails").to_string();
        assert!(failed.contains("FAIL"), "{failed}");
    }
}

#[test]
fn model_and_rtl_agree_in_every_cycle() {
    let frames: Vec<_> = vectors(IcrcMode::Check).cases().map(|c| Frame { bytes: c.frame.clone(), user: 0 }).collect();
    for (width, short) in pick([(64, 60_000), (128, 30_000), (256, 30_000), (512, 30_000), (1024, 20_000)], 1) {
        for mode in MODES {
            let config = IcrcConfig::new(width, mode);
            let readings = Readings::new(soak::cycles(short));
            for (seed, stall) in [0.0, 0.3, 0.8].into_iter().enumerate() {
                let drive = |ports: &Ports| parser_streams(ports, frames.clone(), stall, 0.0005, seed as u64);
                readings.agree(&config, drive).expect("they agree");
            }
            // Inputs that break all rules.
            let drive = |ports: &Ports| Ok(RandomDrive::new(ports, Random::new(4)));
            readings.agree(&config, drive).expect("they agree");
        }
    }
}

#[test]
fn the_clocks_from_in_to_out_are_those_of_the_contract() {
    for (mode, clocks) in [(IcrcMode::Check, [15; 5]), (IcrcMode::Insert, [18, 19, 20, 21, 22])] {
        for (width, clocks) in WIDTHS.into_iter().zip(clocks) {
            let config = IcrcConfig::new(width, mode);
            assert_eq!(config.latency(), clocks);
            let mut model = model_of(&config).expect("it elaborates");
            let ports = model.ports().clone();
            let mut input = vec![0; ports.input_limbs()];
            let mut outputs = vec![0; ports.output_limbs()];
            let port = |name: &str| ports.input(name).expect("it is there").offset;
            input[port("m_axis_tready")] = 1;
            model.clock(true, &input);
            model.clock(false, &input);
            input[port("s_axis_tvalid")] = 1;
            model.clock(false, &input);
            input[port("s_axis_tvalid")] = 0;
            let valid = ports.output("m_axis_tvalid").expect("it is there").offset;
            let out = (1..100).find(|_| {
                model.outputs(&mut outputs);
                model.clock(false, &input);
                outputs[valid] == 1
            });
            assert_eq!(out, Some(clocks), "{mode:?}, {width} bits");
        }
    }
}

#[test]
fn captured_frames_are_judged_as_the_oracle_says() {
    let frames = [captures::frames("rocev2"), captures::frames("mixed")].concat();
    let (mut good, mut bad, widths) = (0, 0, pick(WIDTHS, 2));
    for &width in &widths {
        let mut model = model_of(&IcrcConfig::new(width, IcrcMode::Check)).expect("it elaborates");
        let outcomes = parse(&mut model, &frames, Traffic { stall: 0.1, seed: 3 }).expect("it runs");
        for (index, (frame, outcome)) in frames.iter().zip(&outcomes).enumerate() {
            let judged = check(&frame.bytes, false, &Options::default());
            let reason = judged.expect.reason.map_or(0, |reason| reason.code());
            assert_eq!((outcome.drop, outcome.reason), (reason != 0, reason), "{width} bits, frame {index}");
            assert_eq!(outcome.bytes, frame.bytes, "{width} bits, frame {index}");
            good += usize::from(judged.row == 10);
            bad += usize::from(judged.row == 9);
        }
    }
    assert!(good > widths.len() * 300 && bad >= widths.len(), "{good} good, {bad} bad");
}

#[test]
fn what_insert_makes_of_a_frame_without_its_icrc_is_the_frame() {
    let whole = [captures::frames("rocev2"), captures::frames("mixed")].concat();
    let whole: Vec<_> =
        whole.into_iter().filter(|frame| check(&frame.bytes, false, &Options::default()).row != 9).collect();
    let empty: Vec<_> = whole
        .iter()
        .map(|frame| {
            let mut frame = frame.clone();
            // A frame that is not RoCEv2 to `check` is one to nobody, if it is as long as it says.
            if check(&frame.bytes, false, &Options::default()).row == 10 {
                place(&frame.bytes, &Options::default()).into_iter().for_each(|place| frame.bytes[place].fill(0));
            }
            frame
        })
        .collect();
    assert!(empty.iter().zip(&whole).filter(|(a, b)| a != b).count() > 300);
    for width in pick(WIDTHS, 2) {
        let mut model = model_of(&IcrcConfig::new(width, IcrcMode::Insert)).expect("it elaborates");
        let outcomes = parse(&mut model, &empty, Traffic { stall: 0.1, seed: 3 }).expect("it runs");
        for (index, (frame, outcome)) in whole.iter().zip(&outcomes).enumerate() {
            let expected =
                golden_vectors::frame::icrc::oracle::insert(&frame.bytes, false, &Options::default()).expect.frame;
            assert_eq!(outcome.bytes, expected.unwrap_or(frame.bytes.clone()), "{width} bits, frame {index}");
        }
    }
}
