// SPDX-License-Identifier: MIT OR Apache-2.0
//! *Lose*: packets in flight are taken for lost because a host says so, not by a time-out (row TX36, D25).

use super::model;
use super::run::Run;
use super::scenarios::{CLEAN, CONSISTENT, LOSSY, PDCS, checker, config, counters_are_0, credits, open_all};
use pipeline::transmit::ccc_table::CccAlgorithms;
use std::collections::BTreeSet;
use tier::pick;

const PACKETS: u64 = 8;

/// The PSNs and kinds of all fetches from one on.
fn fetched(run: &Run, from: usize) -> Vec<(u64, bool)> {
    run.fetches[from..].iter().map(|(_, fetch)| (fetch.psn, fetch.retransmission)).collect()
}

#[test]
fn packets_that_a_host_says_are_lost_are_sent_again_once() {
    for latency in pick([2, 1, 3], 1) {
        let mut config = config(CccAlgorithms::Nscc, 128, 4, latency);
        // No time-out comes.
        (config.packet_tracker.settings.rto, config.packet_tracker.settings.tail_probe) = (0, 0);
        let mut dut = model(&config);
        let conditions = (CLEAN, credits(&config));
        let mut run = Run::new(&mut *dut, checker(&config, None), (PDCS, latency.into()), conditions, |_| 0.0, 10);
        open_all(&mut run);
        run.peer.mutes(0);
        run.request(0, 256 * PACKETS);
        run.traffic(1500, 0.0);
        let sent = fetched(&run, 0);
        assert_eq!(sent.len() as u64, PACKETS, "{sent:?}");
        let response = run.lose(0, None);
        assert!(response.done && response.open, "{response:?}");
        run.traffic(1500, 0.0);
        let again = fetched(&run, sent.len());
        assert_eq!(again, sent.iter().map(|(psn, _)| (*psn, true)).collect::<Vec<_>>(), "in their order");
        // The peer answers both; nothing else comes of it.
        let now = run.bench.cycle();
        assert_eq!(run.peer.hears(now) as u64, 2 * PACKETS);
        run.until_done();
        run.traffic(2000, 0.0);
        assert_eq!(run.fetches.len() as u64, 2 * PACKETS);
        let counts = ["declared_losses", "timeouts"].map(|name| run.bench.output(&format!("packet_tracker_{name}")));
        assert_eq!(counts, [PACKETS, 0]);
        // One that is closed has nothing to lose.
        assert!(run.close(1, false).done);
        let response = run.lose(1, None);
        assert_eq!((response.done, response.open), (false, false));
    }
}

#[test]
fn packets_on_an_ev_that_a_host_says_is_dead_are_sent_again_and_no_others() {
    let mut config = config(CccAlgorithms::Nscc, 128, 4, 2);
    (config.packet_tracker.settings.rto, config.packet_tracker.settings.tail_probe) = (0, 0);
    let mut dut = model(&config);
    let conditions = (CLEAN, credits(&config));
    let mut run = Run::new(&mut *dut, checker(&config, None), (PDCS, 3), conditions, |_| 0.0, 10);
    open_all(&mut run);
    run.peer.mutes(0);
    run.request(0, 256 * PACKETS);
    run.traffic(1500, 0.0);
    let evs: Vec<_> = run.peer.unheard().iter().map(|arrival| (arrival.ev, arrival.psn)).collect();
    let distinct: BTreeSet<_> = evs.iter().map(|(ev, _)| *ev).collect();
    assert!(evs.len() as u64 == PACKETS && distinct.len() > 3, "{evs:?}");
    let mut again = Vec::new();
    for ev in distinct.iter().copied().take(3) {
        let before = run.fetches.len();
        assert!(run.lose(0, Some(ev)).done);
        run.traffic(1000, 0.0);
        let on_it: Vec<_> = evs.iter().filter(|(of, _)| *of == ev).map(|(_, psn)| (*psn, true)).collect();
        assert_eq!(fetched(&run, before), on_it, "EV {ev}");
        again.extend(on_it);
    }
    run.peer.hears(run.bench.cycle());
    run.until_done();
    assert_eq!(run.bench.output("packet_tracker_declared_losses"), again.len() as u64);
}

/// Losses are declared while packets are lost, acknowledged, trimmed and overdue, and before the PDC is closed by force.
#[test]
fn a_host_may_declare_losses_at_any_time() {
    for (seed, (messages, latency)) in pick([(4, 1), (16, 2), (2, 3)].into_iter().enumerate(), 1) {
        let config = config(CccAlgorithms::Nscc, 128, messages, latency);
        let mut dut = model(&config);
        let conditions = (LOSSY, credits(&config));
        let mut run = Run::new(&mut *dut, checker(&config, None), (PDCS, seed as u64), conditions, |_| 0.1, 30);
        open_all(&mut run);
        let mut reopened = 0;
        for _ in 0..120 {
            let pause = run.random.below(500);
            run.traffic(pause, 0.02);
            let (pdc, ev) = (run.random.below(PDCS), run.random.below(64) + 49_152);
            let ev = run.random.chance(0.3).then_some(ev);
            assert!(run.lose(pdc, ev).done);
            if run.random.chance(0.1) {
                assert!(run.close(pdc, true).done && run.open(pdc, 0xFFFF_FFF0, &[]).done);
                reopened += 1;
            }
        }
        run.until_done();
        run.traffic(2000, 0.0);
        counters_are_0(&run, &CONSISTENT);
        let declared = run.bench.output("packet_tracker_declared_losses");
        let timeouts = run.bench.output("packet_tracker_timeouts");
        println!("{declared} declared lost, {timeouts} overdue, {reopened} PDCs opened again");
        assert!(declared > 50 && timeouts > 0 && reopened > 3, "{declared} {timeouts} {reopened}");
        assert!(run.failures.is_empty(), "{:?}", run.failures);
    }
}
