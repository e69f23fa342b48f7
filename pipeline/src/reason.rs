// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why a frame is dropped.

/// Why a frame is dropped. The code travels in `tuser` of the frame's last beat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum DropReason {
    /// The frame is not dropped.
    None = 0,
    /// Marked bad by the MAC.
    BadFrame = 1,
    /// Ends inside the Ethernet, tag or IP header.
    CutShort = 2,
    /// The version does not fit the EtherType.
    IpVersion = 3,
    /// IPv4 header length (IHL) below 5 words.
    Ihl = 4,
    /// IPv4 header checksum wrong.
    IpChecksum = 5,
    /// IP length beyond the frame or below its own header.
    IpLength = 6,
    /// UDP length beyond the IP payload or below 8.
    UdpLength = 7,
    /// The headers of the transport do not fit the datagram.
    HeaderCut = 8,
    /// The ICRC of RoCEv2 is wrong; said by the stage `icrc` behind the parser.
    Icrc = 9,
    /// Reserved bits are not 0, and the pipeline is to refuse such frames.
    Reserved = 10,
    /// Has 128 KiB or more.
    TooLong = 11,
}

impl DropReason {
    /// What the parser gives, in the order of codes.
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

    /// Bits of a code.
    pub const WIDTH: u32 = 4;

    /// The 4-bit code in `tuser[4:1]` of the last beat.
    pub const fn code(self) -> u64 {
        self as u64
    }

    /// Its name, in JSON, vectors and port names.
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
        }
    }
}
