// SPDX-License-Identifier: MIT OR Apache-2.0
//! Verilog functions for the operators that Verilog does not have. Those for counts and indices split their operand in
//! two and use the function for each half, so the hardware is a tree; tables and linear maps are in `tables`.

use super::literal::range;
use super::tables;
use crate::names::Names;
use rtl_model::ops::{Unary, clog2};
use rtl_model::{Linear, Table};
use std::collections::BTreeMap;

/// The functions of one module, by operator and width.
#[derive(Default)]
pub struct Functions {
    /// Narrow ones first, so that each comes before its users.
    names: BTreeMap<(u32, bool), String>,
    /// Name and text of each table and of each linear map.
    tables: BTreeMap<usize, (String, String)>,
    maps: BTreeMap<usize, (String, String)>,
    operand: String,
}

impl Functions {
    /// Makes sure that there is a function for the operator at the width.
    pub fn need(&mut self, op: Unary, width: u32, names: &mut Names) {
        let first = op == Unary::FirstSet;
        if width < 2 || self.names.contains_key(&(width, first)) {
            return;
        }
        if self.operand.is_empty() {
            self.operand = names.unique("value_of");
        }
        let stem = if first { "first_set" } else { "count_ones" };
        self.names.insert((width, first), names.unique(&format!("{stem}_{width}")));
        let low = low_half(width);
        self.need(op, low, names);
        self.need(op, width - low, names);
    }

    /// Makes sure that there is a function for a table.
    pub fn need_table(&mut self, index: usize, table: &Table, names: &mut Names) {
        self.tables.entry(index).or_insert_with(|| {
            let name = names.unique(table.name().unwrap_or("table"));
            let text = tables::table(&name, &names.unique("index"), table);
            (name, text)
        });
    }

    /// Makes sure that there is a function for a linear map.
    pub fn need_map(&mut self, index: usize, map: &Linear, names: &mut Names) {
        self.maps.entry(index).or_insert_with(|| {
            let name = names.unique(map.name().unwrap_or("linear"));
            let text = tables::map(&name, &names.unique("operand"), map);
            (name, text)
        });
    }

    /// Name of a table's function.
    pub fn table(&self, index: usize) -> &str {
        self.tables.get(&index).map_or("", |(name, _)| name)
    }

    /// Name of a linear map's function.
    pub fn map(&self, index: usize) -> &str {
        self.maps.get(&index).map_or("", |(name, _)| name)
    }

    /// The function's name.
    pub fn name(&self, op: Unary, width: u32) -> &str {
        self.names.get(&(width, op == Unary::FirstSet)).map_or("", String::as_str)
    }

    /// The text of all functions.
    pub fn print(&self) -> String {
        let mut text = String::new();
        let value = &self.operand;
        for (&(width, first), name) in &self.names {
            let op = if first { Unary::FirstSet } else { Unary::CountOnes };
            let result = op.width(width);
            let low = low_half(width);
            let high = width - low;
            let (lower, upper) = (format!("{value}{}", piece(0, low)), format!("{value}{}", piece(low, high)));
            let body = if first {
                let upper_any = if high == 1 { upper.clone() } else { format!("|{upper}") };
                let lower_any = if low == 1 { lower.clone() } else { format!("|{lower}") };
                let lower = self.index(low, &lower, result - 1);
                let upper = self.index(high, &upper, result - 1);
                match (lower, upper) {
                    (Some(lower), Some(upper)) => {
                        format!("({lower_any}) ? {{1'd0, {lower}}} : {{{upper_any}, {upper}}}")
                    }
                    _ => format!(
                        "{upper} && !{lower}",
                        lower = format_args!("{value}[0]"),
                        upper = format_args!("{value}[1]")
                    ),
                }
            } else {
                format!("{} + {}", self.count(low, &lower, result), self.count(high, &upper, result))
            };
            let what = if first { "Index of the lowest 1, 0 if there is none." } else { "Number of ones." };
            let bits = range(result);
            let space = if bits.is_empty() { "" } else { " " };
            text.push_str(&format!(
                "// {what}\nfunction {bits}{space}{name};\n    input [{}:0] {value};\n    {name} = {body};\nendfunction\n\n",
                width - 1
            ));
        }
        text.extend(self.tables.values().chain(self.maps.values()).map(|(_, function)| function.as_str()));
        text
    }

    /// Index within a half, in `bits` bits; `None` for no bits.
    fn index(&self, width: u32, operand: &str, bits: u32) -> Option<String> {
        if bits == 0 {
            return None;
        }
        Some(match width {
            1 => format!("{bits}'d0"),
            _ => extend(&format!("{}({operand})", self.name(Unary::FirstSet, width)), clog2(width as u64), bits),
        })
    }

    /// Ones of a half, in `bits` bits.
    fn count(&self, width: u32, operand: &str, bits: u32) -> String {
        match width {
            1 => extend(operand, 1, bits),
            _ => {
                let call = format!("{}({operand})", self.name(Unary::CountOnes, width));
                extend(&call, Unary::CountOnes.width(width), bits)
            }
        }
    }
}

/// The largest power of two below `width`.
fn low_half(width: u32) -> u32 {
    1 << (clog2(width as u64) - 1)
}

fn piece(low: u32, width: u32) -> String {
    if width == 1 { format!("[{low}]") } else { format!("[{}:{low}]", low + width - 1) }
}

fn extend(text: &str, from: u32, to: u32) -> String {
    if from < to { format!("{{{}'d0, {text}}}", to - from) } else { text.to_owned() }
}
