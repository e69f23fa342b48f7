// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables without lines for the terminal.

use comfy_table::{CellAlignment, Table, presets};

/// A table whose columns, but for the first, are aligned to the right.
pub fn right(head: Vec<&str>, rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut table = filled(head, rows);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    lines(&table)
}

/// A table whose columns are aligned to the left.
pub fn left(head: Vec<&str>, rows: impl Iterator<Item = Vec<String>>) -> String {
    lines(&filled(head, rows))
}

fn filled(head: Vec<&str>, rows: impl Iterator<Item = Vec<String>>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(head);
    rows.for_each(|row| {
        table.add_row(row);
    });
    table
}

fn lines(table: &Table) -> String {
    table.lines().fold(String::new(), |text, line| text + line.trim_end() + "\n")
}
