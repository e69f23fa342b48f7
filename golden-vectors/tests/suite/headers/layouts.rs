// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every header's fields from bytes written by hand: what a round trip cannot see is a field in the wrong place.

use super::known_answers::hex;
use golden_vectors::headers::codec::Part;
use golden_vectors::headers::uet::{
    Ack, AckCc, AckCcx, Control, ControlPayload, CreditState, Dpdcid, Entropy, Nack, NackCcx, NsccState, OtherState,
    Prologue, Request, RequestCc, Rudi, Syn, Tss, Uud,
};
use golden_vectors::headers::{AtomicAck, AtomicEth, Cnp, Deth, Elab, ElabRate, Ieth, ImmDt, Layout, Xrceth};

/// Name and bits of every field of the header that `text` is, blank-separated, in the order of the wire.
fn fields<H: Layout>(text: &str) -> String {
    let bytes = hex(text);
    assert_eq!(bytes.len(), H::LEN, "{text}");
    let part = Part::of("", H::read(&bytes).unwrap());
    assert_eq!(part.bytes, bytes);
    part.fields.iter().map(|field| format!("{} {:x}", field.name, field.number.bits())).collect::<Vec<_>>().join(", ")
}

#[test]
fn headers_behind_the_bth() {
    assert_eq!(fields::<ImmDt>("01020304"), "data 1020304");
    assert_eq!(
        fields::<AtomicEth>("0102030405060708 11121314 2122232425262728 3132333435363738"),
        "vaddr 102030405060708, rkey 11121314, swap 2122232425262728, compare 3132333435363738"
    );
    assert_eq!(fields::<AtomicAck>("0102030405060708"), "original 102030405060708");
    assert_eq!(fields::<Ieth>("01020304"), "rkey 1020304");
    assert_eq!(fields::<Deth>("01020304 05 060708"), "qkey 1020304, reserved 5, sqpn 60708");
    assert_eq!(fields::<Xrceth>("01 020304"), "reserved 1, srqn 20304");
    assert_eq!(
        fields::<Cnp>("0102030405060708 1112131415161718"),
        "reserved1 102030405060708, reserved2 1112131415161718"
    );
}

/// E04: the reserved bits come before B and E.
#[test]
fn the_info_header() {
    assert_eq!(fields::<Elab>("0102 0304 fffe 0506"), "vp_id 102, vp_rcnt 304, reserved 3fff, b 1, e 0, burst_id 506");
    assert_eq!(fields::<Elab>("0000 0000 0001 0000"), "vp_id 0, vp_rcnt 0, reserved 0, b 0, e 1, burst_id 0");
    assert_eq!(fields::<ElabRate>("01020304"), "vp_rburst_rate 1020304");
}

/// uet.md 1.2: type 5, next_hdr 4, flags 7.
#[test]
fn the_prologue() {
    assert_eq!(fields::<Prologue>("f800"), "type 1f, next_hdr 0, flags 0");
    assert_eq!(fields::<Prologue>("0780"), "type 0, next_hdr f, flags 0");
    assert_eq!(fields::<Prologue>("007f"), "type 0, next_hdr 0, flags 7f");
    assert_eq!(fields::<Entropy>("0102 0304"), "entropy 102, reserved_entropy 304");
}

/// The names of the fields that one flag mask sets, by class of packet (the table of flags in uet.md 1.2).
#[test]
fn flags_by_class() {
    let set = |fields: String| {
        let set = |field: &&str| !field.ends_with(" 0");
        fields.split(", ").filter(set).collect::<Vec<_>>().join(", ")
    };
    let masks = [0x40, 0x20, 0x10, 0x08, 0x04, 0x02, 0x01];
    let rest = |length: usize| "00".repeat(length - 2);
    let request = masks.map(|mask| set(fields::<Request>(&format!("00{mask:02x}{}", rest(10)))));
    assert_eq!(
        request,
        ["reserved_65 2", "reserved_65 1", "retx 1", "ar 1", "syn 1", "reserved_10 2", "reserved_10 1"]
    );
    let ack = masks.map(|mask| set(fields::<Ack>(&format!("00{mask:02x}{}", rest(12)))));
    assert_eq!(ack, ["reserved_6 1", "m 1", "retx 1", "p 1", "req 2", "req 1", "reserved_0 1"]);
    let nack = masks.map(|mask| set(fields::<Nack>(&format!("00{mask:02x}{}", rest(16)))));
    assert_eq!(nack, ["reserved_6 1", "m 1", "retx 1", "nt 1", "reserved_210 4", "reserved_210 2", "reserved_210 1"]);
    let control = masks.map(|mask| set(fields::<Control>(&format!("00{mask:02x}{}", rest(10)))));
    assert_eq!(control, ["reserved_6 1", "isrod 1", "retx 1", "ar 1", "syn 1", "reserved_10 2", "reserved_10 1"]);
    let rudi = masks.map(|mask| set(fields::<Rudi>(&format!("00{mask:02x}{}", rest(8)))));
    let reserved = ["reserved_3210 8", "reserved_3210 4", "reserved_3210 2", "reserved_3210 1"];
    assert_eq!(rudi, [["reserved_6 1", "m 1", "retx 1"].as_slice(), &reserved].concat()[..]);
    assert_eq!(set(fields::<Uud>("007f0000")), "reserved_flags 7f");
}

/// uet.md 1.3 to 1.5.
#[test]
fn requests_and_acknowledgements() {
    assert_eq!(
        fields::<Request>("1180 8001 01020304 0506"),
        "type 2, next_hdr 3, reserved_65 0, retx 0, ar 0, syn 0, reserved_10 0, clear_psn_offset 8001, psn 1020304, \
         spdcid 506"
    );
    assert_eq!(fields::<Dpdcid>("0102"), "dpdcid 102");
    assert_eq!(fields::<Syn>("f123"), "pdc_info f, psn_offset 123");
    assert_eq!(fields::<RequestCc>("01 020304"), "ccc_id 1, credit_target 20304");
    assert_eq!(
        fields::<Ack>("3a00 8001 01020304 0506 0708"),
        "type 7, next_hdr 4, reserved_6 0, m 0, retx 0, p 0, req 0, reserved_0 0, ack_psn_offset 8001, \
         cack_psn 1020304, spdcid 506, dpdcid 708"
    );
    assert_eq!(
        fields::<AckCc>("1f 02 8003 0405060708090a0b"),
        "cc_type 1, cc_flags f, mpr 2, sack_psn_offset 8003, sack_bitmap 405060708090a0b"
    );
    assert_eq!(
        fields::<NsccState>("0102 81 020304 0506"),
        "service_time 102, rc 1, rcv_cwnd_pend 1, rcvd_bytes 20304, ooo_count 506"
    );
    assert_eq!(fields::<CreditState>("010203 040506 0708"), "credit 10203, reserved_credit 40506, ooo_count 708");
    assert_eq!(fields::<OtherState>("0102030405060708"), "cc_state 102030405060708");
    assert_eq!(
        fields::<AckCcx>("0102030405060708090a0b0c0d0e0f10 1112131415161718191a1b1c"),
        "ccx_head 102030405060708090a0b0c0d0e0f10, ccx_tail 1112131415161718191a1b1c"
    );
}

/// uet.md 1.6 to 1.8.
#[test]
fn the_other_types() {
    assert_eq!(
        fields::<Nack>("5000 01 02 03040506 0708 090a 0b0c0d0e"),
        "type a, next_hdr 0, reserved_6 0, m 0, retx 0, nt 0, reserved_210 0, nack_code 1, vendor_code 2, \
         nack_psn 3040506, spdcid 708, dpdcid 90a, payload b0c0d0e"
    );
    assert_eq!(fields::<NackCcx>("0102030405060708090a0b0c0d0e0f10"), "nccx 102030405060708090a0b0c0d0e0f10");
    assert_eq!(
        fields::<Control>("5b00 0102 03040506 0708"),
        "type b, ctl_type 6, reserved_6 0, isrod 0, retx 0, ar 0, syn 0, reserved_10 0, probe_opaque 102, \
         psn 3040506, spdcid 708"
    );
    assert_eq!(fields::<ControlPayload>("01020304"), "payload 1020304");
    assert_eq!(
        fields::<Rudi>("2080 0102 03040506"),
        "type 4, next_hdr 1, reserved_6 0, m 0, retx 0, reserved_3210 0, reserved 102, pkt_id 3040506"
    );
    assert_eq!(fields::<Uud>("3080 0102"), "type 6, next_hdr 1, reserved_flags 0, reserved 102");
    assert_eq!(fields::<Tss>("0d 010203"), "type 1, sp 1, reserved 0, an 1, sdi 10203");
}
