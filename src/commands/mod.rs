// SPDX-License-Identifier: MIT OR Apache-2.0
//! The commands, one a file. Data goes to standard output, all else to standard error.

pub mod budget;
pub mod conform;
pub mod dissector;
pub mod model;
pub mod prototype;
pub mod replay;
pub mod rtl;

use crate::failure::{Failure, Outcome};
use std::io::{ErrorKind, Write};

/// Writes to standard output. A reader that has gone away ends the command quietly.
pub fn print(text: &str) -> Outcome {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|error| match error.kind() {
        ErrorKind::BrokenPipe => Failure::BrokenPipe,
        _ => Failure::message(format!("standard output: {error}")),
    })
}

/// A value as JSON, with a line end.
pub fn json(value: &impl serde::Serialize) -> Outcome<String> {
    serde_json::to_string_pretty(value).map(|text| text + "\n").map_err(Failure::message)
}
