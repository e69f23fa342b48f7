// SPDX-License-Identifier: MIT OR Apache-2.0
//! PDCs whose window of PSNs is full cost one turn each until an ACK comes, and others have all the other turns (row TX37).

use super::peer::Network;
use super::run::Run;
use super::scenarios::{CLEAN, PDCS, checker, config, credits};
use super::{model, rtl};
use pipeline::transmit::ccc_table::CccAlgorithms;
use pipeline::transmit::tx::TxConfig;
use testbench::Dut;
use tier::pick;

/// PSNs of the PDCs of class 0, and of the one of class 1.
const WINDOWS: [u64; 2] = [4, 64];
/// The PDC of class 1.
const LOWER: u64 = PDCS - 1;
/// Clock cycles to the peers, and back.
const FAR: u64 = 6000;

fn full_windows(dut: &mut dyn Dut, config: &TxConfig, seed: u64) {
    let network = Network { delay: (FAR, FAR + 1), ..CLEAN };
    let conditions = (network, credits(config));
    let mut run = Run::new(dut, checker(config, None), (PDCS, seed), conditions, |_| 0.0, 10);
    for pdc in 0..PDCS {
        let is_lower = pdc == LOWER;
        // Turns that fit into the windows: one that ends early, after a packet, is not told by `blocked`.
        let fields = [
            ("weight", if is_lower { 8 } else { 1 }),
            ("class", is_lower.into()),
            ("window", WINDOWS[usize::from(is_lower)]),
        ];
        assert!(run.open(pdc, 0xFFFF_FFFE, &fields).done);
        let packets = if is_lower { 80 } else { 10 };
        (0..2).for_each(|_| run.request(pdc, 256 * packets));
    }
    // No ACK has come: all windows are full, and each PDC has had one turn since then.
    let (start, ends) = (run.bench.cycle(), FAR / 2);
    while run.bench.cycle() < start + ends {
        run.step();
    }
    let sent = |run: &Run, pdc| run.fetches.iter().filter(|(_, fetch)| fetch.pdc == pdc).count() as u64;
    for pdc in 0..PDCS {
        assert_eq!(sent(&run, pdc), WINDOWS[usize::from(pdc == LOWER)], "PDC {pdc}");
    }
    assert_eq!(run.bench.output("packet_tracker_refused_sends"), PDCS);

    // New data does not open a window. It takes a place of a message, no turn.
    run.request(0, 256);
    (0..500).for_each(|_| run.step());
    assert_eq!(run.bench.output("packet_tracker_refused_sends"), PDCS);
    // A larger window does.
    assert!(run.resize(0, 2 * WINDOWS[0]).done);
    (0..800).for_each(|_| run.step());
    assert_eq!(sent(&run, 0), 2 * WINDOWS[0]);
    assert_eq!(run.bench.output("packet_tracker_refused_sends"), PDCS + 1);
    run.until_done();
    // At most one turn in vain for each answer, of which there is at most one for each packet.
    let (refused, packets) = (run.bench.output("packet_tracker_refused_sends"), run.fetches.len() as u64);
    assert!(refused > PDCS + 1 && refused <= PDCS + 1 + packets, "{refused} turns in vain, {packets} packets");
    assert_eq!(run.checker.retransmissions, 0);
}

/// A host that says that packets are lost opens no window, but they are sent again.
fn lost_packets(dut: &mut dyn Dut, config: &TxConfig, seed: u64) {
    let conditions = (CLEAN, credits(config));
    let mut run = Run::new(dut, checker(config, None), (PDCS, seed), conditions, |_| 0.0, 10);
    let window = WINDOWS[0];
    assert!(run.open(0, 0xFFFF_FFFE, &[("weight", 1), ("class", 0), ("window", window)]).done);
    run.peer.mutes(0);
    run.request(0, 256 * 10);
    (0..2000).for_each(|_| run.step());
    assert_eq!(run.fetches.len() as u64, window);
    assert_eq!(run.bench.output("packet_tracker_refused_sends"), 1);
    let response = run.lose(0, None);
    assert!(response.done && response.open, "{response:?}");
    (0..2000).for_each(|_| run.step());
    let again = run.fetches.iter().filter(|(_, fetch)| fetch.retransmission).count() as u64;
    assert_eq!((run.fetches.len() as u64, again), (2 * window, window));
    // The turn that sent them ended without being told as blocked, so there is one more in vain.
    assert_eq!(run.bench.output("packet_tracker_refused_sends"), 2);
    run.peer.hears(run.bench.cycle());
    run.until_done();
}

/// A time-out of a PDC with a full window: its packets are sent again.
fn overdue_packets(dut: &mut dyn Dut, config: &TxConfig, seed: u64) {
    let conditions = (CLEAN, credits(config));
    let mut run = Run::new(dut, checker(config, None), (PDCS, seed), conditions, |_| 0.0, 10);
    let window = WINDOWS[0];
    assert!(run.open(0, 0xFFFF_FFFE, &[("weight", 1), ("class", 0), ("window", window)]).done);
    run.peer.mutes(0);
    run.request(0, 256 * 10);
    let end = run.bench.cycle() + 100_000;
    while (run.fetches.len() as u64) < 2 * window {
        run.step();
        assert!(run.bench.cycle() < end, "{} packets", run.fetches.len());
    }
    // The last one by the probe of the tail, the others by time.
    let lost = ["inferred_losses", "timeouts"].map(|name| run.bench.output(&format!("packet_tracker_{name}")));
    assert_eq!(lost, [1, window - 1]);
    run.peer.hears(run.bench.cycle());
    run.until_done();
}

/// `credit_requests` reads one PDC after the other in `ccc_table`. A *read* unblocks its PDC, so each brings one more turn in vain;
/// nothing else does.
fn reads_for_credit(dut: &mut dyn Dut, config: &TxConfig, seed: u64) {
    let network = Network { delay: (FAR, FAR + 1), ..CLEAN };
    let conditions = (network, credits(config));
    let mut run = Run::new(dut, checker(config, None), (PDCS, seed), conditions, |_| 0.0, 10);
    for pdc in 0..PDCS {
        assert!(run.open(pdc, 0xFFFF_FFFE, &[("weight", 1), ("class", 0), ("window", WINDOWS[0])]).done);
        run.request(pdc, 256 * 10);
    }
    (0..1000).for_each(|_| run.step());
    assert_eq!(run.fetches.len() as u64, PDCS * WINDOWS[0]);
    let before = run.bench.output("packet_tracker_refused_sends");
    let reads = 10;
    (0..reads * config.visit_interval()).for_each(|_| run.step());
    assert_eq!(run.bench.output("packet_tracker_refused_sends") - before, reads);
    assert_eq!(run.fetches.len() as u64, PDCS * WINDOWS[0]);
    run.until_done();
}

/// With NSCC, and without time-outs, which would end the wait as well.
fn without_timeouts(width: u32, latency: u32) -> TxConfig {
    with(CccAlgorithms::Nscc, width, latency)
}

/// The same with these algorithms.
fn with(algorithms: CccAlgorithms, width: u32, latency: u32) -> TxConfig {
    let mut config = config(algorithms, width, 4, latency);
    (config.packet_tracker.settings.rto, config.packet_tracker.settings.tail_probe) = (0, 0);
    config
}

#[test]
fn a_pdc_with_a_full_window_has_one_turn_in_vain_until_an_ack_comes() {
    for latency in pick([2, 1, 3], 1) {
        let config = without_timeouts(128, latency);
        full_windows(&mut *model(&config), &config, latency.into());
    }
}

#[test]
fn that_of_the_verilog_has_one_too() {
    let config = without_timeouts(64, 2);
    full_windows(&mut rtl(&config, 50_000), &config, 9);
}

#[test]
fn what_a_host_says_is_lost_is_sent_again_at_once() {
    for latency in pick([2, 1, 3], 1) {
        let config = without_timeouts(128, latency);
        lost_packets(&mut *model(&config), &config, latency.into());
    }
}

#[test]
fn what_is_overdue_is_sent_again() {
    for latency in pick([2, 1, 3], 1) {
        let config = config(CccAlgorithms::Nscc, 128, 4, latency);
        overdue_packets(&mut *model(&config), &config, latency.into());
    }
}

#[test]
fn a_read_for_credit_brings_one_more_turn() {
    for latency in pick([2, 1, 3], 1) {
        let config = with(CccAlgorithms::Rccc, 128, latency);
        reads_for_credit(&mut *model(&config), &config, latency.into());
    }
}
