// SPDX-License-Identifier: MIT OR Apache-2.0
//! Traffic for lock-step: a drive for each stage, which reaches the states that matter and counts what has happened.
//! [`constrained`] is for any stage.

pub mod ack_generator;
pub mod ccc_table;
pub mod constrained;
pub mod context_lookup;
pub mod credit_pacer;
pub mod elab;
pub mod entropy_selector;
pub mod packet_tracker;
pub mod path_scheduler;
pub mod reorder;
pub mod reorder_frames;
pub mod rx;
