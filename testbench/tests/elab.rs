// SPDX-License-Identifier: MIT OR Apache-2.0
//! Both halves of ELAB: model against Verilated RTL in every cycle.

#[path = "common/soak.rs"]
mod soak;

use pipeline::elab::ElabSizes;
use pipeline::elab_feedback::ElabFeedbackConfig;
use pipeline::elab_scheduler::ElabSchedulerConfig;
use rtl_model::Design;
use testbench::drive::{Drive, RandomDrive};
use testbench::elab_drive::{elab_feedback_drive, elab_scheduler_drive};
use testbench::lockstep::Lockstep;
use testbench::model::{checked_model_of, model_of};
use testbench::palette_drive::PaletteDrive;
use testbench::random::Random;
use testbench::source::Source;
use testbench::verilator::Verilator;
use testbench::{Dut, Error, Ports};

const SIZES: [ElabSizes; 5] = [
    ElabSizes::new(1, 2, 8),
    ElabSizes::new(3, 8, 200),
    ElabSizes::new(4, 64, 17),
    ElabSizes { ram_latency: 1, ..ElabSizes::new(3, 4, 8) },
    ElabSizes { ram_latency: 3, ..ElabSizes::new(5, 8, 9) },
];

type Traffic = fn(&Ports, ElabSizes, Random) -> Result<PaletteDrive, Error>;

fn agree<D: Design + 'static>(design: D, cycles: u64, drive: impl Fn(&Ports) -> Box<dyn Drive>) {
    let source = Source::of_design(&design).unwrap_or_else(|e| panic!("{e}"));
    let mut model = model_of(&design).expect("it elaborates");
    let mut rtl = Verilator::new().build(&source).expect("it compiles");
    let mut drive = drive(&source.ports);
    Lockstep::new(soak::cycles(cycles)).run(&mut model, &mut rtl, &mut *drive).expect("they agree");
}

fn under_traffic<D: Design + 'static>(design: impl Fn(ElabSizes) -> D, traffic: Traffic) {
    for (seed, sizes) in SIZES.into_iter().enumerate() {
        let drive = |ports: &Ports| -> Box<dyn Drive> {
            Box::new(traffic(ports, sizes, Random::new(seed as u64)).expect("it has the ports"))
        };
        agree(design(sizes), 60_000, drive);
    }
}

fn under_lawless_inputs<D: Design + 'static>(design: impl Fn(ElabSizes) -> D) {
    for (seed, sizes) in SIZES.into_iter().enumerate() {
        let drive = |ports: &Ports| -> Box<dyn Drive> { Box::new(RandomDrive::new(ports, Random::new(seed as u64))) };
        agree(design(sizes), 30_000, drive);
    }
}

fn checked<D: Design + 'static>(design: impl Fn(ElabSizes) -> D, traffic: Traffic) {
    for sizes in SIZES {
        let mut model = checked_model_of(&design(sizes)).expect("it elaborates");
        let mut other = model_of(&design(sizes)).expect("it elaborates");
        let ports = Dut::ports(&model).clone();
        let mut drive = traffic(&ports, sizes, Random::new(9)).expect("it has the ports");
        Lockstep::new(5_000).run(&mut model, &mut other, &mut drive).expect("they agree");
    }
}

#[test]
fn scheduler_model_and_rtl_agree_under_traffic() {
    under_traffic(ElabSchedulerConfig, elab_scheduler_drive);
}

#[test]
fn feedback_model_and_rtl_agree_under_traffic() {
    under_traffic(ElabFeedbackConfig, elab_feedback_drive);
}

#[test]
fn scheduler_model_and_rtl_agree_under_lawless_inputs() {
    under_lawless_inputs(ElabSchedulerConfig);
}

#[test]
fn feedback_model_and_rtl_agree_under_lawless_inputs() {
    under_lawless_inputs(ElabFeedbackConfig);
}

#[test]
fn widths_fit_in_the_checked_models() {
    checked(ElabSchedulerConfig, elab_scheduler_drive);
    checked(ElabFeedbackConfig, elab_feedback_drive);
}
