// SPDX-License-Identifier: MIT OR Apache-2.0
//! The frame gate: all forms of the design in lock-step, the model against the oracle, and the gate after parser and
//! ICRC.

mod composition;
mod judge;
mod kept;
mod oracle;
mod vectors;

use crate::common::soak;
use pipeline::frame::frame_gate::{DropMode, FrameGateConfig};
use pipeline::headers::side_band::SideBand;
use testbench::device::drive::RandomDrive;
use testbench::device::random::Random;
use testbench::device::source::Source;
use testbench::device::verilator::Verilator;
use testbench::lockstep::readings::Readings;
use testbench::{Dut, Ports};
use tier::pick;

/// Sizes of gates: widths, beats, records, latencies and modes.
fn sizes() -> [FrameGateConfig; 7] {
    let small = FrameGateConfig::new(64, 64, 4);
    let side_band = SideBand { tid: 3, tdest: 9, tuser: 96 };
    [
        small,
        FrameGateConfig { ram_latency: 1, beats: 2, frames: 2, ..small },
        FrameGateConfig { ram_latency: 3, beats: 64, frames: 16, drop: DropMode::Mark, ..small },
        FrameGateConfig { ram_latency: 3, beats: 4, frames: 8, ..small },
        FrameGateConfig { side_band, ..FrameGateConfig::new(256, 1024, 8) },
        FrameGateConfig { records: false, side_band, ..small },
        FrameGateConfig { ram_latency: 1, ..FrameGateConfig::new(1024, 2048, 64) },
    ]
}

fn rtl(config: &FrameGateConfig) -> impl Dut {
    let source = Source::of_design(config).expect("it prints");
    Verilator::new().build(&source).expect("it compiles")
}

#[test]
fn model_and_rtl_agree_on_lawless_inputs_in_every_cycle() {
    for config in pick(sizes(), 1) {
        let drive = |ports: &Ports| Ok(RandomDrive::new(ports, Random::new(config.beats)));
        Readings::new(soak::cycles(20_000)).agree(&config, drive).expect("they agree");
    }
}

#[test]
fn model_and_rtl_agree_on_frames_with_their_records_in_every_cycle() {
    for config in pick(sizes(), 1) {
        for seed in 0..2 {
            let drive = |ports: &Ports| Ok(judge::Traffic::new(ports, seed));
            Readings::new(soak::cycles(20_000)).agree(&config, drive).expect("they agree");
        }
    }
}
