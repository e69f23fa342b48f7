// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stages of the transmit path: what `ccc_table`, `packet_tracker`, `entropy_selector` and `path_scheduler` must do,
//! and their vectors.

pub mod ccc_table;
pub mod entropy_selector;
pub mod packet_tracker;
pub mod path_scheduler;
