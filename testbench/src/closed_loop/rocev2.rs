// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames of RoCEv2 as hosts read them (rows TX30 to TX32, TX53), and the sub-paths of QPs. A packet carries nothing but
//! payload: which part of a message it is follows from its PSN.

use super::connection::{Connection, ReceiverCounts, Request};
use super::kind::Kind;
use super::ledger::Ledger;
use super::payload::{Part, mix};
use crate::device::Error;
use crate::network::Headers;
use golden_vectors::headers::codec::{Options, icrc_place};
use golden_vectors::headers::{AckFlags, Aeth, Bth, DataFlags, Header, Mpeh, Reth, Syndrome, icrc};
use std::collections::BTreeMap;

/// The number of the first QP, and the partition key.
pub const QP: u32 = 0xA0_0000;
pub const PKEY: u16 = 0x8A51;
/// OpCode of ACKs, and of congestion notification packets.
const ACK: u8 = 0x11;
const CNP: u8 = 0x81;

/// Codes of the commands of `path_scheduler`.
mod op {
    pub const OPEN: u64 = 1;
    pub const CLOSE: u64 = 2;
    pub const ADD: u64 = 4;
    pub const START: u64 = 5;
    pub const DRAIN: u64 = 7;
    pub const REMOVE: u64 = 9;
}

/// The sub-paths of a QP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubPaths {
    /// 0 by flow, 1 by flowlet, 2 packet by packet; 3 for a QP of plain RoCEv2.
    pub granularity: u64,
    /// The weight of each, which is also the most that it may have.
    pub weights: Vec<u64>,
    /// They are started at once, and not by probes.
    pub forced: bool,
    /// DSCPs of trimmed frames.
    pub trimmed: Vec<u8>,
}

/// A command.
pub type Command = Vec<(&'static str, u64)>;

impl SubPaths {
    /// Packets have no MPEH.
    pub const fn is_plain(&self) -> bool {
        self.granularity == 3
    }

    /// Opens a QP, adds sub-paths with these entropies, and starts them unless probes do.
    pub fn open(&self, qp: u64, psn: u64, entropies: &[u16]) -> Vec<Command> {
        let open = vec![("op", op::OPEN), ("qp", qp), ("psn", psn), ("granularity", self.granularity)];
        let starts = (0..).zip(&self.weights).zip(entropies).flat_map(|((path, weight), entropy)| {
            let of = |op| vec![("op", op), ("qp", qp), ("path", path), ("weight", *weight)];
            let [mut add, mut start] = [op::ADD, op::START].map(of);
            add.push(("entropy", u64::from(*entropy)));
            start.push(("force", 1));
            [Some(add), self.forced.then_some(start)].into_iter().flatten()
        });
        [open].into_iter().chain(starts).collect()
    }

    /// A command for each sub-path of a QP.
    fn each(&self, op: u64, qp: u64) -> impl Iterator<Item = Command> {
        (0..self.weights.len() as u64).map(move |path| vec![("op", op), ("qp", qp), ("path", path)])
    }

    /// Drains the sub-paths of a QP.
    pub fn drain(&self, qp: u64) -> Vec<Command> {
        self.each(op::DRAIN, qp).collect()
    }

    /// Removes them, and closes the QP: when it is closed in both paths, nothing is in flight.
    pub fn close(&self, qp: u64) -> Vec<Command> {
        self.each(op::REMOVE, qp).chain([vec![("op", op::CLOSE), ("qp", qp)]]).collect()
    }
}

/// Messages are SENDs and RDMA WRITEs in turn.
const fn is_write(part: &Part) -> bool {
    (part.message + part.pdc as u32) % 2 == 1
}

/// Address and key of the memory of the peer to which a message is written: any that depend on the message.
fn target(part: &Part) -> (u64, u32) {
    let seed = mix((part.source as u64) << 48 | (part.pdc as u64) << 32 | part.message as u64);
    (seed, mix(seed) as u32)
}

/// What the last packet of a message has behind its headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Immediate,
    /// A key, which a SEND has the peer invalidate.
    Key,
}

/// One message in three has immediate data, and one SEND in three a key.
fn word(part: &Part) -> Option<Word> {
    match part.message % 3 {
        1 => Some(Word::Immediate),
        2 if !is_write(part) => Some(Word::Key),
        _ => None,
    }
}

/// The data, or the key.
fn immediate(part: &Part) -> u32 {
    !target(part).1
}

/// Fields of a request.
pub fn request(part: &Part) -> Vec<(&'static str, u64)> {
    let ((address, rkey), word) = (target(part), word(part));
    vec![
        ("write", is_write(part).into()),
        ("remote_address", address),
        ("rkey", rkey.into()),
        ("with_immediate", (word == Some(Word::Immediate)).into()),
        ("with_invalidate", (word == Some(Word::Key)).into()),
        ("immediate", immediate(part).into()),
    ]
}

/// Bytes of pad behind a payload.
const fn pad(length: u32) -> u32 {
    length.wrapping_neg() & 3
}

/// Payload, pad, and four bytes in whose place the ICRC is put (row TX30).
pub fn bytes(part: &Part) -> Vec<u8> {
    let mut bytes = part.payload();
    bytes.resize(bytes.len() + pad(part.length) as usize, 0);
    bytes.extend([0xEE; icrc::LEN]);
    bytes
}

/// The OpCode of a packet (row TX32).
fn opcode(part: &Part, is_first: bool, is_last: bool) -> u8 {
    match (is_write(part), is_first, is_last) {
        (false, false, true) if word(part) == Some(Word::Immediate) => 0x03,
        (false, true, true) if word(part) == Some(Word::Immediate) => 0x05,
        (true, false, true) if word(part) == Some(Word::Immediate) => 0x09,
        (true, true, true) if word(part) == Some(Word::Immediate) => 0x0B,
        (false, false, true) if word(part) == Some(Word::Key) => 0x16,
        (false, true, true) if word(part) == Some(Word::Key) => 0x17,
        (false, true, false) => 0x00,
        (false, false, false) => 0x01,
        (false, false, true) => 0x02,
        (false, true, true) => 0x04,
        (true, true, false) => 0x06,
        (true, false, false) => 0x07,
        (true, false, true) => 0x08,
        (true, true, true) => 0x0A,
    }
}

/// BTH and MPEH of a frame, and all behind them but the ICRC; `None` if it is no RoCEv2.
fn transport(frame: &[u8]) -> Option<(Bth, Option<Mpeh>, &[u8])> {
    let (_, covered, _) = icrc_place::covered(frame, &Options::default()).ok()?;
    let packet = frame.get(Headers::of(frame)?.transport + 8..covered.end)?;
    let (bth, behind) = (Bth::read(packet)?, packet.get(Bth::LEN..)?);
    if !bth.mpeh() {
        return Some((bth, None, behind));
    }
    Some((bth, Some(Mpeh::read(behind)?), &behind[Mpeh::LEN..]))
}

/// What a frame is, by its OpCode, and for an ACK by its syndrome.
pub fn kind(frame: &[u8]) -> Option<Kind> {
    let (bth, mpeh, behind) = transport(frame)?;
    if bth.opcode() == CNP {
        return Some(Kind::Cnp);
    }
    if bth.opcode() != ACK {
        let is_probe = mpeh.is_some_and(|mpeh| DataFlags::from_bytes([mpeh.flags()]).probe());
        return Some(if is_probe { Kind::Probe } else { Kind::Data });
    }
    let syndrome = Syndrome::from_bytes([Aeth::read(behind)?.syndrome()]);
    let suspects = mpeh.is_some_and(|mpeh| AckFlags::from_bytes([mpeh.flags()]).loss());
    Some(if syndrome.kind() == 0 { Kind::Ack { becn: bth.becn(), suspects } } else { Kind::Nack })
}

/// The ICRC of a frame is right, by an oracle of it.
pub fn check(frame: &[u8]) -> Result<(), Error> {
    let wrong = |what: &str| Err(Error::Protocol(format!("{what}: {frame:02x?}")));
    let Ok((_, covered, end)) = icrc_place::covered(frame, &Options::default()) else { return wrong("no ICRC") };
    let place = covered.end..covered.end + icrc::LEN;
    if place.end != end || frame.get(place) != Some(&icrc::icrc(&frame[covered])[..]) {
        return wrong("a wrong ICRC");
    }
    Ok(())
}

/// The packet of a message in a frame; `None` if it is something else. What is not as it was sent is an error.
pub fn read(
    frame: &[u8],
    headers: &Headers,
    connections: &BTreeMap<u64, Connection>,
    ledger: &Ledger,
    trimmed: &[u8],
    counts: &mut ReceiverCounts,
) -> Result<Option<Request>, Error> {
    let cut = frame.get(headers.transport + 8..).and_then(Bth::read);
    if let Some(bth) = cut.filter(|bth| bth.opcode() != ACK && trimmed.contains(&headers.dscp(frame))) {
        counts.trimmed += 1;
        return Ok(Some(Request { psn: bth.psn().into(), id: bth.dqpn(), part: None }));
    }
    let is_data = |bth: &Bth| ![ACK, CNP].contains(&bth.opcode());
    let Some((bth, mpeh, behind)) = transport(frame).filter(|(bth, ..)| is_data(bth)) else { return Ok(None) };
    let (psn, id) = (u64::from(bth.psn()), bth.dqpn());
    // A packet that comes late may be of a QP that has been closed.
    let Some(open) = connections.values().find(|open| open.id == id) else {
        counts.strangers += 1;
        return Ok(Some(Request { psn, id, part: None }));
    };
    let wrong = |what: &str| Err(Error::Protocol(format!("PSN {psn} for QP {id:#x}: {what}: {bth:?} {mpeh:?}")));
    if mpeh.is_some() == open.is_plain {
        return wrong("the MPEH (rows TX32, TX53)");
    }
    let flags = DataFlags::from_bytes([mpeh.map_or(0, |mpeh| mpeh.flags())]);
    if flags.probe() {
        counts.probes += 1;
        return Ok(Some(Request { psn, id, part: None }));
    }
    // It may be one of those that have been delivered.
    let ahead = (psn.wrapping_sub(open.psn) << 40) as i64 >> 40;
    let Some((part, message)) = ledger.part(open.flow, open.index.wrapping_add_signed(ahead)) else {
        return wrong("nothing has been sent with it");
    };
    let (is_first, is_last) = (part.offset == 0, part.offset + part.length == message.length);
    let (address, rkey) = target(&part);
    let reth = Reth::new().with_vaddr(address).with_rkey(rkey).with_length(message.length);
    let has_reth = is_write(&part) && is_first;
    let expected = Bth::new()
        .with_opcode(opcode(&part, is_first, is_last))
        .with_migreq(true)
        .with_pad(pad(part.length) as u8)
        .with_pkey(PKEY)
        .with_dqpn(id)
        // A packet that is sent again asks as well.
        .with_ackreq(bth.ackreq() || is_last || open.is_plain)
        .with_mpeh(!open.is_plain)
        .with_psn(bth.psn());
    if bth != expected {
        return wrong("the BTH (row TX32)");
    }
    if flags.reserved() != 0 || mpeh.is_some_and(|mpeh| mpeh.reserved() != 0) {
        return wrong("the MPEH (row TX32)");
    }
    if open.entropies.get(mpeh.map_or(0, |mpeh| mpeh.path_id()) as usize).copied() != headers.source_port(frame) {
        return wrong("the source port (row TX31)");
    }
    if has_reth && Reth::read(behind) != Some(reth) {
        return wrong("the RETH (row TX32)");
    }
    let behind = &behind[if has_reth { Reth::LEN } else { 0 }..];
    let word = if is_last && word(&part).is_some() { immediate(&part).to_be_bytes().to_vec() } else { Vec::new() };
    let Some(payload) = behind.strip_prefix(&word[..]) else { return wrong("immediate data, or IETH (row TX32)") };
    let brought = bytes(&part);
    if *payload != brought[..brought.len() - icrc::LEN] {
        return wrong("it is not as it was sent");
    }
    counts.whole += 1;
    Ok(Some(Request { psn, id, part: Some(part) }))
}
