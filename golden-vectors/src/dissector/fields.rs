// SPDX-License-Identifier: MIT OR Apache-2.0
//! From shapes to Lua: one `ProtoField` a field, one table a header.

use super::shape::{Field, Shape};
use super::values;
use std::collections::BTreeMap;

/// Fields that are shown in hexadecimal: keys, addresses, bit sets, and what the notes leave to an implementer.
const HEXADECIMAL: [&str; 17] = [
    "vaddr",
    "rkey",
    "qkey",
    "pkey",
    "flags",
    "syndrome",
    "sack_bitmap",
    "cc_state",
    "probe_opaque",
    "payload",
    "vendor_code",
    "sdi",
    "ssi",
    "immdt.data",
    "compare",
    "swap",
    "original",
];

/// The declarations of all fields of `shapes`, each once, for the protocol that is called `owner` in the script.
///
/// Headers of one object share fields: the same name is the same field, and cut from its bytes in the same way.
pub(super) fn declarations(owner: &str, shapes: &[Shape]) -> String {
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    let mut text = String::new();
    for shape in shapes {
        for field in &shape.fields {
            let path = path(shape, field);
            let line = format!("field({owner}, \"{path}\", {})\n", proto_field(&path, field));
            match known.get(&path) {
                None => {
                    text += &line;
                    known.insert(path, line);
                }
                Some(first) => assert_eq!(*first, line, "two fields are called {path}"),
            }
        }
    }
    text
}

/// The tables of the headers: their length, then for each field its path and name, its bytes from the front of the
/// header, its bits in them, and whether it is reserved or a flag.
pub(super) fn tables(shapes: &[Shape]) -> String {
    let mut text = String::new();
    for shape in shapes {
        text += &format!("HEADERS[\"{}\"] = {{ bytes = {},\n", shape.name, shape.bytes());
        for field in &shape.fields {
            let Field { name, width, .. } = field;
            let path = path(shape, field);
            let (at, len, shift) = (field.at(), field.len(), field.shift());
            let mut row =
                format!("path = \"{path}\", name = \"{name}\", at = {at}, len = {len}, bit = {shift}, bits = {width}");
            if field.reserved {
                row += ", reserved = true";
            }
            if is_uet_flag(shape, field) {
                row += ", flag = true";
            }
            text += &format!("  {{ {row} }},\n");
        }
        text += "}\n";
    }
    text
}

/// The name of a field in the script; `mpnic.` in front makes it that of Wireshark's filters.
pub(super) fn path(shape: &Shape, field: &Field) -> String {
    format!("{}.{}", shape.object, field.name)
}

/// The last seven bits of the prologue have a name each by class of packet (uet.md 1.2).
fn is_uet_flag(shape: &Shape, field: &Field) -> bool {
    let starts_packet = shape.object == "uet" && shape.fields.first().is_some_and(|first| first.name == "type");
    starts_packet && field.name != "flags" && (9..16).contains(&field.bit)
}

fn proto_field(path: &str, field: &Field) -> String {
    let Field { name, width, signed, .. } = *field;
    let bits = field.len() * 8;
    let values = if values::has(path) { format!("VALUES[\"{path}\"]") } else { "nil".to_owned() };
    let mask = field.mask().map(|mask| format!("{mask:#x}"));
    let base = if HEXADECIMAL.iter().any(|known| [name, path].contains(known)) { "base.HEX" } else { "base.DEC" };
    let (kind, arguments) = match (width, bits) {
        (1, _) => ("bool".to_owned(), format!(", {bits}, nil, {}", mask.unwrap_or_default())),
        (_, 8 | 16 | 24 | 32) => {
            let kind = format!("{}{bits}", if signed { "int" } else { "uint" });
            (kind, format!(", {base}, {values}{}", mask.map(|mask| format!(", {mask}")).unwrap_or_default()))
        }
        (_, 40..=64) => {
            assert_eq!(mask, None, "{path}: no mask in more than four bytes");
            ("uint64".to_owned(), format!(", {base}"))
        }
        _ => {
            assert_eq!(mask, None, "{path}: no mask in more than four bytes");
            ("bytes".to_owned(), String::new())
        }
    };
    format!("ProtoField.{kind}(\"mpnic.{path}\", \"{name}\"{arguments})")
}
