// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames written by hand. The ICRCs are from another implementation of the CRC.

use super::captures::examine;
use golden_vectors::Verdict;
use golden_vectors::headers::codec::{Options, Reading, Reason, Strictness};
use serde_json::{Value, json};

/// Bytes from hexadecimal digits, blanks between them ignored.
pub fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u32> = text.chars().filter_map(|digit| digit.to_digit(16)).collect();
    digits.chunks(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect()
}

/// The sample of requirements.md C: RDMA write only, 16 bytes 'A', ICRC by scapy.
pub const WRITE: &str = "\
    ffffffffffff 020000000001 0800
    4502004c 00010000 4011669c 0a000001 0a000002
    c000 12b7 0038 0000
    0a 00 ffff 00 000011 80 000005
    0000000000001000 00001234 00000010
    41414141 41414141 41414141 41414141
    0880260e";

/// A congestion notification (requirements.md C): OpCode 0x81, BECN, sixteen zero bytes.
pub const CNP: &str = "\
    021122334455 0266778899aa 0800
    45b8003c 12344000 3f110db8 0a010203 0a040506
    c123 12b7 0028 0000
    81 00 ffff 40 000abc 00 000000
    00000000 00000000 00000000 00000000
    f111bee8";

/// IPv6, two tags: write only with immediate, MPEH, and 3 bytes padded to 4.
pub const IPV6: &str = "\
    021122334455 0266778899aa 88a8 e123 8100 1fff 86dd
    6b912345 0038 11 07 20010db8000000000000000000000001 20010db8000000000000000000000002
    d431 12b7 0038 beef
    0b a0 1234 00 00beef c0 abcdef
    05 0f 0203 0405 0000
    0102030405060708 11121314 00000003
    cafef00d
    61626300
    f18a05c8";

/// UET directly on IP: entropy header, then an acknowledgement with NSCC's state (uet.md 1.1, 1.5).
pub const UET: &str = "\
    021122334455 0266778899aa 0800
    4528003c 00010000 40fd659a 0a000001 0a000002
    e0e1 0000
    4234 fffe fffffff0 0102 0304
    00 09 fed4 8000000000000001
    0bb8 c0 abcdef 0007
    b4a2b918";

/// ELAB with a rate, around TCP with one word of options and 5 bytes (E03, E04).
pub const ELAB: &str = "\
    021122334455 0266778899aa 0800
    45030045 00094000 4011269a 0a000001 0a000002
    c007 1eab 0031 0000
    0007 012c 0003 002a 00989680
    03e8 0050 00000001 00000002 6018 2000 0000 0000 00000000
    68656c6c6f";

pub fn passed(text: &str, options: &Options) -> Reading {
    let reading = examine(&hex(text), options);
    assert_eq!((reading.verdict, reading.reason, reading.row), (Verdict::Ok, Reason::None, 16));
    reading
}

fn object(reading: &Reading, name: &str) -> Value {
    reading.line()[name].clone()
}

#[test]
fn the_sample_of_the_sources() {
    let reading = passed(WRITE, &Options::default());
    assert_eq!((reading.payload.clone(), reading.trailer.clone()), (70..86, 90..90));
    assert_eq!(reading.icrc, Some(true));
    assert_eq!(object(&reading, "reth"), json!({ "vaddr": 0x1000, "rkey": 0x1234, "length": 16 }));
    let mut line = reading.line();
    line.retain(|_, value| !value.is_object());
    let expected = json!({
        "verdict": "ok", "l3": "ipv4", "src": "10.0.0.1", "dst": "10.0.0.2", "dscp": 0, "ecn": 2, "vlans": [],
        "transport": "rocev2", "sport": 49152, "dport": 4791, "icrc": "ok",
    });
    assert_eq!(Value::from(line), expected);
}

#[test]
fn a_congestion_notification() {
    let reading = passed(CNP, &Options { reserved: Strictness::Refuse, ..Options::default() });
    assert_eq!((reading.payload.clone(), reading.reserved), (70..70, 0));
    let line = reading.line();
    assert_eq!(
        (&line["bth"]["opcode"], &line["bth"]["becn"], &line["bth"]["dqpn"]),
        (&json!(0x81), &json!(1), &json!(0xABC))
    );
    assert_eq!(line.get("cnp"), None);
    assert_eq!(reading.record.fields()["has_cnp"].value, 1);
}

#[test]
fn a_write_with_immediate_over_ipv6() {
    let reading = passed(IPV6, &Options { reserved: Strictness::Refuse, ..Options::default() });
    assert_eq!((reading.payload.clone(), reading.trailer.clone()), (110..114, 118..118));
    let expected = json!({
        "verdict": "ok", "l3": "ipv6", "src": "2001:db8::1", "dst": "2001:db8::2", "dscp": 46, "ecn": 1,
        "flow_label": 0x12345, "vlans": [0x123, 0xFFF], "transport": "rocev2", "sport": 54321, "dport": 4791, "icrc": "ok",
        "bth": {
            "opcode": 11, "se": 1, "migreq": 0, "pad": 2, "tver": 0, "pkey": 0x1234, "fecn": 0, "becn": 0,
            "dqpn": 0xBEEF, "ackreq": 1, "psn": 0xAB_CDEF,
        },
        "mpeh": { "path_id": 5, "flags": 15, "flowlet_seq": 0x0203, "sched_tag": 0x0405 },
        "reth": { "vaddr": 0x0102_0304_0506_0708_u64, "rkey": 0x1112_1314, "length": 3 },
        "immdt": { "data": 0xCAFE_F00D_u32 },
    });
    assert_eq!(Value::from(reading.line()), expected);
    assert_eq!(serde_json::to_value(&reading).unwrap(), expected);
    assert_eq!(reading.record.fields()["immdt"].value, 0xCAFE_F00D);
    let tags: Vec<_> = reading.record.link.unwrap().tags.iter().map(|tag| (tag.pcp(), tag.dei(), tag.vid())).collect();
    assert_eq!(tags, [(7, false, 0x123), (0, true, 0xFFF)]);
}

#[test]
fn an_acknowledgement_directly_on_ip() {
    let reading = passed(UET, &Options { reserved: Strictness::Refuse, ..Options::default() });
    assert_eq!((reading.payload.clone(), reading.trailer.clone(), reading.icrc), (70..70, 74..74, Some(true)));
    assert_eq!(object(&reading, "crc"), "ok");
    let expected = json!({
        "type": 8, "next_hdr": 4, "m": 1, "retx": 1, "p": 0, "req": 2, "ack_psn_offset": -2, "cack_psn": 0xFFFF_FFF0_u32,
        "spdcid": 0x0102, "dpdcid": 0x0304, "cc_type": 0, "cc_flags": 0, "mpr": 9, "sack_psn_offset": -300,
        "sack_bitmap": 0x8000_0000_0000_0001_u64, "service_time": 3000, "rc": 1, "rcv_cwnd_pend": 64,
        "rcvd_bytes": 0xAB_CDEF, "ooo_count": 7, "entropy": 0xE0E1,
    });
    assert_eq!(object(&reading, "uet"), expected);
    assert_eq!(object(&reading, "transport"), "uet");
    assert!(!reading.line().contains_key("sport"));
    let fields = reading.record.fields();
    assert_eq!((fields["uet_native"].value, fields["uet_sack_psn_offset"].value), (1, 0xFED4));
}

#[test]
fn a_tunnel_with_a_rate() {
    let reading = passed(ELAB, &Options { reserved: Strictness::Refuse, ..Options::default() });
    assert_eq!((reading.payload.clone(), reading.inner.clone()), (54..83, Some(54..78)));
    let expected = json!({ "vp_id": 7, "vp_rcnt": 300, "b": 1, "e": 1, "burst_id": 42, "vp_rburst_rate": 10_000_000 });
    assert_eq!(object(&reading, "elab"), expected);
}
