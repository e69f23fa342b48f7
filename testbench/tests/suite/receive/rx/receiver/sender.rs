// SPDX-License-Identifier: MIT OR Apache-2.0
//! The frames that are sent: packets with data, frames that have no place in a sequence, and damaged ones.

use super::super::alone::marked;
use super::super::{UET_PORT, peer};
use super::{Noted, Receiver};
use golden_vectors::headers::Mpeh;
use golden_vectors::headers::codec::encode;
use pipeline::receive::ack_generator::AckProtocol;
use testbench::benches::rx_bench::Identified;
use testbench::device::random::Random;
use testbench::streams::Frame;

/// OpCodes of requests with headers that fit what is sent here: SEND first, middle, last, only.
const SENDS: [u8; 4] = [0x00, 0x01, 0x02, 0x04];

impl Receiver {
    /// A frame that has no place in a sequence.
    pub(super) fn other(&mut self, random: &mut Random, connection: u64) -> Frame {
        let known = random.chance(0.5);
        let key = if known { self.key(connection) } else { self.free_key(random) };
        // Of these control packets CLEAR_REQUEST and CREDIT go to initiators, which have keys of their own (RX3).
        let control = [1, 2, 3, 7, 8][random.below(5) as usize];
        let found = known && (self.protocol == AckProtocol::Roce || ![3, 7].contains(&control));
        let frame = match self.protocol {
            AckProtocol::Roce => {
                let ack = encode::Frame::v4().with_opcode(0x11).with_bth(|bth| bth.set_dqpn(key as u32));
                Frame { bytes: ack.bytes(), user: 0 }
            }
            AckProtocol::Uet => Frame { bytes: self.uet(11, control, 0, key, random).bytes(), user: 0 },
        };
        self.seen.count(if found { "not in sequence, found" } else { "not in sequence, not found" });
        let handle = self.handle();
        let connection = if found { connection } else { 0 };
        self.passed.push((frame.clone(), Identified { in_sequence: false, found, connection, handle }));
        frame
    }

    /// A frame that the MAC marked, whose IPv4 checksum is wrong, or with one bit changed on the way.
    pub(super) fn dropped(&mut self, random: &mut Random, connection: u64) -> Frame {
        let Noted { key, first, expected, .. } = *self.noted(connection);
        let psn = first.wrapping_add(expected) & self.psn_mask();
        let mut frame = self.request(random, key, psn);
        let counter = match random.below(3) {
            0 => {
                frame.user = 1;
                "parser_bad_frame"
            }
            1 if self.protocol == AckProtocol::Uet => {
                // From the PSN on, up to the CRC itself.
                let at = 46 + random.below(frame.bytes.len() as u64 - 46) as usize;
                frame.bytes[at] ^= 1 << random.below(8);
                "icrc_bad"
            }
            1 => {
                // From the destination QP in the BTH on, up to the ICRC itself; but not the byte that says whether there is
                // an MPEH, as the headers might then not fit.
                let at = 47 + random.below(frame.bytes.len() as u64 - 48) as usize;
                frame.bytes[if at < 50 { at } else { at + 1 }] ^= 1 << random.below(8);
                "icrc_bad"
            }
            _ => {
                // The checksum of the IPv4 header.
                frame.bytes[24] ^= 1;
                "parser_ip_checksum"
            }
        };
        self.seen.count("dropped");
        self.seen.count(counter);
        frame
    }

    /// A packet with data. One in ten is marked by ECN; of RoCEv2 one in five asks for an ACK.
    pub(super) fn request(&self, random: &mut Random, key: u64, psn: u64) -> Frame {
        let payload: Vec<u8> = (0..random.below(200)).map(|_| random.below(256) as u8).collect();
        match self.protocol {
            AckProtocol::Roce => {
                let opcode = SENDS[random.below(4) as usize];
                let mut frame = encode::Frame::v4().with(|frame| frame.payload = payload).with_opcode(opcode);
                frame = frame.with_bth(|bth| {
                    bth.set_dqpn(key as u32);
                    bth.set_psn(psn as u32);
                    bth.set_ackreq(random.chance(0.2));
                });
                if random.chance(0.1) {
                    frame = marked(frame);
                }
                if random.chance(0.5) {
                    let path = random.below(8) as u8;
                    frame = frame.with_mpeh(Mpeh::new().with_path_id(path).with_flags(random.below(4) as u8));
                }
                Frame { bytes: frame.bytes(), user: 0 }
            }
            AckProtocol::Uet => {
                let kind = [2, 3, 13][random.below(3) as usize];
                let frame = self.uet(kind, 7, psn, key, random);
                let frame = if random.chance(0.1) { marked(frame) } else { frame };
                Frame { bytes: frame.bytes(), user: 0 }
            }
        }
    }

    /// A UET packet of this type: prologue, PSN, contexts, and more bytes than the longest header has. One in ten asks for an
    /// ACK. `next_hdr` is the type of a control packet.
    fn uet(&self, kind: u64, next_hdr: u64, psn: u64, key: u64, random: &mut Random) -> encode::Frame {
        let mut bytes = Vec::new();
        let ar = u32::from(random.chance(0.1) && kind != 11);
        bytes.extend((((kind as u32) << 27) | ((next_hdr as u32) << 23) | (ar << 19)).to_be_bytes());
        bytes.extend((psn as u32).to_be_bytes());
        let sender = self.openings.iter().find(|noted| noted.key == key).map_or(0xEEEE, |noted| peer(noted.connection));
        bytes.extend((sender as u16).to_be_bytes());
        bytes.extend((key as u16).to_be_bytes());
        bytes.extend((0..20 + random.below(100)).map(|_| random.below(256) as u8));
        encode::Frame::v4().with_port(UET_PORT, bytes).with_uet_crc()
    }
}
