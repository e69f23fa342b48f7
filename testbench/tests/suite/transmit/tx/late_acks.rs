// SPDX-License-Identifier: MIT OR Apache-2.0
//! ACKs that come when their packets are being sent again: the completion of a message is behind the last fetch of it (row TX41), as the
//! checker of all runs wants it. The host may stall `fetch`; if it does not, the search for the oldest of many messages takes long enough.

use super::run::Run;
use super::scenarios::{CLEAN, CONSISTENT, PDCS, checker, config, counters_are_0, credits, open_all};
use super::{model, rtl};
use pipeline::transmit::ccc_table::CccAlgorithms;
use pipeline::transmit::tx::TxConfig;
use testbench::Dut;
use tier::pick;

/// Clock cycles in which all that is under way gets to where `fetch` holds it up.
const SETTLES: u64 = 2000;

/// As many messages as a PDC may have, or for a stall a single one, are sent and declared lost; then the ACKs of all come.
fn acknowledged_late(dut: &mut dyn Dut, config: &TxConfig, seed: u64, (rounds, stalls): (u64, bool)) {
    let conditions = (CLEAN, credits(config));
    let mut run = Run::new(dut, checker(config, None), (PDCS, seed), conditions, |_| 0.0, 10);
    open_all(&mut run);
    let messages = if stalls { 1 } else { config.messages };
    for round in 0..rounds {
        run.peer.mutes(0);
        for message in 0..messages {
            run.request(0, 100 + message);
        }
        run.traffic(60 * messages + 500, 0.0);
        run.bench.stalls("fetch", stalls);
        assert!(run.lose(0, None).done);
        let pause = if stalls { 500 } else { 7 * round };
        run.traffic(pause, 0.0);
        run.peer.hears(run.bench.cycle());
        if stalls {
            let before = run.checker.completions;
            run.traffic(SETTLES, 0.0);
            assert_eq!((run.checker.outstanding(0), run.checker.completions), (0, before), "it waits for its fetch");
            run.bench.stalls("fetch", false);
        }
        run.until_done();
    }
    run.traffic(SETTLES, 0.0);
    let again = run.checker.retransmissions;
    assert!(again >= rounds, "{again} retransmissions in {rounds} rounds");
    counters_are_0(&run, &CONSISTENT);
}

#[test]
fn a_message_is_complete_after_its_last_fetch_if_the_host_stalls_fetch() {
    for latency in pick([2, 1, 3], 1) {
        let mut config = config(CccAlgorithms::Nscc, 128, 4, latency);
        (config.packet_tracker.settings.rto, config.packet_tracker.settings.tail_probe) = (0, 0);
        acknowledged_late(&mut *model(&config), &config, latency.into(), (10, true));
    }
}

#[test]
fn a_message_is_complete_after_its_last_fetch_if_the_host_never_stalls() {
    for latency in pick([2, 1, 3], 1) {
        let mut config = config(CccAlgorithms::Nscc, 128, 64, latency);
        (config.packet_tracker.settings.rto, config.packet_tracker.settings.tail_probe) = (0, 0);
        acknowledged_late(&mut *model(&config), &config, latency.into(), (30, false));
    }
}

#[test]
fn that_of_the_verilog_is_too() {
    let mut config = config(CccAlgorithms::Nscc, 64, 64, 2);
    (config.packet_tracker.settings.rto, config.packet_tracker.settings.tail_probe) = (0, 0);
    let mut rtl = rtl(&config, 50_000);
    acknowledged_late(&mut rtl, &config, 7, (2, true));
    acknowledged_late(&mut rtl, &config, 8, (15, false));
}
