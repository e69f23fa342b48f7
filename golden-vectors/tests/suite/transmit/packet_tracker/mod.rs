// SPDX-License-Identifier: MIT OR Apache-2.0
//! The oracle of `packet_tracker`: the examples and the cycles of its page, properties of its runs, its form without a clock, and
//! its vectors.

mod cycles;
mod examples;
mod help;
mod properties;
mod replay;
mod table;
mod timeouts;
mod vectors;

use golden_vectors::TimedFile;
use std::sync::LazyLock;

static FILE: LazyLock<TimedFile> = LazyLock::new(golden_vectors::transmit::packet_tracker::vectors);
