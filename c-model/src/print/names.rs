// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names that are allowed in C: those of the source, made unique.

use std::collections::HashSet;

/// Names of the language, of included headers, and of the text itself.
pub const TAKEN: &[&str] = &[
    "auto",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
    "asm",
    "typeof",
    "bool",
    "true",
    "false",
    "memcpy",
    "memset",
    "memmove",
    "self",
    "in",
    "out",
    "window",
    "at",
    "w",
    "u64",
    "row",
    "main",
    "reset",
    "ones",
    "first",
    "signed_less",
    "linux",
    "unix",
    "errno",
];

/// The names of one scope of C.
#[derive(Clone, Default)]
pub struct Names(HashSet<String>);

impl Names {
    /// Returns the name, with a number after it if the name is taken.
    pub fn unique(&mut self, wanted: &str) -> String {
        let base: String =
            wanted.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect();
        let free = |name: &str| !TAKEN.contains(&name) && !self.0.contains(name);
        let mut name = base.clone();
        let mut number = 2;
        while !free(&name) {
            name = format!("{base}_{number}");
            number += 1;
        }
        self.0.insert(name.clone());
        name
    }
}
