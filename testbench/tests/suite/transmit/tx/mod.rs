// SPDX-License-Identifier: MIT OR Apache-2.0
//! The transmit path: all forms in lock-step, and messages of several PDCs through a network that loses, trims and reorders
//! packets, against a host and peers that are written here without clock cycles. PDCs without credit ask for it.

pub(crate) mod attempts;
pub(crate) mod bench;
mod blocked;
mod checker;
mod late_acks;
mod long;
mod lose;
mod marking;
pub(crate) mod messages;
mod pace;
pub(crate) mod path_feedback;
mod peer;
pub(crate) mod place;
mod requests;
mod retries;
mod run;
pub(crate) mod scenarios;
mod waiting;
mod wrong;

use crate::common::devices::{model, rtl};
use crate::common::soak::cycles;
use pipeline::transmit::ccc_table::CccAlgorithms;
use pipeline::transmit::tx::TxConfig;
use scenarios::{config, delivers, floods, interval, reopens, without_crc, without_credit};
use std::cell::Cell;
use std::rc::Rc;
use testbench::Ports;
use testbench::device::drive::{Drive, RandomDrive};
use testbench::device::named::Named;
use testbench::device::random::Random;
use testbench::lockstep::readings::Readings;
use tier::pick;

#[test]
fn model_and_rtl_agree_on_lawless_inputs_in_every_cycle() {
    for (algorithms, width, messages, latency) in
        pick([(CccAlgorithms::Nscc, 64, 2, 1), (CccAlgorithms::Both, 512, 8, 3)], 1)
    {
        let drive = |ports: &Ports| Ok(RandomDrive::new(ports, Random::new(7)));
        Readings::new(cycles(20_000)).agree(&config(algorithms, width, messages, latency), drive).expect("they agree");
    }
}

/// Random inputs, but for a few: settings of `ccc_table` that come so seldom that commands get to it, and commands of which many
/// open a PDC, and leave it open for a while. The most CREDIT_REQUESTs that were counted between two resets.
struct Asking {
    drive: RandomDrive,
    random: Random,
    ports: Named,
    most: Rc<Cell<u64>>,
}

impl Drive for Asking {
    fn drive(&mut self, outputs: &[u64], input: &mut [u64]) -> bool {
        self.most.set(self.most.get().max(self.ports.get(outputs, "credit_requests")));
        let resets = self.drive.drive(outputs, input);
        if self.random.chance(0.8) {
            let fields = [("op", 1), ("class", 0), ("weight", 2), ("mode", 0), ("space", 0), ("stride", 0)];
            self.ports.put_all(input, "command", &fields);
        }
        resets
    }
}

#[test]
fn model_and_rtl_agree_while_pdcs_ask_for_credit() {
    for (seed, (width, messages, latency)) in pick([(64, 2, 1), (256, 4, 2), (128, 16, 3)].into_iter().enumerate(), 1) {
        let config = TxConfig { credit_request_clocks: 1, ..without_credit(width, messages, latency) };
        let most = Rc::new(Cell::new(0));
        let drive = |ports: &Ports| {
            let drive = RandomDrive::new(ports, Random::new(seed as u64)).reset(0.0002);
            let drive = drive.chance("ccc_table_settings_valid", 0.0003)?.chance("command_valid", 0.005)?;
            let random = Random::new(seed as u64 + 100);
            Ok(Asking { drive, random, ports: Named::new(ports), most: Rc::clone(&most) })
        };
        Readings::new(cycles(30_000)).agree(&config, drive).expect("they agree");
        assert!(most.get() > 10, "{width}: {} were counted", most.get());
    }
}

#[test]
fn every_message_arrives_over_a_network_without_faults() {
    for (seed, (width, messages, latency)) in pick([(64, 2, 1), (512, 8, 2), (1024, 16, 3)].into_iter().enumerate(), 1)
    {
        let config = config(CccAlgorithms::Nscc, width, messages, latency);
        let seen = delivers(&mut *model(&config), &config, seed as u64, 60_000, false);
        assert!(seen.frames > 1000 && seen.retransmissions == 0, "{seen:?}");
    }
}

#[test]
fn every_message_arrives_over_a_network_that_loses_trims_and_reorders() {
    for (seed, (width, messages, latency)) in
        pick([(64, 4, 2), (256, 64, 1), (256, 16, 1), (128, 2, 3)].into_iter().enumerate(), 2)
    {
        let config = config(CccAlgorithms::Nscc, width, messages, latency);
        let seen = delivers(&mut *model(&config), &config, seed as u64, 200_000, true);
        assert!(seen.frames > 1000 && seen.retransmissions > 50 && seen.nacks > 50, "{seen:?}");
    }
}

#[test]
fn packets_may_have_no_crc() {
    for (algorithms, width) in pick([(CccAlgorithms::Rccc, 64), (CccAlgorithms::Nscc, 512)], 1) {
        let config = without_crc(config(algorithms, width, 4, 2));
        let seen = delivers(&mut *model(&config), &config, 7, 60_000, true);
        assert!(seen.frames > 500 && seen.retransmissions > 10, "{seen:?}");
    }
}

#[test]
fn packets_of_a_path_that_asks_for_credit_are_rud_cc_req() {
    let config = config(CccAlgorithms::Both, 128, 4, 2);
    let seen = delivers(&mut *model(&config), &config, 5, 60_000, true);
    assert!(seen.retransmissions > 10, "{seen:?}");
}

#[test]
fn pdcs_with_enough_credit_do_not_ask_for_it() {
    let config = config(CccAlgorithms::Rccc, 128, 4, 2);
    let seen = delivers(&mut *model(&config), &config, 6, 40_000, false);
    assert!(seen.frames > 500 && seen.requests < 10, "{seen:?}");
}

#[test]
fn pdcs_that_stand_still_ask_for_credit() {
    for (seed, (width, messages, latency)) in pick([(64, 2, 1), (512, 8, 2), (1024, 16, 3)].into_iter().enumerate(), 1)
    {
        let config = without_credit(width, messages, latency);
        let seen = delivers(&mut *model(&config), &config, seed as u64, 60_000, false);
        assert!(seen.frames > 200 && seen.requests > 100 && seen.retransmissions == 0, "{seen:?}");
    }
}

#[test]
fn requests_for_credit_may_be_lost() {
    for (seed, (width, messages, latency)) in pick([(64, 4, 2), (256, 16, 1), (128, 2, 3)].into_iter().enumerate(), 1) {
        let config = without_credit(width, messages, latency);
        let seen = delivers(&mut *model(&config), &config, seed as u64, 100_000, true);
        assert!(seen.frames > 200 && seen.requests > 100 && seen.retransmissions > 10, "{seen:?}");
    }
}

#[test]
fn requests_for_credit_go_amid_packets_that_wait() {
    let mut config = without_credit(64, 8, 2);
    // Packets wait for longer than a round trip.
    config.packet_tracker.settings.rto = 4000;
    // A request does not wait itself, so each PDC mostly asks once for a message.
    let seen = floods(&mut *model(&config), &config, 8, 100_000);
    assert!(seen.frames > 300 && seen.requests > 20 && seen.retransmissions == 0, "{seen:?}");
}

#[test]
fn a_pdc_that_is_closed_and_opened_again_has_nothing_of_the_one_before() {
    let slow = [(2, 1, "none"), (4, 2, "fetch"), (16, 3, "completion"), (8, 2, "m_axis"), (4, 1, "settings")];
    for (seed, (messages, latency, slow)) in pick(slow.into_iter().enumerate(), 1) {
        let config = config(CccAlgorithms::Nscc, 64, messages, latency);
        let seen = reopens(&mut *model(&config), &config, seed as u64, 60, slow);
        assert!(seen.completions > 20, "{slow}: {seen:?}");
    }
}

#[test]
fn a_pdc_that_is_opened_again_asks_for_credit_anew() {
    let slow = [(2, 1, "none"), (4, 2, "fetch"), (8, 2, "s_axis"), (8, 3, "m_axis"), (4, 1, "settings")];
    for (seed, (messages, latency, slow)) in pick(slow.into_iter().enumerate(), 1) {
        let config = without_credit(64, messages, latency);
        let seen = reopens(&mut *model(&config), &config, seed as u64, 60, slow);
        assert!(seen.completions > 5 && seen.requests > 20, "{slow}: {seen:?}");
    }
}

#[test]
fn a_turn_has_a_packet_in_every_3_l_plus_20_clock_cycles() {
    for latency in pick([2, 1, 3], 1) {
        let config = config(CccAlgorithms::Nscc, 512, 4, latency);
        let (shortest, _) = interval(&mut *model(&config), &config);
        assert_eq!(shortest, config.packet_clocks());
    }
}

#[test]
fn the_verilog_does_the_same() {
    let config = config(CccAlgorithms::Nscc, 256, 4, 2);
    delivers(&mut rtl(&config, 50_000), &config, 3, 20_000, true);
    reopens(&mut rtl(&config, 50_000), &config, 4, 10, "none");
    let config = without_credit(256, 4, 2);
    delivers(&mut rtl(&config, 50_000), &config, 5, 20_000, true);
    reopens(&mut rtl(&config, 50_000), &config, 6, 10, "none");
}
