// SPDX-License-Identifier: MIT OR Apache-2.0
//! `request_check`: model and Verilated RTL in lock-step, and both against the oracle, which has no clock: its cases of every row and
//! random traffic, with pauses on every stream.

mod play;

use crate::common::devices::{model, rtl};
use crate::common::{soak, tools};
use golden_vectors::receive::request_check::cases::{cases, random};
use golden_vectors::receive::request_check::oracle::{Arrival, Delivery, Event, Packet};
use pipeline::receive::request_check::RequestCheckConfig;
use play::Play;
use testbench::device::drive::RandomDrive;
use testbench::device::random::Random;
use testbench::lockstep::readings::Readings;
use testbench::{Dut, Ports};
use tier::pick;

const fn config(connections: u64, window: u64, ram_latency: u32) -> RequestCheckConfig {
    RequestCheckConfig { connections, window, handle_bits: 16, ram_latency }
}

const SIZES: [RequestCheckConfig; 4] = [config(4, 64, 2), config(2, 64, 1), config(8, 128, 3), config(64, 64, 2)];

#[test]
fn model_and_rtl_agree_under_lawless_inputs() {
    for (seed, config) in pick(SIZES.into_iter().enumerate(), 1) {
        let drive = |ports: &Ports| Ok(RandomDrive::new(ports, Random::new(seed as u64)));
        let agree = Readings::new(soak::cycles(100_000)).agree(&config, drive);
        agree.unwrap_or_else(|e| panic!("{config:?}: {e}"));
    }
}

/// What tools say of the Verilog of all sizes: nothing.
#[test]
fn verilator_and_yosys_take_the_verilog() {
    tools::take_the_verilog(SIZES.into_iter().chain([config(512, 256, 2)]));
}

/// All cases, each with other pauses; the number of events.
fn all_cases(dut: &mut dyn Dut, config: &RequestCheckConfig) -> usize {
    let cases = cases(config.window);
    assert!(cases.len() > 300, "{} cases", cases.len());
    for (seed, case) in cases.iter().enumerate() {
        let pause = [0.0, 0.1, 0.5][seed % 3];
        Play::new(dut, config, seed as u64, pause).run(&case.events).unwrap_or_else(|wrong| {
            panic!("{config:?}, {} ({:?}): {wrong}", case.name, case.rows);
        });
    }
    cases.iter().map(|case| case.events.len()).sum()
}

/// Random traffic; the number of packets that were refused.
fn traffic(dut: &mut dyn Dut, config: &RequestCheckConfig, seed: u64, count: usize) -> u64 {
    let events = random(seed, config.connections, config.window, count);
    let pause = [0.0, 0.05, 0.6][seed as usize % 3];
    let played = Play::new(dut, config, seed, pause).run(&events);
    played.unwrap_or_else(|wrong| panic!("{config:?}, seed {seed}: {wrong}"))
}

#[test]
fn the_model_does_what_the_oracle_says() {
    for config in pick(SIZES, 1) {
        let mut dut = model(&config);
        let events = all_cases(&mut *dut, &config);
        let refused: u64 = (0..6).map(|seed| traffic(&mut *dut, &config, seed, soak::cycles(20_000) as usize)).sum();
        println!("{config:?}: {events} events of the cases; {refused} packets of random traffic are refused");
        assert!(refused > 50, "{refused} packets are refused");
    }
}

#[test]
fn the_verilog_does_what_the_oracle_says() {
    let config = SIZES[0];
    let mut dut = rtl(&config, 50_000);
    all_cases(&mut dut, &config);
    assert!(traffic(&mut dut, &config, 7, soak::cycles(20_000) as usize) > 10);
}

/// A sender goes on for half of all PSNs, which would be before the packet that was refused: they are behind it all the same.
#[test]
fn what_is_far_behind_is_refused_too() {
    let packet = Packet { first: true, last: true, write: false, length: 257, dma_length: 0 };
    let delivery = |psn, handle| Event::Delivery(Delivery { connection: 1, psn, handle });
    let events = [
        Event::Open { connection: 1, psn: 9, mtu: 256 },
        Event::Arrival(Arrival { connection: 1, outcome: 0, psn: 9, expected: 10, packet }),
        delivery(9, 1),
        delivery(10, 2),
        delivery(10 + (1 << 23), 3),
    ];
    let mut dut = model(&SIZES[0]);
    assert_eq!(Play::new(&mut *dut, &SIZES[0], 1, 0.0).run(&events), Ok(1));
}
