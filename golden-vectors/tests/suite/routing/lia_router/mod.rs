// SPDX-License-Identifier: MIT OR Apache-2.0
//! The oracle and the vectors of `lia_router`.

mod clocked;
mod replay;
mod rows;
mod table;
mod vectors;

use golden_vectors::TimedFile;
use golden_vectors::routing::lia_router;
use std::sync::LazyLock;

/// The file, made once for all tests.
static FILE: LazyLock<TimedFile> = LazyLock::new(lia_router::vectors);
