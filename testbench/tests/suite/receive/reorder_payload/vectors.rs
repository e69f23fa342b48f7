// SPDX-License-Identifier: MIT OR Apache-2.0
//! The golden vectors with frames on the model and the Verilated RTL, each from reset on, and as a self-checking testbench.

use golden_vectors::receive::reorder::load_vectors;
use golden_vectors::receive::reorder::oracle::{PoolShape, Shape};
use golden_vectors::{TimedFile, TimedGroup};
use pipeline::receive::reorder::{Hold, PayloadConfig, ReorderConfig};
use std::collections::BTreeMap;
use testbench::Dut;
use testbench::conform::selfcheck;
use testbench::conform::timed_bench;
use testbench::device::model::model_of;
use testbench::device::source::Source;
use testbench::device::verilator::Verilator;
use tier::{is_all, pick};

/// The stage for the configuration of a group.
fn config(group: &TimedGroup) -> ReorderConfig {
    let value = |name: &str| group.configuration[name];
    let pool = PayloadConfig {
        cell_bytes: value("cell_bytes"),
        quota: value("quota"),
        reserve: value("reserve"),
        ..PayloadConfig::new(value("data_width") as u32, value("cells"))
    };
    ReorderConfig {
        paths: value("paths"),
        psn_bits: value("psn_bits") as u32,
        ram_latency: value("ram_latency") as u32,
        hold: Hold::Payload(pool),
        ..ReorderConfig::new(value("connections"), value("window"))
    }
}

/// The committed groups by their configurations.
fn groups() -> Vec<Vec<TimedGroup>> {
    let file = TimedFile::embedded_file("reorder_payload").expect("it is consistent").expect("it is there");
    let mut groups: BTreeMap<_, Vec<TimedGroup>> = BTreeMap::new();
    for group in file.groups {
        groups.entry(group.configuration.clone()).or_default().push(group);
    }
    groups.into_values().collect()
}

/// Number of vectors that pass.
fn passes(name: &str, dut: &mut dyn Dut, groups: &[TimedGroup]) -> usize {
    let mut failed = Vec::new();
    let mut count = 0;
    for (group, case) in groups.iter().flat_map(|group| group.tests.iter().map(move |case| (group, case))) {
        let result = timed_bench::run(dut, group, case).expect("it runs");
        failed.extend((!result.passed()).then_some(result));
        count += 1;
    }
    let some = &failed[..failed.len().min(12)];
    assert!(failed.is_empty(), "{name}: {} of {count} vectors fail: {some:#?}", failed.len());
    count
}

#[test]
fn vectors_pass_on_the_model() {
    let count = |groups: &Vec<TimedGroup>| {
        let mut model = model_of(&config(&groups[0])).expect("it elaborates");
        passes(&groups[0].name, &mut *model, groups)
    };
    let count: usize = pick(groups(), 3).iter().map(count).sum();
    println!("{count} vectors on the model");
    assert!(count > if is_all() { 300 } else { 30 });
}

#[test]
fn vectors_pass_on_verilator() {
    let mut count = 0;
    for groups in pick(groups(), 1) {
        let source = Source::of_design(&config(&groups[0])).expect("it prints");
        count += passes(&groups[0].name, &mut Verilator::new().build(&source).expect("it compiles"), &groups);
    }
    println!("{count} vectors on Verilator");
    assert!(count > if is_all() { 300 } else { 10 });
}

#[test]
fn the_self_checking_testbench_passes_and_can_fail() {
    let shape = Shape::new(2, 64).paths(2).pool(PoolShape::new(512, 32, 256));
    let mut groups = load_vectors(shape);
    let circuit = rtl_model::elaborate(&config(&groups[0])).expect("it elaborates");
    let source = Source::of_circuit(&circuit).expect("it prints");
    let header = hdl::Header { tool: "mpnic".into(), ..Default::default() };
    let files = selfcheck::timed_testbench(&circuit, &header, &groups).expect("it is made");
    selfcheck::run(&source, &files).expect("it passes");
    let frames = groups[0].tests[0].expect.outputs.get_mut("m_axis").expect("frames leave");
    frames[3][1] ^= 1 << 63;
    let files = selfcheck::timed_testbench(&circuit, &header, &groups).expect("it is made");
    let failed = selfcheck::run(&source, &files).expect_err("a wrong expectation fails").to_string();
    assert!(failed.contains("FAIL"), "{failed}");
}
