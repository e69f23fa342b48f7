// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random frames: what the encoder puts in comes out of the oracle, `etherparse` reads the same, and nothing panics.

use etherparse::{LinkExtHeader, NetHeaders, PacketHeaders, TransportHeader};
use golden_vectors::encode::{Frame, Network};
use golden_vectors::oracle::parse;
use golden_vectors::wire::{Addresses, Aeth, Bth, Ipv4, Ipv6, Mpeh, Reth, Tag, Udp, aeth, ethernet, reth};
use golden_vectors::{Reason, Verdict};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

fn addresses() -> impl Strategy<Value = Addresses> {
    any::<[u8; 12]>().prop_map(Addresses::from_bytes)
}

fn tags() -> impl Strategy<Value = Vec<Tag>> {
    let tag = (select(vec![ethernet::C_TAG, ethernet::S_TAG]), any::<u16>());
    vec(tag.prop_map(|(tpid, tci)| Tag::new().with_tpid(tpid).with_tci(tci)), 0..=2)
}

fn v4() -> impl Strategy<Value = Network> {
    let options = vec(any::<[u8; 4]>(), 0..=10).prop_map(|words| words.concat());
    (any::<[u8; 20]>(), options, any::<bool>()).prop_map(|(bytes, options, whole)| {
        let ihl = (5 + options.len() / 4) as u8;
        let mut header = Ipv4::from_bytes(bytes).with_version(4).with_ihl(ihl).with_protocol(17).with_reserved(false);
        if whole {
            header = header.with_fragment_offset(0).with_more_fragments(false);
        }
        Network::V4(header, options)
    })
}

fn v6() -> impl Strategy<Value = Network> {
    any::<[u8; 40]>()
        .prop_map(|bytes| Network::V6(Ipv6::from_bytes(bytes).with_version(6).with_next_header(17), Vec::new()))
}

prop_compose! {
    /// A good frame: RoCEv2, or UDP to another port, or a fragment.
    fn good()(
        (addresses, tags, network) in (addresses(), tags(), prop_oneof![v4(), v6()]),
        (udp, ours) in (any::<[u8; 8]>(), any::<bool>()),
        (bth, mpeh, aeth, reth) in (any::<[u8; 12]>(), any::<[u8; 8]>(), any::<[u8; 4]>(), any::<[u8; 16]>()),
        opcode in prop_oneof![any::<u8>(), select(aeth::OPCODES.to_vec()), select(reth::OPCODES.to_vec())],
        payload in vec(any::<u8>(), 0..100),
        trailer in vec(any::<u8>(), 0..20),
    ) -> Frame {
        let mut frame = Frame::v4().with_opcode(opcode);
        frame.addresses = addresses;
        frame.tags = tags;
        frame.network = network;
        frame.udp = Some(Udp::from_bytes(udp));
        let bth = Bth::from_bytes(bth).with_opcode(opcode);
        frame.bth = Some(bth);
        frame.mpeh = bth.mpeh().then(|| Mpeh::from_bytes(mpeh));
        frame.aeth = frame.aeth.map(|_| Aeth::from_bytes(aeth));
        frame.reth = frame.reth.map(|_| Reth::from_bytes(reth));
        frame.payload = payload.clone();
        frame.trailer = trailer;
        if ours {
            frame.udp = frame.udp.map(|udp| udp.with_destination(4791));
            frame
        } else {
            let port = Udp::from_bytes(udp).destination();
            frame.with_port(if port == 4791 { 53 } else { port }, payload)
        }
    }
}

fn is_fragment(frame: &Frame) -> bool {
    matches!(&frame.network, Network::V4(header, _) if header.more_fragments() || header.fragment_offset() > 0)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_goes_in_comes_out(frame in good()) {
        let parsed = parse(&frame.bytes(), false);
        prop_assert_eq!((parsed.verdict, parsed.reason), (Verdict::Ok, Reason::None));
        let record = parsed.record;
        let link = record.link.unwrap();
        prop_assert_eq!(link.addresses, frame.addresses);
        prop_assert_eq!(link.tags, frame.tags.iter().map(Tag::tci).collect::<Vec<_>>());
        let network = record.network.unwrap();
        match &frame.network {
            Network::V4(header, _) => {
                prop_assert_eq!(network.flow_label, None);
                prop_assert_eq!((network.dscp, network.ecn, network.hop_limit), (header.dscp(), header.ecn(), header.ttl()));
                prop_assert_eq!((network.source, network.destination), (header.source().into(), header.destination().into()));
            }
            Network::V6(header, _) => {
                prop_assert_eq!(network.flow_label, Some(header.flow_label()));
                prop_assert_eq!((network.dscp, network.ecn, network.hop_limit), (header.dscp(), header.ecn(), header.hop_limit()));
                prop_assert_eq!((network.source, network.destination), (header.source(), header.destination()));
            }
            Network::None => prop_assert!(false),
        }
        if is_fragment(&frame) {
            prop_assert_eq!(network.fragment, Some(true));
            prop_assert!(record.udp.is_none() && record.rocev2.is_none());
            return Ok(());
        }
        let (udp, sent) = (record.udp.unwrap(), frame.udp.unwrap());
        prop_assert_eq!((udp.source(), udp.destination()), (sent.source(), sent.destination()));
        prop_assert_eq!(record.rocev2.is_some(), frame.bth.is_some());
        if let Some(rocev2) = record.rocev2 {
            prop_assert_eq!(Some(rocev2.bth), frame.bth);
            prop_assert_eq!((rocev2.mpeh, rocev2.aeth, rocev2.reth), (frame.mpeh, frame.aeth, frame.reth));
        }
    }

    #[test]
    fn etherparse_reads_the_same(frame in good()) {
        let bytes = frame.bytes();
        let record = parse(&bytes, false).record;
        let other = PacketHeaders::from_ethernet_slice(&bytes).unwrap();
        let (link, network) = (record.link.unwrap(), record.network.unwrap());

        let ethernet = other.link.unwrap().ethernet2().unwrap();
        let number = |bytes: &[u8]| bytes.iter().fold(0, |number, &byte| number << 8 | u128::from(byte));
        prop_assert_eq!(number(&ethernet.destination), link.addresses.destination().into());
        prop_assert_eq!(number(&ethernet.source), link.addresses.source().into());
        let mut ethertype = ethernet.ether_type;
        let mut tags = Vec::new();
        for extension in &other.link_exts {
            let LinkExtHeader::Vlan(tag) = extension else { panic!("not a tag") };
            let bits = u16::from(tag.pcp.value()) << 13 | u16::from(tag.drop_eligible_indicator) << 12 | tag.vlan_id.value();
            tags.push(bits);
            ethertype = tag.ether_type;
        }
        prop_assert_eq!((ethertype.0, tags), (link.ethertype, link.tags));

        match other.net.unwrap() {
            NetHeaders::Ipv4(header, _) => {
                prop_assert_eq!(header.calc_header_checksum(), header.header_checksum);
                prop_assert_eq!((network.dscp, network.ecn), (header.dscp.value(), header.ecn.value()));
                prop_assert_eq!((network.length, network.hop_limit), (header.total_len, header.time_to_live));
                prop_assert_eq!((network.protocol, network.flow_label), (header.protocol.0, None));
                prop_assert_eq!(network.fragment, Some(header.is_fragmenting_payload()));
                prop_assert_eq!((network.source, network.destination), (number(&header.source), number(&header.destination)));
            }
            NetHeaders::Ipv6(header, _) => {
                prop_assert_eq!(network.dscp << 2 | network.ecn, header.traffic_class);
                prop_assert_eq!((network.length, network.hop_limit), (header.payload_length, header.hop_limit));
                prop_assert_eq!((network.protocol, network.fragment), (header.next_header.0, None));
                prop_assert_eq!(network.flow_label, Some(header.flow_label.value()));
                prop_assert_eq!((network.source, network.destination), (number(&header.source), number(&header.destination)));
            }
            NetHeaders::Arp(_) => prop_assert!(false),
        }
        match (other.transport, record.udp) {
            (None, None) => {}
            (Some(TransportHeader::Udp(header)), Some(udp)) => {
                prop_assert_eq!((udp.source(), udp.destination()), (header.source_port, header.destination_port));
                prop_assert_eq!((udp.length(), udp.checksum()), (header.length, header.checksum));
            }
            pair => prop_assert!(false, "{pair:?}"),
        }
    }

    #[test]
    fn nothing_panics_on_noise(noise in vec(any::<u8>(), 0..200), bad_frame: bool) {
        let parsed = parse(&noise, bad_frame);
        prop_assert_eq!(parsed.verdict == Verdict::Drop, parsed.record.link.is_none());
    }

    #[test]
    fn nothing_panics_on_damage(frame in good(), at: u16, value: u8, length: u16, bad_frame: bool) {
        let mut bytes = frame.bytes();
        let count = bytes.len();
        bytes[usize::from(at) % count] = value;
        bytes.truncate(usize::from(length) % (count + 1));
        let parsed = parse(&bytes, bad_frame);
        prop_assert_eq!(parsed.verdict == Verdict::Ok, parsed.reason == Reason::None);
    }
}
