// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the parser says about a frame: the header record and the reasons for a drop.

use rtl_model::{Bits, Bundle, Reading, Shape, Wide, bits, wide};

/// Why a frame is dropped. The code travels in `tuser` of the frame's last beat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Reason {
    /// Not dropped.
    None = 0,
    /// Marked bad by the MAC.
    BadFrame = 1,
    /// Ends inside the Ethernet, tag or IP header.
    CutShort = 2,
    /// The version does not fit the EtherType.
    IpVersion = 3,
    /// IHL below 5.
    Ihl = 4,
    /// IPv4 header checksum wrong.
    IpChecksum = 5,
    /// IP length beyond the frame or below its own header.
    IpLength = 6,
    /// UDP length beyond the IP payload or below 8.
    UdpLength = 7,
    /// The RoCEv2 headers do not fit the datagram.
    HeaderCut = 8,
    /// The ICRC of RoCEv2 is wrong; said by the stage `icrc` behind the parser.
    Icrc = 9,
}

impl Reason {
    /// What the parser gives, by code.
    pub const PARSER: [Reason; 9] = [
        Reason::None,
        Reason::BadFrame,
        Reason::CutShort,
        Reason::IpVersion,
        Reason::Ihl,
        Reason::IpChecksum,
        Reason::IpLength,
        Reason::UdpLength,
        Reason::HeaderCut,
    ];

    /// Bits of a code.
    pub const WIDTH: u32 = 4;

    /// Its code.
    pub const fn code(self) -> u64 {
        self as u64
    }

    /// Its name, in JSON, vectors and port names.
    pub const fn name(self) -> &'static str {
        match self {
            Reason::None => "none",
            Reason::BadFrame => "bad_frame",
            Reason::CutShort => "cut_short",
            Reason::IpVersion => "ip_version",
            Reason::Ihl => "ihl",
            Reason::IpChecksum => "ip_checksum",
            Reason::IpLength => "ip_length",
            Reason::UdpLength => "udp_length",
            Reason::HeaderCut => "header_cut",
            Reason::Icrc => "icrc",
        }
    }
}

/// Layer 3 of a frame: other, IPv4, IPv6.
pub mod l3 {
    /// Neither IPv4 nor IPv6.
    pub const OTHER: u64 = 0;
    /// IPv4.
    pub const IPV4: u64 = 1;
    /// IPv6.
    pub const IPV6: u64 = 2;
}

/// Transport of a frame.
pub mod transport {
    /// Not UDP, or not readable as such (fragments, extension headers).
    pub const NONE: u64 = 0;
    /// UDP to a port that is not ours.
    pub const UDP: u64 = 1;
    /// RoCEv2.
    pub const ROCEV2: u64 = 2;
}

macro_rules! header_record {
    ($($(#[$doc:meta])* $field:ident: $type:ident = $shape:expr,)*) => {
        /// The header record of a frame. A field whose header the frame does not have keeps an older value; `l3`,
        /// `vlan_count`, `transport` and `has_*` say what to read.
        #[derive(Bundle)]
        pub struct HeaderRecord<L: Reading> {
            $($(#[$doc])* pub $field: $type<L>,)*
        }

        impl HeaderRecord<Shape> {
            /// Its widths.
            pub const fn new() -> Self {
                HeaderRecord { $($field: $shape,)* }
            }
        }
    };
}

header_record! {
    /// Destination MAC address.
    dst_mac: Bits = bits(48),
    /// Source MAC address.
    src_mac: Bits = bits(48),
    /// EtherType behind the tags.
    ethertype: Bits = bits(16),
    /// Number of tags, 0 to 2.
    vlan_count: Bits = bits(2),
    /// Tag control information of the outer tag.
    vlan0_tci: Bits = bits(16),
    /// Tag control information of the inner tag.
    vlan1_tci: Bits = bits(16),
    /// See [`l3`].
    l3: Bits = bits(2),
    /// Differentiated services code point.
    dscp: Bits = bits(6),
    /// Explicit congestion notification.
    ecn: Bits = bits(2),
    /// IPv6 flow label.
    flow_label: Bits = bits(20),
    /// IPv4 total length, IPv6 payload length.
    ip_length: Bits = bits(16),
    /// Time to live or hop limit.
    hop_limit: Bits = bits(8),
    /// Protocol or next header.
    protocol: Bits = bits(8),
    /// IPv4: MF set or fragment offset not 0.
    fragment: Bits = bits(1),
    /// Source address in network order; IPv4 in the first four bytes.
    src_ip: Wide = wide(128),
    /// Destination address in network order; IPv4 in the first four bytes.
    dst_ip: Wide = wide(128),
    /// UDP source port.
    sport: Bits = bits(16),
    /// UDP destination port.
    dport: Bits = bits(16),
    /// UDP length.
    udp_length: Bits = bits(16),
    /// See [`transport`].
    transport: Bits = bits(3),
    /// BTH OpCode.
    bth_opcode: Bits = bits(8),
    /// Solicited event.
    bth_se: Bits = bits(1),
    /// Migration state.
    bth_migreq: Bits = bits(1),
    /// Pad count.
    bth_pad: Bits = bits(2),
    /// Transport header version.
    bth_tver: Bits = bits(4),
    /// Partition key.
    bth_pkey: Bits = bits(16),
    /// Forward congestion notification.
    bth_fecn: Bits = bits(1),
    /// Backward congestion notification.
    bth_becn: Bits = bits(1),
    /// Destination queue pair.
    bth_dqpn: Bits = bits(24),
    /// Acknowledge request.
    bth_ackreq: Bits = bits(1),
    /// Packet sequence number.
    bth_psn: Bits = bits(24),
    /// There is a multipath extension header (BTH byte 8 mask 0x40).
    has_mpeh: Bits = bits(1),
    /// Path ID (M14).
    mpeh_path_id: Bits = bits(8),
    /// Flags (M16-M20, M27-M30); bit 0 is the least significant.
    mpeh_flags: Bits = bits(8),
    /// Flowlet sequence (M21).
    mpeh_flowlet_seq: Bits = bits(16),
    /// Scheduling tag (M23).
    mpeh_sched_tag: Bits = bits(16),
    /// There is an AETH.
    has_aeth: Bits = bits(1),
    /// Its syndrome.
    aeth_syndrome: Bits = bits(8),
    /// Message sequence number.
    aeth_msn: Bits = bits(24),
    /// There is a RETH.
    has_reth: Bits = bits(1),
    /// Its virtual address.
    reth_vaddr: Bits = bits(64),
    /// Its remote key.
    reth_rkey: Bits = bits(32),
    /// Its length.
    reth_length: Bits = bits(32),
}

impl Default for HeaderRecord<Shape> {
    fn default() -> Self {
        Self::new()
    }
}
