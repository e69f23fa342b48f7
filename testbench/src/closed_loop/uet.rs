// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames of UET, as hosts read them.

use super::connection::{Connection, ReceiverCounts, Request};
use super::kind::Kind;
use super::payload::Part;
use crate::device::Error;
use crate::network::Headers;
use golden_vectors::headers::codec::Options;
use golden_vectors::headers::codec::icrc_place::{self, Code};
use golden_vectors::headers::uet::crc;
use std::collections::BTreeMap;

/// The UDP destination port of UET.
const PORT: [u8; 2] = 4793_u16.to_be_bytes();
/// Flag p of an ACK.
const ANSWERS_PROBE: u8 = 1 << 3;
/// Codes of control packets (uet.md 1.7).
const PROBE: u8 = 6;
const CREDIT: u8 = 7;
const CREDIT_REQUEST: u8 = 8;

/// The PDS header of a frame, and what is behind it.
fn pds(frame: &[u8]) -> Option<&[u8]> {
    frame.get(Headers::of(frame)?.transport + 8..)
}

/// What a frame is, by its PDS type.
pub fn kind(frame: &[u8]) -> Option<Kind> {
    let pds = pds(frame)?;
    match pds.first()? >> 3 {
        2 | 13 => Some(Kind::Data),
        7..=9 => Some(Kind::Ack { becn: false, suspects: false }),
        10 | 12 => Some(Kind::Nack),
        11 => match control_type(pds)? {
            PROBE => Some(Kind::Probe),
            CREDIT => Some(Kind::Credit),
            CREDIT_REQUEST => Some(Kind::CreditRequest),
            _ => None,
        },
        _ => None,
    }
}

/// The code of a control packet.
fn control_type(pds: &[u8]) -> Option<u8> {
    Some((pds.first()? & 7) << 1 | pds.get(1)? >> 7)
}

/// A frame is a PROBE of UET, or the ACK that answers one.
#[must_use]
pub fn is_probe(frame: &[u8]) -> bool {
    let Some(headers) =
        Headers::of(frame).filter(|headers| frame.get(headers.transport + 2..headers.transport + 4) == Some(&PORT))
    else {
        return false;
    };
    let Some(pds @ [kind, flags, ..]) = frame.get(headers.transport + 8..) else { return false };
    match kind >> 3 {
        11 => control_type(pds) == Some(PROBE),
        7..=9 => flags & ANSWERS_PROBE != 0,
        _ => false,
    }
}

/// The PDC identifier for which a frame has credit, and the credit number.
pub fn credit(frame: &[u8]) -> Option<(u16, u32)> {
    let [high, low, payload @ ..] = *pds(frame)?.get(10..)?.first_chunk::<6>()?;
    Some((u16::from_be_bytes([high, low]), u32::from_be_bytes(payload) & 0xFF_FFFF))
}

/// The CRC of a frame is right, by an oracle of it, and ends the packet, if there is to be one.
pub fn check(frame: &[u8], has_crc: bool) -> Result<(), Error> {
    let wrong = |what: &str| Err(Error::Protocol(format!("{what}: {frame:02x?}")));
    if !has_crc {
        return Ok(());
    }
    let Ok((Code::Uet, covered, end)) = icrc_place::covered(frame, &Options::default()) else { return wrong("no CRC") };
    let place = covered.end..covered.end + crc::LEN;
    if place.end != end || frame.get(place) != Some(&crc::crc(&frame[covered])[..]) {
        return wrong("a wrong CRC");
    }
    Ok(())
}

/// The request in a frame; `None` if it is something else. A payload that is not as it was sent is an error.
pub fn read(
    frame: &[u8],
    headers: &Headers,
    connections: &BTreeMap<u64, Connection>,
    (trimmed, has_crc): (&[u8], bool),
    counts: &mut ReceiverCounts,
) -> Result<Option<Request>, Error> {
    let pds = &frame[headers.transport + 8..];
    if pds.len() >= 16 && pds[0] >> 3 == 11 {
        return read_control(pds, connections, counts);
    }
    if pds.len() < 12 || ![2, 13].contains(&(pds[0] >> 3)) {
        return Ok(None);
    }
    let psn = u64::from(u32::from_be_bytes(pds[4..8].try_into().expect("four")));
    let id = u32::from(u16::from_be_bytes(pds[10..12].try_into().expect("two")));
    let controlled = pds[0] >> 3 == 13;
    if controlled && pds.len() >= 16 {
        let of = connections.values().find(|connection| connection.id == id);
        if of.is_some_and(|connection| pds[12] != connection.flow.1 as u8) {
            return Err(Error::Protocol(format!("ccc_id {} for {id:#x} (row TX12)", pds[12])));
        }
    }
    if trimmed.contains(&headers.dscp(frame)) {
        counts.trimmed += 1;
        return Ok(Some(Request { psn, id, part: None }));
    }
    let words = if controlled { 16 } else { 12 };
    // Short frames are padded; what the UDP length does not count is not looked at.
    let length = u16::from_be_bytes(frame[headers.transport + 4..headers.transport + 6].try_into().expect("two"));
    let end = headers.transport + length as usize - if has_crc { crc::LEN } else { 0 };
    let bytes = &frame[headers.transport + 8 + words..end];
    let Some(part) = Part::read(bytes) else {
        return Err(Error::Protocol(format!("PSN {psn} for {id:#x} is not as it was sent")));
    };
    counts.whole += 1;
    Ok(Some(Request { psn, id, part: Some(part) }))
}

/// Reads a control packet: CREDIT is for the transmit path. A PROBE is in sequence, and never delivered.
fn read_control(
    pds: &[u8],
    connections: &BTreeMap<u64, Connection>,
    counts: &mut ReceiverCounts,
) -> Result<Option<Request>, Error> {
    let id = u32::from(u16::from_be_bytes([pds[10], pds[11]]));
    let code = control_type(pds);
    if code != Some(CREDIT) && connections.values().all(|connection| connection.id != id) {
        return Err(Error::Protocol(format!("a control packet of code {code:?} for {id:#x} (rows TX23, TX50)")));
    }
    match code {
        Some(CREDIT) => counts.credits += 1,
        Some(CREDIT_REQUEST) => counts.requests += 1,
        Some(PROBE) => {
            counts.probes += 1;
            return Ok(Some(Request { psn: 0, id, part: None }));
        }
        _ => return Err(Error::Protocol(format!("a control packet with code {code:?}"))),
    }
    Ok(None)
}
