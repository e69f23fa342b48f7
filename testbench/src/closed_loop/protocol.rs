// SPDX-License-Identifier: MIT OR Apache-2.0
//! What differs between NICs of UET and of RoCEv2, as one list: each function here says it for both, in `uet` and `rocev2`.

use super::connection::{Connection, ReceiverCounts, Request};
use super::kind::Kind;
use super::ledger::Ledger;
use super::payload::Part;
use super::rocev2::{self, SubPaths};
use super::{End, uet};
use crate::device::Error;
use crate::network::Headers;
use std::collections::BTreeMap;

/// The transport of the NICs of a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// UET.
    Uet {
        /// DSCPs of trimmed frames.
        trimmed: Vec<u8>,
        /// Packets end with a CRC.
        crc: bool,
    },
    /// Multipath RoCEv2; each QP has these sub-paths.
    Rocev2(SubPaths),
}

impl Protocol {
    /// The largest PSN.
    pub const fn last_psn(&self) -> u64 {
        match self {
            Protocol::Uet { .. } => 0xFFFF_FFFF,
            Protocol::Rocev2(_) => 0xFF_FFFF,
        }
    }

    /// What packets for the PDC, or QP, with this number carry.
    pub(super) const fn id(&self, number: u32) -> u32 {
        match self {
            Protocol::Uet { .. } => number,
            Protocol::Rocev2(_) => rocev2::QP + number,
        }
    }

    /// Fields of *open* that name the two ends.
    pub(super) fn names(&self, here: End, there: End) -> Vec<(&'static str, u64)> {
        let ids = [here, there].map(|end| u64::from(end.id));
        match self {
            Protocol::Uet { .. } => vec![("local_pdcid", ids[0]), ("remote_pdcid", ids[1])],
            Protocol::Rocev2(paths) => {
                let multipath = u64::from(!paths.is_plain());
                let qps = [("local_qp", ids[0]), ("remote_qp", ids[1])];
                qps.into_iter().chain([("pkey", u64::from(rocev2::PKEY)), ("multipath", multipath)]).collect()
            }
        }
    }

    /// The sub-paths of a QP.
    pub(super) const fn sub_paths(&self) -> Option<&SubPaths> {
        match self {
            Protocol::Uet { .. } => None,
            Protocol::Rocev2(paths) => Some(paths),
        }
    }

    /// Further fields of a request for this message; `part` may be any of it.
    pub(super) fn request(&self, part: &Part) -> Vec<(&'static str, u64)> {
        match self {
            Protocol::Uet { .. } => Vec::new(),
            Protocol::Rocev2(_) => rocev2::request(part),
        }
    }

    /// The bytes that a host brings for a packet.
    pub(super) fn bytes(&self, part: &Part) -> Vec<u8> {
        match self {
            Protocol::Uet { .. } => part.bytes(),
            Protocol::Rocev2(_) => rocev2::bytes(part),
        }
    }

    /// What a frame that is sent is.
    pub(super) fn kind(&self, frame: &[u8]) -> Option<Kind> {
        match self {
            Protocol::Uet { .. } => uet::kind(frame),
            Protocol::Rocev2(_) => rocev2::kind(frame),
        }
    }

    /// Checks what all frames on a wire must be.
    pub(super) fn check(&self, frame: &[u8]) -> Result<(), Error> {
        match self {
            Protocol::Uet { crc, .. } => uet::check(frame, *crc),
            Protocol::Rocev2(_) => rocev2::check(frame),
        }
    }

    /// The packet of a message in a frame that has come; `None` if it is something else. What is not as it was sent is an error.
    pub(super) fn read(
        &self,
        frame: &[u8],
        headers: &Headers,
        connections: &BTreeMap<u64, Connection>,
        ledger: &Ledger,
        counts: &mut ReceiverCounts,
    ) -> Result<Option<Request>, Error> {
        match self {
            Protocol::Uet { trimmed, crc } => {
                uet::read(frame, headers, connections, (trimmed.as_slice(), *crc), counts)
            }
            Protocol::Rocev2(paths) => rocev2::read(frame, headers, connections, ledger, &paths.trimmed, counts),
        }
    }
}
