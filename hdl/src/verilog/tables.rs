// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions that are data: a table is a `case`, a linear map one exclusive or per line.

use super::literal::{literal, range};
use rtl_model::netlist::circuit::Value;
use rtl_model::{Linear, Table};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A table; the value that most indices have is the default.
pub fn table(name: &str, index: &str, table: &Table) -> String {
    let (width, bits) = (table.width(), table.index_width());
    let mut times: BTreeMap<u64, usize> = BTreeMap::new();
    table.values().iter().for_each(|&value| *times.entry(value).or_default() += 1);
    let most =
        times.iter().max_by_key(|&(value, times)| (times, std::cmp::Reverse(value))).map_or(0, |(value, _)| *value);
    let number = |width: u32, value: u64| literal(&Value::from_u64(width, value));
    let mut text = format!("// Table of {} values.\n", table.values().len());
    head(&mut text, width, name, bits, index);
    let _ = writeln!(text, "    case ({index})");
    for (at, &value) in table.values().iter().enumerate().filter(|(_, value)| **value != most) {
        let _ = writeln!(text, "        {}: {name} = {};", number(bits, at as u64), number(width, value));
    }
    let _ = writeln!(text, "        default: {name} = {};\n    endcase\nendfunction\n", number(width, most));
    text
}

/// A linear map, the highest bit of the image first.
pub fn map(name: &str, operand: &str, map: &Linear) -> String {
    let width = map.width();
    let bit = |row: u32| match map.row(row) {
        0 => "        1'b0".to_owned(),
        chosen => format!("        ^({operand} & {})", literal(&Value::from_u64(width, chosen))),
    };
    let rows: Vec<_> = (0..32).rev().map(bit).collect();
    let mut text = "// Linear map over GF(2): each bit is the exclusive or of some of the operand.\n".to_owned();
    head(&mut text, 32, name, width, operand);
    let _ = writeln!(text, "    {name} = {{\n{}\n    }};\nendfunction\n", rows.join(",\n"));
    text
}

fn head(text: &mut String, width: u32, name: &str, bits: u32, operand: &str) {
    let spaced = |width: u32| match range(width) {
        bits if bits.is_empty() => bits,
        bits => bits + " ",
    };
    let _ = writeln!(text, "function {}{name};\n    input {}{operand};", spaced(width), spaced(bits));
}
