// SPDX-License-Identifier: MIT OR Apache-2.0
//! The reasons for which a frame is dropped, and the one that says of a frame that passes that it has been trimmed.

/// The reason for which a frame is dropped: a code in `tuser` of the last beat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum DropReason {
    /// The frame is not dropped.
    None = 0,
    /// The MAC has marked the frame as bad.
    BadFrame = 1,
    /// The frame ends inside the Ethernet, tag or IP header.
    CutShort = 2,
    /// The IP version does not match the EtherType.
    IpVersion = 3,
    /// IPv4 header length (IHL) below 5 words.
    Ihl = 4,
    /// The IPv4 header checksum is wrong.
    IpChecksum = 5,
    /// The IP length is larger than the frame or smaller than the IP header.
    IpLength = 6,
    /// The UDP length is larger than the IP payload or smaller than 8.
    UdpLength = 7,
    /// The transport headers do not fit into the datagram.
    HeaderCut = 8,
    /// The ICRC of RoCEv2 or the CRC of UET is wrong; set by the stage `icrc` after the parser.
    Icrc = 9,
    /// Reserved bits are not 0, and the pipeline is configured to drop such frames.
    Reserved = 10,
    /// The frame has 128 KiB or more.
    TooLong = 11,
    /// The frame is not dropped: it is what a switch has left of a packet.
    Trimmed = 12,
}

impl DropReason {
    /// The reasons that a parser can set, in the order of their codes, without [`Self::Trimmed`].
    pub const PARSER: [DropReason; 11] = [
        DropReason::None,
        DropReason::BadFrame,
        DropReason::CutShort,
        DropReason::IpVersion,
        DropReason::Ihl,
        DropReason::IpChecksum,
        DropReason::IpLength,
        DropReason::UdpLength,
        DropReason::HeaderCut,
        DropReason::Reserved,
        DropReason::TooLong,
    ];

    /// Width of a code in bits.
    pub const WIDTH: u32 = 4;

    /// The 4-bit code in `tuser[4:1]` of the last beat.
    pub const fn code(self) -> u64 {
        self as u64
    }

    /// The name of the reason in JSON, vectors and port names.
    pub const fn name(self) -> &'static str {
        match self {
            DropReason::None => "none",
            DropReason::BadFrame => "bad_frame",
            DropReason::CutShort => "cut_short",
            DropReason::IpVersion => "ip_version",
            DropReason::Ihl => "ihl",
            DropReason::IpChecksum => "ip_checksum",
            DropReason::IpLength => "ip_length",
            DropReason::UdpLength => "udp_length",
            DropReason::HeaderCut => "header_cut",
            DropReason::Icrc => "icrc",
            DropReason::Reserved => "reserved",
            DropReason::TooLong => "too_long",
            DropReason::Trimmed => "trimmed",
        }
    }
}
