// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a receiver knows of a connection, what comes for it, and what has been counted.

use super::ledger::Flow;
use super::payload::Part;

/// A packet of a message as it came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    pub psn: u64,
    /// The PDC identifier, or QP, that it is for.
    pub id: u32,
    /// What it carries; `None` if it has been trimmed, or is of no connection.
    pub part: Option<Part>,
}

/// What the receiver knows of a connection.
#[derive(Clone, Debug)]
pub struct Connection {
    /// The PSN that is delivered next ..
    pub psn: u64,
    /// .. and how many packets of the flow have been delivered before.
    pub index: u64,
    /// The PDC identifier, or QP, that packets are for.
    pub id: u32,
    /// Who sends, and on which PDC.
    pub flow: Flow,
    /// RoCEv2: the entropies of the sub-paths on which they come.
    pub entropies: Vec<u16>,
    /// RoCEv2: packets have no MPEH.
    pub is_plain: bool,
}

/// What has been counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReceiverCounts {
    /// Packets that came whole.
    pub whole: u64,
    /// Packets that came trimmed.
    pub trimmed: u64,
    /// Probes.
    pub probes: u64,
    /// RoCEv2: packets of a QP that is not open.
    pub strangers: u64,
    /// Frames that nobody has sent.
    pub foreign: u64,
    /// Packets that were delivered.
    pub delivered: u64,
    /// Frames in sequence that were named as never to be delivered.
    pub undelivered: u64,
    /// CREDIT packets that came.
    pub credits: u64,
    /// CREDIT_REQUEST packets that came.
    pub requests: u64,
}
