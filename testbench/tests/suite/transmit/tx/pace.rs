// SPDX-License-Identifier: MIT OR Apache-2.0
//! How many clock cycles requests, and turns without a packet, take.

use super::model;
use super::peer::Network;
use super::run::Run;
use super::scenarios::{CLEAN, PDCS, checker, config, credits};
use pipeline::transmit::ccc_table::CccAlgorithms;
use pipeline::transmit::tx::TxConfig;
use tier::pick;

/// All PDCs have windows of so many PSNs.
const WINDOW: u64 = 4;

/// All PDCs are open, and no ACK comes for a long time.
fn opened<'a>(dut: &'a mut dyn testbench::Dut, config: &TxConfig) -> Run<'a> {
    let network = Network { delay: (6000, 6001), ..CLEAN };
    let mut run = Run::new(dut, checker(config, None), (PDCS, 1), (network, credits(config)), |_| 0.0, 0);
    for pdc in 0..PDCS {
        assert!(run.open(pdc, 1000, &[("weight", 1), ("window", WINDOW)]).done);
    }
    run
}

#[test]
fn a_request_takes_l_plus_9_clock_cycles() {
    for latency in pick([2, 1, 3], 1) {
        let config = config(CccAlgorithms::Nscc, 128, 4, latency);
        let mut dut = model(&config);
        let mut run = opened(&mut *dut, &config);
        (0..4).for_each(|n| run.request(n % PDCS, 256));
        let mut answered = Vec::new();
        while !run.is_answered() {
            let before = run.unanswered();
            run.step();
            if run.unanswered() < before {
                answered.push(run.bench.cycle());
            }
        }
        let intervals: Vec<_> = answered.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert_eq!(intervals, [u64::from(latency) + 9; 3], "latency {latency}");
    }
}

#[test]
fn a_turn_with_a_full_window_takes_4_l_plus_22_clock_cycles() {
    for latency in pick([2, 1, 3], 1) {
        let config = config(CccAlgorithms::Nscc, 128, 4, latency);
        let mut dut = model(&config);
        let mut run = opened(&mut *dut, &config);
        (0..PDCS).for_each(|pdc| run.request(pdc, 256 * 10));
        let mut ends = Vec::new();
        for _ in 0..3000 {
            let before = run.bench.output("packet_tracker_refused_sends");
            run.step();
            if run.bench.output("packet_tracker_refused_sends") > before {
                ends.push(run.bench.cycle());
            }
        }
        assert_eq!(run.fetches.len() as u64, PDCS * WINDOW);
        let intervals: Vec<_> = ends.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert_eq!(intervals, [4 * u64::from(latency) + 22; PDCS as usize - 1], "latency {latency}");
    }
}
