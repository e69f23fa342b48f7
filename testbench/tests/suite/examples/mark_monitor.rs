// SPDX-License-Identifier: MIT OR Apache-2.0
//! The mark monitor: reference, model and Verilated RTL in lock-step under random events with resets.

use crate::common::soak;
use pipeline::examples::mark_monitor::MarkMonitorConfig;
use testbench::Ports;
use testbench::device::drive::RandomDrive;
use testbench::device::random::Random;
use testbench::lockstep::readings::Readings;
use tier::pick;

#[test]
fn model_and_rtl_agree_in_every_cycle() {
    for (seed, ram_latency) in pick((1..).zip([1, 2, 3]), 1) {
        let config = MarkMonitorConfig { paths: 4, alarms: 2, ram_latency };
        let drive = |ports: &Ports| Ok(RandomDrive::new(ports, Random::new(seed)));
        Readings::new(soak::cycles(100_000)).agree(&config, drive).expect("they agree");
    }
}
