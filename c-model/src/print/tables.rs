// SPDX-License-Identifier: MIT OR Apache-2.0
//! Prints tables of constants, and linear maps as one table for each byte of the operand.

use super::state::State;
use crate::program::Program;
use std::fmt::Write;

/// Prints all tables that the words of a program use.
pub fn print(program: &Program, state: &State, text: &str) -> String {
    let mut out = String::new();
    for (i, table) in program.tables.iter().enumerate() {
        let name = state.table(i);
        if text.contains(&format!("{name}[")) {
            let kind = super::state::holder(table.width());
            let _ = writeln!(out, "static const {kind} {name}[{}] = {{", table.values().len());
            numbers(&mut out, table.values().iter().copied());
            out += "};\n\n";
        }
    }
    for (i, map) in program.maps.iter().enumerate() {
        let name = state.map(i);
        if text.contains(&format!("{name}(")) {
            let _ = writeln!(out, "static const uint32_t {name}_bytes[{}][256] = {{", map.bytes().len());
            for byte in map.bytes() {
                out += "{\n";
                numbers(&mut out, byte.iter().map(|&image| image.into()));
                out += "},\n";
            }
            let image = |i: usize| match i {
                0 => format!("{name}_bytes[0][x & 255]"),
                _ => format!("{name}_bytes[{i}][x >> {} & 255]", 8 * i),
            };
            let images: Vec<_> = (0..map.bytes().len()).map(image).collect();
            let _ =
                writeln!(out, "}};\n\nstatic inline u64 {name}(u64 x) {{\n    return {};\n}}\n", images.join(" ^ "));
        }
    }
    out
}

fn numbers(out: &mut String, values: impl Iterator<Item = u64>) {
    let values: Vec<_> = values.map(|value| format!("0x{value:x}")).collect();
    for line in values.chunks(12) {
        let _ = writeln!(out, "    {},", line.join(", "));
    }
}
