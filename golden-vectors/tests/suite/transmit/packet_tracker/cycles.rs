// SPDX-License-Identifier: MIT OR Apache-2.0
//! The table of cycles on the page, for each latency.

use super::help::Run;
use golden_vectors::transmit::packet_tracker::oracle::{Ack, Command, Settings, Shape, ack, op};

fn opened(latency: u64, psn: u64) -> Run {
    let mut run = Run::new(Shape::new(4, 256).ram_latency(latency));
    // Without scans.
    run.set(Settings { rto: 0, span: 255, ..Settings::reset(256) });
    run.open(0, psn, 5);
    run
}

/// Something that enters behind an operation.
fn behind(run: &mut Run) {
    run.ack(Ack { pdc: 0, kind: ack::CREDIT, ..Ack::default() });
    run.drain();
}

#[test]
fn single_operations() {
    for (latency, effect, event) in [(1, 12, 3), (2, 14, 4), (3, 16, 5)] {
        let mut run = opened(latency, 0);
        let accepted = run.oracle.cycle();
        run.new_packets(0, 1);
        run.drain();
        assert_eq!(run.sent[0].0, accepted + 1 + effect);
        assert_eq!(run.events[0].0, accepted + 1 + effect + event);
        let accepted = run.ack(Ack { kind: ack::NACK, reason: 1, ..run.ack_of(0, 0) });
        run.drain();
        assert_eq!(run.outcomes[0].0, accepted + 1 + effect + event);
        assert_eq!(run.events[1].0, accepted + 1 + effect + event);
    }
}

#[test]
fn commands() {
    for (latency, effect, open) in [(1, 12, 17), (2, 14, 19), (3, 16, 21)] {
        let mut run = Run::new(Shape::new(4, 256).ram_latency(latency));
        // t - p + 1.
        let (accepted, _) = run.open(0, 9, 5);
        assert_eq!(run.responses[0].0, accepted + 1 + open - 1 + effect);
        let (accepted, _) = run.command(Command { op: op::READ, ..Command::default() });
        assert_eq!(run.responses[1].0, accepted + 1 + 2 * effect);
    }
}

#[test]
fn acks() {
    for (latency, outside, four, many, outcome) in [(1, 13, 23, 113, 8), (2, 15, 26, 121, 10), (3, 17, 29, 129, 12)] {
        let mut run = opened(latency, 0);
        let accepted = run.ack(run.ack_of(0, 99));
        behind(&mut run);
        assert_eq!(run.kept(accepted), outside);
        // No PSN of the window is named.
        let accepted = run.ack(run.ack_of(0, u32::MAX.into()));
        behind(&mut run);
        assert_eq!(run.kept(accepted), outside);
        run.new_packets(0, 4);
        run.drain();
        let accepted = run.ack(run.ack_of(0, 3));
        behind(&mut run);
        assert_eq!(run.kept(accepted), four);
        let first = accepted + 1 + 2 * latency + 10 + latency + 5;
        let reads: Vec<_> = run.outcomes.iter().map(|(cycle, _)| *cycle).collect();
        assert_eq!(reads, (0..4).map(|n| first + n + outcome).collect::<Vec<_>>());
        // Four blocks cumulative and two of the bitmap, with 64 packets in all: PSN 63 to 218 are in the blocks 0 to 3, and all of
        // them but one are acknowledged in advance; the bitmap has PSN 219 to 282, without one.
        run.command(Command { op: op::CLOSE, ..Command::default() });
        run.open(0, 63, 5);
        run.new_packets(0, 256);
        run.drain();
        for (n, sack) in [(2, u64::MAX), (66, u64::MAX), (130, u64::MAX >> 37)] {
            run.ack(Ack { triggered: false, sack_offset: n, sack, ..run.ack_of(0, 62) });
            run.drain();
        }
        let before = run.outcomes.len();
        let accepted = run.ack(Ack { sack_offset: 1, sack: !2, ..run.ack_of(0, 218) });
        behind(&mut run);
        assert_eq!(run.outcomes.len() - before, 64);
        assert_eq!(run.kept(accepted), many);
    }
}

#[test]
fn packets_that_are_sent_again() {
    for (latency, one) in [(1, 20), (2, 23), (3, 26)] {
        let mut run = opened(latency, 0);
        run.new_packets(0, 200);
        run.drain();
        for blocks in 1..4 {
            // The first one is marked, then acknowledged: *first* stays.
            let psn = 64 * blocks - 1;
            run.ack(Ack { kind: ack::NACK, reason: 0x1A, ..run.ack_of(0, blocks - 1) });
            run.ack(Ack { kind: ack::NACK, reason: 0x1A, ..run.ack_of(0, psn) });
            run.ack(run.ack_of(0, blocks - 1));
            run.drain();
            let accepted = run.again(0);
            run.ack(Ack { pdc: 0, kind: ack::CREDIT, ..Ack::default() });
            run.drain();
            assert_eq!(run.kept(accepted), one + (blocks - 1) * (latency + 5), "{blocks}");
        }
    }
}
