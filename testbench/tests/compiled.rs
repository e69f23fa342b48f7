// SPDX-License-Identifier: MIT OR Apache-2.0
//! The compiled model and the Verilog of every stage in lock-step.

use pipeline::elab::ElabSizes;
use pipeline::elab_feedback::ElabFeedbackConfig;
use pipeline::elab_scheduler::ElabSchedulerConfig;
use pipeline::entropy_selector::{EntropySelectorConfig, Modes};
use pipeline::frame_gate::FrameGateConfig;
use pipeline::header_builder::HeaderBuilderConfig;
use pipeline::header_parser::HeaderParserConfig;
use pipeline::icrc::{IcrcConfig, IcrcMode};
use pipeline::path_scheduler::PathSchedulerConfig;
use pipeline::tally::TallyConfig;
use rtl_model::{Design, elaborate};
use testbench::compiled::Compiled;
use testbench::drive::{Drive, RandomDrive};
use testbench::elab_drive::{elab_feedback_drive, elab_scheduler_drive};
use testbench::lockstep::Lockstep;
use testbench::random::Random;
use testbench::scheduler_drive::SchedulerDrive;
use testbench::selector_drive::SelectorDrive;
use testbench::source::Source;
use testbench::verilator::Verilator;
use testbench::{Dut, Ports};

const CYCLES: u64 = 20_000;

fn compare<D: Design>(design: &D, drive: impl FnOnce(&Ports) -> Box<dyn Drive>) {
    let circuit = elaborate(design).unwrap_or_else(|report| panic!("{report}"));
    let mut model = Compiled::new().build(&circuit).unwrap_or_else(|e| panic!("{e}"));
    let source = Source::of_circuit(&circuit).unwrap_or_else(|e| panic!("{e}"));
    let mut rtl = Verilator::new().quick().build(&source).unwrap_or_else(|e| panic!("{e}"));
    let mut drive = drive(model.ports());
    let result = Lockstep::new(CYCLES).run(&mut model, &mut rtl, &mut *drive);
    result.unwrap_or_else(|e| panic!("{}: {e}", design.module_name()));
}

fn random(ports: &Ports) -> Box<dyn Drive> {
    Box::new(RandomDrive::new(ports, Random::new(7)).reset(0.01))
}

#[test]
fn tally() {
    for ram_latency in [1, 2, 3] {
        let config = TallyConfig { rows: 5, width: 13, amount_width: 7, ram_latency };
        compare(&config, random);
    }
}

#[test]
fn header_parser() {
    for width in [64, 512] {
        compare(&HeaderParserConfig::new(width), random);
    }
}

#[test]
fn header_builder() {
    for width in [64, 512] {
        compare(&HeaderBuilderConfig::new(width), random);
    }
}

#[test]
fn icrc() {
    for mode in [IcrcMode::Check, IcrcMode::Insert] {
        compare(&IcrcConfig::new(128, mode), random);
    }
}

#[test]
fn frame_gate() {
    compare(&FrameGateConfig::new(128, 4096, 16), random);
}

#[test]
fn entropy_selector() {
    for ram_latency in [1, 2, 3] {
        let config = EntropySelectorConfig::new(8, 64).ram_latency(ram_latency).modes(Modes::ALL);
        compare(&config, |ports| {
            let drive = SelectorDrive::new(ports, 8, Random::new(1)).unwrap_or_else(|e| panic!("{e}"));
            Box::new(drive.modes(Modes::ALL.mask()))
        });
    }
}

#[test]
fn path_scheduler() {
    let config = PathSchedulerConfig::new(8, 8);
    compare(&config, |ports| {
        Box::new(SchedulerDrive::new(ports, 8, 8, Random::new(1)).unwrap_or_else(|e| panic!("{e}")))
    });
}

#[test]
fn elab() {
    let sizes = ElabSizes::new(8, 8, 200);
    compare(&ElabSchedulerConfig(sizes), |ports| {
        Box::new(elab_scheduler_drive(ports, sizes, Random::new(1)).unwrap_or_else(|e| panic!("{e}")))
    });
    compare(&ElabFeedbackConfig(sizes), |ports| {
        Box::new(elab_feedback_drive(ports, sizes, Random::new(1)).unwrap_or_else(|e| panic!("{e}")))
    });
}
