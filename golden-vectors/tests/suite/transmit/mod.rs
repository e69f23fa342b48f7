// SPDX-License-Identifier: MIT OR Apache-2.0
//! The oracles and vectors of the stages of the transmit path.

mod ccc_table;
mod entropy_selector;
mod packet_tracker;
mod path_scheduler;
