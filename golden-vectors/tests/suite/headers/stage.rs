// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the stage `header_parser` has besides the oracle of frames: the MAC's mark, no ICRC, and a table of options.

use super::captures::all;
use super::known_answers::{CNP, ELAB, IPV6, UET, WRITE, hex};
use golden_vectors::frame::header_parser::oracle::parse;
use golden_vectors::headers::codec::{
    ConfigurationError, MpehIndicator, Options, Reading, Record, Strictness, Transport, read, write,
};
use golden_vectors::{Expect, Reason, Verdict};
use std::collections::BTreeMap;

fn options(pairs: &[(&str, &str)]) -> Result<Options, ConfigurationError> {
    let table: BTreeMap<String, String> = pairs.iter().map(|&(key, value)| (key.into(), value.into())).collect();
    Options::of_configuration(&table)
}

/// Row 1 comes before all others, whatever the frame is.
#[test]
fn a_mark_of_the_mac_decides_first() {
    let noise = vec![0x55; 9];
    for frame in all().iter().chain([&noise]) {
        let reading = parse(frame, true, &Options::default());
        assert_eq!((reading.verdict, reading.reason, reading.row), (Verdict::Drop, Reason::BadFrame, 1));
        assert_eq!((&reading.record, reading.payload.len()), (&Record::default(), 0));
    }
}

/// Row 14 is the next stage's; all else is as it is for whole frames.
#[test]
fn the_icrc_is_not_the_parser_s() {
    let mut wrong = 0;
    for frame in all() {
        let (whole, parsed) = (read(&frame, &Options::default()), parse(&frame, false, &Options::default()));
        if whole.reason == Reason::Icrc {
            wrong += 1;
            assert_eq!((parsed.verdict, parsed.row, parsed.icrc), (Verdict::Ok, 16, Some(false)));
            assert_eq!(parsed.record, whole.record);
        } else {
            assert_eq!(parsed, whole);
        }
    }
    assert!(wrong > 10, "{wrong}");
    let mut frame = hex(WRITE);
    (frame[46], frame[89]) = (0x3F, !frame[89]);
    let refuse = Options { reserved: Strictness::Refuse, ..Options::default() };
    assert_eq!((read(&frame, &refuse).row, parse(&frame, false, &refuse).row), (14, 15));
}

/// Of a dropped frame nothing is promised, also where a reserved bit drops it and the headers are known.
#[test]
fn nothing_is_promised_of_a_dropped_frame() {
    let mut frame = hex(WRITE);
    frame[46] = 0x3F;
    let expect = |reserved| Expect::from(&parse(&frame, false, &Options { reserved, ..Options::default() }));
    let refused = expect(Strictness::Refuse);
    assert_eq!((refused.verdict, refused.reason), (Verdict::Drop, Some(Reason::Reserved)));
    assert!(refused.fields.is_empty());
    let counted = expect(Strictness::Count);
    assert_eq!((counted.verdict, counted.reason), (Verdict::Ok, None));
    assert_eq!(counted.fields["bth_reserved1"].value, 0x3F);
}

/// Place, length, and 32-bit words of the transport header, counted by hand.
#[test]
fn where_the_payload_is() {
    let values = |frame: &[u8]| {
        let fields = parse(frame, false, &Options::default()).fields();
        ["payload_offset", "payload_length", "transport_words"].map(|name| fields.get(name).map(|field| field.value))
    };
    assert_eq!(values(&hex(WRITE)), [70, 16, 7].map(Some));
    assert_eq!(values(&hex(CNP)), [70, 0, 7].map(Some));
    // The MPEH is not counted: BTH, RETH, ImmDt. The pad byte is.
    assert_eq!(values(&hex(IPV6)), [110, 4, 8].map(Some));
    // The entropy header is not counted.
    assert_eq!(values(&hex(UET)), [70, 0, 8].map(Some));
    assert_eq!(values(&hex(ELAB)), [54, 29, 3].map(Some));
    // To another port there is a payload and no transport header.
    let mut other = hex(ELAB);
    (other[36], other[37]) = (0, 53);
    assert_eq!(values(&other), [Some(42), Some(41), None]);
    // Nor behind an unknown protocol.
    let mut native = hex(UET);
    native[23] = 252;
    (native[24], native[25]) = (0x65, 0x9B);
    assert_eq!(values(&native), [None; 3]);
}

/// uet.md 1.2: four bytes of headers at least, also of a type that is reserved.
#[test]
fn a_packet_of_uet_has_four_bytes() {
    let frame = hex(UET);
    let with = |native: bool, payload: &[u8]| -> Reading {
        let mut record = read(&frame, &Options::default()).record;
        let Some(Transport::Uet(headers)) = &mut record.transport else { panic!("not UET") };
        let entropy = headers.entropy.map(|_| vec![0xE0, 0xE1, 0, 0]).filter(|_| native).unwrap_or_default();
        record.transport = None;
        if !native {
            let udp = read(&hex(ELAB), &Options::default()).record.udp.unwrap();
            record.udp = Some(udp.with_destination(4793));
            let network = record.network.unwrap();
            let golden_vectors::headers::codec::Network::V4(header) = network else { panic!("not IPv4") };
            record.network = Some(golden_vectors::headers::codec::Network::V4(header.with_protocol(17)));
        }
        parse(&write(&record, &[&entropy[..], payload].concat(), &[]), false, &Options::default())
    };
    for native in [false, true] {
        for length in 0..4 {
            assert_eq!(with(native, &[0x78; 3][..length.min(3)]).reason, Reason::HeaderCut, "{native} {length}");
        }
        let reading = with(native, &[0x78; 4]);
        assert_eq!((reading.verdict, reading.fields()["uet_type"].value), (Verdict::Ok, 15));
        assert_eq!((reading.fields()["transport_words"].value, reading.payload.len()), (0, 4));
    }
}

#[test]
fn a_table_says_the_options() {
    assert_eq!(options(&[]), Ok(Options::default()));
    let all = [
        ("rocev2", "off"),
        ("uet", "off"),
        ("elab", "off"),
        ("rocev2_port", "1"),
        ("uet_port", "65535"),
        ("elab_port", "0"),
        ("uet_protocol", "255"),
        ("uet_crc", "off"),
        ("elab_inner", "17"),
        ("mpeh", "opcode"),
        ("reserved", "refuse"),
        ("trimming", "on"),
        ("trimmed_dscp", "0"),
        ("trimmed_last_hop_dscp", "63"),
    ];
    let expected = Options {
        rocev2: false,
        uet: false,
        elab: false,
        rocev2_port: 1,
        uet_port: 65535,
        uet_protocol: 255,
        uet_crc: false,
        elab_port: 0,
        tunnelled: 17,
        mpeh: MpehIndicator::OpCode,
        reserved: Strictness::Refuse,
        trimming: true,
        trimmed_dscp: 0,
        trimmed_last_hop_dscp: 63,
        refuse_icrc: true,
    };
    assert_eq!(options(&all), Ok(expected));
    let defaults = [("rocev2", "on"), ("uet", "on"), ("elab", "on"), ("mpeh", "bit"), ("reserved", "ignore")];
    let numbers = [("rocev2_port", "4791"), ("uet_port", "4793"), ("elab_port", "7851"), ("uet_protocol", "253")];
    assert_eq!(options(&[&defaults[..], &numbers].concat()), Ok(Options::default()));
    assert_eq!(options(&[("reserved", "count")]).unwrap().reserved, Strictness::Count);
}

#[test]
fn a_table_that_says_nothing_sensible_is_refused() {
    assert_eq!(options(&[("roce", "on")]), Err(ConfigurationError::Key("roce".into())));
    for (key, value) in [
        ("rocev2", "yes"),
        ("uet", "ON"),
        ("elab", ""),
        ("rocev2_port", "65536"),
        ("uet_port", "+1"),
        ("elab_port", "0x10"),
        ("uet_protocol", "256"),
        ("elab_inner", ""),
        ("mpeh", "none"),
        ("reserved", "strict"),
    ] {
        let error = options(&[(key, value)]).unwrap_err();
        assert!(matches!(&error, ConfigurationError::Value { key: k, value: v, .. } if k == key && v == value));
        assert!(error.to_string().starts_with(&format!("{key} = {value:?}: ")), "{error}");
    }
}
