// SPDX-License-Identifier: MIT OR Apache-2.0
//! UET.

use super::bench::{Bench, In, put, put_option};
use pipeline::headers::uet::nack;
use pipeline::receive::ack_generator::{Ack, AckGeneratorConfig, AckProtocol, kind, op, outcome};
use rtl_model::{Bits, Model};
use tier::pick;

fn configs() -> impl Iterator<Item = AckGeneratorConfig> {
    let config = AckGeneratorConfig::new(AckProtocol::Uet, 4, 64);
    (1..=3).map(move |ram_latency| AckGeneratorConfig { ram_latency, ..config })
}

fn values<const N: usize>(fields: [Bits<Model>; N]) -> [u64; N] {
    fields.map(Bits::value)
}

fn packet(length: u64, ev: u64) -> impl Fn(&mut In) {
    move |input| {
        put_option(&mut input.arrival.packet.length, length);
        put_option(&mut input.arrival.packet.ev, ev);
        put_option(&mut input.arrival.packet.handle, ev);
    }
}

/// The first packet is acknowledged at once, further ones by bytes.
#[test]
fn packets_are_acknowledged_by_bytes() {
    for config in configs() {
        let mut bench = Bench::new(config);
        bench.command(op::OPEN, 1, 0xFFFF_FFFF, false);
        bench.arrive([1, outcome::IN_ORDER, 0xFFFF_FFFF, 0], packet(4096, 5));
        bench.idle(40);
        for psn in 0..5 {
            bench.arrive([1, outcome::IN_ORDER, psn, psn + 1], packet(4096, 6 + psn));
            bench.idle(40);
        }
        let fields = |ack: &Ack<Model>| values([ack.kind, ack.psn, ack.ev.expect("UET"), ack.rcvd_bytes.expect("UET")]);
        let seen: Vec<_> = bench.acks.iter().map(|(_, ack)| fields(ack)).collect();
        assert_eq!(seen, [[1, 0xFFFF_FFFF, 5, 16], [1, 3, 9, 80]]);
        let response = bench.command(op::READ, 1, 0, false);
        assert_eq!(values([response.bytes.expect("UET"), response.draining]), [6 * 4096, 1]);
    }
}

/// G4: the reason of each NACK.
#[test]
fn every_nack_has_its_reason() {
    type Case = (u64, bool, bool, bool, bool, u64);
    const CASES: [Case; 8] = [
        (outcome::UNKNOWN, false, true, false, false, nack::NO_PDC_AVAIL),
        (outcome::IN_ORDER, false, false, false, false, nack::INV_DPDCID),
        (outcome::UNKNOWN, true, false, true, false, nack::INV_DPDCID),
        (outcome::PROBE, true, false, true, true, nack::TRIMMED_LASTHOP),
        (outcome::IN_ORDER, true, false, true, false, nack::TRIMMED),
        (outcome::ABOVE, true, true, false, false, nack::INVALID_SYN),
        (outcome::ABOVE, true, false, false, false, nack::PSN_OOR_WINDOW),
        (outcome::NO_BUFFER, true, false, false, false, nack::NO_PKT_BUFFER),
    ];
    for config in configs() {
        let mut bench = Bench::new(config);
        bench.command(op::OPEN, 1, 0, false);
        for (i, (outcome, open, syn, trimmed, last_hop, code)) in CASES.into_iter().enumerate() {
            bench.arrive([open.into(), outcome, 77, 0], |input| {
                packet(100, i as u64)(input);
                put_option(&mut input.arrival.packet.syn, syn.into());
                put(&mut input.arrival.packet.trimmed, trimmed.into());
                put_option(&mut input.arrival.packet.last_hop, last_hop.into());
            });
            bench.idle(40);
            let (_, ack) = bench.acks[i];
            let seen =
                values([ack.kind, ack.code.expect("UET"), ack.psn, ack.ev.expect("UET"), ack.handle.expect("UET")]);
            assert_eq!(seen, [kind::NAK, code, 77, i as u64, i as u64], "{i}");
        }
        assert_eq!(bench.outputs().counts.naks.value(), 8);
    }
}

/// G13: an event makes a NACK for each PSN from the expected one, in pauses, as there is room.
#[test]
fn an_event_makes_a_nack_per_psn() {
    for config in configs() {
        let mut bench = Bench::new(AckGeneratorConfig { replies: 4, ..config });
        bench.command(op::OPEN, 1, 0xFFFF_FFF0, false);
        bench.arrive([1, outcome::IN_ORDER, 0xFFFF_FFF0, 0xFFFF_FFFC], packet(64, 0));
        bench.idle(40);
        bench.event(1, 0xFFFF_FFF8, 9);
        for _ in 0..300 {
            bench.arrive([2, outcome::UNKNOWN, 1, 0], packet(64, 1));
            bench.idle(1);
        }
        bench.idle(100);
        let inferred = |ack: &Ack<Model>| ack.code.expect("UET").value() == nack::RCVR_INFER_LOSS;
        let seen: Vec<_> = bench.acks.iter().filter(|(_, ack)| inferred(ack)).map(|(_, ack)| ack.psn.value()).collect();
        let expected: Vec<_> = (0xFFFF_FFFC_u64..0x1_0000_000A).map(|psn| psn & 0xFFFF_FFFF).collect();
        assert_eq!(seen, expected);
        assert!(bench.outputs().counts.dropped_replies.value() > 0);
        assert_eq!(bench.outputs().event_ready.value(), 1);
    }
}

/// The answer to a probe, and the state in an ACK_CC.
#[test]
fn a_probe_has_its_opaque_and_the_state() {
    for config in configs() {
        let mut bench = Bench::new(config);
        bench.command(op::OPEN, 1, 100, false);
        bench.arrive([1, outcome::HELD, 105, 100], |input| {
            packet(300, 9)(input);
            put(&mut input.arrival.packet.held, 1);
            put_option(&mut input.arrival.packet.sack_base, 64);
            put_option(&mut input.arrival.packet.sack, 1 << 41);
        });
        bench.idle(40);
        bench.arrive([1, outcome::PROBE, 0, 100], |input| {
            packet(300, 10)(input);
            put(&mut input.arrival.packet.held, 1);
            put_option(&mut input.arrival.packet.opaque, 0xBEEF);
        });
        bench.idle(40);
        let fields = |ack: &Ack<Model>| {
            let uet = [ack.psn_offset, ack.sack_offset, ack.sack, ack.rcvd_bytes, ack.ooo_count, ack.ev]
                .map(|it| it.expect("UET"));
            (values([ack.kind, ack.flags, ack.psn]), values(uet))
        };
        let offset = 0x1_0000 + 64 - 99;
        assert_eq!(fields(&bench.acks[0].1), ([1, 0, 99], [6, offset, 1 << 41, 2, 1, 9]));
        assert_eq!(fields(&bench.acks[1].1), ([1, 8, 99], [0xBEEF, offset, 1 << 41, 2, 1, 10]));
        assert!(bench.acks.iter().all(|(_, ack)| ack.service_time.expect("UET").value() >= 1));
    }
}

/// The service time has a largest value; a PSN that is too far away is not told.
#[test]
fn fields_have_limits() {
    for config in pick(configs(), 1) {
        let mut bench = Bench::new(config);
        bench.command(op::OPEN, 1, 0x9000, false);
        bench.clock(|input| {
            put(&mut input.settings.valid, 1);
            put(&mut input.settings.tick, 0xFFFF);
            put_option(&mut input.settings.trigger, 0xFFFF);
            put_option(&mut input.settings.cc, 1);
        });
        for (psn, offset) in [(0x900F, 0x10), (0x10FFF, 0x8000), (0x10FFE, 0x7FFF), (0xFFF, 0x8000), (0xFFE, 0)] {
            bench.arrive([1, outcome::BELOW, psn, 0x9000], packet(64, 0));
            bench.idle(40);
            let ack = bench.acks.last().expect("it is answered").1;
            let limited = if psn == 0x10FFF { 0 } else { offset };
            assert_eq!(ack.psn_offset.expect("UET").value(), limited, "{psn:#x}");
        }
        bench.arrive([1, outcome::IN_ORDER, 0x9000, 0x9001], packet(64, 0));
        bench.idle(70_000);
        bench.command(op::CLOSE, 1, 0, false);
        bench.idle(40);
        let ack = bench.acks.last().expect("it is answered").1;
        assert_eq!(ack.service_time.expect("UET").value(), 0xFFFF);
    }
}
