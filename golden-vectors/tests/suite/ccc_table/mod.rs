// SPDX-License-Identifier: MIT OR Apache-2.0
//! The oracle of `ccc_table` against its contract and the pseudocode; properties of its runs; and its vectors.

mod measure;
mod pseudocode;
mod vectors;
