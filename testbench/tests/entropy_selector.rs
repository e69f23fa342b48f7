// SPDX-License-Identifier: MIT OR Apache-2.0
//! The entropy selector: model against Verilated RTL in every cycle.

#[path = "common/soak.rs"]
mod soak;

use pipeline::entropy_selector::EntropySelectorConfig;
use testbench::drive::RandomDrive;
use testbench::lockstep::Lockstep;
use testbench::model::{checked_model_of, model_of};
use testbench::random::Random;
use testbench::selector_drive::SelectorDrive;
use testbench::source::Source;
use testbench::verilator::Verilator;

const SIZES: [EntropySelectorConfig; 5] = [
    EntropySelectorConfig::new(1, 16),
    EntropySelectorConfig::new(3, 32),
    EntropySelectorConfig::new(5, 128),
    EntropySelectorConfig::new(16, 256),
    EntropySelectorConfig::new(2, 1024),
];

#[test]
fn model_and_rtl_agree_under_lawless_inputs() {
    for (seed, config) in SIZES.iter().enumerate() {
        let source = Source::of_design(config).expect("it prints");
        let mut model = model_of(config).expect("it elaborates");
        let mut rtl = Verilator::new().build(&source).expect("it compiles");
        let mut drive = RandomDrive::new(&source.ports, Random::new(seed as u64));
        Lockstep::new(soak::cycles(30_000)).run(&mut model, &mut rtl, &mut drive).expect("they agree");
    }
}

#[test]
fn model_and_rtl_agree_under_traffic() {
    for (seed, &(cccs, evs)) in [(16, 16), (16, 256), (4, 1024)].iter().enumerate() {
        let config = EntropySelectorConfig::new(cccs, evs);
        let source = Source::of_design(&config).expect("it prints");
        let mut model = model_of(&config).expect("it elaborates");
        let mut rtl = Verilator::new().build(&source).expect("it compiles");
        let mut drive = SelectorDrive::new(&source.ports, cccs, Random::new(seed as u64)).expect("it has the ports");
        Lockstep::new(soak::cycles(100_000)).run(&mut model, &mut rtl, &mut drive).expect("they agree");
    }
}

#[test]
fn widths_fit_in_the_checked_model() {
    let mut model = checked_model_of(&SIZES[0]).expect("it elaborates");
    let mut other = model_of(&SIZES[0]).expect("it elaborates");
    let ports = testbench::Dut::ports(&model).clone();
    let mut drive = RandomDrive::new(&ports, Random::new(9));
    Lockstep::new(2_000).run(&mut model, &mut other, &mut drive).expect("they agree");
}
