// SPDX-License-Identifier: MIT OR Apache-2.0
//! The input and the output of the command: the configuration, and the files.

use super::table;
use crate::output;
use maud::{Markup, html};
use std::fmt::Write;

pub fn configuration(text: &str) -> Markup {
    html! {
        p { "All values, defaults included. What each one means stands in " a href="nic.toml" { "nic.toml" } "." }
        details { summary { "Show the configuration" } pre tabindex="0" { code { (values(text)) } } }
    }
}

/// A configuration without its comments: they take most of its lines.
fn values(text: &str) -> String {
    let mut values = String::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let gap = if line.starts_with('[') && !values.is_empty() { "\n" } else { "" };
        writeln!(values, "{gap}{line}").expect("a string takes it");
    }
    values
}

pub fn files(names: &[String]) -> Markup {
    let listing = html! {
        caption { "Everything in this directory" }
        thead { tr { th scope="col" { "file" } th scope="col" { "what it is" } } }
        tbody {
            @for name in names {
                tr { th scope="row" { a href=(link(name)) { code { (broken(name)) } } } td { (output::about(name)) } }
            }
        }
    };
    html! { div.files { (table("Everything in this directory", listing)) } }
}

/// A path that may be broken at the usual characters.
fn broken(path: &str) -> Markup {
    html! {
        @for part in path.split_inclusive(['/', '_']) { (part) wbr; }
    }
}

/// A path as a relative URL.
fn link(path: &str) -> String {
    let mut url = String::from(if path.split('/').next().is_some_and(|first| first.contains(':')) { "./" } else { "" });
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'_' | b'-' | b'~' => url.push(byte.into()),
            _ => {
                let _ = write!(url, "%{byte:02X}");
            }
        }
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_relative_urls() {
        assert_eq!(link("rtl/a_b.v"), "rtl/a_b.v");
        assert_eq!(link("a b?#%<.v"), "a%20b%3F%23%25%3C.v");
        assert_eq!(link("javascript:alert(1)"), "./javascript%3Aalert%281%29");
    }
}
