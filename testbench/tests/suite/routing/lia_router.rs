// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lia_router`: reference, model and Verilated RTL in lock-step, and against the oracle.

use crate::common::{soak, tools};
use golden_vectors::routing::lia_router::load_vectors;
use golden_vectors::routing::lia_router::oracle::{Settings, Shape, Size};
use pipeline::routing::lia_router::{LiaRouterConfig, LiaRouterSettings};
use testbench::Ports;
use testbench::conform::timed_bench::run;
use testbench::device::drive::RandomDrive;
use testbench::device::model::{model_of, reference_of};
use testbench::device::random::Random;
use testbench::lockstep::readings::Readings;
use tier::pick;

/// *h*, *a*, *t*, width of the counters, latency of the memories.
type Numbers = (u64, u64, u64, u32, u32);

const SIZES: [Numbers; 8] = [
    (2, 4, 1, 8, 2),
    (1, 2, 1, 8, 1),
    (3, 5, 1, 12, 3),
    (4, 8, 1, 16, 2),
    (2, 8, 4, 9, 2),
    (3, 8, 6, 10, 1),
    (6, 12, 1, 16, 2),
    (6, 4, 4, 16, 2),
];

/// Many groups.
const MORE: [Numbers; 3] = [(16, 32, 1, 16, 2), (15, 30, 2, 16, 3), (16, 64, 1, 13, 1)];

fn config((global_ports, switches, trunks, counter_bits, ram_latency): Numbers) -> LiaRouterConfig {
    LiaRouterConfig { counter_bits, ram_latency, ..LiaRouterConfig::new(global_ports, switches, trunks) }
}

/// The same size for the oracle, with the same settings.
fn size(config: LiaRouterConfig) -> Size {
    let LiaRouterConfig { global_ports, switches, trunks, counter_bits, ram_latency, settings } = config;
    let LiaRouterSettings {
        weight, limits, biases, link_threshold, saturated_links, remote_threshold, interval, ..
    } = settings;
    let shape = Shape { global_ports, switches, trunks, counter_bits };
    let largest = |bits: u32| (1 << bits) - 1;
    let load = |value: u64| value.min(largest(counter_bits));
    let reset = Settings {
        weight,
        limits: limits.map(load),
        biases: biases.map(|bias| i64::from(bias as u16 as i16)),
        link_threshold: load(link_threshold),
        saturated_links,
        remote_threshold: remote_threshold.min(largest(shape.remote_bits())),
        interval,
        ..Size::new(shape).reset
    };
    Size::new(shape).ram_latency(ram_latency.into()).reset(reset)
}

#[test]
fn reference_and_model_are_the_oracle() {
    for config in pick(SIZES.into_iter().chain(MORE).map(config), 4) {
        let groups = load_vectors(size(config));
        let mut responses = 0;
        let mut duts = [reference_of(&config).expect("a reference"), model_of(&config).expect("a model")];
        for (group, case) in groups.iter().flat_map(|group| group.tests.iter().map(move |case| (group, case))) {
            for dut in &mut duts {
                let result = run(dut.as_mut(), group, case).expect("the ports are there");
                assert!(result.passed(), "{config:?}, {}: {:#?}", result.id, result.problems);
            }
            responses += case.expect.outputs["response"].len();
        }
        assert!(responses > 500, "{config:?}: {responses}");
    }
}

#[test]
fn model_and_rtl_agree_under_lawless_inputs() {
    for (seed, config) in pick(SIZES.map(config).into_iter().enumerate(), 1) {
        let drive = |ports: &Ports| Ok(RandomDrive::new(ports, Random::new(seed as u64)));
        let agree = Readings::new(soak::cycles(50_000)).whole().agree(&config, drive);
        agree.unwrap_or_else(|e| panic!("{config:?}: {e}"));
    }
}

/// What tools say of the Verilog of all sizes: nothing.
#[test]
fn verilator_and_yosys_take_the_verilog() {
    tools::take_the_verilog(SIZES.into_iter().chain(MORE).map(config));
}
