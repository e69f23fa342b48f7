// SPDX-License-Identifier: MIT OR Apache-2.0
//! One test: a frame, and what must come of it.

use super::{Field, bytes};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    /// Stable name, unique in the file, never used again for another frame.
    pub id: String,
    /// Why the case exists.
    pub comment: String,
    /// What is special about it; the file's notes explain each.
    pub flags: Vec<String>,
    /// Rows it is about: `R9` is row 9 of the stage's contract, `M14` and `E04` are requirement rows, `uet.md 1.3` a clause.
    pub rows: Vec<String>,
    /// For a stage that is given a record with the frame: what comes on `s_record`, by the names of its ports. A port that
    /// is not named may have any value.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub record: BTreeMap<String, Field>,
    /// What comes on `s_axis`: the frame without FCS, or with a record what follows the headers.
    #[serde(with = "bytes")]
    pub frame: Vec<u8>,
    /// The MAC's mark on the frame.
    pub bad_frame: bool,
    /// Whether the frame is one to pass or to drop.
    pub result: Outcome,
    /// What must come out.
    pub expect: Expect,
}

/// Whether all of a case is lawful.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// A frame that must be passed; nothing but events that must be served.
    Valid,
    /// A frame that must be dropped; some events that must be refused.
    Invalid,
}

/// What must come out for a frame.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expect {
    /// Passed or dropped.
    pub verdict: Verdict,
    /// Why it is dropped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// The fields the contract promises for this frame, by the names of the record.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub fields: BTreeMap<String, Field>,
    /// The frame that leaves, where it is not the one that came.
    #[serde(default, with = "bytes::optional", skip_serializing_if = "Option::is_none")]
    pub frame: Option<Vec<u8>>,
}

/// The fate of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Passed on.
    Ok,
    /// Marked as to be dropped.
    Drop,
}

/// Why a frame is dropped, or that it passes as a trimmed packet, with the code that stands in `tuser`.
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
    /// Has 128 KiB or more.
    TooLong = 11,
    /// Not dropped: what a switch has left of a packet.
    Trimmed = 12,
}

impl Reason {
    /// Every reason, in the order of the codes.
    pub const ALL: [Self; 13] = [
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
        Self::TooLong,
        Self::Trimmed,
    ];

    /// The code in `tuser` bits 4:1, and the index of the counter.
    #[must_use]
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The name in vectors and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::BadFrame => "bad_frame",
            Self::CutShort => "cut_short",
            Self::IpVersion => "ip_version",
            Self::Ihl => "ihl",
            Self::IpChecksum => "ip_checksum",
            Self::IpLength => "ip_length",
            Self::UdpLength => "udp_length",
            Self::HeaderCut => "header_cut",
            Self::Icrc => "icrc",
            Self::Reserved => "reserved",
            Self::TooLong => "too_long",
            Self::Trimmed => "trimmed",
        }
    }
}
