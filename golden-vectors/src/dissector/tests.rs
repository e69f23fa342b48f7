// SPDX-License-Identifier: MIT OR Apache-2.0
//! The script has every field of every header, once, and nothing of it is left to chance.

use super::shape::Shape;
use super::{PROTOCOLS, filters, script};
use crate::headers::codec::flat;
use crate::headers::opcode;
use crate::headers::uet::{prologue, tss};
use std::collections::BTreeSet;

fn shapes() -> Vec<Shape> {
    PROTOCOLS.iter().flat_map(|(_, _, _, shapes)| shapes()).collect()
}

/// What stands between `start` and the next `end`, for every `start`.
fn between<'a>(text: &'a str, start: &'a str, end: char) -> impl Iterator<Item = &'a str> {
    text.split(start).skip(1).filter_map(move |rest| rest.split(end).next())
}

#[test]
fn every_field_is_declared_once() {
    let script = script();
    for filter in filters() {
        let declared =
            script.lines().filter(|line| line.contains("ProtoField.") && line.contains(&format!("(\"{filter}\",")));
        assert_eq!(declared.count(), 1, "{filter}");
    }
    // The CRC is behind the payload.
    let others = ["ProtoField.none(", "mpnic.uet.crc"];
    let cut_from_headers = |line: &&str| line.starts_with("field(") && !others.iter().any(|other| line.contains(other));
    assert_eq!(script.lines().filter(cut_from_headers).count(), filters().len());
}

/// The fields of the record, which the oracle lists by itself: all of RoCEv2, UET and ELAB are in the script.
#[test]
fn the_record_has_no_field_that_the_script_lacks() {
    let known: BTreeSet<_> = filters().iter().map(|name| name["mpnic.".len()..].replace('.', "_")).collect();
    let headers = ["bth", "mpeh", "deth", "xrceth", "reth", "atomic", "aeth", "ieth", "cnp", "uet", "elab"];
    let mut compared = 0;
    for (name, _) in flat::fields() {
        let of_header = headers.contains(&name.split('_').next().unwrap_or_default());
        if of_header && name != "uet_native" {
            assert!(known.contains(&name), "{name}");
            compared += 1;
        }
    }
    assert!(compared > 90, "{compared}");
    // A header that is one field called `data` has one name in the record.
    assert!(known.contains("immdt_data"));
}

/// Every bit of a header is in one row of its table.
#[test]
fn the_rows_of_a_header_are_all_of_it() {
    let script = script();
    for shape in shapes() {
        let start = format!("HEADERS[\"{}\"] = {{", shape.name);
        let table = script.split(&start).nth(1).and_then(|rest| rest.split("\n}\n").next()).expect(shape.name);
        let number = |row: &str, key: &str| {
            let start = format!(" {key} = ");
            let text = between(row, &start, ' ').next().expect(key);
            text.chars().take_while(char::is_ascii_digit).collect::<String>().parse::<u32>().expect(key)
        };
        let mut end = 0;
        for row in table.lines().skip(1) {
            assert_eq!(number(row, "at") * 8 + number(row, "bit"), end, "{}: {row}", shape.name);
            end += number(row, "bits");
            assert!(number(row, "bit") + number(row, "bits") <= number(row, "len") * 8, "{row}");
        }
        assert_eq!(end, shape.bytes() * 8, "{}", shape.name);
        assert_eq!(number(&format!(" {table}"), "bytes"), shape.bytes(), "{}", shape.name);
    }
}

/// uet.md 1.8: the words behind the first of the security header add up to the length that the oracle takes.
#[test]
fn the_security_header_has_its_length() {
    let bytes = |name: &str| shapes().iter().find(|shape| shape.name == name).expect(name).bytes() as usize;
    assert_eq!(bytes("tss") + bytes("tss.tsc"), tss::LEN);
    assert_eq!(bytes("tss.ssi"), tss::SOURCE_LEN);
}

/// A mask is that of the bits in the bytes (uet.md 1.2, E04, M16).
#[test]
fn masks() {
    let script = script();
    for line in [
        r#"ProtoField.uint8("mpnic.uet.type", "type", base.DEC, VALUES["uet.type"], 0xf8)"#,
        r#"ProtoField.uint16("mpnic.uet.next_hdr", "next_hdr", base.DEC, VALUES["uet.next_hdr"], 0x780)"#,
        r#"ProtoField.bool("mpnic.uet.retx", "retx", 8, nil, 0x10)"#,
        r#"ProtoField.int16("mpnic.uet.clear_psn_offset", "clear_psn_offset", base.DEC, nil)"#,
        r#"ProtoField.uint16("mpnic.elab.reserved", "reserved", base.DEC, nil, 0xfffc)"#,
        r#"ProtoField.bool("mpnic.mpeh.data_flags.flowlet_boundary", "flowlet_boundary", 8, nil, 0x1)"#,
        r#"ProtoField.uint64("mpnic.uet.sack_bitmap", "sack_bitmap", base.HEX)"#,
        r#"ProtoField.bytes("mpnic.uet.nccx", "nccx")"#,
    ] {
        assert!(script.contains(line), "{line}");
    }
}

/// Every type of packet that the oracle takes apart has a name, and a reader of that name.
#[test]
fn every_type_has_a_reader() {
    let script = script();
    let types =
        script.split("VALUES[\"uet.type\"] = {\n").nth(1).and_then(|rest| rest.split('}').next()).expect("types");
    let names: Vec<_> = between(types, "= \"", '"').collect();
    assert_eq!(names.len(), usize::from(prologue::ROD_CC_REQ));
    for name in names {
        assert!(script.contains(&format!("\n  {name} = ")), "{name}");
    }
}

/// What the table of OpCodes knows is in the script, under a name.
#[test]
fn every_opcode_has_a_row() {
    let script = script();
    let names =
        script.split("VALUES[\"bth.opcode\"] = {\n").nth(1).and_then(|rest| rest.split('}').next()).expect("names");
    for code in 0..=u8::MAX {
        let known = opcode::extensions(code).is_some();
        assert_eq!(script.contains(&format!("  [{code:#04x}] = {{")), known, "{code:#x}");
        assert!(!known || names.contains(&format!("  [{code}] = \"")), "{code:#x}");
    }
}

/// uet.md 1.2, 1.7 and 1.9; requirements.md C.
#[test]
fn numbers_have_their_names() {
    let script = script();
    let named = |path: &str, number: u32, name: &str| {
        let start = format!("VALUES[\"{path}\"] = {{\n");
        let table = script.split(&start).nth(1).and_then(|rest| rest.split("}\n").next()).expect(path);
        assert!(table.contains(&format!("  [{number}] = \"{name}\",\n")), "{path} {number}: {table}");
    };
    named("uet.type", 11, "CP");
    named("uet.next_hdr", 6, "RESPONSE_DATA_SMALL");
    named("uet.ctl_type", 9, "NEGOTIATION");
    named("uet.req", 2, "CLOSE");
    named("uet.cc_type", 1, "CREDIT");
    for (code, name) in [(0x01, "TRIMMED"), (0x0B, "PSN_OOR_WINDOW"), (0x0D, "ROD_OOO"), (0x17, "NEW_START_PSN")] {
        named("uet.nack_code", code, name);
    }
    named("uet.nack_code", 0x1A, "RCVR_INFER_LOSS");
    named("uet.nack_code", 0xFF, "experimental, fatal");
    named("aeth.syndrome", 0x1F, "ACK, credit count 31");
    named("aeth.syndrome", 0x20, "RNR NAK, timer 0");
    named("aeth.syndrome", 0x64, "NAK, invalid RD request");
    named("bth.opcode", 0x81, "CNP");
    named("bth.opcode", 0xB7, "XRC SEND_ONLY_INV");
    named("bth.opcode", 0xCA, "RC with MPEH, WRITE_ONLY");
}

#[test]
fn the_script_is_text_of_its_own() {
    let script = script();
    assert!(script.is_ascii() && script.ends_with('\n') && script.starts_with("-- SPDX-License-Identifier: "));
    assert_eq!(script.matches("SPDX").count(), 1);
    assert_eq!(script, super::script());
}
