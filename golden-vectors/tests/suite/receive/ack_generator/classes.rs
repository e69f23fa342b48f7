// SPDX-License-Identifier: MIT OR Apache-2.0
//! G4, G5, G11: each line of the tables of classes.

use super::help::{Bench, ROCE, UET, other, packet};
use golden_vectors::receive::ack_generator::oracle::{Arrival, Outcome, Settings, nack, op};

/// Kind, PSN, syndrome and flags of what is sent for an arrival, with 100 expected, and the arrivals refused.
fn roce(multipath: bool, arrival: Arrival) -> (Vec<(u64, u64, u64, u64)>, u64) {
    let mut bench = Bench::opened(ROCE, 100, multipath);
    bench.arrive(arrival);
    let sent = bench.sent();
    assert!(sent.iter().all(|ack| ack.multipath == multipath && ack.connection == 0));
    let sent = sent.iter().map(|ack| (ack.kind, ack.psn, ack.syndrome, ack.flags)).collect();
    (sent, bench.counters().refused_arrivals)
}

/// A request that is not served.
fn unserved(psn: u64) -> Arrival {
    Arrival { unserved: true, ..other(Outcome::Probe, psn) }
}

#[test]
fn roce_with_multipath() {
    let request = |arrival| Arrival { ack_request: true, ..arrival };
    let (ack, none) = ((0, 99, 0x1F, 0), vec![]);
    for (line, arrival, sent, refused) in [
        ("unknown", request(other(Outcome::Unknown, 100)), none.clone(), 1),
        ("closed", Arrival { connection: 2, ..request(other(Outcome::InOrder, 100)) }, none.clone(), 1),
        ("in order", request(packet(0, 100, 101)), vec![(0, 100, 0x1F, 0)], 0),
        ("in order, nothing urgent", packet(0, 100, 101), none.clone(), 0),
        ("probe", other(Outcome::Probe, 7), vec![(0, 99, 0x1F, 0b100)], 0),
        ("below", other(Outcome::Below, 98), vec![ack], 0),
        ("no buffer, expected", other(Outcome::NoBuffer, 100), vec![(2, 100, 0x2C, 0)], 0),
        ("held", request(Arrival { held: 1, ..other(Outcome::Held, 102) }), vec![(0, 99, 0x1F, 0b001)], 0),
        ("held, nothing urgent", Arrival { held: 1, ..other(Outcome::Held, 102) }, none.clone(), 0),
        ("duplicate", other(Outcome::Duplicate, 102), vec![ack], 0),
        ("no buffer", other(Outcome::NoBuffer, 110), vec![(2, 100, 0x2C, 0)], 0),
        ("no room, expected", no_room(100), vec![(2, 100, 0x2C, 0)], 0),
        ("no room", no_room(110), vec![(2, 100, 0x2C, 0)], 0),
        ("no room, received before", no_room(99), vec![ack], 0),
        ("no room, not served", Arrival { unserved: true, ..no_room(110) }, none.clone(), 1),
        ("above", request(other(Outcome::Above, 900)), none.clone(), 1),
        ("unserved, expected", unserved(100), vec![(2, 100, 0x61, 0)], 0),
        ("unserved", request(unserved(101)), none, 1),
    ] {
        assert_eq!(roce(true, arrival), (sent, refused), "{line}");
    }
}

/// RoCEv2 as IBA has it: NAKs have the expected PSN, ACKs the one before it.
#[test]
fn roce_without_multipath() {
    let (again, sequence_error) = ((0, 99, 0x1F, 0), (2, 100, 0x60, 0));
    for (line, arrival, sent) in [
        ("below", other(Outcome::Below, 98), again),
        ("probe", other(Outcome::Probe, 7), again),
        ("no buffer, expected", other(Outcome::NoBuffer, 100), (2, 100, 0x2C, 0)),
        ("held", Arrival { held: 1, suspected: true, ..other(Outcome::Held, 102) }, sequence_error),
        ("duplicate", other(Outcome::Duplicate, 102), sequence_error),
        ("above", other(Outcome::Above, 900), sequence_error),
        ("no buffer", other(Outcome::NoBuffer, 110), sequence_error),
        ("no room, expected", no_room(100), (2, 100, 0x2C, 0)),
        ("no room", no_room(110), (2, 100, 0x2C, 0)),
        ("no room, received before", no_room(99), again),
        ("unserved, expected", unserved(100), (2, 100, 0x61, 0)),
        ("unserved", unserved(101), sequence_error),
    ] {
        assert_eq!(roce(false, arrival), (vec![sent], 0), "{line}");
    }
    assert_eq!(roce(false, Arrival { ack_request: true, ..other(Outcome::Unknown, 100) }), (vec![], 1));
    assert_eq!(roce(false, packet(0, 100, 101)), (vec![], 0));
}

/// G11: an invalid request is said again whenever it comes, and nothing else is said until the expected packet comes.
#[test]
fn invalid_requests() {
    let mut bench = Bench::opened(ROCE, 100, false);
    let mut codes = Vec::new();
    for arrival in
        [other(Outcome::Held, 101), unserved(100), other(Outcome::Held, 101), unserved(100), packet(0, 100, 101)]
    {
        bench.arrive(Arrival { ack_request: true, ..arrival });
        codes.extend(bench.sent().iter().map(|ack| (ack.psn, ack.syndrome)));
    }
    assert_eq!(codes, [(100, 0x60), (100, 0x61), (100, 0x61), (100, 0x1F)]);
}

/// The packet is lost before `reorder`.
fn no_room(psn: u64) -> Arrival {
    Arrival { no_room: true, ..other(Outcome::Probe, psn) }
}

/// G11: one RNR NAK of a gap, and one whenever the expected packet finds no room; with and without multipath.
#[test]
fn no_room_in_front_of_reorder() {
    for multipath in [false, true] {
        let mut bench = Bench::opened(ROCE, 100, multipath);
        let mut said = Vec::new();
        for psn in [103, 104, 100, 105, 100] {
            bench.arrive(no_room(psn));
            said.extend(bench.sent().iter().map(|ack| (psn, ack.psn, ack.syndrome)));
        }
        assert_eq!(said, [(103, 100, 0x2C), (100, 100, 0x2C), (100, 100, 0x2C)]);
        assert_eq!(bench.counters().refused_arrivals, 2);
        // The next gap is another one.
        bench.send(0, 100);
        bench.sent();
        bench.arrive(Arrival { expected: 101, ..no_room(103) });
        assert_eq!(bench.sent().iter().map(|ack| (ack.psn, ack.syndrome)).collect::<Vec<_>>(), [(101, 0x2C)]);
    }
}

/// G27: one NACK in the time for each connection, for what finds no room and for what finds no buffer.
#[test]
fn no_buffer_is_said_once_in_a_time() {
    let mut bench = Bench::opened(UET, 100, false);
    // A unit in two clock cycles: 40 of them.
    bench.set(|s| Settings { tick: 1 << 15, no_buffer_time: 20, ..s });
    let (begin, before) = (bench.oracle.cycle(), bench.acks.len());
    for n in 0..100 {
        bench.until(begin + 5 * n);
        bench.arrive(if n % 2 == 0 { no_room(100 + n) } else { other(Outcome::NoBuffer, 100 + n) });
    }
    bench.quiet();
    let said: Vec<_> = bench.acks[before..].iter().map(|(_, ack)| (ack.psn - 100, ack.code)).collect();
    assert_eq!(said, (0..100).step_by(8).map(|n| (n, 0x07)).collect::<Vec<_>>());
    // Other reasons and other connections have nothing to do with it, nor has a packet that had been received.
    for arrival in [no_room(100), Arrival { connection: 1, ..no_room(107) }, other(Outcome::Above, 900), no_room(99)] {
        bench.arrive(arrival);
    }
    let said: Vec<_> = bench.sent().iter().map(|ack| (ack.connection, ack.psn, ack.code)).collect();
    assert!(said.contains(&(1, 107, 0x07)) && said.contains(&(0, 900, 0x0B)) && said.contains(&(0, 99, 0)), "{said:?}");
}

#[test]
fn uet() {
    let syn = |arrival| Arrival { syn: true, ..arrival };
    let nack = |psn, code| vec![(2, psn, code, 0)];
    let (ack, again) = (|psn| vec![(1, psn, 0, 0)], vec![(1, 99, 0, 0xFFFF)]);
    for (line, arrival, sent) in [
        ("unknown, syn", syn(other(Outcome::Unknown, 5)), nack(5, nack::NO_PDC_AVAIL)),
        ("unknown", other(Outcome::Unknown, 5), nack(5, nack::INV_DPDCID)),
        ("closed", Arrival { connection: 2, ..other(Outcome::InOrder, 6) }, nack(6, 0x0E)),
        ("closed, trimmed", Arrival { connection: 2, trimmed: true, ..other(Outcome::InOrder, 6) }, nack(6, 0x0E)),
        ("in order", Arrival { ack_request: true, ..packet(0, 100, 101) }, ack(100)),
        ("in order, nothing urgent", packet(0, 100, 101), vec![]),
        ("held", Arrival { ack_request: true, ..other(Outcome::Held, 102) }, vec![(1, 99, 0, 3)]),
        ("held, nothing urgent", other(Outcome::Held, 102), vec![]),
        ("duplicate", other(Outcome::Duplicate, 104), vec![(1, 99, 0, 5)]),
        ("below", other(Outcome::Below, 98), again),
        ("probe", Arrival { opaque: 77, ..other(Outcome::Probe, 9) }, vec![(1, 99, 0, 77)]),
        ("above, syn", syn(other(Outcome::Above, 900)), nack(900, 0x15)),
        ("above", other(Outcome::Above, 900), nack(900, 0x0B)),
        ("no buffer", other(Outcome::NoBuffer, 110), nack(110, 0x07)),
        ("no room, expected", no_room(100), nack(100, 0x07)),
        ("no room", no_room(110), nack(110, 0x07)),
        ("no room, received before", no_room(99), vec![(1, 99, 0, 0)]),
        ("no room, trimmed", Arrival { trimmed: true, ..no_room(110) }, nack(110, 0x01)),
        ("no buffer, syn", syn(other(Outcome::NoBuffer, 110)), nack(110, 0x07)),
    ] {
        let mut bench = Bench::opened(UET, 100, false);
        bench.arrive(arrival);
        let found: Vec<_> = bench.sent().iter().map(|ack| (ack.kind, ack.psn, ack.code, ack.psn_offset)).collect();
        assert_eq!(found, sent, "{line}");
    }
}

/// Trimmed: whatever the outcome, if the connection is known.
#[test]
fn uet_trimmed() {
    for outcome in Outcome::ALL {
        for (last_hop, code) in [(false, 0x01), (true, 0x02)] {
            let mut bench = Bench::opened(UET, 100, false);
            bench.arrive(Arrival { trimmed: true, last_hop, syn: true, ..other(outcome, 101) });
            let code = if outcome == Outcome::Unknown { 0x04 } else { code };
            let found: Vec<_> = bench.sent().iter().map(|ack| (ack.kind, ack.psn, ack.code)).collect();
            assert_eq!(found, [(2, 101, code)], "{outcome:?}");
        }
    }
}

/// G5: what is refused or answered alone tells the state too; what is unknown does not; nor does what is trimmed the word.
#[test]
fn g5_state_follows_every_arrival() {
    let mut bench = Bench::opened(ROCE, 100, true);
    bench.arrive(Arrival { held: 5, suspected: true, ..packet(0, 900, 107) }.with(Outcome::Above));
    assert_eq!(bench.command(op::READ, 0, 0, false).expected, 107);
    bench.arrive(Arrival { held: 9, ..packet(0, 900, 200) }.with(Outcome::Unknown));
    bench.arrive(packet(0, 900, 107).with(Outcome::Below));
    let ack = bench.sent()[0];
    assert_eq!((ack.psn, ack.flags), (106, 0));
    let mut bench = Bench::opened(UET, 100, false);
    let word = |arrival, sack| Arrival { sack_base: 64, sack, held: 1, ..arrival };
    bench.arrive(word(other(Outcome::Held, 102), 0b1011));
    bench.arrive(Arrival { trimmed: true, ..word(other(Outcome::Held, 103), 0b111) });
    bench.arrive(word(other(Outcome::Above, 900), 0));
    bench.arrive(word(other(Outcome::Below, 90), 0));
    let acks = bench.sent();
    let ack = acks.iter().find(|ack| ack.kind == 1).unwrap();
    // 64 - 99 is -35.
    assert_eq!((ack.sack, ack.sack_offset, ack.ooo_count), (0b1011, 0x1_0000 - 35, 1));
}

trait With {
    fn with(self, outcome: Outcome) -> Self;
}

impl With for Arrival {
    fn with(self, outcome: Outcome) -> Self {
        Arrival { outcome, ..self }
    }
}

/// The example at the beginning of the page: count 4, multipath off.
#[test]
fn the_example_of_the_page() {
    let mut bench = Bench::opened(ROCE, 10, false);
    bench.set(|s| golden_vectors::receive::ack_generator::oracle::Settings { count: 4, ..s });
    for psn in 10..13 {
        bench.send(0, psn);
    }
    assert_eq!(bench.sent(), []);
    bench.send(0, 13);
    assert_eq!(bench.sent()[0].psn, 13);
    bench.send(0, 14);
    bench.urgent(0, 15);
    assert_eq!(bench.sent()[0].psn, 15);
    bench.arrive(Arrival { held: 1, ..packet(0, 17, 16) }.with(Outcome::Held));
    let nak = bench.sent()[0];
    assert_eq!((nak.kind, nak.psn, nak.syndrome), (2, 16, 0x60));
    bench.arrive(Arrival { held: 2, ..packet(0, 18, 16) }.with(Outcome::Held));
    bench.arrive(packet(0, 16, 19));
    assert_eq!(bench.sent(), []);
    for psn in 19..22 {
        bench.send(0, psn);
    }
    let ack = bench.sent();
    assert_eq!(ack.iter().map(|ack| (ack.kind, ack.psn)).collect::<Vec<_>>(), [(0, 21)]);
}

/// G11: one NAK per gap. A packet in order ends it, also before the NAK has been taken.
#[test]
fn g11_naks() {
    let mut bench = Bench::opened(ROCE, 100, false);
    let naks = |bench: &mut Bench| bench.sent().iter().map(|ack| (ack.kind, ack.psn, ack.syndrome)).collect::<Vec<_>>();
    let held = Arrival { ack_request: true, ecn: true, ..other(Outcome::Held, 102) };
    bench.arrive(held);
    assert_eq!(naks(&mut bench), [(2, 100, 0x60)]);
    let merged = bench.counters().merged_causes;
    for _ in 0..3 {
        bench.arrive(held);
    }
    assert_eq!(naks(&mut bench), []);
    assert_eq!(bench.counters().merged_causes, merged + 3);
    // The expected packet finds no room: each time.
    for _ in 0..2 {
        bench.arrive(other(Outcome::NoBuffer, 100));
        assert_eq!(naks(&mut bench), [(2, 100, 0x2C)]);
    }
    bench.arrive(held);
    assert_eq!(naks(&mut bench), []);
    bench.send(0, 100);
    bench.arrive(Arrival { expected: 101, ..held });
    assert_eq!(naks(&mut bench), [(2, 101, 0x60)]);
    // Not yet taken: a sequence error becomes not ready; then the packet comes, and it is an ACK.
    for (arrivals, sent) in [
        (
            vec![packet(0, 103, 101).with(Outcome::NoBuffer), packet(0, 101, 101).with(Outcome::NoBuffer)],
            (2, 101, 0x2C),
        ),
        (vec![packet(0, 101, 101).with(Outcome::NoBuffer), packet(0, 101, 102)], (0, 101, 0x1F)),
        (vec![packet(0, 104, 102).with(Outcome::Above), packet(0, 102, 105)], (0, 104, 0x1F)),
        (
            vec![
                packet(0, 109, 105).with(Outcome::Above),
                packet(0, 105, 106),
                packet(0, 108, 106).with(Outcome::Held),
            ],
            (2, 106, 0x60),
        ),
    ] {
        bench.block();
        for arrival in arrivals {
            bench.arrive(arrival);
        }
        let sent_now: Vec<_> = bench.release().iter().map(|ack| (ack.kind, ack.psn, ack.syndrome)).collect();
        assert_eq!(sent_now, [sent]);
    }
}

/// With multipath: one RNR NAK until a packet comes in order, but each time for the expected one.
#[test]
fn g11_not_ready_with_multipath() {
    let mut bench = Bench::opened(ROCE, 100, true);
    for (psn, count) in [(110, 1), (111, 0), (100, 1), (112, 0)] {
        bench.arrive(other(Outcome::NoBuffer, psn));
        assert_eq!(bench.sent().len(), count, "{psn}");
    }
    assert_eq!(bench.counters().refused_arrivals, 2);
    bench.send(0, 100);
    bench.arrive(Arrival { expected: 101, ..other(Outcome::NoBuffer, 110) });
    assert_eq!(bench.sent()[0].kind, 2);
    assert_eq!(bench.counters().naks, 3);
}
