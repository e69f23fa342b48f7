// SPDX-License-Identifier: MIT OR Apache-2.0
//! A dissector for Wireshark and tshark, in Lua, made of the headers in [`headers`](crate::headers): fields, masks, names and
//! the table of OpCodes are written out here; how headers follow each other is in the pieces beside this file.
//!
//! ```
//! let script = golden_vectors::dissector::script();
//! assert!(script.contains(r#"ProtoField.uint8("mpnic.mpeh.path_id", "path_id""#));
//! ```

mod fields;
mod headers;
mod shape;
#[cfg(test)]
mod tests;
mod values;

use crate::headers::codec::Options;
use crate::headers::icrc;
use crate::headers::opcode::{ACKNOWLEDGE, ATOMIC_ACKNOWLEDGE, MPEH, RC, UD, XRC};
use crate::headers::uet::crc;
use shape::Shape;

/// The protocols: name in the script, name in Wireshark, what Wireshark says of it, headers.
type Protocol = (&'static str, &'static str, &'static str, fn() -> Vec<Shape>);

const PROTOCOLS: [Protocol; 3] = [
    ("ROCEV2", "mpnic_rocev2", "RoCEv2 with multipath extension header", headers::rocev2),
    ("UET", "mpnic_uet", "Ultra Ethernet packet delivery", headers::uet),
    ("ELAB", "mpnic_elab", "ELAB info header", headers::elab),
];

/// The script. It is the same, byte by byte, every time.
#[must_use]
pub fn script() -> String {
    let mut text = include_str!("head.lua").to_owned();
    for (name, filter, about, _) in PROTOCOLS {
        text += &format!("local {name} = Proto.new(\"{filter}\", \"{about}\")\n");
    }
    text += &numbers(&Options::default());
    text += &values::tables();
    text += &piece(include_str!("fields.lua"));
    for (owner, _, _, shapes) in PROTOCOLS {
        text += &fields::declarations(owner, &shapes());
    }
    text += "\nlocal HEADERS = {}\n";
    for (_, _, _, shapes) in PROTOCOLS {
        text += &fields::tables(&shapes());
    }
    text += &headers::extensions();
    for text_of_piece in [
        include_str!("reader.lua"),
        include_str!("rocev2.lua"),
        include_str!("uet.lua"),
        include_str!("elab.lua"),
        include_str!("places.lua"),
    ] {
        text += &piece(text_of_piece);
    }
    text
}

/// A piece without the licence, which the script says once.
fn piece(text: &str) -> String {
    format!("\n{}", text.trim_start_matches("-- SPDX-License-Identifier: MIT OR Apache-2.0\n"))
}

/// The filter names of all fields that are cut from headers, each once, in the order of the script.
#[must_use]
pub fn filters() -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for shape in PROTOCOLS.iter().flat_map(|(_, _, _, shapes)| shapes()) {
        for field in &shape.fields {
            let name = format!("mpnic.{}", fields::path(&shape, field));
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

/// Ports, protocol numbers and OpCodes; the first are defaults of preferences.
fn numbers(options: &Options) -> String {
    let Options { rocev2_port, uet_port, uet_protocol, elab_port, tunnelled, .. } = options;
    let (icrc, crc) = (icrc::LEN, crc::LEN);
    format!(
        "local ROCEV2_PORT, UET_PORT, ELAB_PORT = {rocev2_port}, {uet_port}, {elab_port}\n\
         local UET_PROTOCOL, TUNNELLED = {uet_protocol}, {tunnelled}\n\
         local ICRC_BYTES, CRC_BYTES = {icrc}, {crc}\n\
         local RC, UD, XRC, MPEH = {RC:#x}, {UD:#x}, {XRC:#x}, {MPEH:#x}\n\
         local ACKNOWLEDGE, ATOMIC_ACKNOWLEDGE = {ACKNOWLEDGE:#x}, {ATOMIC_ACKNOWLEDGE:#x}\n"
    )
}
