// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values that are put in place of those of a file.

use super::Problem;
use toml::{Table, Value};

/// A value as it stands in a file; a text without quotation marks is a text.
pub fn read(text: &str) -> Value {
    let table = toml::from_str::<Table>(&format!("value = {text}"));
    table.ok().and_then(|mut table| table.remove("value")).unwrap_or_else(|| Value::String(text.to_owned()))
}

/// Puts a value at a path of names, and of numbers in lists.
pub fn put(table: &mut Table, path: &str, value: Value) -> Result<(), Problem> {
    let wrong = |what: String| Problem::new(what, "a path is that of a key in the file, such as transport.paths");
    let mut parts: Vec<_> = path.split('.').collect();
    let Some(last) = parts.pop().filter(|last| !last.is_empty()) else {
        return Err(wrong(format!("`{path}` is no path")));
    };
    let mut at = table;
    let mut parts = parts.into_iter().peekable();
    while let Some(part) = parts.next() {
        let next = at.entry(part).or_insert_with(|| Value::Table(Table::new()));
        at = match next {
            Value::Table(table) => table,
            Value::Array(list) => {
                let number = parts.next().and_then(|number| number.parse::<usize>().ok());
                let item = number.and_then(|number| list.get_mut(number));
                match item {
                    Some(Value::Table(table)) => table,
                    _ => return Err(wrong(format!("`{path}`: `{part}` is a list without such an item"))),
                }
            }
            _ => return Err(wrong(format!("`{path}`: `{part}` has no keys"))),
        };
    }
    at.insert(last.to_owned(), value);
    Ok(())
}

/// A table as a text.
pub fn text(table: &Table) -> Result<String, Problem> {
    toml::to_string(table).map_err(|error| Problem::new(error.to_string(), "it is a table that TOML cannot write"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_put() {
        let mut table: Table = toml::from_str("[a]\nb = 1\n[[c]]\nd = 2\n").expect("it is TOML");
        for (path, value) in [("a.b", "3"), ("c.0.d", "0.5"), ("e.f", "reps"), ("g", "[1, 2]")] {
            put(&mut table, path, read(value)).expect("it is a path");
        }
        let expected: Table = toml::from_str("g = [1, 2]\na.b = 3\nc = [{ d = 0.5 }]\ne.f = \"reps\"").expect("TOML");
        assert_eq!(table, expected);
        assert!(put(&mut table, "c.7.d", read("1")).is_err());
        assert!(put(&mut table, "a.b.c", read("1")).is_err());
        assert!(put(&mut table, "", read("1")).is_err());
    }
}
