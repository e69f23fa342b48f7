// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames written by hand, with what their bytes say.

use golden_vectors::headers::codec::{Options, Reading};
use golden_vectors::headers::{Bth, Header, icrc::icrc};
use golden_vectors::{Case, Field, Reason, VectorFile, Verdict};

/// Bytes from hexadecimal digits, blanks between them ignored.
fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u32> = text.chars().filter_map(|digit| digit.to_digit(16)).collect();
    digits.chunks(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect()
}

/// What the stage says with all options as they are by default.
fn parse(frame: &[u8], bad_frame: bool) -> Reading {
    golden_vectors::frame::header_parser::oracle::parse(frame, bad_frame, &Options::default())
}

/// The fields of a reading, sorted by name; an IPv4 address as it stands in its 128 bits.
fn fields(reading: &Reading) -> Vec<(String, u128)> {
    reading.fields().into_iter().map(|(name, Field { value, .. })| (name, value)).collect()
}

/// 10.0.0.1 to 10.0.0.2, RDMA write only, 16 bytes 'A'. The ICRC is scapy's.
const WRITE: &str = "\
    ffffffffffff 020000000001 0800
    4502004c 00010000 4011669c 0a000001 0a000002
    c000 12b7 0038 0000
    0a 00 ffff 00 000011 80 000005
    0000000000001000 00001234 00000010
    41414141 41414141 41414141 41414141
    0880260e";

/// IPv6 with two tags, acknowledge with MPEH.
const ACK: &str = "\
    33330000002a 0200c0ffee01 88a8 e123 8100 1fff 86dd
    6ab54321 0024 11 3f 20010db8000000000000000000000001 fe80000000000000a0b0c0d0e0f00102
    ffff 12b7 0024 beef
    11 e7 8001 ff abcdef c0 fedcba
    07 05 1234 5678 9abc
    60 010203
    00000000";

#[test]
fn rdma_write() {
    let parsed = parse(&hex(WRITE), false);
    assert_eq!((parsed.verdict, parsed.reason, parsed.row), (Verdict::Ok, Reason::None, 16));
    let expected = [
        ("bth_ackreq", 1),
        ("bth_becn", 0),
        ("bth_dqpn", 0x11),
        ("bth_fecn", 0),
        ("bth_migreq", 0),
        ("bth_mpeh", 0),
        ("bth_opcode", 0x0A),
        ("bth_pad", 0),
        ("bth_pkey", 0xFFFF),
        ("bth_psn", 5),
        ("bth_reserved1", 0),
        ("bth_reserved2", 0),
        ("bth_se", 0),
        ("bth_tver", 0),
        ("dport", 4791),
        ("dscp", 0),
        ("dst_ip", 0x0A00_0002 << 96),
        ("dst_mac", 0xFFFF_FFFF_FFFF),
        ("ecn", 2),
        ("ethertype", 0x0800),
        ("fragment", 0),
        ("has_aeth", 0),
        ("has_atomic_ack", 0),
        ("has_atomic_eth", 0),
        ("has_cnp", 0),
        ("has_deth", 0),
        ("has_ieth", 0),
        ("has_immdt", 0),
        ("has_mpeh", 0),
        ("has_reth", 1),
        ("has_xrceth", 0),
        ("hop_limit", 64),
        ("ip_checksum", 0x669C),
        ("ip_df", 0),
        ("ip_fragment_offset", 0),
        ("ip_id", 1),
        ("ip_ihl", 5),
        ("ip_length", 0x4C),
        ("ip_mf", 0),
        ("ip_reserved", 0),
        ("ip_slack", 0),
        ("l3", 1),
        ("payload_length", 16),
        ("payload_offset", 70),
        ("protocol", 17),
        ("reth_length", 16),
        ("reth_rkey", 0x1234),
        ("reth_vaddr", 0x1000),
        ("sport", 49152),
        ("src_ip", 0x0A00_0001 << 96),
        ("src_mac", 0x0200_0000_0001),
        ("transport", 2),
        ("transport_words", 7),
        ("udp_checksum", 0),
        ("udp_length", 0x38),
        ("vlan_count", 0),
    ];
    assert_eq!(fields(&parsed), expected.map(|(name, value)| (name.to_owned(), value)));
    assert_eq!(parsed.fields()["src_ip"].mask, 0xFFFF_FFFF << 96);
}

#[test]
fn acknowledge_behind_two_tags() {
    let parsed = parse(&hex(ACK), false);
    assert_eq!((parsed.verdict, parsed.row), (Verdict::Ok, 16));
    let expected = [
        ("aeth_msn", 0x01_0203),
        ("aeth_syndrome", 0x60),
        ("bth_ackreq", 1),
        ("bth_becn", 1),
        ("bth_dqpn", 0xAB_CDEF),
        ("bth_fecn", 1),
        ("bth_migreq", 1),
        ("bth_mpeh", 1),
        ("bth_opcode", 0x11),
        ("bth_pad", 2),
        ("bth_pkey", 0x8001),
        ("bth_psn", 0xFE_DCBA),
        ("bth_reserved1", 0x3F),
        ("bth_reserved2", 0),
        ("bth_se", 1),
        ("bth_tver", 7),
        ("dport", 4791),
        ("dscp", 0x2A),
        ("dst_ip", 0xFE80_0000_0000_0000_A0B0_C0D0_E0F0_0102),
        ("dst_mac", 0x3333_0000_002A),
        ("ecn", 3),
        ("ethertype", 0x86DD),
        ("flow_label", 0x5_4321),
        ("has_aeth", 1),
        ("has_atomic_ack", 0),
        ("has_atomic_eth", 0),
        ("has_cnp", 0),
        ("has_deth", 0),
        ("has_ieth", 0),
        ("has_immdt", 0),
        ("has_mpeh", 1),
        ("has_reth", 0),
        ("has_xrceth", 0),
        ("hop_limit", 63),
        ("ip_length", 0x24),
        ("ip_slack", 0),
        ("l3", 2),
        ("mpeh_flags", 5),
        ("mpeh_flowlet_seq", 0x1234),
        ("mpeh_path_id", 7),
        ("mpeh_reserved", 0x9ABC),
        ("mpeh_sched_tag", 0x5678),
        ("payload_length", 0),
        ("payload_offset", 94),
        ("protocol", 17),
        ("sport", 0xFFFF),
        ("src_ip", 0x2001_0DB8_0000_0000_0000_0000_0000_0001),
        ("src_mac", 0x0200_C0FF_EE01),
        ("transport", 2),
        ("transport_words", 4),
        ("udp_checksum", 0xBEEF),
        ("udp_length", 0x24),
        ("vlan0_tci", 0xE123),
        ("vlan0_tpid", 0x88A8),
        ("vlan1_tci", 0x1FFF),
        ("vlan1_tpid", 0x8100),
        ("vlan_count", 2),
    ];
    assert_eq!(fields(&parsed), expected.map(|(name, value)| (name.to_owned(), value)));
}

#[test]
fn bth_is_read_from_the_most_significant_bit() {
    let bth = Bth::read(&hex("0a00ffff0000001180000005")).unwrap();
    assert_eq!((bth.opcode(), bth.pkey(), bth.dqpn(), bth.ackreq(), bth.psn()), (0x0A, 0xFFFF, 0x11, true, 5));
    let mut again = Vec::new();
    bth.write(&mut again);
    assert_eq!(again, hex("0a00ffff0000001180000005"));
}

#[test]
fn icrc_of_the_write() {
    let frame = hex(WRITE);
    let (packet, sent) = frame[14..].split_at(frame.len() - 18);
    assert_eq!(icrc(packet), sent);
}

#[test]
fn one_changed_byte_decides() {
    let changed = |at: usize, value: u8| {
        let mut frame = hex(WRITE);
        frame[at] = value;
        let parsed = parse(&frame, false);
        (parsed.row, parsed.reason)
    };
    assert_eq!(changed(13, 0x06), (3, Reason::None));
    assert_eq!(changed(14, 0x55), (5, Reason::IpVersion));
    assert_eq!(changed(14, 0x44), (6, Reason::Ihl));
    assert_eq!(changed(24, 0x9E), (8, Reason::IpChecksum));
    assert_eq!(changed(39, 0x39), (11, Reason::UdpLength));
    assert_eq!(changed(37, 0xB8), (12, Reason::None));
    assert_eq!(changed(39, 0x27), (13, Reason::HeaderCut));
    assert_eq!(changed(39, 0x28), (16, Reason::None));
}

#[test]
fn length_decides() {
    let frame = hex(WRITE);
    let at = |length: usize| (parse(&frame[..length], false).row, parse(&frame[..length], false).reason);
    assert_eq!(at(0), (2, Reason::CutShort));
    assert_eq!(at(13), (2, Reason::CutShort));
    assert_eq!(at(14), (4, Reason::CutShort));
    assert_eq!(at(33), (4, Reason::CutShort));
    assert_eq!(at(34), (9, Reason::IpLength));
    assert_eq!(at(89), (9, Reason::IpLength));
    assert_eq!(at(90), (16, Reason::None));
    assert_eq!(parse(&frame, true).reason, Reason::BadFrame);
    let mut long = frame;
    long.resize(131_071, 0);
    assert_eq!((parse(&long, false).row, parse(&long, false).reason), (16, Reason::None));
    long.push(0);
    assert_eq!((parse(&long, false).row, parse(&long, false).reason), (2, Reason::TooLong));
    assert_eq!(parse(&long, true).reason, Reason::BadFrame);
}

#[test]
fn a_mask_leaves_bits_out() {
    let field = Field { value: 0xA0, mask: 0xF0 };
    assert!(field.matches(0xA5) && !field.matches(0xB5));
    assert!(Field::exact(7).matches(7) && !Field::exact(7).matches(8));
    let json = |field: Field| serde_json::to_string(&field).unwrap();
    assert_eq!(json(field), r#"{"value":"0xa0","mask":"0xf0"}"#);
    assert_eq!(json(Field::exact(31)), r#""0x1f""#);
    assert_eq!(serde_json::from_str::<Field>(&json(field)).unwrap(), field);
    assert!(serde_json::from_str::<Field>("\"12\"").is_err());
}

/// 65,536 bytes are written down one by one, and no more: of a longer frame the zeros at its end are counted.
#[test]
fn a_long_frame_is_short_in_json() {
    let mut case = VectorFile::embedded_stage("header_parser").unwrap().unwrap().groups[0].tests[0].clone();
    let json = |case: &Case| serde_json::to_value(case).unwrap()["frame"].clone();
    case.frame = vec![0; 65_536];
    case.frame[0] = 0xA5;
    assert_eq!(json(&case).as_str().map(str::len), Some(131_072));
    case.frame.push(0);
    assert_eq!(json(&case), serde_json::json!({ "bytes": "a5", "zeros": 65_536 }));
    assert_eq!(serde_json::from_value::<Case>(serde_json::to_value(&case).unwrap()).unwrap(), case);
    let mut full = case.clone();
    full.frame.fill(1);
    assert!(serde_json::to_string(&full).unwrap_err().to_string().contains("65537 bytes ahead of its zeros"));
    let mut endless = serde_json::to_value(&case).unwrap();
    endless["frame"]["zeros"] = 1_u64.rotate_right(8).into();
    assert!(serde_json::from_value::<Case>(endless).unwrap_err().to_string().contains("at most 16777216 are read"));
}

#[test]
fn reasons_have_the_codes_of_the_contract() {
    for (code, reason) in Reason::ALL.into_iter().enumerate() {
        assert_eq!(usize::from(reason.code()), code);
        assert_eq!(serde_json::to_string(&reason).unwrap(), format!("{:?}", reason.name()));
    }
}
