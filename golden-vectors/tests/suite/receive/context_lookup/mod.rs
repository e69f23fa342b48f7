// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stage `context_lookup`: its oracle, how many keys fit, its vectors.

mod fill;
mod hashes;
mod properties;
mod vectors;
