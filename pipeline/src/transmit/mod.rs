// SPDX-License-Identifier: MIT OR Apache-2.0
//! The transmit path. [`ccc_table`] says how much may be sent, [`packet_tracker`] what is under way,
//! [`entropy_selector`] (UET) and [`path_scheduler`] (RoCEv2) on which path a packet goes. [`tx`] is the path as a whole.
//! The stages that take [`feedback`] share its codes.

pub mod ccc_table;
pub mod entropy_selector;
pub mod feedback;
pub mod packet_tracker;
pub mod path_scheduler;
pub mod tx;
