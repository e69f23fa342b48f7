// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stage `credit_pacer`: its oracle by the example and the properties of the page, and its vectors.

mod examples;
mod help;
mod properties;
mod repeats;
mod replay;
mod traffic;
mod vectors;

use golden_vectors::TimedFile;
use std::sync::LazyLock;

/// The vectors as they are generated.
static FILE: LazyLock<TimedFile> = LazyLock::new(golden_vectors::receive::credit_pacer::vectors);
