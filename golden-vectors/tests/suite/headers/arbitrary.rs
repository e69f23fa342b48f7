// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random records that a frame can have: any bits in any field, and the headers that these bits ask for.

use super::opcodes;
use golden_vectors::headers::codec::{
    AckState, CcState, Context, Delivery, Elab, Link, MpehIndicator, Network, Options, Record, Rocev2, Transport, Uet,
};
use golden_vectors::headers::uet::crc;
use golden_vectors::headers::uet::{AckCc, Control, Nack, Request};
use golden_vectors::headers::{Bth, Elab as Info, Header, Ipv4, Ipv6, Tag, Udp, ethernet};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// A record with what is not in it, and the options that it is to be read with.
#[derive(Clone, Debug)]
pub struct Sample {
    pub record: Record,
    pub payload: Vec<u8>,
    pub trailer: Vec<u8>,
    pub options: Options,
}

/// Random bits, from which headers are cut one after the other.
struct Bits(Vec<u8>);

impl Bits {
    fn take<H: Header>(&mut self) -> H {
        let header = H::read(&self.0).unwrap();
        self.0.drain(..H::LEN);
        header
    }

    fn only_if<H: Header>(&mut self, present: bool) -> Option<H> {
        present.then(|| self.take())
    }
}

/// More than the longest headers of a transport.
fn bits() -> impl Strategy<Value = Bits> {
    vec(any::<u8>(), 160).prop_map(Bits)
}

impl std::fmt::Debug for Bits {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(formatter)
    }
}

fn rocev2() -> impl Strategy<Value = (Transport, MpehIndicator)> {
    let opcode = prop_oneof![select(opcodes::known()), any::<u8>(), 0xC0..=0xDFu8];
    (bits(), opcode, any::<bool>()).prop_map(|(mut bits, opcode, by_opcode)| {
        let bth = bits.take::<Bth>().with_opcode(opcode);
        let mirrored =
            opcode.checked_sub(0xC0).filter(|&mirrored| mirrored < 0x20 && opcodes::flat(mirrored).is_some());
        let (mark, mpeh, asks) = match (by_opcode, mirrored) {
            (false, _) => (MpehIndicator::Bit, bth.mpeh(), opcode),
            (true, Some(mirrored)) => (MpehIndicator::OpCode, true, mirrored),
            (true, None) => (MpehIndicator::OpCode, false, opcode),
        };
        let names = opcodes::flat(asks).unwrap_or_default();
        let has = |name| names.contains(&name);
        let headers = Rocev2 {
            bth,
            mpeh: bits.only_if(mpeh),
            deth: bits.only_if(has("Deth")),
            xrceth: bits.only_if(has("Xrceth")),
            reth: bits.only_if(has("Reth")),
            atomic_eth: bits.only_if(has("AtomicEth")),
            aeth: bits.only_if(has("Aeth")),
            atomic_ack: bits.only_if(has("AtomicAck")),
            immdt: bits.only_if(has("ImmDt")),
            ieth: bits.only_if(has("Ieth")),
            cnp: bits.only_if(has("Cnp")),
        };
        (Transport::Rocev2(headers), mark)
    })
}

fn context(bits: &mut Bits, syn: bool) -> Context {
    if syn { Context::Syn(bits.take()) } else { Context::Known(bits.take()) }
}

/// A packet delivery header of each type (uet.md 1.2), with or without the entropy header.
fn uet() -> impl Strategy<Value = Transport> {
    (bits(), 0..32u8, any::<bool>(), any::<bool>()).prop_map(|(mut bits, kind, native, common)| {
        let entropy = bits.only_if(native);
        bits.0[0] = bits.0[0] & 7 | kind << 3;
        let delivery = match kind {
            2 | 3 | 13 | 14 => {
                let head: Request = bits.take();
                Delivery::Request(head, context(&mut bits, head.syn()), bits.only_if(kind > 3))
            }
            7 => Delivery::Ack(bits.take(), AckState::None),
            8 => {
                let head = bits.take();
                if common {
                    // One of the two states that have a name.
                    bits.0[0] &= 0x1F;
                }
                let control: AckCc = bits.take();
                let state = match control.cc_type() {
                    0 => CcState::Nscc(bits.take()),
                    1 => CcState::Credit(bits.take()),
                    _ => CcState::Other(bits.take()),
                };
                Delivery::Ack(head, AckState::Cc(control, state))
            }
            9 => Delivery::Ack(bits.take(), AckState::Ccx(bits.take())),
            10 | 12 => Delivery::Nack(bits.take::<Nack>(), bits.only_if(kind == 12)),
            11 => {
                let head: Control = bits.take();
                Delivery::Control(head, context(&mut bits, head.syn()), bits.take())
            }
            4 | 5 => Delivery::Rudi(bits.take()),
            6 => Delivery::Uud(bits.take()),
            _ => Delivery::Opaque(kind),
        };
        Transport::Uet(Uet { entropy, delivery })
    })
}

fn elab() -> impl Strategy<Value = Transport> {
    bits().prop_map(|mut bits| {
        let info: Info = bits.take();
        Transport::Elab(Elab { info, rate: bits.only_if(info.b()) })
    })
}

fn link() -> impl Strategy<Value = Link> {
    let tag = (select(vec![ethernet::C_TAG, ethernet::S_TAG]), any::<u16>());
    let tags = vec(tag.prop_map(|(tpid, tci)| Tag::new().with_tpid(tpid).with_tci(tci)), 0..=2);
    (bits(), tags).prop_map(|(mut bits, tags)| Link { addresses: bits.take(), tags, ethertype: 0 })
}

/// Any bits, except that the packet is whole.
fn network(protocol: u8) -> impl Strategy<Value = Network> {
    (bits(), any::<bool>()).prop_map(move |(mut bits, four)| {
        if four {
            let header = bits.take::<Ipv4>().with_protocol(protocol);
            Network::V4(header.with_fragment_offset(0).with_more_fragments(false))
        } else {
            Network::V6(bits.take::<Ipv6>().with_next_header(protocol))
        }
    })
}

/// The port or the protocol that announces a transport; any other port for none.
fn announced(transport: &Option<Transport>, other: u16) -> (Option<u16>, u8) {
    match transport {
        Some(Transport::Rocev2(_)) => (Some(4791), 17),
        Some(Transport::Uet(headers)) if headers.entropy.is_some() => (None, 253),
        Some(Transport::Uet(_)) => (Some(4793), 17),
        Some(Transport::Elab(_)) => (Some(7851), 17),
        None => (Some(if [4791, 4793, 7851].contains(&other) { 53 } else { other }), 17),
    }
}

fn transport() -> impl Strategy<Value = (Option<Transport>, MpehIndicator)> {
    prop_oneof![
        4 => rocev2().prop_map(|(transport, mark)| (Some(transport), mark)),
        4 => uet().prop_map(|transport| (Some(transport), MpehIndicator::Bit)),
        1 => elab().prop_map(|transport| (Some(transport), MpehIndicator::Bit)),
        1 => Just((None, MpehIndicator::Bit)),
    ]
}

/// Any record over IP with any payload and trailer.
pub fn sample() -> impl Strategy<Value = Sample> {
    let rest = (vec(any::<u8>(), 0..120), vec(any::<u8>(), 0..40), any::<Index>());
    (link(), network(17), bits(), transport(), rest).prop_map(
        |(link, mut network, mut bits, (transport, mpeh), (mut payload, trailer, slack))| {
            let udp: Udp = bits.take();
            let (port, protocol) = announced(&transport, udp.destination());
            match &mut network {
                Network::V4(header) => header.set_protocol(protocol),
                Network::V6(header) => header.set_next_header(protocol),
            }
            if let Some(Transport::Uet(Uet { delivery: Delivery::Opaque(kind), .. })) = transport {
                // The payload begins with the type, and a security header is at most 16 bytes long (uet.md 1.8).
                payload.splice(..0, (0..16).map(|at| if at == 0 { kind << 3 | 5 } else { 0xA5 }));
            }
            let record = Record {
                link: Some(link),
                network: Some(network),
                udp: port.map(|port| udp.with_destination(port)),
                slack: slack.index(trailer.len() + 1) as u16,
                uet_crc: matches!(transport, Some(Transport::Uet(headers)) if crc::TYPES.contains(&headers.kind())),
                transport,
            };
            Sample { record, payload, trailer, options: Options { mpeh, ..Options::default() } }
        },
    )
}
