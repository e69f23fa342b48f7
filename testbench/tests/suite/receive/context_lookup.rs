// SPDX-License-Identifier: MIT OR Apache-2.0
//! The context look-up: reference, model and Verilated RTL in lock-step.

use crate::common::soak;
use pipeline::receive::context_lookup::{ContextLookupConfig, KeyKinds};
use testbench::Ports;
use testbench::device::drive::RandomDrive;
use testbench::device::random::Random;
use testbench::drives::context_lookup::lookup_drive;
use testbench::lockstep::readings::Readings;
use tier::pick;

const fn size(entries: u64, [rocev2, uet, elab]: [bool; 3], ram_latency: u32) -> ContextLookupConfig {
    ContextLookupConfig { entries, kinds: KeyKinds { rocev2, uet, elab }, ram_latency }
}

const SIZES: [ContextLookupConfig; 7] = [
    size(16, [true, false, false], 1),
    size(16, [false, true, false], 2),
    size(28, [true, true, false], 3),
    size(16, [false, false, true], 2),
    size(16, [false, true, true], 1),
    size(57, [true, true, true], 2),
    size(16, [true, false, true], 3),
];

#[test]
fn model_and_rtl_agree_under_lawless_inputs() {
    for (seed, config) in pick((0..).zip(SIZES), 1) {
        let drive = |ports: &Ports| Ok(RandomDrive::new(ports, Random::new(seed)));
        Readings::new(soak::cycles(20_000)).agree(&config, drive).expect("they agree");
    }
}

#[test]
fn model_and_rtl_agree_under_traffic() {
    for (seed, config) in pick((0..).zip(SIZES), 1) {
        let drive = |ports: &Ports| lookup_drive(ports, config, 48, Random::new(seed));
        Readings::new(soak::cycles(60_000)).agree(&config, drive).expect("they agree");
    }
}
