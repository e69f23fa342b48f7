// SPDX-License-Identifier: MIT OR Apache-2.0
//! *Lose*: packets in flight are taken for lost because a host says so, not by a time-out (row TX36, D25).

use super::model;
use super::run::Run;
use super::scenarios::{CLEAN, PDCS, checker, config, credits, open_all};
use pipeline::ccc_table::CccAlgorithms;

const PACKETS: u64 = 8;

/// The PSNs and kinds of all fetches from one on.
fn fetched(run: &Run, from: usize) -> Vec<(u64, bool)> {
    run.fetches[from..].iter().map(|(_, fetch)| (fetch.psn, fetch.retransmission)).collect()
}

#[test]
fn packets_that_a_host_says_are_lost_are_sent_again_once() {
    for latency in 1..=3 {
        let mut config = config(CccAlgorithms::Nscc, 128, 4, latency);
        // No time-out comes.
        config.packet_tracker.settings.rto = 0;
        let mut dut = model(&config);
        let conditions = (CLEAN, credits(&config));
        let mut run = Run::new(&mut *dut, checker(&config, None), (PDCS, latency.into()), conditions, |_| 0.0, 10);
        open_all(&mut run);
        run.peer.mutes(0);
        run.request(0, 256 * PACKETS);
        run.traffic(1500, 0.0);
        let sent = fetched(&run, 0);
        assert_eq!(sent.len() as u64, PACKETS, "{sent:?}");
        let response = run.lose(0);
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
        let response = run.lose(1);
        assert_eq!((response.done, response.open), (false, false));
    }
}
