// SPDX-License-Identifier: MIT OR Apache-2.0
//! The path scheduler: model against Verilated RTL in every cycle.

#[path = "common/soak.rs"]
mod soak;

use pipeline::path_scheduler::PathSchedulerConfig;
use testbench::drive::RandomDrive;
use testbench::lockstep::Lockstep;
use testbench::model::{checked_model_of, model_of};
use testbench::random::Random;
use testbench::scheduler_drive::SchedulerDrive;
use testbench::source::Source;
use testbench::verilator::Verilator;

const SIZES: [PathSchedulerConfig; 6] = [
    PathSchedulerConfig::new(1, 2),
    PathSchedulerConfig::new(5, 8),
    PathSchedulerConfig::new(16, 64),
    PathSchedulerConfig::new(3, 4).ram_latency(1),
    PathSchedulerConfig::new(2, 16).ram_latency(1),
    PathSchedulerConfig::new(5, 8).ram_latency(3),
];

#[test]
fn model_and_rtl_agree_under_lawless_inputs() {
    for (seed, config) in SIZES.iter().enumerate() {
        let source = Source::of_design(config).unwrap_or_else(|e| panic!("{e}"));
        let mut model = model_of(config).expect("it elaborates");
        let mut rtl = Verilator::new().build(&source).expect("it compiles");
        let mut drive = RandomDrive::new(&source.ports, Random::new(seed as u64));
        Lockstep::new(soak::cycles(30_000)).run(&mut model, &mut rtl, &mut drive).expect("they agree");
    }
}

#[test]
fn model_and_rtl_agree_under_traffic() {
    for (seed, config) in SIZES.iter().enumerate() {
        let source = Source::of_design(config).unwrap_or_else(|e| panic!("{e}"));
        let mut model = model_of(config).expect("it elaborates");
        let mut rtl = Verilator::new().build(&source).expect("it compiles");
        let random = Random::new(seed as u64);
        let mut drive = SchedulerDrive::new(&source.ports, config.qps, config.paths, random).expect("it has the ports");
        Lockstep::new(soak::cycles(100_000)).run(&mut model, &mut rtl, &mut drive).expect("they agree");
    }
}

#[test]
fn widths_fit_in_the_checked_model() {
    for config in SIZES {
        let mut model = checked_model_of(&config).expect("it elaborates");
        let mut other = model_of(&config).expect("it elaborates");
        let ports = testbench::Dut::ports(&model).clone();
        let random = Random::new(9);
        let mut drive = SchedulerDrive::new(&ports, config.qps, config.paths, random).expect("it has the ports");
        Lockstep::new(5_000).run(&mut model, &mut other, &mut drive).expect("they agree");
    }
}
