// SPDX-License-Identifier: MIT OR Apache-2.0
//! RX15: packets of UET that were trimmed on the way, or at the last hop, are not received, and each is answered by a NACK that
//! says so (uet.md 1.9, 1.12; row G4 of `ack_generator`).

use super::alone::{Alone, Uet, ev_of, multipath};
use super::probes::uet;
use super::receiver::{TRIMMED, TRIMMED_LAST_HOP};
use super::{config, holding_frames, model};
use golden_vectors::headers::codec::Delivery;
use pipeline::receive::ack_generator::AckProtocol;
use pipeline::receive::rx::RxConfig;
use std::collections::BTreeMap;
use testbench::Dut;

const REASONS: [(u64, u8); 2] = [(TRIMMED, 0x01), (TRIMMED_LAST_HOP, 0x02)];
const INV_DPDCID: u8 = 0x0E;
const KEY: u16 = 0x4242;
/// ar and retx.
const AR: u32 = 0x08;
const RETX: u32 = 0x10;

/// The NACK that answers: reason, PSN, m, retx, EV.
fn refused(alone: &mut Alone, sent: &Uet) -> (u8, u64, bool, bool, u16) {
    let answers = alone.answers_to(&sent.frame());
    assert_eq!(answers.len(), 1, "{sent:?}: {answers:?}");
    let Delivery::Nack(nack, None) = uet(&answers[0]) else { panic!("{sent:?}: {:?} answers", answers[0]) };
    let here = if nack.nack_code() == INV_DPDCID { 0 } else { sent.dpdcid };
    assert_eq!((nack.spdcid(), nack.dpdcid(), nack.nt()), (here, sent.spdcid, false), "{sent:?}");
    (nack.nack_code(), nack.nack_psn().into(), nack.m(), nack.retx(), ev_of(&answers[0]))
}

/// The cumulative PSN of the ACK that answers.
fn acknowledged(alone: &mut Alone, sent: &Uet) -> u32 {
    let answers = alone.answers_to(&sent.frame());
    assert_eq!(answers.len(), 1, "{sent:?}: {answers:?}");
    let Delivery::Ack(ack, _) = uet(&answers[0]) else { panic!("{sent:?}: {:?} answers", answers[0]) };
    ack.cack_psn()
}

pub fn trimmed_packets_are_refused(dut: &mut dyn Dut, config: &RxConfig) {
    let mut alone = Alone::new(dut, config);
    alone.does(multipath(config, 6, KEY.into(), 1000));
    let mut seen: BTreeMap<u8, u64> = BTreeMap::new();
    let mut expected = 1000;
    for round in 0..12_u64 {
        for (dscp, reason) in REASONS {
            for kind in [2, 3, 13, 14] {
                // In order, held, behind the window, below: a trimmed packet is none of these.
                for psn in [expected, expected + 3, expected + 64, expected - 1] {
                    let (flags, ecn) = (RETX * (round as u32 % 2), 3 * u8::from(round % 3 == 0));
                    let sent = Uet { kind, dscp: dscp as u8, flags, ecn, ..Uet::request(KEY, psn) };
                    let wanted = (reason, psn, ecn == 3, flags == RETX, sent.ev);
                    assert_eq!(refused(&mut alone, &sent), wanted, "{sent:?}");
                    *seen.entry(reason).or_default() += 1;
                }
            }
            // Sent again whole, it is received.
            let sent = Uet { flags: AR | RETX, ..Uet::request(KEY, expected) };
            assert_eq!(u64::from(acknowledged(&mut alone, &sent)), expected);
            expected += 1;
        }
        // Control packets are not trimmed; neither is a packet with another DSCP.
        for (kind, next_hdr, dscp) in [(11, 0, TRIMMED), (11, 0, TRIMMED_LAST_HOP), (2, 3, TRIMMED + 1)] {
            let sent = Uet { kind, next_hdr, dscp: dscp as u8, flags: AR, ..Uet::request(KEY, expected) };
            assert_eq!(u64::from(acknowledged(&mut alone, &sent)), expected);
            expected += 1;
        }
        // Without a connection that is what is wrong.
        let sent = Uet { dscp: TRIMMED as u8, ..Uet::request(KEY + 1, round) };
        assert_eq!(refused(&mut alone, &sent).0, INV_DPDCID);
        *seen.entry(INV_DPDCID).or_default() += 1;
    }
    assert_eq!(seen, BTreeMap::from([(0x01, 192), (0x02, 192), (INV_DPDCID, 12)]));
    assert_eq!(alone.count("naks"), 192 + 192 + 12);
    let counters = ["duplicates", "below_window", "above_window", "no_buffer"];
    assert_eq!(counters.map(|name| alone.count(name)), [0; 4], "{counters:?}");
    let psns: Vec<_> = match alone.run.holds_frames() {
        true => alone.run.delivered_frames().expect("they are whole").iter().map(|frame| frame.1).collect(),
        false => alone.run.delivered().expect("the fields are there").iter().map(|packet| packet.psn).collect(),
    };
    assert!(psns.len() == 60 && psns.into_iter().eq(1000..1060), "each once and in order");
    if alone.run.holds_frames() {
        assert_eq!(alone.count("free_cells"), 512, "trimmed frames keep no cells");
    }
}

#[test]
fn trimmed_packets_are_answered_by_what_was_done_to_them() {
    let config = config(AckProtocol::Uet, 512, 2);
    for config in [config, holding_frames(config)] {
        trimmed_packets_are_refused(&mut *model(&config), &config);
    }
}
