// SPDX-License-Identifier: MIT OR Apache-2.0
//! A peer that never answers: its PDC fails once, after the number of time-outs that is set, and no other PDC is hurt (row
//! TX21).

use super::attempts::{doubles, first_timeout};
use super::peer::Credits;
use super::run::Run;
use super::scenarios::{CLEAN, PDCS, checker, config, open_all};
use super::{model, rtl};
use pipeline::transmit::ccc_table::CccAlgorithms;
use pipeline::transmit::packet_tracker::{PacketTrackerConfig, PacketTrackerSettings};
use pipeline::transmit::tx::TxConfig;
use testbench::Dut;
use tier::pick;

/// The PDC whose peer is mute; one with PSNs that wrap.
const MUTE: u64 = 1;

/// Time-outs of this length, after so many of which the next one is a failure.
fn with_retries(config: TxConfig, retries: u64) -> TxConfig {
    let settings = PacketTrackerSettings { rto: 160, retries, tail_probe: 0, ..config.packet_tracker.settings };
    TxConfig { packet_tracker: PacketTrackerConfig { settings, ..config.packet_tracker }, ..config }
}

/// Traffic of all other PDCs.
fn others(run: &mut Run, cycles: u64) {
    let end = run.bench.cycle() + cycles;
    while run.bench.cycle() < end {
        if run.is_answered() && run.random.chance(0.02) {
            let (pdc, length) = ((MUTE + 1 + run.random.below(PDCS - 1)) % PDCS, run.length());
            run.request(pdc, length);
        }
        run.step();
    }
}

/// A message of three packets is sent in vain, until the PDC has failed and for a while after it.
fn fails(run: &mut Run, settings: &PacketTrackerSettings) -> u64 {
    let (since, failures) = (run.fetches.len(), run.failures.len());
    let all = first_timeout(settings) << (settings.retries + 1);
    run.request(MUTE, 3 * 256);
    others(run, all + 3000);
    let [(failed, pdc)] = run.failures[failures..] else { panic!("{:?}", &run.failures[failures..]) };
    assert_eq!(pdc, MUTE);
    // It is said once, and there are no more time-outs (D24).
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
    let mut run = Run::new(dut, checker(config, None), (PDCS, seed), (CLEAN, Credits::None), |_| 0.05, 20);
    open_all(&mut run);
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
    let now = run.bench.cycle();
    run.peer.hears(now);
    assert!(run.open(MUTE, 77, &[]).done && !run.read(MUTE).failed);
    run.request(MUTE, 5 * 256);
    run.until_done();
    // Every other PDC had its messages all the time, and not one packet was sent twice.
    assert_eq!(run.checker.retransmissions, again);
    assert_eq!(run.failures.iter().map(|(_, pdc)| *pdc).collect::<Vec<_>>(), [MUTE; 2]);
    for pdc in 0..PDCS {
        let sent = run.fetches.iter().filter(|(_, fetch)| fetch.pdc == pdc && fetch.last).count();
        assert!(pdc == MUTE || sent > 50, "PDC {pdc} had {sent} messages");
        let state = run.read(pdc);
        assert_eq!((state.messages, state.in_flight, state.marked, state.inflight), (0, 0, 0, 0), "{state:?}");
    }
}

#[test]
fn a_pdc_without_answers_fails_once_after_time_outs_that_double() {
    for (seed, (retries, width, latency)) in pick([(0, 64, 1), (3, 256, 2)].into_iter().enumerate(), 1) {
        let config = with_retries(config(CccAlgorithms::Nscc, width, 8, latency), retries);
        never_answered(&mut *model(&config), &config, seed as u64);
    }
}

#[test]
fn that_of_the_verilog_does_too() {
    let config = with_retries(config(CccAlgorithms::Nscc, 128, 4, 2), 2);
    never_answered(&mut rtl(&config, 50_000), &config, 9);
}
