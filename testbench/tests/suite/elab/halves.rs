// SPDX-License-Identifier: MIT OR Apache-2.0
//! Both ELAB stages: reference, model and Verilated RTL in lock-step.

use crate::common::soak;
use pipeline::elab::ElabSizes;
use pipeline::elab::feedback::ElabFeedbackConfig;
use pipeline::elab::scheduler::ElabSchedulerConfig;
use rtl_model::Design;
use testbench::device::drive::RandomDrive;
use testbench::device::random::Random;
use testbench::drives::constrained::ConstrainedDrive;
use testbench::drives::elab::{elab_feedback_drive, elab_scheduler_drive};
use testbench::lockstep::readings::Readings;
use testbench::{Error, Ports};
use tier::pick;

const SIZES: [ElabSizes; 6] = [
    ElabSizes::new(1, 2, 8),
    ElabSizes::new(3, 8, 200),
    ElabSizes::new(4, 64, 17),
    ElabSizes { ram_latency: 1, ..ElabSizes::new(3, 4, 8) },
    ElabSizes { ram_latency: 3, ..ElabSizes::new(5, 8, 9) },
    ElabSizes::new(100, 4, 8),
];

type Traffic = fn(&Ports, ElabSizes, Random) -> Result<ConstrainedDrive, Error>;

fn under_traffic<D: Design + 'static>(design: impl Fn(ElabSizes) -> D, traffic: Traffic) {
    for (seed, sizes) in pick(SIZES.into_iter().enumerate(), 1) {
        let drive = |ports: &Ports| traffic(ports, sizes, Random::new(seed as u64));
        Readings::new(soak::cycles(60_000)).agree(&design(sizes), drive).expect("they agree");
    }
}

fn under_lawless_inputs<D: Design + 'static>(design: impl Fn(ElabSizes) -> D) {
    for (seed, sizes) in pick(SIZES.into_iter().enumerate(), 1) {
        let drive = |ports: &Ports| Ok(RandomDrive::new(ports, Random::new(seed as u64)));
        Readings::new(soak::cycles(30_000)).agree(&design(sizes), drive).expect("they agree");
    }
}

#[test]
fn scheduler_model_and_rtl_agree_under_traffic() {
    under_traffic(ElabSchedulerConfig::new, elab_scheduler_drive);
}

#[test]
fn feedback_model_and_rtl_agree_under_traffic() {
    under_traffic(ElabFeedbackConfig::new, elab_feedback_drive);
}

#[test]
fn scheduler_model_and_rtl_agree_under_lawless_inputs() {
    under_lawless_inputs(ElabSchedulerConfig::new);
}

#[test]
fn feedback_model_and_rtl_agree_under_lawless_inputs() {
    under_lawless_inputs(ElabFeedbackConfig::new);
}
