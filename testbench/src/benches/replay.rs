// SPDX-License-Identifier: MIT OR Apache-2.0
//! A header record as the JSON that `mpnic replay --json` prints: one object per frame, with the names of the packet
//! formats.

use crate::benches::parser_bench::Outcome;
use crate::streams::record::{Named, Record};
use golden_vectors::Reason;
use serde_json::{Map, Value};
use std::net::{Ipv4Addr, Ipv6Addr};

/// The line of frame `index` after the stages `header_parser` and `icrc`. For a dropped frame only the reason is known. Packets
/// of UET have a CRC if `uet_crc`.
pub fn line(index: usize, outcome: &Outcome, uet_crc: bool) -> Value {
    let mut line = Map::new();
    line.insert("frame".into(), index.into());
    if outcome.drop {
        line.insert("verdict".into(), "drop".into());
        line.insert("reason".into(), reason(outcome.reason).into());
        return line.into();
    }
    line.insert("verdict".into(), "ok".into());
    let trimmed = outcome.reason == Reason::Trimmed.code();
    if trimmed {
        line.insert("reason".into(), Reason::Trimmed.name().into());
    } else if let Some(name) = crc(&outcome.record, uet_crc) {
        line.insert(name.into(), "ok".into());
    }
    link(&outcome.record, &mut line);
    network(&outcome.record, &mut line);
    transport(&outcome.record, &mut line);
    line.into()
}

/// The name of the CRC that a frame has at its end. UET of a type without headers has none.
pub fn crc(record: &Record, uet_crc: bool) -> Option<&'static str> {
    match record.get("transport") {
        2 => Some("icrc"),
        3 => (uet_crc && record.get("transport_words") > 0).then_some("crc"),
        _ => None,
    }
}

/// The name of a reason code.
pub fn reason(code: u8) -> &'static str {
    Reason::ALL.iter().find(|reason| reason.code() == code).map_or("unknown", |reason| reason.name())
}

/// A field as a number, which has at most 32 bits.
fn number(record: &Record, name: &str) -> Value {
    (record.get(name) as u64).into()
}

fn mac(value: u128) -> String {
    let bytes = value.to_be_bytes();
    let text: Vec<_> = bytes[10..].iter().map(|byte| format!("{byte:02x}")).collect();
    text.join(":")
}

fn link(record: &Record, line: &mut Map<String, Value>) {
    line.insert("dst_mac".into(), mac(record.get("dst_mac")).into());
    line.insert("src_mac".into(), mac(record.get("src_mac")).into());
    line.insert("ethertype".into(), number(record, "ethertype"));
    let tags = ["vlan0_tci", "vlan1_tci"].into_iter().take(record.get("vlan_count") as usize);
    let ids: Vec<_> = tags.map(|tag| (record.get(tag) as u64) & 0xfff).collect();
    line.insert("vlans".into(), ids.into());
}

fn network(record: &Record, line: &mut Map<String, Value>) {
    let address = |name: &str, v4: bool| match record.get(name) {
        address if v4 => Ipv4Addr::from((address >> 96) as u32).to_string(),
        address => Ipv6Addr::from(address).to_string(),
    };
    let v4 = match record.get("l3") {
        1 => true,
        2 => false,
        _ => {
            line.insert("l3".into(), "other".into());
            return;
        }
    };
    line.insert("l3".into(), if v4 { "ipv4" } else { "ipv6" }.into());
    line.insert("src".into(), address("src_ip", v4).into());
    line.insert("dst".into(), address("dst_ip", v4).into());
    for name in ["dscp", "ecn", "hop_limit", "protocol", "ip_length"] {
        line.insert(name.into(), number(record, name));
    }
    let last = if v4 { "fragment" } else { "flow_label" };
    line.insert(last.into(), number(record, last));
}

fn transport(record: &Record, line: &mut Map<String, Value>) {
    let code = record.get("transport");
    let name = ["none", "udp", "rocev2", "uet", "elab"].get(code as usize).copied().unwrap_or("unknown");
    line.insert("transport".into(), name.into());
    for name in ["sport", "dport", "udp_length"].into_iter().filter(|name| record.field(name).is_some()) {
        line.insert(name.into(), number(record, name));
    }
    let objects = OBJECTS.iter().map(|object| (*object, object_of(record, object)));
    line.extend(
        objects.filter(|(_, fields)| !fields.is_empty()).map(|(object, fields)| (object.into(), fields.into())),
    );
}

/// The objects of the transport headers.
const OBJECTS: [&str; 13] = [
    "bth",
    "mpeh",
    "deth",
    "xrceth",
    "reth",
    "atomic_eth",
    "aeth",
    "atomic_ack",
    "immdt",
    "ieth",
    "cnp",
    "uet",
    "elab",
];

/// Signed numbers of 16 bits (uet.md 1.3 to 1.5).
const SIGNED: [&str; 3] = ["clear_psn_offset", "ack_psn_offset", "sack_psn_offset"];

/// The fields of a header, those of more than 53 bits as strings of hexadecimal digits: many readers of JSON keep a
/// number as `f64`. Reserved fields are listed only if they are not 0. The presence of an MPEH is shown by its
/// object, and that of UET directly on IP by its entropy.
fn object_of(record: &Record, object: &str) -> Map<String, Value> {
    if object == "immdt" {
        return record.field(object).map(|data| ("data".to_owned(), Value::from(data as u64))).into_iter().collect();
    }
    let shown = |field: &Named| {
        let silent = matches!((object, field.name), ("bth", "mpeh") | ("uet", "native"));
        !silent && (field.value != 0 || !field.name.starts_with("reserved"))
    };
    let value = |field: &Named| match u64::try_from(field.value) {
        Ok(number) if SIGNED.contains(&field.name) => (number as u16).cast_signed().into(),
        Ok(number) if !field.wide => number.into(),
        _ => format!("{:#x}", field.value).into(),
    };
    record.object(object).filter(shown).map(|field| (field.name.to_owned(), value(&field))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_dropped_frame_has_a_reason_and_nothing_else() {
        let outcome = Outcome { drop: true, reason: 5, record: Record::default(), bytes: vec![], stray: None };
        assert_eq!(line(3, &outcome, true), json!({ "frame": 3, "verdict": "drop", "reason": "ip_checksum" }));
        assert_eq!(reason(15), "unknown");
    }

    #[test]
    fn a_frame_of_somebody_else_has_no_network_layer() {
        let outcome = Outcome { drop: false, reason: 0, record: Record::default(), bytes: vec![], stray: None };
        let line = line(0, &outcome, true);
        assert_eq!((&line["l3"], &line["transport"]), (&json!("other"), &json!("none")));
        assert!(line.get("src").is_none() && line.get("bth").is_none());
    }
}
