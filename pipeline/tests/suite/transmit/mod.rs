// SPDX-License-Identifier: MIT OR Apache-2.0
//! Stages of the transmit path.

mod ccc_table;
mod packet_tracker;
