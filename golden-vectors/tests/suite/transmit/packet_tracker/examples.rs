// SPDX-License-Identifier: MIT OR Apache-2.0
//! The examples of the page, to the digit.

use super::help::{Run, SIZE};
use golden_vectors::transmit::packet_tracker::oracle::{Ack, Response, Settings, Shape, ack, event, outcome};

/// Like the examples: PDC 3 of CCC 7 is open with this PSN.
fn opened(psn: u64) -> Run {
    let mut run = Run::new(Shape::new(4, 256));
    assert!(run.open(3, psn, 7).1.done);
    run
}

#[test]
fn in_order() {
    let mut run = opened(100);
    run.until(1000);
    run.new_packets(3, 4);
    run.until(5000);
    run.ack(Ack { counted: true, rcvd_bytes: 65, ..run.ack_of(3, 103) });
    run.ack(Ack { pdc: 3, kind: ack::CREDIT, ..Ack::default() });
    run.drain();
    for n in 0..4 {
        let (cycle, sent) = run.sent[n as usize];
        assert_eq!((cycle, sent.ok, sent.psn, sent.room), (1015 + n, true, 100 + n, 255 - n));
        let (cycle, event) = run.events[n as usize];
        assert_eq!((cycle, event.kind, event.packet, event.size), (1019 + n, event::SEND, true, 4160));
        let (cycle, outcome) = run.outcomes[n as usize];
        assert_eq!((cycle, outcome.kind, outcome.psn), (5032 + n, outcome::ACKNOWLEDGED, 100 + n));
        assert_eq!((outcome.trigger, outcome.timed), (n == 3, n == 3));
    }
    let (cycle, event) = run.events[4];
    assert_eq!((cycle, event.kind, event.packets, event.quanta), (5044, event::ACK, 4, 65));
    // The time of cycle 1004, in which PSN 103 entered; the settings are those after reset.
    assert_eq!((event.timed, event.stamp, event.room, event.ccc), (true, (1004 * 1589) >> 16, 256, 7));
    // The next operation enters in cycle 5027.
    assert_eq!(run.events[5].0, 5027 + 14 + 4);
}

/// PSN 104 to 109 in flight.
fn six() -> Run {
    let mut run = opened(100);
    run.new_packets(3, 4);
    run.drain();
    run.ack(run.ack_of(3, 103));
    run.drain();
    run.new_packets(3, 6);
    run.drain();
    run.events.clear();
    run.outcomes.clear();
    run
}

fn counts(response: Response) -> [u64; 4] {
    [response.base, response.next, response.in_flight, response.marked]
}

#[test]
fn sack_nack_and_late_ack() {
    for sent_again in [false, true] {
        let mut run = six();
        let nack = Ack { kind: ack::NACK, reason: 0x1A, ..run.ack_of(3, 105) };
        run.ack(nack);
        run.drain();
        assert_eq!(counts(run.read(3)), [104, 110, 5, 1]);
        assert_eq!(run.oracle.pdc(3).first, 1);
        run.ack(nack);
        run.drain();
        assert_eq!(counts(run.read(3)), [104, 110, 5, 1]);
        assert_eq!(run.oracle.outputs().counters.void_nacks, 1);
        assert_eq!((run.events.len(), run.events[0].1.kind, run.events[0].1.size), (1, event::NACK, 4160));

        let bits = ((1 << 41) - 1) | 1 << 42 | 1 << 43;
        let bitmap = Ack { sack_offset: -40, sack: bits, ..run.ack_of(3, 104) };
        for (packets, kept) in [(3, 31), (0, 21)] {
            let accepted = run.ack(bitmap);
            run.drain();
            let (cycle, event) = run.events[run.events.len() - 1];
            assert_eq!((event.kind, event.packets, event.rtx_packets), (event::ACK, packets, 0));
            assert_eq!(cycle - 18 - (accepted + 1), kept);
            assert_eq!(counts(run.read(3)), [105, 110, 2, 1]);
            assert_eq!(run.oracle.pdc(3).top, 3);
        }
        if sent_again {
            let accepted = run.again(3);
            run.drain();
            let (cycle, sent) = run.sent[run.sent.len() - 1];
            assert_eq!((sent.ok, sent.psn, sent.rtx_count, sent.marked), (true, 105, 1, 0));
            assert_eq!(cycle, accepted + 1 + 14 + 7 + 1 + 14);
        }
        run.outcomes.clear();
        let accepted = run.ack(Ack { trigger_offset: -2, ..run.ack_of(3, 107) });
        run.drain();
        let (cycle, event) = run.events[run.events.len() - 1];
        // One visit, one read.
        assert_eq!(cycle - 18 - (accepted + 1), 14 + 7 + 1);
        let outcome = run.outcomes[0].1;
        assert_eq!((run.outcomes.len(), outcome.psn, outcome.trigger), (1, 105, true));
        if sent_again {
            assert_eq!((event.packets, event.rtx_packets, event.rtx_bytes), (1, 0, 0));
            assert_eq!((event.timed, event.rtx_count, event.retx), (true, 1, false));
            assert_eq!((outcome.kind, outcome.timed), (outcome::ACKNOWLEDGED, false));
        } else {
            assert_eq!((event.packets, event.rtx_packets, event.rtx_bytes), (0, 1, SIZE));
            assert_eq!(outcome.kind, outcome::LATE);
        }
        assert_eq!(counts(run.read(3)), [108, 110, 2, 0]);
        let events = run.events.len();
        run.again(3);
        run.drain();
        assert_eq!(run.oracle.outputs().counters.empty_sends, 1);
        assert_eq!((run.events.len(), run.sent[run.sent.len() - 1].1.ok), (events, false));
    }
}

/// The timer of the page, with the settings after reset, but without probes of the tail: a unit of time is 41 clock cycles, in which a scan is over.
#[test]
fn time_outs() {
    let reset = Settings { tail_probe: 0, ..Settings::reset(256) };
    let mut run = Run::new(Shape::new(2, 256).reset(reset));
    run.open(1, 107, 7);
    run.until_time(1000);
    run.new_packets(1, 3);
    run.until_time(1020);
    run.ack(Ack { triggered: false, ..run.ack_of(1, 107) });
    run.drain();
    let pdc = |run: &Run| run.oracle.pdc(1).clone();
    assert_eq!((pdc(&run).packet(0).stamp, pdc(&run).packet(1).stamp, pdc(&run).since), (1000, 1000, 1020));
    // Two more losses: the time behind their events.
    let losses = |run: &mut Run| {
        let number = |run: &Run| run.events.iter().filter(|(_, event)| event.kind == event::LOSS).count();
        let before = number(run);
        while number(run) < before + 2 {
            run.idle(1);
        }
        run.oracle.time()
    };
    assert!([8833, 8834].contains(&losses(&mut run)));
    assert_eq!((pdc(&run).retries, pdc(&run).since), (1, 8833));
    run.until_time(8900);
    run.again(1);
    run.until_time(8901);
    run.again(1);
    run.drain();
    assert_eq!((pdc(&run).packet(0).stamp, pdc(&run).packet(1).stamp), (8900, 8901));
    assert!([24_459, 24_460].contains(&losses(&mut run)));
    assert_eq!((pdc(&run).retries, pdc(&run).since), (2, 24_459));
    // The others, with a unit of time in a clock cycle.
    run.set(Settings { tick: 65_535, ..reset });
    for (n, wait) in [31_252, 62_504, 125_008].into_iter().enumerate() {
        run.again(1);
        run.again(1);
        let since = pdc(&run).since;
        let time = losses(&mut run);
        assert!((wait..wait + 50).contains(&(time - since)), "{wait}: {since} to {time}");
        run.drain();
        assert_eq!(pdc(&run).retries, 3 + n as u64);
    }
    run.again(1);
    run.again(1);
    let since = pdc(&run).since;
    assert!(!run.read(1).failed);
    while run.failures.is_empty() {
        run.idle(1);
    }
    assert!((250_016..250_066).contains(&(run.oracle.time() - since)));
    assert_eq!(run.failures, [(run.oracle.cycle() - 1, 1)]);
    assert_eq!(run.oracle.outputs().counters.timeouts, 10);
    let failed = run.read(1);
    assert_eq!((failed.failed, failed.retries, failed.in_flight, failed.marked), (true, 5, 2, 0));
    run.ack(run.ack_of(1, 108));
    run.drain();
    let response = run.read(1);
    assert_eq!((response.failed, response.retries), (false, 0));
}

#[test]
fn wrap() {
    let mut run = Run::new(Shape::new(4, 64));
    run.open(0, 0xFFFF_FFFE, 1);
    run.new_packets(0, 3);
    run.drain();
    let accepted = run.ack(run.ack_of(0, 0));
    run.drain();
    let psns: Vec<u64> = run.outcomes.iter().map(|(_, outcome)| outcome.psn).collect();
    assert_eq!(psns, [0xFFFF_FFFE, 0xFFFF_FFFF, 0]);
    // Two visits, three reads.
    assert_eq!(run.events[3].0 - 18 - (accepted + 1), 14 + 2 * 7 + 3);
    assert_eq!(counts(run.read(0)), [1, 1, 0, 0]);
}

#[test]
fn bad_acks() {
    let mut run = opened(108);
    run.new_packets(3, 2);
    run.drain();
    let bit = |run: &Run, psn: u64, sack_offset: i16| Ack { sack_offset, sack: 1, ..run.ack_of(3, psn) };
    for (n, ack) in [run.ack_of(3, 110), bit(&run, 107, 3), run.ack_of(3, 0xFFFF_0000)].into_iter().enumerate() {
        run.ack(ack);
        run.drain();
        assert_eq!(run.oracle.outputs().counters.outside_acks, n as u64 + 1);
        assert_eq!((run.events.len(), run.outcomes.len()), (2, 0));
    }
    run.ack(bit(&run, 50, 59));
    run.drain();
    assert_eq!((run.events[2].1.packets, run.outcomes[0].1.psn), (1, 109));
}
