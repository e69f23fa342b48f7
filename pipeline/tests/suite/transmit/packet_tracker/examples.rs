// SPDX-License-Identifier: MIT OR Apache-2.0
//! The examples of the page, at each latency.

use super::bench::{Bench, put};
use pipeline::transmit::packet_tracker::{PacketTrackerConfig, event_kind, kind, op, outcome_kind, send_op};

fn configs(window: u64) -> impl Iterator<Item = PacketTrackerConfig> {
    let config = PacketTrackerConfig::new(16, window);
    (1..=3).map(move |ram_latency| PacketTrackerConfig { ram_latency, ..config })
}

/// PDC 3 of CCC 7 with PSN 104 to 109 in flight.
fn sent_and_acknowledged(config: PacketTrackerConfig) -> Bench {
    let mut bench = Bench::new(config);
    let (l, accepted) = (bench.l(), bench.cycle);
    let response = bench.open(3, 7, 100);
    let opened = [response.done, response.open, response.base, response.next, response.window, response.ccc];
    assert_eq!(opened.map(|field| field.value()), [1, 1, 100, 100, 256, 7]);
    // p is the next clock cycle, q = p + 2 l + 10, t = q + W / 64, x = t + 2 l + 10.
    assert_eq!(bench.responses[0].0, accepted + 1 + 2 * (2 * l + 10) + 4, "D29");
    bench.settle();

    // In order.
    let accepted = bench.cycle;
    bench.news(3, 4);
    bench.idle(40);
    for (i, (cycle, sent)) in (0..).zip(bench.sent.clone()) {
        assert_eq!(cycle, accepted + i + 1 + 2 * l + 10, "D10");
        let fields = [sent.pdc, sent.op, sent.ok, sent.psn, sent.size, sent.rtx_count, sent.marked, sent.room];
        assert_eq!(fields.map(|field| field.value()), [3, send_op::NEW, 1, 100 + i, 4160, 0, 0, 255 - i]);
    }
    assert_eq!(bench.sent.len(), 4);
    for (i, (cycle, event)) in (0..).zip(bench.events.clone()) {
        assert_eq!(cycle, accepted + i + 1 + 3 * l + 12, "D26");
        let fields = [event.kind, event.pdc, event.ccc, event.room, event.size, event.packet, event.last];
        assert_eq!(fields.map(|field| field.value()), [event_kind::SEND, 3, 7, 255 - i, 4160, 1, 0]);
    }
    assert_eq!(bench.events.len(), 4);

    let accepted = bench.cycle;
    bench.ack(kind::ACK, 3, 103, |input| {
        put(&mut input.ack.triggered, 1);
        put(&mut input.ack.counted, 1);
        put(&mut input.ack.rcvd_bytes, 65);
        put(&mut input.ack.arrived, 50);
        put(&mut input.ack.service, 9);
    });
    // It waits for the end of the walk, and for its effect.
    bench.send(send_op::END, 3, 0, true);
    bench.idle(100);
    let (p, q) = (accepted + 1, accepted + 1 + 2 * l + 10);
    let (first_read, t) = (q + l + 5, q + l + 5 + 4);
    assert_eq!(t - p + 1, 2 * l + 11 + l + 5 + 4);
    for (i, (cycle, outcome)) in (0..).zip(bench.outcomes.clone()) {
        assert_eq!(cycle, first_read + i + 2 * l + 6, "D27");
        let last = u64::from(i == 3);
        let fields = [outcome.kind, outcome.pdc, outcome.ccc, outcome.psn, outcome.size, outcome.ev];
        assert_eq!(fields.map(|field| field.value()), [0, 3, 7, 100 + i, 4160, 3]);
        assert_eq!([outcome.trigger, outcome.timed].map(|field| field.value()), [last, last]);
        assert_eq!(outcome.age.value() > 0, last == 1);
    }
    assert_eq!(bench.outcomes.len(), 4);
    let (cycle, event) = bench.events[4];
    assert_eq!(cycle, t + 3 * l + 12, "D26");
    let fields = [event.kind, event.packets, event.quanta, event.timed, event.rtx_packets, event.room, event.service];
    assert_eq!(fields.map(|field| field.value()), [event_kind::ACK, 4, 65, 1, 0, 256, 9]);
    assert_eq!(event.stamp.value() + bench.outcomes[3].1.age.value(), 50);
    let (cycle, event) = bench.events[5];
    assert_eq!((cycle, event.kind.value(), event.last.value()), (t + 1 + 3 * l + 12, event_kind::SEND, 1));
    let response = bench.read(3);
    let state = [response.base, response.next, response.in_flight, response.marked].map(|field| field.value());
    assert_eq!(state, [104, 104, 0, 0]);

    bench.settle();
    bench.news(3, 6);
    bench.settle();
    bench
}

/// The time from the entry of a walk to its end, if nothing else waits: seen in when a *new* behind it is answered.
fn walk_cycles(bench: &mut Bench, drive: impl Fn(&mut Bench)) -> u64 {
    bench.settle();
    let (accepted, answers) = (bench.cycle, bench.sent.len());
    drive(bench);
    assert_eq!(bench.cycle, accepted + 1);
    // For a PDC that is not open.
    bench.send(send_op::NEW, 15, 0, false);
    bench.settle();
    let (cycle, _) = bench.sent[bench.sent.len() - 1];
    assert!(bench.sent.len() > answers);
    // It entered in t + 1.
    cycle - (2 * bench.l() + 10) - 1 - (accepted + 1)
}

#[test]
fn sack_nack_and_late_ack() {
    for config in configs(256) {
        let mut bench = sent_and_acknowledged(config);
        let l = bench.l();
        let state = |bench: &mut Bench| {
            let response = bench.read(3);
            bench.settle();
            [response.base, response.next, response.in_flight, response.marked].map(|field| field.value())
        };
        let nack = |bench: &mut Bench| {
            bench.ack(kind::NACK, 3, 105, |input| {
                put(&mut input.ack.reason, 0x1A);
                put(&mut input.ack.arrived, 60);
            });
            bench.settle();
        };
        let (events, outcomes) = (bench.events.len(), bench.outcomes.len());
        nack(&mut bench);
        let event = bench.events[events].1;
        assert_eq!([event.kind, event.size, event.reason].map(|field| field.value()), [event_kind::NACK, 4160, 0x1A]);
        assert_eq!(bench.kinds(outcomes), [(outcome_kind::NACK, 105)]);
        assert_eq!(state(&mut bench), [104, 110, 5, 1]);
        nack(&mut bench);
        assert_eq!((bench.events.len(), bench.outputs().counts.void_nacks.value()), (events + 1, 1));
        assert_eq!(state(&mut bench), [104, 110, 5, 1]);

        let outcomes = bench.outcomes.len();
        let sack = |bench: &mut Bench| {
            bench.ack(kind::ACK, 3, 104, |input| {
                put(&mut input.ack.sack_offset, 0x10000 - 40);
                put(&mut input.ack.sack, ((1 << 41) - 1) | 1 << 42 | 1 << 43);
            });
        };
        assert_eq!(walk_cycles(&mut bench, sack), 2 * l + 10 + 2 * (l + 5) + 3);
        assert_eq!(bench.kinds(outcomes), [(0, 104), (0, 106), (0, 107)]);
        assert_eq!(bench.events[events + 1].1.packets.value(), 3);
        assert_eq!(state(&mut bench), [105, 110, 2, 1]);
        assert_eq!(walk_cycles(&mut bench, sack), 2 * l + 10 + l + 5);
        let event = bench.events[events + 2].1;
        assert_eq!([event.kind, event.packets, event.rtx_packets].map(|field| field.value()), [0, 0, 0]);
        assert_eq!(state(&mut bench), [105, 110, 2, 1]);

        let again = |bench: &mut Bench| bench.send(send_op::AGAIN, 3, 0, false);
        if config.ram_latency == 1 {
            // Had again come before the last ACK.
            assert_eq!(walk_cycles(&mut bench, again), 2 * l + 11 + l + 5);
            let sent = bench.sent[bench.sent.len() - 2].1;
            let fields = [sent.op, sent.ok, sent.psn, sent.size, sent.rtx_count, sent.marked];
            assert_eq!(fields.map(|field| field.value()), [send_op::AGAIN, 1, 105, 4160, 1, 0]);
            let event = bench.events[events + 3].1;
            let fields = [event.kind, event.size, event.packet, event.retransmission, event.last];
            assert_eq!(fields.map(|field| field.value()), [event_kind::SEND, 4160, 1, 1, 0]);
            bench.ack(kind::ACK, 3, 107, |input| {
                put(&mut input.ack.triggered, 1);
                put(&mut input.ack.trigger_offset, 0x10000 - 2);
                put(&mut input.ack.arrived, 60);
            });
            bench.settle();
            let event = bench.events[events + 4].1;
            let fields = [event.packets, event.rtx_packets, event.timed, event.rtx_count, event.retx];
            assert_eq!(fields.map(|field| field.value()), [1, 0, 1, 1, 0]);
            let outcome = bench.outcomes[bench.outcomes.len() - 1].1;
            let fields = [outcome.kind, outcome.trigger, outcome.timed, outcome.rtx_count];
            assert_eq!(fields.map(|field| field.value()), [0, 1, 0, 1]);
            continue;
        }
        let ack = |bench: &mut Bench| bench.ack(kind::ACK, 3, 107, |_| ());
        let outcomes = bench.outcomes.len();
        assert_eq!(walk_cycles(&mut bench, ack), 2 * l + 10 + l + 5 + 1);
        assert_eq!(bench.kinds(outcomes), [(outcome_kind::LATE, 105)]);
        let event = bench.events[events + 3].1;
        let fields = [event.packets, event.rtx_packets, event.rtx_bytes].map(|field| field.value());
        assert_eq!(fields, [0, 1, 4160]);
        assert_eq!(state(&mut bench), [108, 110, 2, 0]);
        assert_eq!(walk_cycles(&mut bench, again), 2 * l + 10);
        let sent = bench.sent[bench.sent.len() - 2].1;
        assert_eq!([sent.op, sent.ok, sent.psn, sent.size].map(|field| field.value()), [send_op::AGAIN, 0, 0, 0]);
        assert_eq!(bench.outputs().counts.empty_sends.value(), 1);
        assert_eq!(bench.events.len(), events + 4);

        // Bad ACKs.
        let sack = |psn: u64, bit: u64| {
            move |bench: &mut Bench| {
                bench.ack(kind::ACK, 3, psn, move |input| {
                    put(&mut input.ack.sack_offset, bit.wrapping_sub(psn));
                    put(&mut input.ack.sack, u64::from(bit > 0));
                });
            }
        };
        for (psn, bit) in [(110, 0), (107, 110), (0xFFFF_0000, 0)] {
            assert_eq!(walk_cycles(&mut bench, sack(psn, bit)), 2 * l + 10);
        }
        assert_eq!(bench.outputs().counts.outside_acks.value(), 3);
        assert_eq!((bench.events.len(), state(&mut bench)), (events + 4, [108, 110, 2, 0]));
        assert_eq!(walk_cycles(&mut bench, sack(50, 109)), 2 * l + 10 + l + 5 + 1);
        assert_eq!(state(&mut bench), [108, 110, 1, 0]);
        let out = bench.outputs();
        assert_eq!(
            [out.counts.late_acks, out.counts.outside_acks, out.counts.bad_times].map(|count| count.value()),
            [1, 3, 0]
        );
    }
}

#[test]
fn wrap() {
    for config in configs(64) {
        let mut bench = Bench::new(config);
        let l = bench.l();
        bench.open(3, 7, 0xFFFF_FFFE);
        bench.settle();
        bench.news(3, 3);
        let ack = |bench: &mut Bench| bench.ack(kind::ACK, 3, 0, |_| ());
        assert_eq!(walk_cycles(&mut bench, ack), 2 * l + 10 + 2 * (l + 5) + 3);
        assert_eq!(bench.kinds(0), [(0, 0xFFFF_FFFE), (0, 0xFFFF_FFFF), (0, 0)]);
        let response = bench.read(3);
        assert_eq!([response.base, response.next, response.in_flight].map(|field| field.value()), [1, 1, 0]);
        // A whole window, which begins and ends in the same word.
        bench.settle();
        bench.news(3, 65);
        bench.settle();
        assert_eq!(bench.outputs().counts.refused_sends.value(), 1);
        assert_eq!(bench.read(3).next.value(), 65);
        bench.settle();
        let ack = |bench: &mut Bench| bench.ack(kind::ACK, 3, 64, |_| ());
        assert_eq!(walk_cycles(&mut bench, ack), 2 * l + 10 + 2 * (l + 5) + 64);
        let psns: Vec<_> = bench.kinds(3);
        assert_eq!(psns, (1..=64).map(|psn| (0, psn)).collect::<Vec<_>>());
        let response = bench.command(op::CLOSE, 3, |_| ());
        assert_eq!([response.done, response.open, response.base].map(|field| field.value()), [1, 0, 0]);
    }
}
