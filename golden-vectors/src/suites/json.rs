// SPDX-License-Identifier: MIT OR Apache-2.0
//! JSON that can be read and compared: the file's head spread out, one line a test.

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};
use std::io::{self, Write};

/// Objects and arrays down to this depth are spread out over lines.
const SPREAD: usize = 4;

/// Spreads out what is above [`SPREAD`] and keeps the rest on one line.
struct OneLineATest {
    depth: usize,
    filled: bool,
    /// What stands between items on one line.
    comma: &'static [u8],
}

impl OneLineATest {
    fn open<W: ?Sized + Write>(&mut self, out: &mut W, bracket: &str) -> io::Result<()> {
        self.depth += 1;
        self.filled = false;
        out.write_all(bracket.as_bytes())
    }

    fn close<W: ?Sized + Write>(&mut self, out: &mut W, bracket: &str) -> io::Result<()> {
        let spread = self.depth <= SPREAD && self.filled;
        self.depth -= 1;
        if spread {
            self.new_line(out)?;
        }
        self.filled = true;
        out.write_all(bracket.as_bytes())
    }

    fn item<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.filled = true;
        match (first, self.depth <= SPREAD) {
            (true, true) => self.new_line(out),
            (false, true) => {
                out.write_all(b",")?;
                self.new_line(out)
            }
            (true, false) => Ok(()),
            (false, false) => out.write_all(self.comma),
        }
    }

    fn new_line<W: ?Sized + Write>(&self, out: &mut W) -> io::Result<()> {
        out.write_all(b"\n")?;
        (0..self.depth).try_for_each(|_| out.write_all(b" "))
    }
}

impl Formatter for OneLineATest {
    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, "[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, "]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.item(out, first)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, "{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, "}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.item(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }
}

/// The text of `value`, with a line end behind it.
pub fn text(value: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    write(value, b", ")
}

/// The same without spaces between the items of a test, for tests that are mostly numbers.
pub fn dense_text(value: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    write(value, b",")
}

fn write(value: &impl Serialize, comma: &'static [u8]) -> serde_json::Result<Vec<u8>> {
    let mut out = Vec::new();
    let formatter = OneLineATest { depth: 0, filled: false, comma };
    value.serialize(&mut Serializer::with_formatter(&mut out, formatter))?;
    out.push(b'\n');
    Ok(out)
}
