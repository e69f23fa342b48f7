// SPDX-License-Identifier: MIT OR Apache-2.0
//! The design: one module per stage, written once in the language of `rtl-model`. What several stages share is apart
//! from them: [`blocks`] are pieces of hardware, [`headers`] the wire formats and the header record, [`frame`] the parts
//! of stages that carry frames, [`elab`] the parts of both halves of ELAB.

pub mod ack_generator;
pub mod blocks;
pub mod elab;
pub mod feedback;
pub mod frame;
pub mod headers;

pub mod ccc_table;
pub mod context_lookup;
pub mod credit_pacer;
pub mod elab_feedback;
pub mod elab_host;
pub mod elab_scheduler;
pub mod entropy_selector;
pub mod frame_gate;
pub mod header_builder;
pub mod header_parser;
pub mod icrc;
pub mod mark_monitor;
pub mod nic;
pub mod packet_tracker;
pub mod path_scheduler;
pub mod reorder;
pub mod rx;
pub mod tally;
pub mod tx;
