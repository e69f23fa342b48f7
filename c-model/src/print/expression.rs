// SPDX-License-Identifier: MIT OR Apache-2.0
//! Prints words as C. Everything is computed in 64 bits, unsigned. Bits above the width of a word are masked if an
//! operation can set them.

use super::Body;
use crate::place::Form;
use crate::words::{Op, WordId, mask};

impl Body<'_> {
    /// A word as a value of 64 bits.
    pub fn value(&self, id: WordId) -> String {
        let word = self.placed.program.words.word(id);
        match self.placed.forms[id.0 as usize] {
            Form::Local => return self.locals[&id].clone(),
            Form::Chosen(variable) => return self.variables[variable].clone(),
            Form::Inline | Form::Unused => {}
        }
        let inner = self.plain(id);
        match word.op {
            // An expression whose type in C is int.
            Op::Eq | Op::Lt | Op::LtSigned => format!("(u64)({inner})"),
            Op::Constant(_) | Op::Cell(_) | Op::Variable(_) | Op::Table(_) | Op::Linear(_) | Op::CountOnes => inner,
            Op::FirstSet | Op::Array | Op::Element => inner,
            Op::Input(..) if word.width == 64 => inner,
            Op::Wider => inner,
            _ => format!("({inner})"),
        }
    }

    /// A word of one bit as a condition.
    pub fn condition(&self, id: WordId) -> String {
        let word = self.placed.program.words.word(id);
        if !matches!(self.placed.forms[id.0 as usize], Form::Inline | Form::Unused) {
            return self.value(id);
        }
        let both = |operator: &str| {
            let side = |id: WordId| match self.placed.program.words.word(id).op {
                Op::And | Op::Or | Op::Not | Op::Eq | Op::Lt | Op::LtSigned
                    if self.placed.forms[id.0 as usize] == Form::Inline =>
                {
                    format!("({})", self.condition(id))
                }
                _ => self.condition(id),
            };
            format!("{} {operator} {}", side(word.args[0]), side(word.args[1]))
        };
        match word.op {
            Op::Eq | Op::Lt | Op::LtSigned => self.plain(id),
            Op::Not => match self.placed.program.words.word(word.args[0]).op {
                Op::Eq if self.placed.forms[word.args[0].0 as usize] == Form::Inline => {
                    let inner = &self.placed.program.words.word(word.args[0]).args;
                    format!("{} != {}", self.value(inner[0]), self.value(inner[1]))
                }
                Op::And | Op::Or | Op::Lt | Op::LtSigned => format!("!({})", self.condition(word.args[0])),
                _ => format!("!{}", self.value(word.args[0])),
            },
            Op::Cell(cell) => self.names.cell(cell),
            Op::And => both("&"),
            Op::Or => both("|"),
            _ => self.value(id),
        }
    }

    /// The operation of a word, without parentheses around it.
    pub fn plain(&self, id: WordId) -> String {
        let words = &self.placed.program.words;
        let word = words.word(id);
        let (args, width) = (&word.args, word.width);
        let arg = |i: usize| self.value(args[i]);
        let all = mask(width);
        let cut = |text: String| if width == 64 { text } else { format!("({text}) & {}", hex(all)) };
        let two = |operator: &str| format!("{} {operator} {}", arg(0), arg(1));
        match &word.op {
            Op::Constant(value) => number(*value),
            Op::Input(port, limb) => {
                let text = self.names.input(*port, *limb);
                if width == 64 { text } else { format!("{text} & {}", hex(all)) }
            }
            Op::Cell(cell) => self.names.load(*cell),
            Op::Variable(variable) => self.variables[*variable].clone(),
            Op::Not if width == 1 => format!("{} ^ 1", arg(0)),
            Op::Not => format!("{} ^ {}", arg(0), hex(all)),
            Op::Fill => cut(format!("0 - {}", arg(0))),
            Op::And => two("&"),
            Op::Or => two("|"),
            Op::Xor => two("^"),
            Op::Add => cut(two("+")),
            Op::Sub => cut(two("-")),
            Op::Mul => cut(two("*")),
            Op::Eq => two("=="),
            Op::Lt => two("<"),
            Op::LtSigned => {
                let shift = 64 - words.width(args[0]);
                format!("(int64_t)({} << {shift}) < (int64_t)({} << {shift})", arg(0), arg(1))
            }
            Op::Shl(by) => format!("{} << {by}", arg(0)),
            Op::Shr(by) => format!("{} >> {by}", arg(0)),
            Op::ShlBy => cut(two("<<")),
            Op::ShrBy => two(">>"),
            Op::Low => format!("{} & {}", arg(0), hex(all)),
            Op::Wider => arg(0),
            Op::CountOnes => format!("count_ones({})", self.bare(args[0])),
            Op::FirstSet => format!("first_set({})", self.bare(args[0])),
            Op::Select => format!("{} ? {} : {}", self.within(args[0]), arg(1), arg(2)),
            Op::Table(table) => format!("(u64){}[{}]", self.names.table(*table), self.bare(args[0])),
            Op::Linear(map) => format!("{}({})", self.names.map(*map), self.bare(args[0])),
            Op::Array => match self.placed.program.whole_register(id) {
                Some(first) if self.unmoved(args) => self.names.register(first),
                _ => format!("((const u64[]){})", self.elements(id)),
            },
            Op::Element => format!("{}[{}]", arg(0), self.bare(args[1])),
        }
    }

    /// A condition before `?`.
    fn within(&self, id: WordId) -> String {
        let text = self.condition(id);
        if text.contains(' ') { format!("({text})") } else { text }
    }

    /// A value in a place where no parentheses are needed.
    pub fn bare(&self, id: WordId) -> String {
        match self.placed.forms[id.0 as usize] {
            Form::Inline | Form::Unused => self.plain(id),
            _ => self.value(id),
        }
    }

    /// Cells, which are read where they are stored.
    fn unmoved(&self, cells: &[WordId]) -> bool {
        cells.iter().all(|&id| match self.placed.program.words.word(id).op {
            Op::Cell(cell) => self.placed.forms[id.0 as usize] == Form::Inline && !self.names.moves(cell),
            _ => false,
        })
    }

    /// The elements of an array.
    pub fn elements(&self, array: WordId) -> String {
        let args = &self.placed.program.words.word(array).args;
        let elements: Vec<_> = args.iter().map(|&arg| self.bare(arg)).collect();
        format!("{{{}}}", elements.join(", "))
    }
}

/// A number in the form that a reader expects.
pub fn number(value: u64) -> String {
    if value < 1024 { format!("{value}ull") } else { hex(value) }
}

fn hex(value: u64) -> String {
    match value {
        0..=9 => format!("{value}ull"),
        _ => format!("0x{value:x}ull"),
    }
}
