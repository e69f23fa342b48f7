// SPDX-License-Identifier: MIT OR Apache-2.0
//! Answers to probes (M18, M29, M43; row G4 of `ack_generator`): of RoCEv2, packets with the flag P in their MPEH; of UET,
//! control packets PROBE. With a key that has a connection, and with one that has none.

use super::alone::{Alone, Uet, ev_of, marked, multipath, request};
use super::tag::rocev2;
use super::{config, holding_frames, model, open, peer};
use golden_vectors::headers::Mpeh;
use golden_vectors::headers::codec::{Delivery, Record, Transport};
use pipeline::receive::ack_generator::AckProtocol;
use pipeline::receive::rx::RxConfig;
use testbench::Dut;

/// UET: the type of a control packet, and PROBE.
const CONTROL: u32 = 11;
const PROBE: u32 = 6;
const INV_DPDCID: u8 = 0x0E;
/// Flags of the MPEH.
const P: u8 = 4;

pub fn uet(record: &Record) -> Delivery {
    let Some(Transport::Uet(headers)) = record.transport else { panic!("{:?} answers", record.transport_name()) };
    headers.delivery
}

/// Packets that have been delivered.
fn delivered(alone: &Alone) -> usize {
    match alone.run.holds_frames() {
        true => alone.run.delivered_frames().expect("they are whole").len(),
        false => alone.run.delivered().expect("the fields are there").len(),
    }
}

/// Each path answers its own probe, and probes have no place in the order.
pub fn probes_of_rocev2(dut: &mut dyn Dut, config: &RxConfig) {
    let mut alone = Alone::new(dut, config);
    let (known, single, unknown) = (0x1111, 0x2222, 0x3333);
    alone.does(multipath(config, 5, known, 100));
    alone.does(open(2, single, 200));
    let probe = |key, psn, path: u8| {
        let mpeh = Mpeh::new().with_path_id(path).with_flags(P).with_flowlet_seq(9).with_sched_tag(7);
        request(key, psn, 20).with_mpeh(mpeh)
    };
    for psn in [100, 101] {
        assert_eq!(alone.answers_to(&request(known, psn, 8)).len(), 1);
    }
    let mut answered = 0;
    for path in 0..=255 {
        // The PSN of a probe has no meaning.
        let psn = [102, 103, 100, 0x80_0000, 102 + 64][path as usize % 5];
        let frame = probe(known, psn, path);
        let ecn = path % 3 == 0;
        let answers = alone.answers_to(&if ecn { marked(frame) } else { frame });
        assert_eq!(answers.len(), 1, "path {path}");
        let headers = rocev2(&answers[0]);
        let mpeh = headers.mpeh.expect("it has an MPEH");
        assert_eq!((mpeh.path_id(), mpeh.flags(), mpeh.flowlet_seq()), (path, P, 0), "path {path}");
        // When it came, as the delay of a probe without a time is not known.
        if !config.tag_is_time {
            let now = ((alone.run.cycle() * config.ack.settings.tick) >> 16) & 0xFFFF;
            assert!((now.wrapping_sub(mpeh.sched_tag().into()) & 0xFFFF) < 40, "path {path}: {now}");
        }
        let bth = headers.bth;
        assert_eq!((bth.psn(), u64::from(bth.dqpn()), bth.becn()), (101, peer(5), ecn), "path {path}");
        assert_eq!(headers.aeth.expect("it has an AETH").msn(), 2);
        answered += 1;
    }
    assert_eq!((answered, alone.count("probe_answers"), delivered(&alone)), (256, 256, 2));
    // Multipath off: an ACK like others, without MPEH.
    let answers = alone.answers_to(&probe(single, 777, 3));
    assert_eq!(answers.len(), 1);
    let headers = rocev2(&answers[0]);
    assert_eq!((headers.mpeh, headers.bth.psn(), u64::from(headers.bth.dqpn())), (None, 199, peer(2)));
    assert_eq!((alone.count("probe_answers"), alone.count("acks")), (256, 3));
    // No connection: RoCEv2 says nothing.
    for path in 0..10 {
        assert!(alone.answers_to(&probe(unknown, 5, path)).is_empty());
    }
    let unknown = ["unknown_keys", "unknown_connections"].map(|name| alone.count(name));
    assert_eq!((unknown, delivered(&alone)), ([10, 10], 2));
    // Sub-paths beyond those of a connection were answered too, and counted.
    assert_eq!(alone.count("unknown_paths"), 256 - config.reorder.paths);
    // The next packet is the next one.
    let answers = alone.answers_to(&request(known, 102, 8));
    assert_eq!((rocev2(&answers[0]).bth.psn(), delivered(&alone)), (102, 3));
}

/// A probe brings back its bits and its EV; without a connection a NACK goes to where it came from.
pub fn probes_of_uet(dut: &mut dyn Dut, config: &RxConfig) {
    let mut alone = Alone::new(dut, config);
    let (known, unknown) = (0x1111, 0x2222);
    alone.does(multipath(config, 5, known, 100));
    let probe = |dpdcid, n: u16| {
        let (offset, ev) = (n.wrapping_mul(0x2F3B), 50_000 + n);
        Uet {
            kind: CONTROL,
            next_hdr: PROBE,
            offset,
            ev,
            ecn: 3 * u8::from(n.is_multiple_of(3)),
            ..Uet::request(dpdcid, 100 + 7 * u64::from(n))
        }
    };
    assert_eq!(alone.answers_to(&Uet::request(known as u16, 100).frame()).len(), 1, "the first one is answered");
    let mut answered = 0;
    for n in 0..100 {
        let sent = probe(known as u16, n);
        let answers = alone.answers_to(&sent.frame());
        assert_eq!(answers.len(), 1, "probe {n}");
        let Delivery::Ack(ack, _) = uet(&answers[0]) else { panic!("{:?} answers", answers[0]) };
        assert_eq!((ack.p(), ack.m(), ack.retx(), ack.req()), (true, sent.ecn == 3, false, 0), "probe {n}");
        let opaque = ack.ack_psn_offset() as u16;
        assert_eq!((ack.cack_psn(), opaque, ev_of(&answers[0])), (100, sent.offset, sent.ev), "probe {n}");
        assert_eq!((ack.spdcid(), ack.dpdcid()), (sent.dpdcid, sent.spdcid), "probe {n}");
        answered += 1;
    }
    assert_eq!((answered, alone.count("probe_answers"), delivered(&alone)), (100, 100, 1));
    for n in 0..20 {
        let sent = probe(unknown, n);
        let answers = alone.answers_to(&sent.frame());
        assert_eq!(answers.len(), 1, "probe {n}");
        let Delivery::Nack(nack, None) = uet(&answers[0]) else { panic!("{:?} answers", answers[0]) };
        assert_eq!((nack.nack_code(), u64::from(nack.nack_psn())), (INV_DPDCID, sent.psn), "probe {n}");
        assert_eq!((nack.spdcid(), nack.dpdcid(), ev_of(&answers[0])), (0, sent.spdcid, sent.ev));
    }
    let counters = ["unknown_keys", "unknown_connections", "naks", "lost_answers"].map(|name| alone.count(name));
    assert_eq!(counters, [20, 20, 20, 0]);
    let next = Uet { flags: 8, ..Uet::request(known as u16, 101) };
    let answers = alone.answers_to(&next.frame());
    let Delivery::Ack(ack, _) = uet(&answers[0]) else { panic!("{:?} answers", answers[0]) };
    assert_eq!((ack.cack_psn(), ack.p(), delivered(&alone)), (101, false, 2));
}

#[test]
fn probes_of_rocev2_are_answered_by_their_paths() {
    let config = config(AckProtocol::Roce, 512, 2);
    for config in [config, holding_frames(config)] {
        probes_of_rocev2(&mut *model(&config), &config);
    }
}

#[test]
fn probes_of_uet_are_answered() {
    let config = config(AckProtocol::Uet, 512, 2);
    for config in [config, holding_frames(config)] {
        probes_of_uet(&mut *model(&config), &config);
    }
}
