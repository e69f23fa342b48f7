// SPDX-License-Identifier: MIT OR Apache-2.0
//! Long expressions on several lines, each of which begins with an operator.

/// Letters that a reader takes in of a name.
const NAME: usize = 14;

/// How long an expression is to a reader: a name counts as a few letters, however long it is.
pub fn reading_length(text: &str) -> usize {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let names: usize = text.split(|c| !is_name(c)).map(|name| name.len().min(NAME)).sum();
    names + text.chars().filter(|&c| !is_name(c)).count()
}

/// The expression in lines of at most `columns` where it has places to break it; all but the first are indented.
pub fn wrap(text: &str, indent: &str, columns: usize) -> String {
    let mut lines = Vec::new();
    let mut rest = text;
    let mut room = columns;
    while rest.len() > room {
        let Some(at) = place(rest, room) else { break };
        lines.push(rest[..at].trim_end());
        rest = rest[at..].trim_start();
        room = columns.saturating_sub(4);
    }
    lines.push(rest);
    lines.join(&format!("\n{indent}"))
}

/// Where to break: ahead of the last of the outermost operators that leave a line of at most `room`.
fn place(text: &str, room: usize) -> Option<usize> {
    let mut depth = 0;
    let mut best: Option<(i32, usize)> = None;
    for (i, c) in text.char_indices().take_while(|(i, _)| *i <= room) {
        match c {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth -= 1,
            ' ' if i > 0 && is_operator(&text[i + 1..]) && best.is_none_or(|(outer, _)| depth <= outer) => {
                best = Some((depth, i));
            }
            _ => {}
        }
    }
    best.map(|(_, at)| at)
}

/// It begins with an operator of two operands, or with one half of a choice.
fn is_operator(text: &str) -> bool {
    ["&& ", "|| ", "? ", ": ", "& ", "| ", "^ ", "+ ", "- "].iter().any(|operator| text.starts_with(operator))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_broken_at_its_outermost_operators() {
        let text = "(first && second) || (third && fourth && fifth) || sixth";
        assert_eq!(wrap(text, "    ", 40), "(first && second)\n    || (third && fourth && fifth)\n    || sixth");
        assert_eq!(wrap(text, "    ", 60), text);
        assert_eq!(wrap("a ? bbbbbbbbbb : cccccccccc", "", 16), "a ? bbbbbbbbbb\n: cccccccccc");
    }

    #[test]
    fn what_has_no_operator_stays_on_a_line() {
        let text = "a_name_that_is_longer_than_a_line_of_twenty[3:0]";
        assert_eq!(wrap(text, "    ", 20), text);
    }

    #[test]
    fn a_long_name_reads_as_a_short_one() {
        assert_eq!(reading_length("a + bcd"), 7);
        assert_eq!(reading_length("components_and_their_registers_reg[3:0]"), NAME + 5);
    }
}
