// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random frames: what the encoder puts in comes out of the oracle, `etherparse` reads the same, and nothing panics.

use etherparse::{LinkExtHeader, NetHeaders, PacketHeaders, TransportHeader};
use golden_vectors::frame::header_parser::oracle::parse;
use golden_vectors::headers::codec::encode::{Frame, Network};
use golden_vectors::headers::codec::{MpehIndicator, Network as Read, Options, Reading, Rocev2, Transport};
use golden_vectors::headers::{Addresses, Ipv4, Ipv6, Tag, Udp, ethernet};
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
        headers in vec(any::<u8>(), 80),
        payload in vec(any::<u8>(), 0..100),
        trailer in vec(any::<u8>(), 0..20),
    ) -> Frame {
        let mut frame = Frame::v4();
        frame.addresses = addresses;
        frame.tags = tags;
        frame.network = network;
        frame.udp = Some(Udp::from_bytes(udp).with_destination(4791));
        frame.rocev2 = Rocev2::read(&mut headers.as_slice(), MpehIndicator::Bit);
        frame.payload = payload.clone();
        frame.trailer = trailer;
        let port = Udp::from_bytes(udp).destination();
        let other = if OURS.contains(&port) { 53 } else { port };
        if ours { frame } else { frame.with_port(other, payload) }
    }
}

/// The ports of RoCEv2, UET and ELAB.
const OURS: [u16; 3] = [4791, 4793, 7851];

/// What the stage says of a frame that the MAC found good.
fn stage(bytes: &[u8]) -> Reading {
    parse(bytes, false, &Options::default())
}

fn is_fragment(frame: &Frame) -> bool {
    matches!(&frame.network, Network::V4(header, _) if header.more_fragments() || header.fragment_offset() > 0)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: tier::cases(1000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_goes_in_comes_out(frame in good()) {
        let bytes = frame.bytes();
        let reading = stage(&bytes);
        prop_assert_eq!((reading.verdict, reading.reason), (Verdict::Ok, Reason::None));
        let record = reading.record;
        let link = record.link.unwrap();
        prop_assert_eq!(link.addresses, frame.addresses);
        prop_assert_eq!(&link.tags, &frame.tags);
        // Lengths and checksum are the encoder's.
        match (&frame.network, record.network.unwrap()) {
            (Network::V4(sent, _), Read::V4(header)) => {
                let settled = sent.with_total_length(header.total_length()).with_checksum(header.checksum());
                prop_assert_eq!(header, settled);
            }
            (Network::V6(sent, _), Read::V6(header)) => {
                prop_assert_eq!(header, sent.with_payload_length(header.payload_length()));
            }
            pair => prop_assert!(false, "{pair:?}"),
        }
        if is_fragment(&frame) {
            prop_assert!(record.udp.is_none() && record.transport.is_none());
            return Ok(());
        }
        let (udp, sent) = (record.udp.unwrap(), frame.udp.unwrap());
        prop_assert_eq!(udp, sent.with_length(udp.length()));
        prop_assert_eq!(record.transport, frame.rocev2.map(Transport::Rocev2));
        prop_assert_eq!(&bytes[reading.payload], frame.payload);
    }

    #[test]
    fn etherparse_reads_the_same(frame in good()) {
        let bytes = frame.bytes();
        let record = stage(&bytes).record;
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
        let read = link.tags.iter().map(Tag::tci).collect::<Vec<_>>();
        prop_assert_eq!((ethertype.0, tags), (link.ethertype, read));

        match (other.net.unwrap(), network) {
            (NetHeaders::Ipv4(header, _), Read::V4(network)) => {
                prop_assert_eq!(header.calc_header_checksum(), header.header_checksum);
                prop_assert_eq!((network.dscp(), network.ecn()), (header.dscp.value(), header.ecn.value()));
                prop_assert_eq!((network.total_length(), network.ttl()), (header.total_len, header.time_to_live));
                prop_assert_eq!((network.protocol(), network.checksum()), (header.protocol.0, header.header_checksum));
                prop_assert_eq!((network.identification(), network.ihl()), (header.identification, header.ihl()));
                let flags = (network.dont_fragment(), network.more_fragments(), network.fragment_offset());
                prop_assert_eq!(flags, (header.dont_fragment, header.more_fragments, header.fragment_offset.value()));
                let addresses = (u128::from(network.source()), u128::from(network.destination()));
                prop_assert_eq!(addresses, (number(&header.source), number(&header.destination)));
                prop_assert_eq!(Read::V4(network).is_fragment(), header.is_fragmenting_payload());
            }
            (NetHeaders::Ipv6(header, _), Read::V6(network)) => {
                prop_assert_eq!(network.dscp() << 2 | network.ecn(), header.traffic_class);
                prop_assert_eq!((network.payload_length(), network.hop_limit()), (header.payload_length, header.hop_limit));
                prop_assert_eq!((network.next_header(), network.flow_label()), (header.next_header.0, header.flow_label.value()));
                prop_assert_eq!((network.source(), network.destination()), (number(&header.source), number(&header.destination)));
            }
            pair => prop_assert!(false, "{pair:?}"),
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
        let reading = parse(&noise, bad_frame, &Options::default());
        prop_assert_eq!(reading.verdict == Verdict::Drop, reading.record.link.is_none());
    }

    #[test]
    fn nothing_panics_on_damage(frame in good(), at: u16, value: u8, length: u16, bad_frame: bool) {
        let mut bytes = frame.bytes();
        let count = bytes.len();
        bytes[usize::from(at) % count] = value;
        bytes.truncate(usize::from(length) % (count + 1));
        let reading = parse(&bytes, bad_frame, &Options::default());
        prop_assert_eq!(reading.verdict == Verdict::Ok, reading.reason == Reason::None);
    }
}
