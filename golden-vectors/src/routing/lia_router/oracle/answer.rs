// SPDX-License-Identifier: MIT OR Apache-2.0
//! The answer to a request.

/// Where a packet goes, and the non-minimal path that was drawn for it. A packet for an unknown group or switch has no
/// answer: all fields are 0. One for the own group has no other path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The group and the switch exist.
    pub known: bool,
    /// It takes the minimal path.
    pub minimal: bool,
    /// The port that it leaves through.
    pub port: u64,
    /// The intermediate group.
    pub group: u64,
    /// The intermediate switch.
    pub switch: u64,
    /// The global link to the intermediate group.
    pub link: u64,
    /// L1 is kept: the link is one of the whole group.
    pub l1: bool,
    /// L2 is kept: the switch is any one of its group.
    pub l2: bool,
    /// The level of the load of the destination group.
    pub level: u64,
    /// Hops of the path that it takes.
    pub hops: u64,
}
