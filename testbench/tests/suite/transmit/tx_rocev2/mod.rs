// SPDX-License-Identifier: MIT OR Apache-2.0
//! The transmit path with multipath RoCEv2: all forms in lock-step, and messages of several QPs, each over several sub-paths,
//! through a network that loses, marks, repeats and reorders packets, against a host and peers that are written here without
//! clock cycles. Sub-paths are marked, fail, and come and go meanwhile.

mod blocked;
mod checker;
mod faults;
mod late_acks;
mod lawless;
mod marking;
mod path_feedback;
mod paths;
mod peer;
mod retries;
mod run;
mod scenarios;
mod setup;
mod stream;
mod wire;
mod wrong;

use crate::common::devices::{model, rtl};
use crate::common::soak::cycles;
use blocked::{full_sub_paths, late_feedback, without_sub_paths};
use faults::{changes, dies, marks, moves, moves_amid_traffic, small_tracker, small_windows, survives, times_out};
use lawless::{Lawless, Most};
use pipeline::headers::protocols::MpehIndicator::{Bit, OpCode};
use pipeline::transmit::path_scheduler::SchedulerSettings;
use pipeline::transmit::tx::TxConfig;
use scenarios::{delivers, intervals, reopens, shares};
use setup::{config, with_settings, with_timeout, with_xor};
use testbench::Ports;
use testbench::lockstep::readings::Readings;
use tier::pick;

/// The same with sub-paths that fail by so many time-outs.
fn failing(config: TxConfig, fail: u64) -> TxConfig {
    with_settings(config, |settings| SchedulerSettings { fail, ..settings })
}

#[test]
fn model_and_rtl_agree_on_lawless_inputs_in_every_cycle() {
    for (seed, (width, messages, latency, mpeh)) in
        pick([(64, 2, 1, OpCode), (512, 8, 3, Bit)].into_iter().enumerate(), 1)
    {
        let most = Most::default();
        let drive = |ports: &Ports| Lawless::new(ports, seed as u64, &most);
        Readings::new(cycles(30_000)).agree(&config(width, messages, latency, mpeh), drive).expect("they agree");
        let (frames, again, completions) = (most.frames.get(), most.again.get(), most.completions.get());
        assert!(frames > 20 && again > 5 && completions > 5, "{width}: {frames} frames, {again}, {completions}");
    }
}

#[test]
fn every_message_arrives_over_a_network_without_faults() {
    let sizes = [(64, 2, 1, Bit), (512, 8, 2, OpCode), (1024, 16, 3, Bit)];
    for (seed, (width, messages, latency, mpeh)) in pick(sizes.into_iter().enumerate(), 1) {
        let config = config(width, messages, latency, mpeh);
        let config = if seed == 1 { with_xor(config) } else { config };
        let seen = delivers(&mut *model(&config), &config, seed as u64, 60_000, false);
        assert!(seen.counts.frames > 1000 && seen.counts.retransmissions == 0, "{seen:?}");
        assert!(seen.counts.immediates > 30 && seen.counts.invalidates > 30, "{seen:?}");
        assert!(seen.counts.writes > 300 && seen.sum(|tally| tally.exact) > 1000, "{seen:?}");
    }
}

#[test]
fn every_message_arrives_over_a_network_that_loses_marks_and_reorders() {
    let sizes = [(64, 4, 2, OpCode), (256, 16, 1, Bit), (128, 2, 3, Bit)];
    for (seed, (width, messages, latency, mpeh)) in pick(sizes.into_iter().enumerate(), 1) {
        let config = config(width, messages, latency, mpeh);
        let config = if seed == 2 { with_xor(config) } else { config };
        let seen = delivers(&mut *model(&config), &config, seed as u64, 200_000, true);
        assert!(seen.counts.frames > 1000 && seen.counts.retransmissions > 50 && seen.counts.bad > 2, "{seen:?}");
        assert!(seen.sent.losses > 50 && seen.sent.unready > 2 && seen.sent.marks > 50, "{seen:?}");
        assert!(seen.sum(|tally| tally.flowlets) > 20 && seen.sum(|tally| tally.exact) > 100, "{seen:?}");
    }
}

#[test]
fn sub_paths_have_their_shares() {
    let config = config(256, 4, 1, Bit);
    let seen = shares(&mut *model(&config), &config, 11);
    assert_eq!(seen.counts.frames, 4096, "{seen:?}");
}

#[test]
fn a_sub_path_with_marks_gets_less_and_the_others_do_not() {
    for (seed, (width, messages, latency, mpeh)) in
        pick([(128, 4, 2, Bit), (64, 8, 1, OpCode)].into_iter().enumerate(), 1)
    {
        let config = config(width, messages, latency, mpeh);
        marks(&mut *model(&config), &config, seed as u64, 60_000);
    }
}

#[test]
fn a_sub_path_that_loses_all_fails_and_comes_again() {
    for (seed, (width, messages, latency, mpeh)) in
        pick([(128, 4, 2, Bit), (256, 2, 3, OpCode)].into_iter().enumerate(), 1)
    {
        // Longer than the peer waits with an ACK.
        let config = with_timeout(failing(config(width, messages, latency, mpeh), 2), 96);
        dies(&mut *model(&config), &config, seed as u64);
    }
}

#[test]
fn a_packet_that_is_missing_costs_no_other_sub_path_its_weight() {
    for latency in pick([2, 1, 3], 1) {
        // A single time-out would fail a sub-path. It is so long that all packets are late together.
        let config = with_timeout(failing(config(256, 4, latency, Bit), 1), 240);
        times_out(&mut *model(&config), &config, latency.into());
    }
}

#[test]
fn packets_of_a_sub_path_that_a_host_fails_go_over_others_at_once() {
    for (latency, mpeh) in pick([(1, Bit), (2, OpCode), (3, Bit)], 1) {
        // Time-outs would come long after.
        let config = with_timeout(failing(config(256, 4, latency, mpeh), 1), 20_000);
        moves(&mut *model(&config), &config, latency.into());
        moves_amid_traffic(&mut *model(&config), &config, latency.into());
    }
}

#[test]
fn messages_survive_sub_paths_that_fail_amid_traffic() {
    for (seed, (width, messages, latency)) in pick([(64, 4, 2), (256, 8, 1)].into_iter().enumerate(), 1) {
        let config = failing(config(width, messages, latency, Bit), 2);
        let seen = survives(&mut *model(&config), &config, seed as u64, 120_000);
        assert!(seen.events.failed > 0 && seen.counts.retransmissions > 100, "{seen:?}");
    }
}

#[test]
fn sub_paths_with_small_windows_are_often_full() {
    for (seed, (messages, latency)) in pick([(4, 2), (16, 1), (2, 3)].into_iter().enumerate(), 1) {
        let config = config(128, messages, latency, Bit);
        small_windows(&mut *model(&config), &config, seed as u64, 1 + seed as u64, 60_000);
    }
}

#[test]
fn grants_go_back_if_the_window_of_packet_tracker_is_full() {
    for (seed, (messages, latency)) in pick([(4, 2), (16, 1), (2, 3)].into_iter().enumerate(), 1) {
        let config = with_timeout(config(128, messages, latency, Bit), 500);
        small_tracker(&mut *model(&config), &config, seed as u64, false);
        small_tracker(&mut *model(&config), &config, seed as u64 + 10, true);
    }
}

#[test]
fn a_qp_without_an_active_sub_path_has_one_turn_in_vain() {
    for (seed, (latency, mpeh)) in pick([(1, Bit), (2, OpCode), (3, Bit)].into_iter().enumerate(), 1) {
        let config = config(128, 4, latency, mpeh);
        without_sub_paths(&mut *model(&config), &config, seed as u64);
    }
}

#[test]
fn a_qp_with_full_sub_paths_has_one_turn_in_vain_until_feedback_comes() {
    for (seed, latency) in pick((1..=3).enumerate(), 1) {
        let config = with_timeout(config(128, 4, latency, Bit), 0);
        full_sub_paths(&mut *model(&config), &config, seed as u64, 2 + seed as u64);
    }
}

#[test]
fn a_qp_is_unblocked_by_feedback_that_comes_after_its_ack() {
    for (seed, latency) in pick((1..=3).enumerate(), 1) {
        let config = with_timeout(config(128, 4, latency, Bit), 0);
        late_feedback(&mut *model(&config), &config, seed as u64);
    }
}

#[test]
fn sub_paths_come_and_go_amid_traffic() {
    for (seed, (messages, latency)) in pick([(4, 2), (16, 1), (2, 3), (8, 2)].into_iter().enumerate(), 1) {
        let config = config(64, messages, latency, Bit);
        changes(&mut *model(&config), &config, seed as u64, 100);
    }
}

#[test]
fn a_qp_that_is_closed_and_opened_again_has_nothing_of_the_one_before() {
    let slow = [(2, 1, "none"), (4, 2, "fetch"), (16, 3, "completion"), (8, 2, "m_axis"), (4, 1, "settings")];
    for (seed, (messages, latency, slow)) in pick(slow.into_iter().enumerate(), 1) {
        let config = config(64, messages, latency, Bit);
        let seen = reopens(&mut *model(&config), &config, seed as u64, 60, slow);
        assert!(seen.counts.completions > 20, "{slow}: {seen:?}");
    }
}

#[test]
fn a_turn_has_a_packet_in_as_many_clock_cycles_as_its_page_says() {
    for latency in pick([2, 1, 3], 1) {
        let config = config(512, 4, latency, Bit);
        let intervals = intervals(&mut *model(&config), &config);
        let clocks = config.packet_clocks();
        // A send waits for an ACK that `packet_tracker` is at, and six times for the end of a turn.
        let same = intervals.iter().filter(|interval| **interval == clocks).count();
        assert!(same > 50, "latency {latency}: {clocks} expected, {intervals:?}");
        assert!(intervals.iter().all(|interval| *interval >= clocks), "latency {latency}: {intervals:?}");
    }
}

#[test]
fn the_verilog_does_the_same() {
    let config = config(256, 4, 2, OpCode);
    delivers(&mut rtl(&config, 50_000), &config, 3, 20_000, true);
    reopens(&mut rtl(&config, 50_000), &config, 4, 10, "none");
    let config = with_timeout(config, 0);
    full_sub_paths(&mut rtl(&config, 50_000), &config, 5, 3);
}
