// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names in a module: legal, not reserved, and unique.

use rtl_model::netlist::{is_identifier, is_verilog_word};
use std::collections::BTreeSet;

/// Words of C++ that Verilator objects to.
const CPP: &str = "\
abort asm auto bool catch char compl const_cast constexpr decltype delete double dynamic_cast explicit false \
float friend goto inline long mutable namespace noexcept nullptr operator private public register \
reinterpret_cast short sizeof static_assert static_cast switch template thread_local throw true try typeid \
typename using volatile wchar_t";

/// Whether `name` is a keyword for some tool.
pub fn is_reserved(name: &str) -> bool {
    is_verilog_word(name) || CPP.split(' ').any(|word| word == name)
}

/// The most letters of the name of a module. Names of files have it and more, and end at 255.
pub const MOST_LETTERS: usize = 100;

/// Whether a module may have this name.
#[must_use]
pub fn is_module_name(name: &str) -> bool {
    is_identifier(name) && !is_reserved(name) && name.len() <= MOST_LETTERS
}

/// `name` with every character that is not legal in Verilog replaced by `_`.
pub fn legal(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for c in name.chars() {
        let c = if c.is_ascii_alphanumeric() { c } else { '_' };
        // Verilator takes `__` for its own escape.
        if !(c == '_' && text.ends_with('_')) {
            text.push(c);
        }
    }
    if !text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        text.insert(0, 'n');
    }
    text
}

/// The names taken in a module.
#[derive(Default)]
pub struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// Takes exactly `name`; false if it is taken.
    pub fn take(&mut self, name: &str) -> bool {
        self.taken.insert(name.to_owned())
    }

    /// Takes `name`, or `name_1`, `name_2`, ... if that is taken or reserved.
    pub fn unique(&mut self, name: &str) -> String {
        self.unique_with(name, &[""])
    }

    /// Takes `name`, or `around_name` if that is taken.
    pub fn unique_in(&mut self, around: Option<&str>, name: &str) -> String {
        let base = legal(name);
        match around {
            Some(around) if self.taken.contains(&base) || is_reserved(&base) => {
                self.unique(&format!("{around}_{name}"))
            }
            _ => self.unique(name),
        }
    }

    /// Takes a stem that is free with every one of the suffixes, and returns the stem.
    pub fn unique_with(&mut self, name: &str, suffixes: &[&str]) -> String {
        let base = legal(name);
        let mut stem = base.clone();
        let mut n = 0;
        while suffixes.iter().any(|suffix| {
            let full = format!("{stem}{suffix}");
            self.taken.contains(&full) || is_reserved(&full)
        }) {
            n += 1;
            stem = format!("{base}_{n}");
        }
        for suffix in suffixes {
            self.taken.insert(format!("{stem}{suffix}"));
        }
        stem
    }
}
