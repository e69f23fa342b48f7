// SPDX-License-Identifier: MIT OR Apache-2.0
//! The header record: all headers of a frame in fixed places, with bits that tell which headers are present. The parser
//! outputs it, and the builder makes a frame from it.
//!
//! Headers are stored as 32-bit words in network order, with the first byte of the wire in bits 31:24;
//! [`crate::headers`] defines the fields. The words of a header that the frame does not have are undefined; the
//! presence fields tell which words are valid.
//!
//! | words | contents |
//! |---|---|
//! | `ethernet` | two unused bytes, addresses, first type; then 32 bits per tag (type and tag straddle two words) |
//! | `ip` | IPv4 without options, or IPv6 |
//! | `udp` | UDP; for UET without UDP the second word is the entropy header |
//! | `mpeh` | MPEH |
//! | `header` | BTH and the extension headers of its OpCode, or the UET or ELAB header |

use crate::headers::side_band::SideBand;
use rtl_model::stream::Side;
use rtl_model::{Bits, Bundle, Logic, Reading, Wide, name_nets};

/// Words of the longest transport header, MPEH not counted: BTH, XRCETH, AtomicETH.
pub const HEADER_WORDS: usize = 11;

/// Layer 3 of a frame.
pub mod l3 {
    /// Neither IPv4 nor IPv6.
    pub const OTHER: u64 = 0;
    /// IPv4 (EtherType 0x0800).
    pub const IPV4: u64 = 1;
    /// IPv6 (EtherType 0x86DD).
    pub const IPV6: u64 = 2;
}

/// Transport of a frame.
pub mod transport {
    /// Neither UDP nor UET, or not parsable as such (fragments, extension headers).
    pub const NONE: u64 = 0;
    /// UDP to a port that is not recognised.
    pub const UDP: u64 = 1;
    /// RoCEv2: UDP to `rocev2_port`.
    pub const ROCEV2: u64 = 2;
    /// Ultra Ethernet: UDP to `uet_port`, or IP protocol `uet_protocol`.
    pub const UET: u64 = 3;
    /// ELAB: UDP to `elab_port`.
    pub const ELAB: u64 = 4;
}

/// The optional headers that a RoCEv2 frame has, one bit per header.
#[derive(Bundle)]
#[shape]
pub struct HeaderPresence<L: Reading> {
    /// Multipath extension header, 8 bytes.
    pub mpeh: Bits<L>,
    /// Datagram extended transport header, 8 bytes.
    pub deth: Bits<L>,
    /// XRC extended transport header, 4 bytes.
    pub xrceth: Bits<L>,
    /// RDMA extended transport header, 16 bytes.
    pub reth: Bits<L>,
    /// Atomic extended transport header, 28 bytes.
    pub atomic_eth: Bits<L>,
    /// ACK extended transport header, 4 bytes.
    pub aeth: Bits<L>,
    /// Atomic ACK extended transport header, 8 bytes.
    pub atomic_ack: Bits<L>,
    /// Immediate data, 4 bytes.
    pub immdt: Bits<L>,
    /// Invalidate extended transport header, 4 bytes.
    pub ieth: Bits<L>,
    /// Reserved bytes of a congestion notification packet, 16 bytes.
    pub cnp: Bits<L>,
}

#[name_nets]
impl<L: Logic> HeaderPresence<L> {
    /// From a set of `headers::opcode::EXTENSIONS`: header `i` is in bit `i`.
    pub fn of(mpeh: Bits<L>, extensions: Bits<L>) -> Self {
        let has = |i: u32| extensions.bit(i);
        HeaderPresence {
            mpeh,
            deth: has(0),
            xrceth: has(1),
            reth: has(2),
            atomic_eth: has(3),
            aeth: has(4),
            atomic_ack: has(5),
            immdt: has(6),
            ieth: has(7),
            cnp: has(8),
        }
    }
}

/// The header record of a frame.
#[derive(Bundle)]
#[shape(side_band: SideBand)]
pub struct HeaderRecord<L: Reading> {
    /// Ethernet header and VLAN tags, 6 words. The first two bytes are unused, so that types and tags run on
    /// from word 3; they are valid as far as the frame reaches.
    #[width(32)]
    pub ethernet: [Bits<L>; 6],
    /// Number of VLAN tags, 0 to 2.
    #[width(2)]
    pub vlan_count: Bits<L>,
    /// Layer 3: 0 other, 1 IPv4, 2 IPv6.
    #[width(2)]
    pub l3: Bits<L>,
    /// IP header words: 5 for IPv4 without options, 10 for IPv6; valid if `l3` is not 0.
    #[width(32)]
    pub ip: [Bits<L>; 10],
    /// UDP header words. For UET without UDP the second word is the entropy header; they are valid if
    /// `transport` is not 0.
    #[width(32)]
    pub udp: [Bits<L>; 2],
    /// Multipath extension header (MPEH) words; valid if `has_mpeh` is 1.
    #[width(32)]
    pub mpeh: [Bits<L>; 2],
    /// Words of the transport header, MPEH left out; `transport_words` of them are valid.
    #[width(32)]
    pub header: [Bits<L>; HEADER_WORDS],
    /// Transport: 0 none, 1 UDP to another port, 2 RoCEv2, 3 UET, 4 ELAB.
    #[width(3)]
    pub transport: Bits<L>,
    /// 1 if UET is carried by IP without UDP.
    pub uet_native: Bits<L>,
    /// RoCEv2: the optional headers that are present.
    pub has: HeaderPresence<L>,
    /// Number of words of the transport header, MPEH not counted. It is valid if `transport` is 2, 3 or 4.
    #[width(4)]
    pub transport_words: Bits<L>,
    /// ELAB: IP protocol of the tunnelled packet. The payload begins with the header of that protocol; it is
    /// valid if `transport` is 4.
    #[width(8)]
    pub inner_protocol: Bits<L>,
    /// Offset in the frame of the first payload byte, in bytes. The payload follows the last header; it is
    /// valid if `transport` is not 0.
    #[width(8)]
    pub payload_offset: Bits<L>,
    /// Payload bytes up to the end of the datagram. Pad bytes count, the ICRC of RoCEv2 and the CRC of UET do not; it is valid
    /// if `transport` is not 0.
    #[width(16)]
    pub payload_length: Bits<L>,
    /// Bytes of the IP packet after the UDP datagram.
    #[width(16)]
    pub ip_slack: Bits<L>,
    /// `tid` of the frame, from the side band.
    #[shape(side_band.shape().tid)]
    pub tid: Option<Bits<L>>,
    /// `tdest` of the frame, from the side band.
    #[shape(side_band.shape().tdest)]
    pub tdest: Option<Bits<L>>,
    /// The user's bits of `tuser` of the frame, from the side band.
    #[shape(side_band.shape().tuser)]
    pub tuser: Option<Wide<L>>,
}

#[name_nets]
impl<L: Logic> HeaderRecord<L> {
    /// The side band of the frame.
    pub fn side(&self) -> Side<L> {
        Side { tid: self.tid, tdest: self.tdest, tuser: self.tuser }
    }
}
