// SPDX-License-Identifier: MIT OR Apache-2.0
//! The class of an arrival, and what makes it urgent (G4, the tables).

use super::connection::Connection;
use super::{Arrival, Moment, Outcome, Protocol, nack};

/// The class of an arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// No answer.
    Refused,
    /// Something that had not been received.
    New,
    /// Acknowledged again.
    Again,
    /// There is no room for the expected packet.
    NotReady,
    /// The expected packet is a request that is not served.
    Invalid,
    /// Behind a gap, multipath off.
    OutOfSequence,
    /// Answered alone: by an ACK with P or p, or by a NACK with a code, which for RoCE is a NAK.
    Reply(Option<u64>),
}

/// The first row of the table that holds. A connection that is closed counts as *unknown*.
pub fn class(protocol: Protocol, arrival: &Arrival, connection: &Connection) -> Class {
    let outcome = if connection.open { arrival.outcome } else { Outcome::Unknown };
    match protocol {
        Protocol::Roce => roce(outcome, arrival, connection),
        Protocol::Uet => uet(outcome, arrival),
    }
}

fn roce(outcome: Outcome, arrival: &Arrival, connection: &Connection) -> Class {
    let multipath = connection.multipath;
    match outcome {
        Outcome::Unknown => Class::Refused,
        Outcome::InOrder => Class::New,
        Outcome::Probe if arrival.unserved && arrival.psn == arrival.expected => Class::Invalid,
        Outcome::Probe if arrival.unserved && multipath => Class::Refused,
        Outcome::Probe if arrival.unserved => Class::OutOfSequence,
        Outcome::Probe if arrival.no_room && is_before(Protocol::Roce, arrival) => Class::Again,
        Outcome::Probe if arrival.no_room && (arrival.psn == arrival.expected || !connection.answered) => {
            Class::NotReady
        }
        Outcome::Probe if arrival.no_room => Class::Refused,
        Outcome::Probe if arrival.trimmed && multipath => Class::Reply(Some(nack::TRIMMED)),
        Outcome::Probe if arrival.trimmed => Class::OutOfSequence,
        Outcome::Probe if multipath => Class::Reply(None),
        Outcome::Below | Outcome::Probe => Class::Again,
        Outcome::NoBuffer if arrival.psn == arrival.expected => Class::NotReady,
        _ if !multipath => Class::OutOfSequence,
        Outcome::Held => Class::New,
        Outcome::Duplicate => Class::Again,
        Outcome::NoBuffer if !connection.answered => Class::NotReady,
        Outcome::NoBuffer | Outcome::Above => Class::Refused,
    }
}

/// The PSN is one of the half of all before *E*.
const fn is_before(protocol: Protocol, arrival: &Arrival) -> bool {
    let psns = match protocol {
        Protocol::Roce => 1 << 24,
        Protocol::Uet => 1 << 32,
    };
    (arrival.psn + psns - arrival.expected) % psns >= psns / 2
}

fn uet(outcome: Outcome, arrival: &Arrival) -> Class {
    match outcome {
        Outcome::Unknown if arrival.syn => Class::Reply(Some(nack::NO_PDC_AVAIL)),
        Outcome::Unknown => Class::Reply(Some(nack::INV_DPDCID)),
        _ if arrival.trimmed && arrival.last_hop => Class::Reply(Some(nack::TRIMMED_LASTHOP)),
        _ if arrival.trimmed => Class::Reply(Some(nack::TRIMMED)),
        Outcome::InOrder | Outcome::Held => Class::New,
        Outcome::Duplicate | Outcome::Below => Class::Again,
        Outcome::Probe if arrival.no_room && is_before(Protocol::Uet, arrival) => Class::Again,
        Outcome::Probe if arrival.no_room => Class::Reply(Some(nack::NO_PKT_BUFFER)),
        Outcome::Probe => Class::Reply(None),
        Outcome::Above if arrival.syn => Class::Reply(Some(nack::INVALID_SYN)),
        Outcome::Above => Class::Reply(Some(nack::PSN_OOR_WINDOW)),
        Outcome::NoBuffer => Class::Reply(Some(nack::NO_PKT_BUFFER)),
    }
}

/// What makes a merged arrival urgent. The packet has been counted in `connection`; `first` is from before it.
pub fn urgent(
    protocol: Protocol,
    class: Class,
    arrival: &Arrival,
    connection: &Connection,
    first: bool,
    moment: &Moment,
) -> bool {
    let Moment { early, late, .. } = moment;
    let new = class == Class::New;
    let mark = arrival.ecn && early.on_ecn;
    let by_protocol = match protocol {
        Protocol::Roce => {
            let count = if connection.multipath { late.count_multipath } else { late.count };
            mark && connection.multipath || new && connection.packets >= count.max(1)
        }
        Protocol::Uet => {
            let setting = early.per_packet || arrival.retx && early.on_retx;
            let next = (arrival.psn + 1) % (1 << 32);
            let closes_gap = arrival.outcome == Outcome::InOrder && arrival.expected != next;
            mark || new && connection.bytes >= late.trigger || arrival.syn || first || setting || closes_gap
        }
    };
    !new || arrival.ack_request || by_protocol
}
