// SPDX-License-Identifier: MIT OR Apache-2.0
//! The golden vectors of the header builder, and those of the header parser in the reverse direction.

use crate::common::sample;
use golden_vectors::{Case, Group, VectorFile, Verdict};
use pipeline::frame::header_builder::{HeaderBuilderConfig, UdpChecksum};
use pipeline::headers::opcode::MpehIndicator;
use pipeline::headers::protocols::Protocols;
use std::collections::BTreeMap;
use testbench::benches::parser_bench::Traffic;
use testbench::conform::CaseResult;
use testbench::conform::selfcheck;
use testbench::device::icarus::IcarusDut;
use testbench::device::model::model_of;
use testbench::device::source::Source;
use testbench::device::verilator::Verilator;
use testbench::{Dut, conform};
use tier::{is_all, pick};

const WIDTHS: [u32; 5] = [64, 128, 256, 512, 1024];

fn vectors() -> VectorFile {
    VectorFile::embedded_stage("header_parser").expect("the file is consistent").expect("the file is there")
}

fn own() -> VectorFile {
    VectorFile::embedded_stage("header_builder").expect("the file is consistent").expect("the file is there")
}

/// The builder for the configuration of a group.
fn configured(width: u32, group: &Group) -> HeaderBuilderConfig {
    let mut config = HeaderBuilderConfig::new(width);
    let Protocols { rocev2, uet, elab, uet_protocol, mpeh, .. } = &mut config.protocols;
    for (key, value) in &group.configuration {
        match (key.as_str(), value.as_str()) {
            ("udp_checksum", "recorded") => config.udp_checksum = UdpChecksum::Recorded,
            ("rocev2", "off") => *rocev2 = false,
            ("uet", "off") => *uet = false,
            ("elab", "off") => *elab = false,
            ("mpeh", "opcode") => *mpeh = MpehIndicator::OpCode,
            ("uet_protocol", number) => *uet_protocol = number.parse().expect("a protocol"),
            other => panic!("{other:?}"),
        }
    }
    config
}

fn recorded(width: u32) -> HeaderBuilderConfig {
    HeaderBuilderConfig { udp_checksum: UdpChecksum::Recorded, ..HeaderBuilderConfig::new(width) }
}

/// The problems of those cases that can be built.
fn problems<'a>(dut: &mut dyn Dut, cases: impl Iterator<Item = &'a golden_vectors::Case>) -> (usize, Vec<CaseResult>) {
    let cases: Vec<_> = cases.filter(|case| conform::builder::building(case).is_some()).collect();
    let count = cases.len();
    let results =
        conform::builder::run(dut, cases, Traffic { stall: 0.3, seed: 1 }, UdpChecksum::Recorded).expect("it runs");
    (count, results.into_iter().filter(|result| !result.passed()).collect())
}

#[test]
fn the_vectors_of_the_parser_are_built_again() {
    // In `./test` every 16th.
    let file = if is_all() { vectors() } else { sample(vectors(), 16) };
    let least = if is_all() { 2000 } else { 100 };
    for width in pick(WIDTHS, 1) {
        let mut model = model_of(&recorded(width)).expect("it elaborates");
        let (count, failed) = problems(&mut *model, file.cases());
        assert!(count > least && failed.is_empty(), "{width} bits, {count}: {failed:#?}");
        let source = Source::of_design(&recorded(width)).expect("it prints");
        let (_, failed) = problems(&mut Verilator::new().build(&source).expect("it compiles"), file.cases());
        assert!(failed.is_empty(), "RTL, {width} bits: {failed:#?}");
    }
    let source = Source::of_design(&recorded(128)).expect("it prints");
    let (_, failed) = problems(&mut IcarusDut::new(&source).expect("it compiles"), file.cases());
    assert!(failed.is_empty(), "Icarus, 128 bits: {failed:#?}");
}

/// The frames and the counters of all groups of one configuration.
fn builds(name: &str, dut: &mut dyn Dut, cases: &[&Case], stall: f64) {
    let results = conform::builder::run(dut, cases.iter().copied(), Traffic { stall, seed: 1 }, UdpChecksum::Recorded)
        .expect("it runs");
    let failed: Vec<_> = results.iter().filter(|result| !result.passed()).collect();
    assert!(failed.is_empty(), "{name}: {} of {}: {:#?}", failed.len(), cases.len(), &failed[..failed.len().min(5)]);
    let mut outputs = vec![0; dut.ports().output_limbs()];
    dut.outputs(&mut outputs);
    let count = |port: &str| outputs[dut.ports().output(port).expect("there are counters").offset];
    let bad = cases.iter().filter(|case| case.bad_frame).count();
    assert_eq!((count("count_frames"), count("count_bad")), (cases.len() as u64, bad as u64), "{name}");
}

#[test]
fn its_own_vectors_are_built() {
    let file = own();
    let mut groups: BTreeMap<_, (&Group, Vec<&Case>)> = BTreeMap::new();
    for (group, case) in file.grouped_cases() {
        groups.entry(&group.configuration).or_insert((group, Vec::new())).1.push(case);
    }
    assert!(groups.len() > 5, "the default, and others");
    for width in pick(WIDTHS, 1) {
        for (group, cases) in pick(groups.values(), 4) {
            let config = configured(width, group);
            let name = format!("{width} bits, {:?}", group.configuration);
            for stall in [0.0, 0.4] {
                builds(&name, &mut *model_of(&config).expect("it elaborates"), cases, stall);
            }
            if group.configuration.is_empty() || width == 128 {
                let source = Source::of_design(&config).expect("it prints");
                let mut rtl = Verilator::new().build(&source).expect("it compiles");
                builds(&format!("RTL, {name}"), &mut rtl, cases, 0.3);
            }
        }
    }
    let (group, cases) = &groups[&BTreeMap::new()];
    let source = Source::of_design(&configured(128, group)).expect("it prints");
    builds("Icarus, 128 bits", &mut IcarusDut::new(&source).expect("it compiles"), cases, 0.3);
}

/// A change of a bit of the record, of the payload, of the frame or of the verdict is found.
#[test]
fn what_is_changed_in_a_vector_of_its_own_is_found() {
    let mut model = model_of(&HeaderBuilderConfig::new(64)).expect("it elaborates");
    let file = own();
    let good = file.cases().find(|case| !case.frame.is_empty()).expect("one has something behind its headers");
    let changes: [fn(&mut Case); 4] = [
        |case| case.record.get_mut("ethernet_2").expect("it is there").value ^= 1,
        |case| case.frame[0] ^= 1,
        |case| case.expect.frame.iter_mut().for_each(|frame| frame[5] ^= 1),
        |case| case.bad_frame ^= true,
    ];
    for change in changes {
        let mut case = good.clone();
        change(&mut case);
        let results = conform::builder::run(&mut *model, [good, &case], Traffic::default(), UdpChecksum::Recorded)
            .expect("it runs");
        assert_eq!(results.iter().map(CaseResult::passed).collect::<Vec<_>>(), [true, false], "{results:?}");
    }
}

/// A change of any bit of a header is found; a change of a bit after it passes unchanged, and is no fault of the
/// builder.
#[test]
fn a_flipped_bit_of_a_vector_is_found() {
    let mut model = model_of(&recorded(256)).expect("it elaborates");
    let file = vectors();
    let case = file.cases().find(|case| case.expect.fields.contains_key("mpeh_path_id")).expect("one has an MPEH");
    let headers = case.expect.fields["payload_offset"].value as usize;
    let flipped: Vec<_> = (0..8 * headers)
        .map(|bit| {
            let mut case = case.clone();
            case.frame[bit / 8] ^= 1 << (bit % 8);
            case
        })
        .collect();
    let (count, failed) = problems(&mut *model, flipped.iter());
    assert_eq!((count, failed.len()), (8 * headers, 8 * headers));
    assert!(failed[9].problems[0].starts_with("frame: byte 1 is 0x"), "{:?}", failed[9]);
}

/// Cases that are dropped, have options, or are not fully defined.
#[test]
fn what_cannot_be_built_is_no_vector_of_the_builder() {
    let file = vectors();
    let good = file.cases().find(|case| case.expect.fields.contains_key("mpeh_path_id")).expect("one has an MPEH");
    assert!(conform::builder::building(good).is_some());
    for name in good.expect.fields.keys() {
        let mut case = good.clone();
        let field = case.expect.fields.remove(name).expect("it is there");
        // Fields that are derived from other fields, and headers that are absent.
        let needless = name == "fragment" || name.starts_with("has_") && field.value == 0;
        assert_eq!(conform::builder::building(&case).is_some(), needless, "{name}");
    }
    let left = file.cases().filter(|case| conform::builder::building(case).is_none());
    for case in left.filter(|case| case.expect.verdict == Verdict::Ok) {
        assert!(case.expect.fields["ip_ihl"].value > 5, "{}", case.id);
    }
}

#[test]
fn the_self_checking_testbench_passes_and_can_fail() {
    let config = HeaderBuilderConfig::new(64);
    let circuit = rtl_model::elaborate(&config).expect("it elaborates");
    let source = Source::of_circuit(&circuit).expect("it prints");
    let header = hdl::Header { tool: "mpnic".into(), ..Default::default() };
    let (mut parsed, mut own) = (sample(vectors(), 16), sample(own(), 8));
    let check = |parsed: &VectorFile, own: &VectorFile| {
        let cases = parsed.cases().chain(own.cases());
        let files = selfcheck::builder_testbench(&circuit, &header, cases, config.udp_checksum).expect("it is made");
        selfcheck::run(&source, &files)
    };
    check(&parsed, &own).expect("it passes");
    parsed.groups[0].tests[0].frame[13] ^= 1;
    let failed = check(&parsed, &own).expect_err("a wrong frame fails").to_string();
    assert!(failed.contains("FAIL"), "{failed}");
    parsed.groups[0].tests[0].frame[13] ^= 1;
    let last = own.groups[0].tests.last_mut().expect("a case");
    last.expect.frame.iter_mut().for_each(|frame| frame[13] ^= 1);
    let failed = check(&parsed, &own).expect_err("a wrong frame of its own fails").to_string();
    assert!(failed.contains("FAIL"), "{failed}");
}
