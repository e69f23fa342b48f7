// SPDX-License-Identifier: MIT OR Apache-2.0
//! Stacks of transport headers: the bits that select the headers, and the place of each field.

use crate::frame::samples::tags::turn;
use crate::headers::codec::encode::Frame;
use crate::headers::codec::{Elab, MpehIndicator, Part, Rocev2, Uet};
use crate::headers::uet::prologue;
use crate::headers::{Udp, elab, udp};
use crate::rng::SplitMix64;

/// The protocol that carries a stack of headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Carrier {
    /// UDP to the port of RoCEv2. The ICRC follows the payload.
    Rocev2,
    /// UDP to the port of UET.
    Uet,
    /// IP. The stack begins with the entropy header.
    UetNative,
    /// UDP to the port of ELAB.
    Elab,
}

impl Carrier {
    /// The name of the transport.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rocev2 => "RoCEv2",
            Self::Uet | Self::UetNative => "UET",
            Self::Elab => "ELAB",
        }
    }

    /// Puts these headers and this payload into the frame `base`.
    pub fn frame(self, base: Frame, headers: &[u8], payload: &[u8]) -> Frame {
        let bytes = [headers, payload].concat();
        match self {
            Self::Rocev2 => {
                let mut rest = bytes.as_slice();
                let headers = Rocev2::read(&mut rest, MpehIndicator::Bit);
                base.with(|frame| (frame.rocev2, frame.payload) = (headers, rest.to_vec()))
            }
            _ => self.cut(base, &bytes),
        }
    }

    /// Puts these bytes after the carrier, though they may be too few for headers. No ICRC is added.
    pub fn cut(self, base: Frame, bytes: &[u8]) -> Frame {
        match self {
            Self::Rocev2 => base.with_port(udp::ROCEV2, bytes.to_vec()),
            Self::Uet => base.with_port(prologue::PORT, bytes.to_vec()),
            Self::UetNative => base.with_protocol(prologue::PROTOCOL, bytes.to_vec()),
            Self::Elab => base.with_port(elab::PORT, bytes.to_vec()),
        }
    }

    fn parts(self, mut bytes: &[u8]) -> Vec<Part> {
        let bytes = &mut bytes;
        match self {
            Self::Rocev2 => Rocev2::read(bytes, MpehIndicator::Bit).map(|headers| headers.parts()),
            Self::Uet => Uet::read(bytes, false).map(|headers| headers.parts()),
            Self::UetNative => Uet::read(bytes, true).map(|headers| headers.parts()),
            Self::Elab => Elab::read(bytes).map(|headers| headers.parts()),
        }
        .unwrap_or_default()
    }
}

/// A field of a stack: its header, its name and its place.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub object: &'static str,
    pub name: &'static str,
    /// The first bit of the field, counted from the beginning of the stack.
    pub at: usize,
    /// The width of the field in bits.
    pub width: usize,
}

impl Place {
    /// Whether the value of this field decides which headers follow.
    pub fn decides(&self) -> bool {
        DECIDING.contains(&(self.object, self.name))
    }

    /// Reads the field from the bytes of a stack.
    pub fn get(&self, bytes: &[u8]) -> u128 {
        let bit = |at: usize| bytes.get(at / 8).map_or(0, |byte| u128::from(byte >> (7 - at % 8) & 1));
        (self.at..self.at + self.width).fold(0, |value, at| value << 1 | bit(at))
    }

    /// Sets these bits of the field and leaves the others.
    pub fn add(&self, bytes: &mut [u8], bits: u128) {
        let more = self.get(bytes) | bits;
        self.set(bytes, more);
    }

    /// Writes the field into the bytes of a stack.
    pub fn set(&self, bytes: &mut [u8], value: u128) {
        for (back, at) in (self.at..self.at + self.width).rev().enumerate() {
            let mask = 0x80 >> (at % 8);
            if let Some(byte) = bytes.get_mut(at / 8) {
                *byte = if value >> back & 1 == 1 { *byte | mask } else { *byte & !mask };
            }
        }
    }
}

const DECIDING: [(&str, &str); 6] =
    [("bth", "opcode"), ("bth", "mpeh"), ("uet", "type"), ("uet", "syn"), ("uet", "cc_type"), ("elab", "b")];

/// A stack of transport headers.
#[derive(Clone, Debug)]
pub struct Stack {
    pub name: String,
    pub carrier: Carrier,
    /// The row or clause that a case with this stack tests.
    pub row: &'static str,
    /// The bytes of the headers. All bits are 0 except those that decide which headers follow.
    pub bytes: Vec<u8>,
    pub places: Vec<Place>,
}

impl Stack {
    /// Makes the stack of headers that these first bytes select.
    fn new(name: impl Into<String>, carrier: Carrier, row: &'static str, first: &[u8]) -> Self {
        let mut bytes = first.to_vec();
        bytes.resize(80, 0);
        let parts = carrier.parts(&bytes);
        let mut places = Vec::new();
        let mut at = 0;
        for part in &parts {
            for field in &part.fields {
                places.push(Place { object: part.object, name: field.name, at, width: field.width as usize });
                at += field.width as usize;
            }
        }
        bytes.truncate(at / 8);
        Self { name: name.into(), carrier, row, bytes, places }
    }

    /// The stack with other bits, except in the fields that decide which headers follow.
    pub fn filled(&self, bits: &[u8]) -> Vec<u8> {
        let mut bytes: Vec<u8> = bits.iter().copied().take(self.bytes.len()).collect();
        bytes.resize(self.bytes.len(), 0);
        for place in self.places.iter().filter(|place| place.decides()) {
            place.set(&mut bytes, place.get(&self.bytes));
        }
        bytes
    }
}

/// OpCodes that together have all headers in all orders, with and without MPEH: name, OpCode, MPEH.
const OPCODES: [(&str, u8, bool); 26] = [
    ("send", 0x04, false),
    ("send-mpeh", 0x04, true),
    ("send-imm", 0x05, false),
    ("write-mpeh", 0x0A, true),
    ("write-imm", 0x0B, false),
    ("uc-write-imm-mpeh", 0x2B, true),
    ("ud-send", 0x64, false),
    ("ud-send-imm-mpeh", 0x65, true),
    ("xrc-send-imm", 0xA5, false),
    ("xrc-write-imm", 0xAB, false),
    ("xrc-write-imm-mpeh", 0xAB, true),
    ("read", 0x0C, false),
    ("atomic", 0x13, false),
    ("atomic-mpeh", 0x14, true),
    ("xrc-atomic", 0xB3, false),
    ("xrc-atomic-mpeh", 0xB4, true),
    ("ack", 0x11, false),
    ("ack-mpeh", 0x11, true),
    ("atomic-ack", 0x12, false),
    ("xrc-atomic-ack-mpeh", 0xB2, true),
    ("invalidate", 0x17, false),
    ("xrc-invalidate-mpeh", 0xB6, true),
    ("cnp", 0x81, false),
    ("cnp-mpeh", 0x81, true),
    ("unknown", 0x1F, false),
    ("unknown-mpeh", 0xFE, true),
];

/// The types of UET with defined headers: name, clause, and the type, flags and control byte that select the headers.
const TYPES: [(&str, &str, u8, u8, u8); 17] = [
    ("rud", "uet.md 1.3", prologue::RUD_REQ, 0, 0),
    ("rod-syn", "uet.md 1.3", prologue::ROD_REQ, SYN, 0),
    ("rud-cc", "uet.md 1.3", prologue::RUD_CC_REQ, 0, 0),
    ("rod-cc-syn", "uet.md 1.3", prologue::ROD_CC_REQ, SYN, 0),
    ("rudi-req", "uet.md 1.8", prologue::RUDI_REQ, 0, 0),
    ("rudi-resp", "uet.md 1.8", prologue::RUDI_RESP, 0, 0),
    ("uud", "uet.md 1.8", prologue::UUD_REQ, 0, 0),
    ("ack", "uet.md 1.4", prologue::ACK, 0, 0),
    ("ack-nscc", "uet.md 1.5", prologue::ACK_CC, 0, 0x00),
    ("ack-credit", "uet.md 1.5", prologue::ACK_CC, 0, 0x10),
    ("ack-cc-2", "uet.md 1.5", prologue::ACK_CC, 0, 0x20),
    ("ack-cc-15", "uet.md 1.5", prologue::ACK_CC, 0, 0xF0),
    ("ack-ccx", "uet.md 1.6", prologue::ACK_CCX, 0, 0),
    ("nack", "uet.md 1.6", prologue::NACK, 0, 0),
    ("control", "uet.md 1.7", prologue::CONTROL, 0, 0),
    ("control-syn", "uet.md 1.7", prologue::CONTROL, SYN, 0),
    ("nack-ccx", "uet.md 1.6", prologue::NACK_CCX, 0, 0),
];

/// The flag `syn` in the second byte (uet.md 1.2).
const SYN: u8 = 4;

/// The types of UET whose headers are not defined.
pub const RESERVED_TYPES: [u8; 18] = [0, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31];

/// All stacks: RoCEv2, UET over UDP and on IP, and ELAB.
pub fn stacks() -> Vec<Stack> {
    let rocev2 = OPCODES.iter().map(|&(name, opcode, mpeh)| {
        let bth = [opcode, 0, 0, 0, 0, 0, 0, 0, if mpeh { 0x40 } else { 0 }];
        Stack::new(name, Carrier::Rocev2, if mpeh { "M14" } else { "M11" }, &bth)
    });
    let uet =
        [(Carrier::Uet, "udp", 0), (Carrier::UetNative, "native", 4)].into_iter().flat_map(|(carrier, by, at)| {
            TYPES.iter().map(move |&(name, row, kind, flags, control)| {
                let mut bytes = vec![0; at + 13];
                (bytes[at], bytes[at + 1], bytes[at + 12]) = (kind << 3, flags, control);
                Stack::new(format!("{by}-{name}"), carrier, row, &bytes)
            })
        });
    let elab = [("plain", 0), ("rate", 2)];
    let elab = elab.map(|(name, flags)| Stack::new(name, Carrier::Elab, "E04", &[0, 0, 0, 0, 0, flags]));
    rocev2.chain(uet).chain(elab).collect()
}

/// A frame to put headers into. The counter selects IPv4, IPv6 or IPv4 with options, the tags, and the UDP source
/// port and checksum.
pub fn base(counter: usize) -> Frame {
    let frame = match counter % 3 {
        0 => Frame::v4(),
        1 => Frame::v6(),
        _ => Frame::v4().with_options(vec![1; counter / 3 % 10 * 4 + 4]),
    };
    let number = SplitMix64::new(counter as u64).next_u64();
    let udp = |udp: &mut Udp| *udp = udp.with_source(number as u16).with_checksum((number >> 16) as u16);
    turn(frame.with(|frame| frame.udp.iter_mut().for_each(udp)), counter / 2)
}
