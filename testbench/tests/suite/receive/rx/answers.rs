// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checks the frames that answer, by reading them as any receiver would: that they are lawful, go back where the packets came
//! from, and acknowledge what has been received and nothing else.

use super::peer;
use super::receiver::{Noted, Receiver};
use golden_vectors::headers::codec::{
    AckState, CcState, Delivery, Network, Options, Record, Rocev2, Transport, Uet, read,
};
use golden_vectors::{Reason, Verdict};
use pipeline::receive::ack_generator::AckProtocol;
use std::collections::BTreeMap;
use testbench::benches::rx_bench::RxBench;

/// What answers have said so far.
#[derive(Debug, Default)]
pub struct Answered {
    /// The number of packets that are acknowledged, by opening of a connection.
    acknowledged: BTreeMap<u64, u64>,
    /// How many there were of each kind.
    pub kinds: BTreeMap<&'static str, u64>,
    /// How many had a mark of ECN.
    pub marked: u64,
}

/// NACK: the packet belongs to no context.
const INV_DPDCID: u8 = 0x0E;
/// NACK: the receiver suspects a loss.
const RCVR_INFER_LOSS: u8 = 0x1A;
/// NACK: the PSN is behind the window.
const PSN_OOR_WINDOW: u8 = 0x0B;

impl Receiver {
    /// Checks all answers, beside those that have been `answered` before.
    pub fn check_answers(&self, run: &RxBench, answered: &mut Answered) {
        let options = Options::default();
        for (_, frame) in run.answers().expect("they are lawful") {
            assert_eq!(frame.user, 0, "an answer has a mark");
            let reading = read(&frame.bytes, &options);
            assert_eq!((reading.verdict, reading.reason), (Verdict::Ok, Reason::None), "{reading:?}");
            self.goes_back(&reading.record);
            let kind = match reading.record.transport {
                Some(Transport::Rocev2(headers)) => {
                    assert_eq!((reading.icrc, reading.payload.len()), (Some(true), 0));
                    self.read_rocev2(&headers, answered)
                }
                Some(Transport::Uet(headers)) => {
                    assert_eq!((reading.icrc, reading.payload.len()), (Some(true), 0));
                    self.read_uet(&headers, &reading.record, answered)
                }
                _ => panic!("{:?} answers", reading.record.transport_name()),
            };
            *answered.kinds.entry(kind).or_default() += 1;
        }
        // An answer has the mark of a packet.
        assert!(answered.marked <= self.seen().of("marked"), "{} answers are marked", answered.marked);
        // At the end everything that has been received in order is acknowledged.
        for (opening, noted) in self.openings() {
            let highest = answered.acknowledged.get(&opening).copied().unwrap_or(0);
            assert_eq!(highest, noted.expected, "connection {noted:?}");
        }
        let count =
            |names: &[&str]| names.iter().map(|name| answered.kinds.get(name).copied().unwrap_or(0)).sum::<u64>();
        assert_eq!(run.count("acks"), Some(count(&["ack", "ack with state"])));
        assert_eq!(run.count("naks"), Some(count(&["sequence error", "not ready", "nack", "suspected loss"])));
        assert_eq!(run.count("dropped_replies"), Some(0));
    }

    /// Addresses and ports are those of the packets, exchanged; the lengths are right, as it could be read.
    fn goes_back(&self, record: &Record) {
        let link = record.link.as_ref().expect("it has an Ethernet header");
        assert_eq!((link.addresses.source(), link.addresses.destination()), (0x0211_2233_4455, 0x0266_7788_99AA));
        let Some(Network::V4(ip)) = record.network else { panic!("it has no IPv4 header") };
        assert_eq!((ip.source(), ip.destination(), ip.ecn()), (0x0A00_0002, 0x0A00_0001, 0));
        let dscp = if self.protocol() == AckProtocol::Uet { 46 } else { 0 };
        assert_eq!(ip.dscp(), dscp);
    }

    fn read_rocev2(&self, headers: &Rocev2, answered: &mut Answered) -> &'static str {
        let (bth, aeth) = (headers.bth, headers.aeth.expect("it has an AETH"));
        assert_eq!((bth.opcode() & 0x1F, bth.pkey()), (0x11, 0xFFFF));
        let connection = u64::from(bth.dqpn()) - peer(0);
        assert_eq!(headers.mpeh.is_some(), connection % 2 == 1, "multipath of connection {connection}");
        assert!(!bth.becn() || headers.mpeh.is_some(), "a mark without multipath");
        answered.marked += u64::from(bth.becn());
        let psn = u64::from(bth.psn());
        match aeth.syndrome() >> 5 {
            0 => {
                self.acknowledges(connection, psn.wrapping_add(1), answered);
                "ack"
            }
            3 => {
                assert_eq!((aeth.syndrome(), connection % 2), (0x60, 0), "a NAK of a sequence error, multipath off");
                self.acknowledges(connection, psn, answered);
                "sequence error"
            }
            kind => panic!("syndrome {kind}"),
        }
    }

    fn read_uet(&self, headers: &Uet, record: &Record, answered: &mut Answered) -> &'static str {
        let sources = record.udp.map(|udp| udp.source());
        assert!(
            sources.is_some_and(|source| source >= 49152),
            "the EV of a packet comes back: {headers:?} {sources:?}"
        );
        answered.marked += match headers.delivery {
            Delivery::Ack(ack, _) => u64::from(ack.m()),
            Delivery::Nack(nack, _) => u64::from(nack.m()),
            _ => 0,
        };
        match headers.delivery {
            Delivery::Ack(ack, state) => {
                let noted = self.of_key(ack.spdcid().into());
                assert_eq!(u64::from(ack.dpdcid()), peer(noted.connection) & 0xFFFF);
                self.acknowledges(noted.connection, u64::from(ack.cack_psn()).wrapping_add(1), answered);
                if let AckState::Cc(cc, CcState::Nscc(nscc)) = state {
                    assert!(nscc.service_time() > 0 && nscc.rcvd_bytes() > 0, "{nscc:?}");
                    self.sack_is_right(noted, ack.cack_psn(), cc.sack_psn_offset(), cc.sack_bitmap());
                    return "ack with state";
                }
                "ack"
            }
            Delivery::Nack(nack, _) if nack.nack_code() == INV_DPDCID => {
                assert!(self.unknown_psns().contains(&u64::from(nack.nack_psn())));
                assert_eq!(nack.spdcid(), 0, "no PDC sends this");
                "nack"
            }
            Delivery::Nack(nack, _) if nack.nack_code() == RCVR_INFER_LOSS => {
                let noted = self.of_key(nack.spdcid().into());
                let number = u64::from(nack.nack_psn().wrapping_sub(noted.first as u32));
                assert!(number < noted.sent, "PSN {:#x} has not been sent", nack.nack_psn());
                "suspected loss"
            }
            Delivery::Nack(nack, _) => {
                assert_eq!(nack.nack_code(), PSN_OOR_WINDOW, "{nack:?}");
                let noted = self.of_key(nack.spdcid().into());
                assert!(noted.refused.contains(&u64::from(nack.nack_psn())), "{nack:?}");
                "nack"
            }
            other => panic!("{other:?} answers"),
        }
    }

    /// The PSN before this one may be acknowledged, in some opening of the connection that still receives.
    fn acknowledges(&self, connection: u64, expected: u64, answered: &mut Answered) {
        let mask = (1 << self.protocol().psn_bits()) - 1;
        let number = |noted: &Noted| expected.wrapping_sub(noted.first) & mask;
        let of = self.openings().filter(|(_, noted)| noted.connection == connection);
        let (opening, noted) = of.filter(|(_, noted)| number(noted) <= noted.expected).last().expect("it is received");
        let highest = answered.acknowledged.entry(opening).or_default();
        assert!(number(noted) >= *highest, "an ACK goes back");
        *highest = number(noted);
    }

    /// No bit of the SACK word is for a packet that has not been received.
    fn sack_is_right(&self, noted: &Noted, cack: u32, offset: i16, bitmap: u64) {
        for bit in (0..64).filter(|bit| bitmap >> bit & 1 == 1) {
            let psn = cack.wrapping_add(offset as u32).wrapping_add(bit);
            let number = u64::from(psn.wrapping_sub(noted.first as u32));
            let before = u64::from(psn.wrapping_sub(noted.first as u32)) >= 1 << 31;
            assert!(
                before || number < noted.expected || noted.received.contains(&number),
                "PSN {psn:#x} has not been received"
            );
        }
    }
}
