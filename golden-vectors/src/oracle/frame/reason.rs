// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why a frame is dropped.

use crate::schema;
use serde::{Deserialize, Serialize};

/// Why a frame is dropped. The first codes are those of [`schema::Reason`], which ends with the ICRC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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
    /// The headers of RoCEv2, UET or ELAB do not fit what carries them.
    HeaderCut = 8,
    /// The ICRC of RoCEv2 is wrong.
    Icrc = 9,
    /// Reserved bits are not 0, and that is refused.
    Reserved = 10,
}

impl Reason {
    /// Every reason, in the order of the codes.
    pub const ALL: [Self; 11] = [
        Self::None,
        Self::BadFrame,
        Self::CutShort,
        Self::IpVersion,
        Self::Ihl,
        Self::IpChecksum,
        Self::IpLength,
        Self::UdpLength,
        Self::HeaderCut,
        Self::Icrc,
        Self::Reserved,
    ];

    /// The code in `tuser` bits 4:1, and the index of the counter.
    #[must_use]
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => schema::Reason::None.name(),
            Self::BadFrame => schema::Reason::BadFrame.name(),
            Self::CutShort => schema::Reason::CutShort.name(),
            Self::IpVersion => schema::Reason::IpVersion.name(),
            Self::Ihl => schema::Reason::Ihl.name(),
            Self::IpChecksum => schema::Reason::IpChecksum.name(),
            Self::IpLength => schema::Reason::IpLength.name(),
            Self::UdpLength => schema::Reason::UdpLength.name(),
            Self::HeaderCut => schema::Reason::HeaderCut.name(),
            Self::Icrc => schema::Reason::Icrc.name(),
            Self::Reserved => "reserved",
        }
    }
}
