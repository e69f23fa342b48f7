// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the stages `icrc` and `icrc_insert` must do with a frame: the table of their contract, row by row.
//!
//! "Row n" is row n of the table in `docs/stages/icrc.md`.

use crate::schema::{Expect, Reason, Verdict};
use crate::wire::{Addresses, Header, Ipv4, Ipv6, Tag, Udp, ethernet, icrc, udp};
use std::collections::BTreeMap;
use std::ops::Range;

/// The shortest datagram: UDP, BTH, ICRC.
const SHORTEST: usize = 8 + 12 + icrc::LEN;

/// Which counter a frame counts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Counted {
    /// RoCEv2 with the right ICRC, or with one put in.
    Good,
    /// RoCEv2 with a wrong ICRC.
    Bad,
    /// Not RoCEv2, or marked already.
    Other,
}

/// The answer for a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The row that decided, 1 to 10.
    pub row: u8,
    /// The counter.
    pub counted: Counted,
    /// Verdict, and the frame if it changed.
    pub expect: Expect,
}

impl Judged {
    fn new(row: u8, counted: Counted, reason: Option<Reason>, frame: Option<Vec<u8>>) -> Self {
        let verdict = if reason.is_some() { Verdict::Drop } else { Verdict::Ok };
        Self { row, counted, expect: Expect { verdict, reason, fields: BTreeMap::new(), frame } }
    }
}

/// The stage `icrc`. A marked frame has the reason `bad_frame`.
#[must_use]
pub fn check(frame: &[u8], marked: bool) -> Judged {
    check_at(frame, marked, udp::ROCEV2)
}

/// The stage `icrc` with RoCEv2 at another UDP port.
#[must_use]
pub fn check_at(frame: &[u8], marked: bool, port: u16) -> Judged {
    match judge(frame, marked, port) {
        Err(row) => other(row, None),
        Ok(covered) => {
            let sent = &frame[covered.end..covered.end + icrc::LEN];
            match icrc::icrc(&frame[covered]) == *sent {
                false => Judged::new(9, Counted::Bad, Some(Reason::Icrc), None),
                true => Judged::new(10, Counted::Good, None, None),
            }
        }
    }
}

/// The stage `icrc_insert`. It learns of a mark, and of the frame's length, when the ICRC's place may have passed: so
/// rows 1 and, where the packet is longer than the frame, 6 do not keep it from filling the place, as far as that is in
/// the frame.
#[must_use]
pub fn insert(frame: &[u8], marked: bool) -> Judged {
    insert_at(frame, marked, udp::ROCEV2)
}

/// The stage `icrc_insert` with RoCEv2 at another UDP port.
#[must_use]
pub fn insert_at(frame: &[u8], marked: bool, port: u16) -> Judged {
    let filled = covered(frame, port).map(|(covered, _)| {
        let mut filled = frame.to_vec();
        let place = filled.get_mut(covered.end..).unwrap_or_default();
        let crc = icrc::icrc(frame.get(covered).unwrap_or_default());
        place.iter_mut().zip(crc).for_each(|(byte, crc)| *byte = crc);
        filled
    });
    let changed = filled.ok().filter(|filled| filled != frame);
    match judge(frame, marked, port) {
        Err(row) => other(row, changed),
        Ok(_) => Judged::new(10, Counted::Good, None, changed),
    }
}

fn other(row: u8, frame: Option<Vec<u8>>) -> Judged {
    Judged::new(row, Counted::Other, (row == 1).then_some(Reason::BadFrame), frame)
}

/// Where the ICRC belongs, if the headers say that there is one; it may lie beyond the frame.
#[must_use]
pub fn place(frame: &[u8]) -> Option<Range<usize>> {
    place_at(frame, udp::ROCEV2)
}

/// The same with RoCEv2 at another UDP port.
#[must_use]
pub fn place_at(frame: &[u8], port: u16) -> Option<Range<usize>> {
    covered(frame, port).ok().map(|(covered, _)| covered.end..covered.end + icrc::LEN)
}

/// Rows 1 to 8: what the ICRC behind it covers, or the row that ends it.
fn judge(frame: &[u8], marked: bool, port: u16) -> Result<Range<usize>, u8> {
    if marked {
        return Err(1);
    }
    let (start, _) = link(frame)?;
    let (_, packet) = network(frame, start)?;
    if packet > frame.len() {
        return Err(6);
    }
    Ok(covered(frame, port)?.0)
}

/// Rows 2 to 8 but for the frame's own length: from the IP header to where the ICRC begins, and the end of the packet.
fn covered(frame: &[u8], port: u16) -> Result<(Range<usize>, usize), u8> {
    let (start, _) = link(frame)?;
    let (datagram, packet) = network(frame, start)?;
    let header = frame.get(datagram..).and_then(Udp::read).ok_or(6)?;
    if header.destination() != port {
        return Err(7);
    }
    let length = usize::from(header.length());
    if length < SHORTEST || datagram + length > packet {
        return Err(8);
    }
    Ok((start..datagram + length - icrc::LEN, packet))
}

/// Rows 2 and 3: where the IP header begins, and the EtherType.
fn link(frame: &[u8]) -> Result<(usize, u16), u8> {
    let mut at = Addresses::LEN;
    let mut tags = 0;
    loop {
        let bytes = frame.get(at..at + 2).ok_or(2)?;
        let ethertype = u16::from_be_bytes([bytes[0], bytes[1]]);
        if tags < 2 && ethernet::is_tag(ethertype) {
            (tags, at) = (tags + 1, at + Tag::LEN);
            continue;
        }
        return match ethertype {
            ethernet::IPV4 | ethernet::IPV6 => Ok((at + 2, ethertype)),
            _ => Err(3),
        };
    }
}

/// Rows 4 to 6: where UDP begins, and where the packet ends.
fn network(frame: &[u8], start: usize) -> Result<(usize, usize), u8> {
    let (_, ethertype) = link(frame)?;
    let packet = &frame[start..];
    if ethertype == ethernet::IPV6 {
        let header = Ipv6::read(packet).ok_or(6)?;
        return match (header.version(), header.next_header()) {
            (6, udp::PROTOCOL) => Ok((start + Ipv6::LEN, start + Ipv6::LEN + usize::from(header.payload_length()))),
            (6, _) => Err(5),
            _ => Err(4),
        };
    }
    let header = Ipv4::read(packet).ok_or(6)?;
    if header.version() != 4 || header.ihl() < 5 {
        return Err(4);
    }
    if header.more_fragments() || header.fragment_offset() != 0 || header.protocol() != udp::PROTOCOL {
        return Err(5);
    }
    let (length, total) = (usize::from(header.ihl()) * 4, usize::from(header.total_length()));
    if total < length { Err(6) } else { Ok((start + length, start + total)) }
}
