// SPDX-License-Identifier: MIT OR Apache-2.0
//! Prints blocks of statements as C.

use super::Body;
use super::expression::number;
use crate::place::Line;
use crate::program::{BlockId, Memory, Statement, Target};
use crate::words::Op;
use std::fmt::Write;

impl Body<'_> {
    /// Prints the lines of a block.
    pub fn block(&self, text: &mut String, block: BlockId, depth: usize) {
        for &line in &self.placed.lines[block] {
            match line {
                Line::Declare(variable) => {
                    let name = &self.variables[variable];
                    let default = self.placed.program.variables[variable].default;
                    let default = default.map_or_else(String::new, |word| format!(" = {}", self.bare(word)));
                    put(text, depth, &format!("u64 {name}{default};"));
                }
                Line::Define(word) => {
                    let name = &self.locals[&word];
                    let line = match self.placed.program.words.word(word).op {
                        Op::Array => format!("const u64 {name}[] = {};", self.elements(word)),
                        _ => format!("const u64 {name} = {};", self.plain(word)),
                    };
                    put(text, depth, &line);
                }
                Line::Run(i) => self.statement(text, &self.placed.program.blocks[block].statements[i], depth),
            }
        }
    }

    fn statement(&self, text: &mut String, statement: &Statement, depth: usize) {
        match statement {
            Statement::Assign { to, value } => {
                let value = self.bare(*value);
                let line = match to {
                    Target::Variable(variable) => format!("{} = {value};", self.variables[*variable]),
                    Target::Cell(cell) => self.names.store(*cell, &value),
                };
                put(text, depth, &line);
            }
            Statement::If { condition, arms } => {
                put(text, depth, &format!("if ({}) {{", self.condition(*condition)));
                self.block(text, arms[0], depth + 1);
                self.otherwise(text, arms[1], depth);
            }
            Statement::Case { subject, arms, otherwise } => {
                put(text, depth, &format!("switch ({}) {{", self.bare(*subject)));
                for (value, block) in arms {
                    put(text, depth, &format!("case {}: {{", number(*value)));
                    self.block(text, *block, depth + 1);
                    put(text, depth + 1, "break;");
                    put(text, depth, "}");
                }
                put(text, depth, "default: {");
                self.block(text, *otherwise, depth + 1);
                put(text, depth + 1, "break;");
                put(text, depth, "}");
                put(text, depth, "}");
            }
            Statement::Read { memory, to, address, hold } => {
                let it = &self.placed.program.memories[*memory];
                let address = self.bare(*address);
                if let Some((lane, on)) = hold {
                    put(text, depth, &format!("const u64 held_bit = {} * {};", self.value(*lane), it.width / it.lanes));
                    put(text, depth, &format!("const u64 holds = {};", self.bare(*on)));
                }
                for (limb, cell) in to.iter().enumerate() {
                    let Some(cell) = cell else { continue };
                    let row = self.names.row(*memory, it, &address, limb);
                    let value = match hold {
                        None => row,
                        Some(_) => {
                            let lane = mask_of(it);
                            let held = format!("(holds && held_bit / 64 == {limb} ? {lane} << held_bit % 64 : 0)");
                            format!("({row} & ~{held}) | ({} & {held})", self.names.load(*cell))
                        }
                    };
                    put(text, depth, &self.names.store(*cell, &value));
                }
            }
            Statement::Write { memory, address, lane, data } => {
                let it = &self.placed.program.memories[*memory];
                let address = self.bare(*address);
                match lane {
                    None => {
                        for (limb, &data) in data.iter().enumerate() {
                            let row = self.names.row(*memory, it, &address, limb);
                            put(text, depth, &self.names.narrow(&row, it.width, &self.bare(data)));
                        }
                    }
                    Some(lane) => {
                        let width = it.width / it.lanes;
                        put(text, depth, &format!("const u64 bit = {} * {width};", self.value(*lane)));
                        let row = self.names.row_at(*memory, it, &address, "bit / 64");
                        let kept = format!("{row} & ~({} << bit % 64)", mask_of(it));
                        let value = format!("({kept}) | ({} << bit % 64)", self.value(data[0]));
                        put(text, depth, &format!("if (bit < {}) {{", it.width));
                        put(text, depth + 1, &self.names.narrow(&row, it.width, &value));
                        put(text, depth, "}");
                    }
                }
            }
        }
    }

    /// Prints the arms after the first one of a branch.
    fn otherwise(&self, text: &mut String, block: BlockId, depth: usize) {
        match self.placed.lines[block][..] {
            [] => put(text, depth, "}"),
            [Line::Run(i)]
                if let Statement::If { condition, arms } = &self.placed.program.blocks[block].statements[i] =>
            {
                put(text, depth, &format!("}} else if ({}) {{", self.condition(*condition)));
                self.block(text, arms[0], depth + 1);
                self.otherwise(text, arms[1], depth);
            }
            _ => {
                put(text, depth, "} else {");
                self.block(text, block, depth + 1);
                put(text, depth, "}");
            }
        }
    }
}

/// A mask for the lowest lane.
fn mask_of(memory: &Memory) -> String {
    format!("(u64)0x{:x}", crate::words::mask(memory.width / memory.lanes))
}

/// Prints a line.
pub fn put(text: &mut String, depth: usize, line: &str) {
    let _ = writeln!(text, "{:1$}{line}", "", 4 * depth);
}
