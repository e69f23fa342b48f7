// SPDX-License-Identifier: MIT OR Apache-2.0
//! The names that Verilog accepts.

/// Keywords of Verilog-2005 and SystemVerilog-2017, sorted.
const WORDS: &[&str] = &include!("reserved.in");

/// Whether `name` is a keyword of Verilog or SystemVerilog.
pub fn is_verilog_word(name: &str) -> bool {
    WORDS.binary_search(&name).is_ok()
}

/// Whether `name` is a Verilog identifier without escapes (and without `$`, which the C++ of simulators mangles).
pub fn is_identifier(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_sorted() {
        assert!(WORDS.is_sorted() && WORDS.len() > 200);
        assert!(is_verilog_word("always_ff") && is_verilog_word("wire") && !is_verilog_word("wires"));
    }
}
