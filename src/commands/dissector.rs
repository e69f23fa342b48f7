// SPDX-License-Identifier: MIT OR Apache-2.0
//! `mpnic dissector`: the script for Wireshark, on standard output.

use super::print;
use crate::failure::Outcome;

/// Runs the command.
pub fn run() -> Outcome {
    print(&golden_vectors::dissector::script())
}
