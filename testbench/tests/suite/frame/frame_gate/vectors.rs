// SPDX-License-Identifier: MIT OR Apache-2.0
//! The golden vectors on the model, the Verilated RTL and Icarus, and as a self-checking testbench.

use super::rtl;
use golden_vectors::frame::frame_gate;
use golden_vectors::frame::frame_gate::oracle::Shape;
use golden_vectors::{TimedFile, TimedGroup};
use pipeline::frame::frame_gate::{DropMode, FrameGateConfig};
use std::collections::BTreeMap;
use testbench::Dut;
use testbench::conform::selfcheck;
use testbench::conform::timed_bench;
use testbench::device::icarus::IcarusDut;
use testbench::device::model::model_of;
use testbench::device::source::Source;

/// The gate for the configuration of a group.
fn config(group: &TimedGroup) -> FrameGateConfig {
    let value = |name: &str| group.configuration[name];
    FrameGateConfig {
        beats: value("beats"),
        drop: if value("mark") == 0 { DropMode::Drop } else { DropMode::Mark },
        records: value("records") != 0,
        ram_latency: value("ram_latency") as u32,
        ..FrameGateConfig::new(value("data_width") as u32, 0, value("frames"))
    }
}

/// The committed groups by their configurations.
fn groups() -> Vec<(FrameGateConfig, Vec<TimedGroup>)> {
    let file = TimedFile::embedded_stage("frame_gate").expect("it is consistent").expect("it is there");
    let mut groups: BTreeMap<_, Vec<TimedGroup>> = BTreeMap::new();
    for group in file.groups {
        groups.entry(group.configuration.clone()).or_default().push(group);
    }
    groups.into_values().map(|groups| (config(&groups[0]), groups)).collect()
}

/// Number of vectors that pass.
fn passes(name: &str, dut: &mut dyn Dut, groups: &[TimedGroup]) -> usize {
    let mut count = 0;
    for (group, case) in groups.iter().flat_map(|group| group.tests.iter().map(move |case| (group, case))) {
        let result = timed_bench::run(dut, group, case).expect("it runs");
        assert!(result.passed(), "{name}: {result:#?}");
        count += 1;
    }
    count
}

#[test]
fn vectors_pass_on_the_model() {
    let count = |(config, groups): &(_, Vec<TimedGroup>)| {
        passes("model", &mut *model_of(config).expect("it elaborates"), groups)
    };
    assert!(groups().iter().map(count).sum::<usize>() > 500);
}

#[test]
fn vectors_pass_on_verilator_and_icarus() {
    for (config, groups) in groups().iter().filter(|(config, _)| config.beats == 8 && config.ram_latency == 2) {
        assert!(passes("RTL", &mut rtl(config), groups) > 50);
        let source = Source::of_design(config).expect("it prints");
        let loads: Vec<_> = groups.iter().filter(|group| group.name.starts_with("load")).cloned().collect();
        assert!(passes("Icarus", &mut IcarusDut::new(&source).expect("it compiles"), &loads) > 3);
    }
}

#[test]
fn the_self_checking_testbench_passes_and_can_fail_at_every_width() {
    for width in [64, 512, 1024] {
        let shape = Shape { data_width: width, ..Shape::new(8, 4, 2) };
        let mut groups = frame_gate::load_vectors(shape);
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
}
