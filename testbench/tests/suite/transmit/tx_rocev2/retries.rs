// SPDX-License-Identifier: MIT OR Apache-2.0
//! A peer that never answers: its QP fails once, after the number of time-outs that is set, and no other QP is hurt (row TX21).
//! Sub-paths do not fail by time-outs here.

use super::model;
use super::run::{Conditions, QPS, Run};
use super::setup::{CLEAN, UNQUIET, all_is_settled, close_paths, config, limits, open_all, open_paths, plans};
use crate::transmit::tx::attempts::{doubles, first_timeout};
use pipeline::headers::protocols::MpehIndicator::{Bit, OpCode};
use pipeline::transmit::packet_tracker::{PacketTrackerConfig, PacketTrackerSettings};
use pipeline::transmit::tx::TxConfig;
use testbench::Dut;
use tier::pick;

/// The QP whose peer is mute; one with PSNs that wrap.
const MUTE: u64 = 1;

/// Time-outs of this length, after so many of which the next one is a failure.
fn with_retries(config: TxConfig, retries: u64) -> TxConfig {
    let settings = PacketTrackerSettings { rto: 160, retries, tail_probe: 0, ..config.packet_tracker.settings };
    TxConfig { packet_tracker: PacketTrackerConfig { settings, ..config.packet_tracker }, ..config }
}

/// Traffic of all other QPs.
fn others(run: &mut Run, cycles: u64) {
    let end = run.bench.cycle() + cycles;
    while run.bench.cycle() < end {
        if run.is_answered() && run.random.chance(0.02) {
            let qp = (MUTE + 1 + run.random.below(QPS - 1)) % QPS;
            run.request_any(qp);
        }
        run.step();
    }
}

/// A message of three packets is sent in vain, until the QP has failed and for a while after it.
fn fails(run: &mut Run, settings: &PacketTrackerSettings) -> u64 {
    let (since, failures) = (run.fetches.len(), run.failures.len());
    let all = first_timeout(settings) << (settings.retries + 1);
    run.request(MUTE, 3 * 256, failures == 0);
    others(run, all + 3000);
    let [(failed, qp)] = run.failures[failures..] else { panic!("{:?}", &run.failures[failures..]) };
    assert_eq!(qp, MUTE);
    others(run, all + all / 4);
    assert_eq!(run.failures.len(), failures + 1);
    let fetches: Vec<_> = run.fetches[since..].iter().filter(|(_, fetch)| fetch.pdc == MUTE).copied().collect();
    let again = doubles(&fetches, failed, settings);
    let state = run.read(MUTE);
    let settled = (state.open, state.failed, state.in_flight, state.marked, state.messages);
    assert_eq!(settled, (true, true, 3, 0, 1), "it is not closed: {state:?}");
    again
}

fn never_answered(dut: &mut dyn Dut, config: &TxConfig, seed: u64) {
    let settings = config.packet_tracker.settings;
    let conditions = Conditions { network: CLEAN, pause: &|_| 0.05, host_delay: 20, bad: 0.0 };
    let mut run = Run::new(dut, limits(config, UNQUIET), seed, &conditions);
    open_all(&mut run, &plans(seed));
    others(&mut run, 2000);
    run.peer.mutes(MUTE);
    let mut again = fails(&mut run, &settings);
    // The peer was only slow: what it says at last moves the base, so that all goes on, also to the next failure.
    let now = run.bench.cycle();
    assert_eq!(run.peer.hears(now) as u64, again + 3);
    run.until_done();
    let state = run.read(MUTE);
    assert_eq!((state.failed, state.in_flight, state.messages), (false, 0, 0), "{state:?}");
    run.peer.mutes(MUTE);
    again += fails(&mut run, &settings);
    // The host gives it up and opens it again.
    assert!(run.close(MUTE, true).done);
    close_paths(&mut run, MUTE);
    let now = run.bench.cycle();
    run.peer.hears(now);
    open_paths(&mut run, MUTE, &plans(seed)[0]);
    assert!(run.open(MUTE, 77, &[]).done && !run.read(MUTE).failed);
    run.request(MUTE, 5 * 256, false);
    run.until_done();
    assert_eq!(run.failures.iter().map(|(_, qp)| *qp).collect::<Vec<_>>(), [MUTE; 2]);
    run.failures.clear();
    let seen = all_is_settled(&mut run);
    // Every other QP had its messages all the time, and not one packet was sent twice.
    assert_eq!(seen.counts.retransmissions, again, "{seen:?}");
    for qp in (0..QPS).filter(|qp| *qp != MUTE) {
        let sent = run.fetches.iter().filter(|(_, fetch)| fetch.pdc == qp && fetch.last).count();
        assert!(sent > 90, "QP {qp} had {sent} messages");
    }
}

#[test]
fn a_qp_without_answers_fails_once_after_time_outs_that_double() {
    for (seed, (retries, width, latency, mpeh)) in
        pick([(0, 64, 1, Bit), (2, 256, 2, OpCode)].into_iter().enumerate(), 1)
    {
        let config = with_retries(config(width, 8, latency, mpeh), retries);
        never_answered(&mut *model(&config), &config, seed as u64);
    }
}
