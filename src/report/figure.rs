// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers and words of the page that are in `summary.json`. Each carries its position there as a JSON pointer, so that
//! a script or a test can follow it.

use maud::{Markup, html};
use std::fmt::Display;

/// A whole number, in groups of three digits.
pub fn whole(at: &str, value: impl Into<u64>) -> Markup {
    let value = value.into();
    html! { data value=(value) data-json=(at) { (grouped(value)) } }
}

/// A number with this many decimals; trailing zeros are kept, so that columns align.
pub fn real(at: &str, value: f64, decimals: usize) -> Markup {
    html! { data value=(value) data-json=(at) { (format!("{value:.decimals$}")) } }
}

/// A number as it was configured.
pub fn exact(at: &str, value: impl Display) -> Markup {
    html! { data value=(value) data-json=(at) { (value) } }
}

/// A share. A share that is not 0 is not shown as 0.
pub fn percent(at: &str, value: f64) -> Markup {
    html! { data value=(value) data-json=(at) { (share(value)) } "\u{202f}%" }
}

/// A word, a name, or a sentence.
pub fn word(at: &str, text: impl Display) -> Markup {
    html! { span data-json=(at) { (text) } }
}

/// A number in a drawing.
pub fn drawn(at: &str, value: f64, decimals: usize) -> Markup {
    html! { tspan data-value=(value) data-json=(at) { (format!("{value:.decimals$}")) } }
}

fn share(value: f64) -> String {
    match value {
        _ if value > 0.0 && value < 0.01 => "<0.01".to_owned(),
        _ if value < 100.0 => format!("{value:.2}"),
        _ => format!("{value:.0}"),
    }
}

fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        // Four digits need no grouping.
        if i > 0 && digits.len() > 4 && (digits.len() - i).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        assert_eq!(grouped(9018), "9018");
        assert_eq!(grouped(19_377), "19\u{202f}377");
        assert_eq!(grouped(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!(share(0.0), "0.00");
        assert_eq!(share(0.004), "<0.01");
        assert_eq!(share(12.345), "12.35");
        assert_eq!(share(52_012.7), "52013");
    }
}
