// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames of multipath RoCEv2 with SEND and WRITE, written byte by byte (rows TX11, TX30 to TX32): all of a frame follows from
//! the packet and from what its MPEH and its UDP source port say.

use crate::transmit::tx::bench::Fetch;
use crate::transmit::tx::place::Place;
use golden_vectors::headers::icrc::{LEN, icrc};
use pipeline::headers::protocols::MpehIndicator;
use testbench::device::random::Random;

/// Where a QP sends to.
#[derive(Clone, Copy, Debug)]
pub struct Destination {
    pub place: Place,
    pub remote_qp: u64,
    pub pkey: u64,
}

impl Destination {
    /// One at random.
    pub fn random(random: &mut Random) -> Self {
        let place = Place::random(random);
        Destination { place, remote_qp: random.bits() & 0xFF_FFFF, pkey: random.bits() & 0xFFFF }
    }

    /// Fields of *open*.
    pub fn fields(&self) -> Vec<(&'static str, u64)> {
        let mut fields = self.place.fields();
        fields.extend([
            ("dscp", self.place.dscp),
            ("remote_qp", self.remote_qp),
            ("pkey", self.pkey),
            ("multipath", 1),
        ]);
        fields
    }
}

/// What an RDMA WRITE has and a SEND has not.
#[derive(Clone, Copy, Debug)]
pub struct Write {
    pub address: u64,
    pub rkey: u64,
}

/// A message as it was asked for.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    pub handle: u64,
    pub address: u64,
    pub length: u64,
    pub write: Option<Write>,
    pub with_immediate: bool,
    pub with_invalidate: bool,
    /// Immediate data, or the key that is invalidated.
    pub immediate: u64,
}

impl Asked {
    /// There is an operation for it.
    pub fn is_possible(&self) -> bool {
        !self.with_invalidate || self.write.is_none() && !self.with_immediate
    }

    /// A word is behind the headers of its last packet.
    fn has_word(&self) -> bool {
        self.with_immediate || self.with_invalidate
    }
}

/// What a frame says of its way: with IPv4 the entropy has 16 bits.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    pub entropy: u64,
    pub path: u64,
    pub flags: u64,
    pub flowlet: u64,
    pub tag: u64,
}

/// How frames of a device are made.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    pub mpeh: MpehIndicator,
    pub port: u64,
}

/// Pad bytes behind a payload.
fn pad(length: u64) -> u64 {
    length.wrapping_neg() & 3
}

/// The byte at an address.
fn byte(address: u64) -> u8 {
    (address.wrapping_mul(0x9E37_79B1) >> 13) as u8
}

/// The bytes that the host brings for a fetch: the payload, pad, and four bytes in whose place the ICRC is put (row TX30).
pub fn body(fetch: &Fetch, random: &mut Random) -> Vec<u8> {
    let payload = (0..fetch.length).map(|i| byte(fetch.address.wrapping_add(i)));
    payload.chain((0..pad(fetch.length) + LEN as u64).map(|_| random.bits() as u8)).collect()
}

/// Appends the low bytes of a number in network order.
fn put(frame: &mut Vec<u8>, bytes: usize, number: u64) {
    frame.extend(&number.to_be_bytes()[8 - bytes..]);
}

/// A number of some bytes in network order.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |high, &low| high << 8 | u64::from(low))
}

/// Reads where the packet goes from a frame for this place.
pub fn route(frame: &[u8], place: &Place) -> Route {
    let ip = 14 + 4 * usize::from(place.tag.is_some());
    let udp = ip + if place.ipv6 { 40 } else { 20 };
    let mpeh = udp + 8 + 12;
    assert!(frame.len() >= mpeh + 8 + LEN, "{} bytes are too few", frame.len());
    let of = |at: usize, bytes: usize| number(&frame[at..at + bytes]);
    let upper = if place.ipv6 { (of(ip, 4) & 0xF_FFFF) >> 16 } else { 0 };
    Route {
        entropy: upper << 16 | of(udp, 2),
        path: of(mpeh, 1),
        flags: of(mpeh + 1, 1),
        flowlet: of(mpeh + 2, 2),
        tag: of(mpeh + 4, 2),
    }
}

/// OpCode of a packet (row TX32).
fn opcode(fetch: &Fetch, asked: &Asked, mpeh: MpehIndicator) -> u64 {
    let operation = match (asked.write.is_some(), fetch.first, fetch.last) {
        (false, false, true) if asked.with_immediate => 0x03,
        (false, true, true) if asked.with_immediate => 0x05,
        (true, false, true) if asked.with_immediate => 0x09,
        (true, true, true) if asked.with_immediate => 0x0B,
        (false, false, true) if asked.with_invalidate => 0x16,
        (false, true, true) if asked.with_invalidate => 0x17,
        (false, true, false) => 0x00,
        (false, false, false) => 0x01,
        (false, false, true) => 0x02,
        (false, true, true) => 0x04,
        (true, true, false) => 0x06,
        (true, false, false) => 0x07,
        (true, false, true) => 0x08,
        (true, true, true) => 0x0A,
    };
    match mpeh {
        MpehIndicator::Bit => operation,
        MpehIndicator::OpCode => 0xC0 + operation,
    }
}

/// The packet asks for an ACK (rows TX12, TX32), whether its window is full or not: without a congestion window nothing else lets it.
pub fn must_ask(fetch: &Fetch) -> bool {
    fetch.last || fetch.retransmission
}

/// The frame asks for an ACK.
pub fn asks(frame: &[u8], to: &Destination) -> bool {
    let ethernet = 14 + if to.place.tag.is_some() { 4 } else { 0 };
    let ip = if to.place.ipv6 { 40 } else { 20 };
    frame.get(ethernet + ip + 16).is_some_and(|byte| byte & 0x80 != 0)
}

/// The frame of a packet, which `asks` for an ACK or not. With bytes that were bad the ICRC may be any.
pub fn frame(
    format: Format,
    to: &Destination,
    (fetch, asks): (&Fetch, bool),
    asked: &Asked,
    body: &[u8],
    route: &Route,
) -> Vec<u8> {
    let Place { macs, tag, ipv6, ips, dscp } = to.place;
    let reth = asked.write.filter(|_| fetch.first);
    let word = Some(asked.immediate).filter(|_| asked.has_word() && fetch.last);
    let extensions = if reth.is_some() { 16 } else { 0 } + if word.is_some() { 4 } else { 0 };
    let udp_length = 8 + 12 + 8 + extensions + body.len() as u64;
    let class = dscp << 2 | 2;
    let mut bytes = Vec::new();
    let frame = &mut bytes;
    macs.iter().for_each(|mac| put(frame, 6, *mac));
    if let Some(tag) = tag {
        put(frame, 4, 0x8100 << 16 | tag);
    }
    put(frame, 2, if ipv6 { 0x86DD } else { 0x0800 });
    let ip = frame.len();
    if ipv6 {
        put(frame, 4, 6 << 28 | class << 20 | route.entropy);
        put(frame, 4, udp_length << 16 | 17 << 8 | 64);
        ips[1].iter().chain(&ips[0]).for_each(|word| put(frame, 4, *word));
    } else {
        put(frame, 4, 0x45 << 24 | class << 16 | (udp_length + 20));
        // Identification 0, DF; TTL and protocol, no checksum yet.
        put(frame, 8, 0x4000 << 32 | 64 << 24 | 17 << 16);
        put(frame, 4, ips[1][0]);
        put(frame, 4, ips[0][0]);
        let sum: u64 = frame[ip..].chunks(2).map(number).sum();
        let sum = (sum & 0xFFFF) + (sum >> 16);
        let sum = !((sum & 0xFFFF) + (sum >> 16)) as u16;
        frame[ip + 10..ip + 12].copy_from_slice(&sum.to_be_bytes());
    }
    put(frame, 8, (route.entropy & 0xFFFF) << 48 | format.port << 32 | udp_length << 16);
    // MigReq, the pad count, version 0.
    put(frame, 1, opcode(fetch, asked, format.mpeh));
    put(frame, 1, 0x40 | pad(fetch.length) << 4);
    put(frame, 2, to.pkey);
    put(frame, 4, to.remote_qp);
    let indicator = u64::from(format.mpeh == MpehIndicator::Bit) << 30;
    put(frame, 4, u64::from(asks) << 31 | indicator | fetch.psn);
    put(frame, 8, route.path << 56 | route.flags << 48 | route.flowlet << 32 | route.tag << 16);
    if let Some(Write { address, rkey }) = reth {
        put(frame, 8, address);
        put(frame, 4, rkey);
        put(frame, 4, asked.length);
    }
    if let Some(word) = word {
        put(frame, 4, word);
    }
    frame.extend(&body[..body.len() - LEN]);
    let crc = icrc(&frame[ip..]);
    frame.extend(crc);
    bytes
}
