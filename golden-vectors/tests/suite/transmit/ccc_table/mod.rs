// SPDX-License-Identifier: MIT OR Apache-2.0
//! The oracle of `ccc_table`: the pseudocode with real numbers, properties of its runs, the order of its
//! events, and its vectors.

mod measure;
mod near;
mod order;
mod properties;
mod pseudocode;
mod trace;
mod vectors;

use golden_vectors::TimedFile;
use std::sync::LazyLock;

static FILE: LazyLock<TimedFile> = LazyLock::new(golden_vectors::transmit::ccc_table::vectors);
