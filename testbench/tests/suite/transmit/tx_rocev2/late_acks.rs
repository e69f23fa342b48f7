// SPDX-License-Identifier: MIT OR Apache-2.0
//! ACKs that come when their packets are being sent again: the completion of a message is behind the last fetch of it (row TX41), as the
//! checker of all runs wants it. The host may stall `fetch`; if it does not, the search for the oldest of many messages takes long enough.

use super::paths::{PACKET, PATHS};
use super::run::{Conditions, QPS, Run};
use super::setup::{CLEAN, Plan, UNQUIET, all_is_settled, config, limits, open_all, with_timeout};
use super::{model, rtl};
use pipeline::headers::protocols::MpehIndicator::{Bit, OpCode};
use pipeline::transmit::tx::TxConfig;
use std::collections::BTreeSet;
use testbench::Dut;
use tier::pick;

/// Clock cycles in which all that is under way gets to where `fetch` holds it up.
const SETTLES: u64 = 2000;

/// As many messages as a QP may have, or for a stall a single one, are sent and declared lost; then the ACKs of all come.
fn acknowledged_late(dut: &mut dyn Dut, config: &TxConfig, seed: u64, (rounds, stalls): (u64, bool)) {
    let conditions = Conditions { network: CLEAN, pause: &|_| 0.0, host_delay: 10, bad: 0.0 };
    let mut run = Run::new(dut, limits(config, UNQUIET), seed, &conditions);
    open_all(&mut run, &[Plan::even(PACKET, 8); QPS as usize]);
    let messages = if stalls { 1 } else { config.messages };
    for round in 0..rounds {
        run.peer.mutes(0);
        for message in 0..messages {
            run.request(0, 100 + message, message % 3 == 0);
        }
        run.steps(60 * messages + 500);
        let paths: BTreeSet<_> = run.peer.unheard().iter().map(|arrival| arrival.path).collect();
        assert!(if stalls { paths.len() == 1 } else { paths.len() == PATHS }, "{paths:?}");
        run.bench.stalls("fetch", stalls);
        paths.into_iter().for_each(|path| assert!(run.lose(0, path).done));
        run.steps(if stalls { 500 } else { 7 * round });
        run.peer.hears(run.bench.cycle());
        if stalls {
            let before = run.checker.counts.completions;
            run.steps(SETTLES);
            let after = run.checker.counts.completions;
            assert_eq!((run.checker.outstanding(0), after), (0, before), "it waits for its fetch");
            run.bench.stalls("fetch", false);
        }
        run.until_done();
    }
    let seen = all_is_settled(&mut run);
    assert!(seen.counts.retransmissions >= rounds, "{seen:?}");
}

#[test]
fn a_message_is_complete_after_its_last_fetch_if_the_host_stalls_fetch() {
    for (latency, mpeh) in pick([(2, Bit), (1, OpCode), (3, Bit)], 1) {
        let config = with_timeout(config(128, 4, latency, mpeh), 0);
        acknowledged_late(&mut *model(&config), &config, latency.into(), (10, true));
    }
}

#[test]
fn a_message_is_complete_after_its_last_fetch_if_the_host_never_stalls() {
    for (latency, mpeh) in pick([(2, Bit), (1, OpCode), (3, Bit)], 1) {
        let config = with_timeout(config(128, 64, latency, mpeh), 0);
        acknowledged_late(&mut *model(&config), &config, latency.into(), (30, false));
    }
}

#[test]
fn that_of_the_verilog_is_too() {
    let config = with_timeout(config(64, 64, 2, Bit), 0);
    let mut rtl = rtl(&config, 50_000);
    acknowledged_late(&mut rtl, &config, 7, (2, true));
    acknowledged_late(&mut rtl, &config, 8, (15, false));
}
