// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bench of timed vectors, and vectors that are too long for the committed files.

mod timed_bench;
mod wrap_vectors;
