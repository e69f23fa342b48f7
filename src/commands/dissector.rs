// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command `mpnic dissector`: prints the script for Wireshark.

use super::print;
use crate::failure::Outcome;

pub fn run() -> Outcome {
    print(&golden_vectors::dissector::script())
}
