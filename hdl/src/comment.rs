// SPDX-License-Identifier: MIT OR Apache-2.0
//! Comments in the Verilog.

/// Columns of a comment.
const COLUMNS: usize = 110;

/// `// text`, on as many lines as it needs.
pub fn lines(indent: &str, text: &str) -> String {
    let mut all = String::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && indent.len() + 3 + line.len() + word.len() >= COLUMNS {
            all += &format!("{indent}// {line}\n");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line += word;
    }
    if line.is_empty() { all } else { all + &format!("{indent}// {line}\n") }
}

/// `// title -----`, as long as a line.
pub fn title(text: &str) -> String {
    format!("// {text} {}\n", "-".repeat(COLUMNS.saturating_sub(text.len() + 4).max(4)))
}
