// SPDX-License-Identifier: MIT OR Apache-2.0
//! The fence for ACKs (row TX19): who closes a PDC must know whether ACKs of it still wait, however long the host takes no
//! completions, and however many come for others.

use super::model;
use super::run::Run;
use super::scenarios::{CLEAN, PDCS, checker, config, credits, open_all};
use pipeline::transmit::ccc_table::CccAlgorithms;
use tier::pick;

/// Closed before its last ACKs come.
const CLOSED: u64 = 3;
const MESSAGES: u64 = 16;
/// What the transmit path takes of them while nothing is judged: two places of `packet_tracker`, and one before them.
const ACKS: u64 = 3;

#[test]
fn it_is_passed_when_the_last_ack_has_been_judged() {
    for latency in pick([2, 1, 3], 1) {
        let mut config = config(CccAlgorithms::Nscc, 128, MESSAGES, latency);
        (config.packet_tracker.settings.rto, config.packet_tracker.settings.tail_probe) = (0, 0);
        let mut dut = model(&config);
        let conditions = (CLEAN, credits(&config));
        let mut run = Run::new(&mut *dut, checker(&config, None), (PDCS, latency.into()), conditions, |_| 0.0, 10);
        open_all(&mut run);
        (0..8).for_each(|_| run.request(CLOSED, 256));
        run.until_done();
        run.traffic(1000, 0.0);
        let ack = run.heard[CLOSED as usize].clone().expect("it was answered");
        assert!(run.close(CLOSED, false).done);
        assert_eq!(run.bench.output("ack_fence_passed"), 1);

        // More outcomes than may be open (D4), each the end of a message.
        run.bench.stalls("completion", true);
        for pdc in (0..PDCS).filter(|pdc| *pdc != CLOSED) {
            (0..MESSAGES).for_each(|_| run.request(pdc, 256));
        }
        run.traffic(6000, 0.0);
        (0..ACKS).for_each(|_| run.bench.record(&ack.fields));
        for _ in 0..3000 {
            run.step();
        }
        run.bench.ack_fence();
        run.step();
        for _ in 0..100 {
            run.step();
            assert_eq!(["ack_fence_passed", "packet_tracker_closed_events"].map(|name| run.bench.output(name)), [0, 0]);
        }

        run.bench.stalls("completion", false);
        // From when the last one is taken, a fence behind it; then the time from when the last one enters to when it is counted.
        while !run.bench.records_are_taken() {
            run.step();
        }
        run.bench.ack_fence();
        run.step();
        let mut since = 0;
        while run.bench.output("packet_tracker_closed_events") < ACKS {
            run.step();
            since += run.bench.output("ack_fence_passed");
        }
        assert!((1..100).contains(&since), "the fence is passed {since} clock cycles before the last ACK is counted");
        run.until_done();
        run.traffic(500, 0.0);
        assert_eq!(["ack_fence_passed", "packet_tracker_closed_events"].map(|name| run.bench.output(name)), [1, ACKS]);
    }
}
