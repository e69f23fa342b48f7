// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rules that depend on options, and the rows that only some frames reach.

use super::captures::examine;
use super::known_answers::{CNP, ELAB, IPV6, UET, WRITE, hex, passed};
use golden_vectors::Verdict;
use golden_vectors::headers::codec::icrc_place::filled;
use golden_vectors::headers::codec::{
    Delivery, MpehIndicator, Network, Options, Reading, Reason, Record, Strictness, Transport, read, write,
};
use golden_vectors::headers::{Aeth, Bth, Mpeh};

/// The frame after `change` to its record, with everything that follows from it.
fn changed(text: &str, change: impl FnOnce(&mut Record)) -> Vec<u8> {
    let frame = hex(text);
    let mut reading = read(&frame, &Options::default());
    change(&mut reading.record);
    write(&reading.record, &frame[reading.payload], &frame[reading.trailer])
}

fn rocev2(record: &mut Record) -> (&mut Bth, &mut Option<Mpeh>) {
    match &mut record.transport {
        Some(Transport::Rocev2(headers)) => (&mut headers.bth, &mut headers.mpeh),
        _ => panic!("not RoCEv2"),
    }
}

fn outcome(reading: &Reading) -> (Verdict, Reason, u8, u32) {
    (reading.verdict, reading.reason, reading.row, reading.reserved)
}

/// How many reserved fields a frame has that are not 0, under all three settings.
fn reserved(frame: &[u8], options: &Options) -> u32 {
    let with = |reserved| examine(frame, &Options { reserved, ..*options });
    let counted = with(Strictness::Count);
    assert_eq!(outcome(&counted), (Verdict::Ok, Reason::None, 16, counted.reserved));
    assert_eq!(outcome(&with(Strictness::Ignore)), (Verdict::Ok, Reason::None, 16, 0));
    let refused = with(Strictness::Refuse);
    if counted.reserved == 0 {
        assert_eq!(outcome(&refused), outcome(&counted));
    } else {
        assert_eq!(outcome(&refused), (Verdict::Drop, Reason::Reserved, 15, counted.reserved));
        assert_eq!(refused.line()["reason"], "reserved");
    }
    counted.reserved
}

#[test]
fn reserved_bits_of_rocev2() {
    let count = |text, change: fn(&mut Record)| reserved(&changed(text, change), &Options::default());
    assert_eq!(count(WRITE, |_| {}), 0);
    assert_eq!(count(WRITE, |record| rocev2(record).0.set_reserved1(1)), 1);
    assert_eq!(count(WRITE, |record| rocev2(record).0.set_reserved2(0x20)), 1);
    assert_eq!(count(WRITE, |record| rocev2(record).0.set_tver(1)), 1);
    // M20: flags 4 to 7 and the last field of the MPEH.
    let flags = |record: &mut Record, flags| rocev2(record).1.iter_mut().for_each(|mpeh| mpeh.set_flags(flags));
    assert_eq!(count(IPV6, |_| {}), 0);
    assert_eq!(reserved(&changed(IPV6, |record| flags(record, 0x10)), &Options::default()), 1);
    assert_eq!(count(IPV6, |record| rocev2(record).1.iter_mut().for_each(|mpeh| mpeh.set_reserved(1))), 1);
    // Bit 7 of the syndrome (requirements.md C).
    for (syndrome, expected) in [(0x7F, 0), (0x80, 1)] {
        let mut headers = match examine(&hex(WRITE), &Options::default()).record.transport {
            Some(Transport::Rocev2(headers)) => headers,
            other => panic!("{other:?}"),
        };
        (headers.reth, headers.aeth) = (None, Some(Aeth::new().with_syndrome(syndrome)));
        headers.bth.set_opcode(0x11);
        let frame = changed(WRITE, |record| record.transport = Some(Transport::Rocev2(headers)));
        assert_eq!(reserved(&frame, &Options::default()), expected);
    }
    // In JSON a reserved field is there if it is not 0.
    let frame = changed(WRITE, |record| rocev2(record).0.set_reserved2(0x20));
    let line = examine(&frame, &Options::default()).line();
    assert_eq!((line["bth"].get("reserved2"), line["bth"].get("reserved1")), (Some(&0x20.into()), None));
    // The zero bytes of a congestion notification.
    let mut cnp = hex(CNP);
    cnp[69] = 1;
    assert_eq!(outcome(&examine(&cnp, &Options::default())).1, Reason::Icrc);
}

/// M30: an acknowledgement has three flags, data have four (M16 to M19). A read response carries data.
#[test]
fn flags_of_data_and_of_acknowledgements() {
    let by_bit = [(0x04, 0), (0x10, 0), (0x11, 1), (0x12, 1), (0xB1, 1), (0x91, 0), (0xD1, 0)];
    // By OpCode the flag in the BTH is reserved, too.
    let by_opcode = [(0xC4, 1), (0xD0, 1), (0xD1, 2), (0xD2, 2)];
    let by_bit = by_bit.map(|(opcode, expected)| (opcode, expected, MpehIndicator::Bit));
    let by_opcode = by_opcode.map(|(opcode, expected)| (opcode, expected, MpehIndicator::OpCode));
    for (opcode, expected, mpeh) in by_bit.into_iter().chain(by_opcode) {
        let frame = changed(WRITE, |record| {
            let bth = rocev2(record).0.with_opcode(opcode).with_mpeh(true);
            let mut headers = golden_vectors::headers::codec::Rocev2::new(bth);
            headers.mpeh = Some(Mpeh::new().with_flags(8));
            record.transport = Some(Transport::Rocev2(headers));
        });
        // The headers of the OpCode are the old payload: 16 bytes 'A', whose top bit is 0.
        assert_eq!(reserved(&frame, &Options { mpeh, ..Options::default() }), expected, "{opcode:#04x}");
    }
}

/// The ICRC comes before reserved bits (rows 14 and 15), and does not cover byte 4 of the BTH (requirements.md C).
#[test]
fn a_wrong_icrc_comes_first() {
    let options = Options { reserved: Strictness::Refuse, ..Options::default() };
    let mut frame = hex(WRITE);
    frame[46] = 0x3F;
    assert_eq!(outcome(&examine(&frame, &options)), (Verdict::Drop, Reason::Reserved, 15, 1));
    frame[86] ^= 1;
    let reading = examine(&frame, &options);
    assert_eq!(outcome(&reading), (Verdict::Drop, Reason::Icrc, 14, 1));
    let line = reading.line();
    assert_eq!((&line["verdict"], &line["reason"], &line["icrc"]), (&"drop".into(), &"icrc".into(), &"bad".into()));
    assert_eq!(line["reth"]["rkey"], 0x1234);
}

/// The fields that may change on the way do not count; all others do, the UDP source port among them (requirements.md
/// C).
#[test]
fn what_the_icrc_covers() {
    let at = |text: &str, changes: &[(usize, u8)]| {
        let mut frame = hex(text);
        changes.iter().for_each(|&(at, value)| frame[at] ^= value);
        examine(&frame, &Options::default()).reason
    };
    // Type of service and its complement in the header checksum; the same for the time to live.
    assert_eq!(at(WRITE, &[(15, 0x04), (25, 0x9C ^ 0x98)]), Reason::None);
    assert_eq!(at(WRITE, &[(22, 0x40 ^ 0x3F), (24, 0x66 ^ 0x67)]), Reason::None);
    assert_eq!(at(WRITE, &[(40, 0xFF)]), Reason::None);
    assert_eq!(at(WRITE, &[(46, 0xFF)]), Reason::None);
    assert_eq!(at(WRITE, &[(35, 0x01)]), Reason::Icrc);
    assert_eq!(at(WRITE, &[(50, 0x01)]), Reason::Icrc);
    // IPv6: traffic class, flow label, hop limit.
    assert_eq!(at(IPV6, &[(22, 0x0F), (23, 0xFF), (24, 0xFF), (25, 0xFF), (29, 0xFF)]), Reason::None);
    assert_eq!(at(IPV6, &[(31, 0x01)]), Reason::Icrc);
}

/// M13: the MPEH may be announced by an OpCode from 0xC0 on, which else means what it means on RC.
#[test]
fn an_mpeh_by_opcode() {
    let options = Options { mpeh: MpehIndicator::OpCode, ..Options::default() };
    let frame = changed(IPV6, |record| {
        rocev2(record).0.set_opcode(0xCB);
        rocev2(record).0.set_mpeh(false);
    });
    let reading = examine(&frame, &options);
    assert_eq!((reading.verdict, &reading.payload), (Verdict::Ok, &(110..114)));
    let line = reading.line();
    assert_eq!((&line["bth"]["opcode"], &line["mpeh"]["path_id"]), (&0xCB.into(), &5.into()));
    assert_eq!((&line["reth"]["length"], line["immdt"]["data"].is_u64()), (&3.into(), true));
    // By bit that is an OpCode of a manufacturer: a BTH, and nothing behind it is known.
    let plain = examine(&frame, &Options::default());
    assert_eq!((plain.verdict, plain.payload), (Verdict::Ok, 82..114));
    // By OpCode the bit is a reserved one, and announces nothing.
    let reading = examine(&hex(IPV6), &options);
    assert_eq!((reading.verdict, reading.record.fields()["has_mpeh"].value), (Verdict::Ok, 0));
    let set = changed(WRITE, |record| rocev2(record).0.set_reserved2(0));
    assert_eq!(reserved(&set, &options), 0);
    assert_eq!(reserved(&hex(IPV6), &options), 1);
    // 0xC0 + 0x15 mirrors an operation that there is not.
    let unknown = changed(WRITE, |record| rocev2(record).0.set_opcode(0xD5));
    assert_eq!(examine(&unknown, &options).record.fields()["has_mpeh"].value, 0);
}

/// Rows 10 and 12: a protocol that is off is not ours, and ports and protocol numbers are options.
#[test]
fn options_decide_what_is_ours() {
    let name = |text: &str, options: &Options| examine(&hex(text), options).record.transport_name();
    let all = Options::default();
    assert_eq!(name(WRITE, &Options { rocev2: false, ..all }), "udp");
    assert_eq!(name(UET, &Options { uet: false, ..all }), "none");
    assert_eq!(name(UET, &Options { uet_protocol: 254, ..all }), "none");
    assert_eq!(name(ELAB, &Options { elab: false, ..all }), "udp");
    assert_eq!(name(ELAB, &Options { elab_port: 4792, ..all }), "udp");
    assert_eq!(name(ELAB, &Options { rocev2: false, uet_port: 7851, ..all }), "uet");
    assert_eq!(name(WRITE, &Options { rocev2: false, elab_port: 4791, ..all }), "elab");
}

/// Types that are reserved, and the security header: named, nothing taken off (uet.md 1.2, 1.8).
#[test]
fn uet_types_that_are_passed_as_they_are() {
    for kind in [0, 1, 15, 31] {
        let frame = changed(UET, |record| {
            if let Some(Transport::Uet(headers)) = &mut record.transport {
                headers.delivery = Delivery::Opaque(kind);
            }
            record.uet_crc = false;
        });
        // Without its delivery header the packet has no room for a type.
        assert_eq!(examine(&frame, &Options::default()).reason, Reason::HeaderCut);
        let mut frame = hex(UET);
        frame[38] = kind << 3;
        let reading = examine(&frame, &Options::default());
        assert_eq!(outcome(&reading), (Verdict::Ok, Reason::None, 16, 0));
        assert_eq!((reading.payload.clone(), reading.icrc), (38..74, None));
        assert_eq!(reading.line()["uet"]["type"], kind);
        assert_eq!(reading.record.fields()["uet_type"].value, kind.into());
        assert!(!reading.record.fields().contains_key("uet_next_hdr"));
    }
}

/// A security header is 12 bytes long, 16 with a source identifier (uet.md 1.8).
#[test]
fn a_security_header_has_to_fit() {
    let with = |first: u8, length: usize| {
        let frame = hex(UET);
        let mut record = read(&frame, &Options::default()).record;
        if let Some(Transport::Uet(headers)) = &mut record.transport {
            headers.delivery = Delivery::Opaque(1);
        }
        record.uet_crc = false;
        let mut payload = vec![0; length];
        payload[0] = first;
        examine(&write(&record, &payload, &[]), &Options::default()).reason
    };
    assert_eq!((with(0x08, 11), with(0x08, 12)), (Reason::HeaderCut, Reason::None));
    assert_eq!((with(0x0C, 15), with(0x0C, 16)), (Reason::HeaderCut, Reason::None));
}

/// Reserved fields of UET and ELAB (uet.md 1.1 to 1.8, E04).
#[test]
fn reserved_bits_of_the_others() {
    let at = |text: &str, at: usize, value: u8| {
        let mut frame = hex(text);
        frame[at] ^= value;
        reserved(&filled(frame, &Options::default()), &Options::default())
    };
    assert_eq!((at(UET, 37, 1), at(UET, 39, 0x40), at(UET, 39, 1), at(UET, 50, 1)), (1, 1, 1, 1));
    assert_eq!((at(UET, 38, 0), at(UET, 39, 0x08)), (0, 0));
    // `m` is reserved in a RUDI request, and has a meaning in a response.
    let rudi = |kind: u8| {
        let mut frame = hex(UET);
        (frame[38], frame[39], frame[40], frame[41]) = (kind << 3, 0x20, 0, 0);
        reserved(&filled(frame, &Options::default()), &Options::default())
    };
    assert_eq!((rudi(4), rudi(5)), (1, 0));
    assert_eq!((at(ELAB, 46, 0x80), at(ELAB, 47, 0x04), at(ELAB, 47, 0x01)), (1, 1, 0));
}

/// Frames with IPv4 options are read; what is in the options is not kept.
#[test]
fn options_of_ipv4_are_not_rebuilt() {
    let mut frame = hex(ELAB);
    frame.splice(34..34, [1, 1, 1, 0]);
    (frame[14], frame[17]) = (0x46, 0x49);
    (frame[24], frame[25]) = (0, 0);
    let sum: u32 = frame[14..38].chunks(2).map(|pair| u32::from(pair[0]) << 8 | u32::from(pair[1])).sum();
    let checksum = !((sum & 0xFFFF) + (sum >> 16)) as u16;
    frame[24..26].copy_from_slice(&checksum.to_be_bytes());
    let reading = examine(&frame, &Options::default());
    assert_eq!((reading.verdict, reading.rebuilt), (Verdict::Ok, false));
    assert_eq!(reading.payload, 58..87);
    assert_eq!(reading.line()["rebuilt"], false);
    assert!(matches!(reading.record.network, Some(Network::V4(header)) if header.ihl() == 6));
    assert!(!passed(ELAB, &Options::default()).line().contains_key("rebuilt"));
}

/// Row 3: a third tag is an EtherType that is not known here.
#[test]
fn two_tags_at_most() {
    let mut frame = hex(IPV6);
    assert_eq!(examine(&frame, &Options::default()).row, 16);
    frame.splice(20..20, [0x81, 0x00, 0x00, 0x01]);
    let reading = examine(&frame, &Options::default());
    assert_eq!((reading.row, reading.payload), (3, 22..122));
    assert_eq!(reading.record.fields()["ethertype"].value, 0x8100);
}
