// SPDX-License-Identifier: MIT OR Apache-2.0
//! The headers of RoCEv2 behind UDP: BTH, MPEH, RETH in the first packet of an RDMA WRITE, and immediate data or IETH in the last
//! one of a message that has them (row TX32). Packets for a plain peer have no MPEH, and each asks for an ACK (row TX53).

use super::super::config::{ADDRESS_WIDTH, LENGTH_WIDTH, RKEY_WIDTH, TxConfig};
use super::super::messages::Message;
use super::super::route::SubPath;
use super::super::turns::part::Part;
use super::{Headers, Packet};
use crate::headers::destination::Destination;
use crate::headers::record::HeaderPresence;
use crate::headers::{Bth, Mpeh, Reth};
use rtl_model::{Bits, Bundle, Logic, Reading, name_nets, select};

/// Why a field is there.
const OF_ROCEV2: &str = "a field of RoCEv2";
/// OpCodes of a reliable connection: the first packet of a SEND, and of an RDMA WRITE.
const SEND: u64 = 0x00;
const WRITE: u64 = 0x06;
/// What is added for other packets than the first of several.
const MIDDLE: u64 = 1;
const LAST: u64 = 2;
const ONLY: u64 = 4;
/// The last and the only packet of a SEND that invalidates a key.
const LAST_INVALIDATES: u64 = 0x16;
const ONLY_INVALIDATES: u64 = 0x17;
/// Flag of the MPEH of a probe.
const PROBE: u32 = 2;

/// What the message of a packet is, and where in it the packet stands.
#[derive(Bundle)]
#[shape]
pub struct Rdma<L: Reading> {
    /// RDMA WRITE, not SEND.
    pub write: Bits<L>,
    pub first: Bits<L>,
    pub last: Bits<L>,
    #[width(ADDRESS_WIDTH)]
    pub remote_address: Bits<L>,
    #[width(RKEY_WIDTH)]
    pub rkey: Bits<L>,
    /// Bytes of the message.
    #[width(LENGTH_WIDTH)]
    pub bytes: Bits<L>,
    /// The last packet has immediate data.
    pub with_immediate: Bits<L>,
    /// The last packet has the peer invalidate a key.
    pub with_invalidate: Bits<L>,
    /// The data, or the key.
    #[width(RKEY_WIDTH)]
    pub immediate: Bits<L>,
}

#[name_nets]
impl<L: Logic> Rdma<L> {
    /// Of a part of a message, with RoCEv2.
    pub fn of(message: &Message<L>, part: &Part<L>) -> Option<Self> {
        let Part { first, last, .. } = *part;
        Some(Rdma {
            write: message.write?,
            first,
            last,
            remote_address: message.remote_address?,
            rkey: message.rkey?,
            bytes: message.length,
            with_immediate: message.with_immediate?,
            with_invalidate: message.with_invalidate?,
            immediate: message.immediate?,
        })
    }
}

/// The headers of a packet.
#[name_nets]
pub fn headers<L: Logic>(
    config: &TxConfig,
    packet: &Packet<L>,
    sub_path: &SubPath<L>,
    to: &Destination<L>,
) -> Headers<L> {
    let lit = Bits::lit;
    let Rdma { write, first, last, remote_address, rkey, bytes, .. } = packet.rdma.expect(OF_ROCEV2);
    let Rdma { with_immediate, with_invalidate, immediate, .. } = packet.rdma.expect(OF_ROCEV2);
    let (has_immdt, has_ieth) = (last & with_immediate, last & with_invalidate);
    let of_several = select(last, lit(8, LAST), select(first, lit(8, 0), lit(8, MIDDLE)));
    let place = select(first & last, lit(8, ONLY), of_several);
    let invalidates = select(first, lit(8, ONLY_INVALIDATES), lit(8, LAST_INVALIDATES));
    // The OpCode of the last or only packet is followed by that with immediate data.
    let usual = select(write, lit(8, WRITE), lit(8, SEND)) + place + has_immdt.extend(8);
    let multipath = to.multipath.expect(OF_ROCEV2);
    let pad = (lit(2, 0) - packet.length.truncate(2)).named("pad");
    let bth = Bth {
        opcode: select(has_ieth, invalidates, usual),
        se: lit(1, 0),
        migreq: lit(1, 1),
        pad,
        tver: lit(4, 0),
        pkey: to.pkey.expect(OF_ROCEV2),
        fecn: lit(1, 0),
        becn: lit(1, 0),
        reserved1: lit(6, 0),
        dqpn: to.remote_qp.expect(OF_ROCEV2),
        // A sub-path may be full behind any packet, and then nothing else would make the peer answer.
        ackreq: packet.ack_request | !multipath,
        // The header builder announces the MPEH.
        mpeh: lit(1, 0),
        reserved2: lit(6, 0),
        psn: packet.psn,
    };
    let reth = Reth { vaddr: remote_address, rkey, length: bytes };
    let mpeh = Mpeh {
        path_id: packet.route.number.truncate(8),
        flags: sub_path.flags,
        flowlet_seq: sub_path.flowlet,
        sched_tag: sub_path.tag,
        reserved: lit(16, 0),
    };
    let has_reth = (write & first).named("has_reth");
    let (base, reth) = (bth.words(), reth.words());
    // Immediate data, or IETH, is the last word, with or without a RETH in front of it.
    let behind_base = select(has_reth, reth[0], immediate);
    let words: Vec<_> =
        base.into_iter().chain([behind_base]).chain(reth[1..].iter().copied()).chain([immediate]).collect();
    let (_, header) = super::padded(&words);
    let count = lit(4, base.len() as u64) + select(has_reth, lit(4, reth.len() as u64), lit(4, 0));
    Headers {
        udp_source: sub_path.entropy.truncate(16),
        udp_destination: config.builder.protocols.rocev2_port,
        header,
        count: count + (has_immdt | has_ieth).extend(4),
        mpeh: mpeh.words(),
        has: HeaderPresence {
            reth: has_reth,
            immdt: has_immdt,
            ieth: has_ieth,
            // A probe is nothing without it.
            ..HeaderPresence::of(multipath | sub_path.flags.bit(PROBE), lit(9, 0))
        },
        // The ICRC is not counted, but its place comes on `s_axis` (row TX30).
        bytes: packet.length.extend(16) + pad.extend(16),
        has_payload: lit(1, 1),
    }
}
