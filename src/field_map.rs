// SPDX-License-Identifier: MIT OR Apache-2.0
//! The fields of all headers, for Verilog that reads the words of a header record, and for programs.

use crate::config::Config;
use crate::stages;
use pipeline::headers::catalog::CATALOG;
use pipeline::headers::layout::Field;
use serde::Serialize;
use std::fmt::Write;

/// Name and text of the Verilog include file, with a macro per field.
pub fn verilog(config: &Config) -> (String, String) {
    let prefix = &config.target.prefix;
    let guard = format!("{}_HEADERS_VH", prefix.to_uppercase());
    let mut text = stages::origin(config).comment();
    text += &format!(
        "//
// The fields of all headers, as ranges of bits from the first bit of the header on the wire. Put the words of the header
// into a vector that is numbered like this, and use a macro as its range:
//
//     wire [0:95] bth = {{m_record_header_0, m_record_header_1, m_record_header_2}};
//     wire [7:0] opcode = bth[`{macro}_BTH_OPCODE];

`ifndef {guard}
`define {guard}
",
        macro = prefix.to_uppercase()
    );
    for entry in &CATALOG {
        writeln!(text, "\n// {}: words `{}` of the record", entry.title, entry.words).ok();
        let named = |field: &Field| format!("{}_{}_{}", prefix, entry.name, field.name).to_uppercase();
        let width = entry.layout.fields.iter().map(|field| named(field).len()).max().unwrap_or(0);
        for (start, field) in entry.layout.places() {
            writeln!(text, "`define {:<width$} {start}:{}", named(&field), start + field.width - 1).ok();
        }
    }
    text += "\n`endif\n";
    (format!("{prefix}_headers.vh"), text)
}

/// A header in the JSON file.
#[derive(Serialize)]
struct Header {
    name: &'static str,
    title: &'static str,
    /// The field of the record that has its words.
    words: &'static str,
    bits: u32,
    fields: Vec<Place>,
}

/// A field in the JSON file.
#[derive(Serialize)]
struct Place {
    name: &'static str,
    /// Counted from the first bit of the header on the wire.
    first_bit: u32,
    width: u32,
    /// The bits must be 0.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    zero: bool,
}

/// Name and text of the same as JSON.
pub fn json(config: &Config) -> (String, String) {
    let headers: Vec<Header> = CATALOG
        .iter()
        .map(|entry| Header {
            name: entry.name,
            title: entry.title,
            words: entry.words,
            bits: entry.layout.bits(),
            fields: entry
                .layout
                .places()
                .map(|(first_bit, Field { name, width, zero })| Place { name, first_bit, width, zero })
                .collect(),
        })
        .collect();
    let text = serde_json::to_string_pretty(&headers).unwrap_or_default();
    (format!("{}_headers.json", config.target.prefix), text + "\n")
}
