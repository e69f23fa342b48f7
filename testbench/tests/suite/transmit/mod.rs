// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stages of the transmit path, and the path as a whole.

mod ccc_table;
mod entropy_selector;
mod packet_tracker;
mod path_scheduler;
mod scheduler_oracle;
mod selector_oracle;
pub mod tx;
mod tx_rocev2;
