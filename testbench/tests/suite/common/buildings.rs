// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames taken apart by the oracle, and random frames of every kind, as inputs of a builder.

use golden_vectors::headers::codec::{
    Delivery, Link, Network, Options, Reading, Reason, Record, Transport, read, write,
};
use golden_vectors::headers::{Addresses, Header, Ipv4, Ipv6, Tag, Udp};
use testbench::benches::builder_bench::Building;
use testbench::device::random::Random;

/// A record, its payload and its options.
#[derive(Clone, Debug)]
pub struct Case {
    pub record: Record,
    pub payload: Vec<u8>,
    pub trailer: Vec<u8>,
}

impl Case {
    /// The frame that the oracle makes from it.
    pub fn frame(&self) -> Vec<u8> {
        write(&self.record, &self.payload, &self.trailer)
    }

    /// The input of the builder; `frame` is the frame with the ICRC.
    pub fn building(&self, frame: &[u8]) -> Building {
        let behind = if self.has_crc() { 4 } else { 0 };
        let rest = self.payload.len() + behind + self.trailer.len();
        Building::of(&self.record, self.payload.len(), frame[frame.len() - rest..].to_vec())
    }

    /// An ICRC or CRC ends the packet.
    pub fn has_crc(&self) -> bool {
        self.record.transport_name() == "rocev2" || self.record.uet_crc
    }

    /// The frame without a UDP checksum.
    pub fn without_checksum(&self) -> Case {
        let record = Record { udp: self.record.udp.map(|udp| udp.with_checksum(0)), ..self.record.clone() };
        Case { record, ..self.clone() }
    }
}

/// Takes the frame apart if it is good, or if only its ICRC is wrong.
pub fn apart(frame: &[u8]) -> Option<Case> {
    let Reading { reason, record, payload, trailer, .. } = read(frame, &Options::default());
    let kept = matches!(reason, Reason::None | Reason::Icrc);
    kept.then(|| Case { record, payload: frame[payload].to_vec(), trailer: frame[trailer].to_vec() })
}

fn bytes(random: &mut Random, count: u64) -> Vec<u8> {
    (0..count).map(|_| random.bits() as u8).collect()
}

fn header<H: Header>(random: &mut Random) -> H {
    H::read(&bytes(random, H::LEN as u64)).expect("enough bytes")
}

/// Protocol and UDP port of the IP packet.
const KINDS: [(u8, Option<u16>); 6] =
    [(17, Some(4791)), (17, Some(4793)), (17, Some(7851)), (253, None), (17, Some(53)), (6, None)];

/// A random frame of every kind, taken apart, with new payload and trailer.
pub fn random(random: &mut Random) -> Case {
    let tpid = |random: &mut Random| if random.chance(0.5) { 0x8100 } else { 0x88A8 };
    let tags = (0..random.below(3)).map(|_| Tag::new().with_tpid(tpid(random)).with_tci(random.bits() as u16));
    let tags = tags.collect();
    let link = Link { addresses: header::<Addresses>(random), tags, ethertype: 0x1234 };
    let (protocol, port) = KINDS[random.below(6) as usize];
    let network = match random.below(16) {
        0 => None,
        kind if kind & 1 == 0 => {
            let header = header::<Ipv4>(random).with_protocol(protocol);
            let fragment = if random.chance(0.05) { random.bits() as u16 & 0x1FFF } else { 0 };
            Some(Network::V4(header.with_fragment_offset(fragment).with_more_fragments(random.chance(0.05))))
        }
        _ => Some(Network::V6(header::<Ipv6>(random).with_next_header(protocol))),
    };
    let udp = port.filter(|_| network.is_some()).map(|port| header::<Udp>(random).with_destination(port));
    // The first byte is the OpCode or type; the rest is long enough for the longest headers.
    let mut inner = bytes(random, 64);
    if random.chance(0.5) {
        inner[0] =
            [0x00, 0x04, 0x06, 0x0A, 0x0C, 0x11, 0x12, 0x13, 0x64, 0x65, 0x81, 0xAA, 0xB3][random.below(13) as usize];
    }
    let frame = write(&Record { link: Some(link), network, udp, ..Record::default() }, &inner, &[]);
    let mut case = apart(&frame).unwrap_or_else(|| panic!("the oracle refuses {frame:02x?}"));
    let length = match random.below(4) {
        0 => 0,
        1 => random.below(40),
        2 => random.below(300),
        _ => random.below(2001),
    };
    // If no header is removed, the payload contains its type.
    let said = match &case.record.transport {
        Some(Transport::Uet(headers)) if matches!(headers.delivery, Delivery::Opaque(_)) => 16,
        _ => 0,
    };
    case.payload.truncate(said);
    case.payload.extend(bytes(random, length));
    let length = if random.chance(0.6) { 0 } else { random.below(70) };
    case.trailer = bytes(random, length);
    if case.record.udp.is_some() {
        case.record.slack = random.below(length + 1) as u16;
    }
    case.record = case.record.settled(case.payload.len(), case.trailer.len());
    let none = case.record.transport_name() == "none";
    case.record.network = case.record.network.map(|network| unsettled(network, none, random));
    case
}

/// The header as it might be recorded: with options, with any checksum and, if it is not all that says it, any length.
fn unsettled(network: Network, keep_length: bool, random: &mut Random) -> Network {
    let any = random.bits() as u16;
    match network {
        Network::V4(header) => {
            let options = if random.chance(0.3) { random.below(11) as u8 } else { 0 };
            let length = header.total_length() + 4 * u16::from(options);
            let header = header.with_ihl(5 + options).with_total_length(if keep_length { length } else { any });
            Network::V4(if random.chance(0.3) { header.with_checksum(random.bits() as u16) } else { header })
        }
        Network::V6(header) if keep_length => Network::V6(header),
        Network::V6(header) => Network::V6(header.with_payload_length(any)),
    }
}
