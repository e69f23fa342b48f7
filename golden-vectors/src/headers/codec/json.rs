// SPDX-License-Identifier: MIT OR Apache-2.0
//! A reading as the line that `replay --json` prints and the captures have.

use super::{Delivery, Network, Part, Reading, Reason, Record, Transport};
use crate::headers::Number;
use crate::schema::Verdict;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use std::net::{Ipv4Addr, Ipv6Addr};

impl Reading {
    /// The line of this frame, without the frame's number.
    #[must_use]
    pub fn line(&self) -> Map<String, Value> {
        let mut line = Map::new();
        let mut put = |name: &str, value: Value| line.insert(name.to_owned(), value);
        put("verdict", if self.verdict == Verdict::Ok { "ok" } else { "drop" }.into());
        if self.reason != Reason::None {
            put("reason", self.reason.name().into());
        }
        if let Some(right) = self.icrc {
            let name = if self.record.uet_crc { "crc" } else { "icrc" };
            put(name, if right { "ok" } else { "bad" }.into());
        }
        if self.reserved > 0 {
            put("reserved", self.reserved.into());
        }
        if let Some(link) = &self.record.link {
            put("vlans", link.tags.iter().map(|tag| tag.vid()).collect());
            put("transport", self.record.transport_name().into());
            put("l3", "other".into());
            if !self.rebuilt && self.verdict == Verdict::Ok {
                put("rebuilt", false.into());
            }
        }
        line.extend(self.record.headers());
        line
    }
}

impl Record {
    /// Addresses, ports and the objects of the transport headers.
    fn headers(&self) -> Map<String, Value> {
        let mut line = self.network.as_ref().map(Network::line).unwrap_or_default();
        if let Some(udp) = &self.udp {
            line.insert("sport".into(), udp.source().into());
            line.insert("dport".into(), udp.destination().into());
        }
        for part in self.parts() {
            add(&mut line, part.object, object(&part));
        }
        if let Some(Transport::Uet(headers)) = &self.transport
            && let Delivery::Opaque(kind) = headers.delivery
        {
            add(&mut line, "uet", Map::from_iter([("type".to_owned(), kind.into())]));
        }
        line
    }
}

/// Adds fields to an object, which is there only if it has any.
fn add(line: &mut Map<String, Value>, name: &str, fields: Map<String, Value>) {
    if fields.is_empty() {
        return;
    }
    if let Some(object) = line.entry(name).or_insert_with(|| Map::new().into()).as_object_mut() {
        object.extend(fields);
    }
}

/// The fields of a header. Reserved ones are named only where they are not 0; the bit that announces an MPEH is said
/// by the MPEH itself.
fn object(part: &Part) -> Map<String, Value> {
    let mut fields = Map::new();
    for field in &part.fields {
        let hidden = field.name.starts_with("reserved") && field.number.bits() == 0;
        if hidden || (part.object, field.name) == ("bth", "mpeh") {
            continue;
        }
        let value = match field.number {
            Number::Signed(number) => number.into(),
            Number::Plain(bits) if field.width <= u64::BITS => (bits as u64).into(),
            Number::Plain(bits) => format!("{bits:#x}").into(),
        };
        fields.insert(field.name.to_owned(), value);
    }
    fields
}

impl Network {
    fn line(&self) -> Map<String, Value> {
        let mut line = Map::new();
        let mut put = |name: &str, value: Value| line.insert(name.to_owned(), value);
        match self {
            Self::V4(header) => {
                put("l3", "ipv4".into());
                put("src", Ipv4Addr::from(header.source()).to_string().into());
                put("dst", Ipv4Addr::from(header.destination()).to_string().into());
                put("dscp", header.dscp().into());
                put("ecn", header.ecn().into());
            }
            Self::V6(header) => {
                put("l3", "ipv6".into());
                put("src", Ipv6Addr::from(header.source()).to_string().into());
                put("dst", Ipv6Addr::from(header.destination()).to_string().into());
                put("dscp", header.dscp().into());
                put("ecn", header.ecn().into());
                put("flow_label", header.flow_label().into());
            }
        }
        line
    }
}

impl Serialize for Reading {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.line().serialize(serializer)
    }
}
