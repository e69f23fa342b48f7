// SPDX-License-Identifier: MIT OR Apache-2.0
//! The golden vectors of the header parser, read backwards, on the header builder.

use golden_vectors::{VectorFile, Verdict};
use pipeline::header_builder::{HeaderBuilderConfig, UdpChecksum};
use testbench::conform::CaseResult;
use testbench::icarus::IcarusDut;
use testbench::model::model_of;
use testbench::parser_bench::Traffic;
use testbench::source::Source;
use testbench::verilator::Verilator;
use testbench::{Dut, conform, selfcheck};

const WIDTHS: [u32; 5] = [64, 128, 256, 512, 1024];

fn vectors() -> VectorFile {
    VectorFile::embedded_stage("header_parser").expect("the file is consistent").expect("the file is there")
}

fn recorded(width: u32) -> HeaderBuilderConfig {
    HeaderBuilderConfig { udp_checksum: UdpChecksum::Recorded, ..HeaderBuilderConfig::new(width) }
}

/// The problems of those of these cases that can be built.
fn problems<'a>(dut: &mut dyn Dut, cases: impl Iterator<Item = &'a golden_vectors::Case>) -> (usize, Vec<CaseResult>) {
    let cases: Vec<_> = cases.filter(|case| conform::builder::building(case).is_some()).collect();
    let count = cases.len();
    let results = conform::builder::run(dut, cases, Traffic { stall: 0.3, seed: 1 }).expect("it runs");
    (count, results.into_iter().filter(|result| !result.passed()).collect())
}

#[test]
fn the_vectors_of_the_parser_are_built_again() {
    let file = vectors();
    for width in WIDTHS {
        let mut model = model_of(&recorded(width)).expect("it elaborates");
        let (count, failed) = problems(&mut *model, file.cases());
        assert!(count > 2000 && failed.is_empty(), "{width} bits, {count}: {failed:#?}");
        let source = Source::of_design(&recorded(width)).expect("it prints");
        let (_, failed) = problems(&mut Verilator::new().build(&source).expect("it compiles"), file.cases());
        assert!(failed.is_empty(), "RTL, {width} bits: {failed:#?}");
    }
    let source = Source::of_design(&recorded(128)).expect("it prints");
    let (_, failed) = problems(&mut IcarusDut::new(&source).expect("it compiles"), file.cases());
    assert!(failed.is_empty(), "Icarus, 128 bits: {failed:#?}");
}

/// Any bit of a header; any bit behind it comes through as it is, and is no fault of the builder.
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

/// Dropped, with options, or not said whole.
#[test]
fn what_cannot_be_built_is_no_vector_of_the_builder() {
    let file = vectors();
    let good = file.cases().find(|case| case.expect.fields.contains_key("mpeh_path_id")).expect("one has an MPEH");
    assert!(conform::builder::building(good).is_some());
    for name in good.expect.fields.keys() {
        let mut case = good.clone();
        let field = case.expect.fields.remove(name).expect("it is there");
        // What is read from other fields, and headers that are not there.
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
    let mut file = vectors();
    let files = |file: &VectorFile| {
        selfcheck::builder_testbench(&circuit, &header, file.cases(), config.udp_checksum).expect("it is made")
    };
    selfcheck::run(&source, &files(&file)).expect("it passes");
    file.groups[0].tests[0].frame[13] ^= 1;
    let failed = selfcheck::run(&source, &files(&file)).expect_err("a wrong frame fails").to_string();
    assert!(failed.contains("FAIL"), "{failed}");
}
