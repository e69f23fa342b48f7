// SPDX-License-Identifier: MIT OR Apache-2.0
//! All tests of oracles, generators and files in one program, which is built once: `cargo test -p golden-vectors --test suite
//! icrc`.

mod ack_generator;
mod arbiter;
mod archive;
mod ccc_table;
mod command;
mod configured;
mod context_lookup;
mod coverage;
mod credit_pacer;
mod elab;
mod entropy_selector;
mod frame_gate;
mod frames;
mod header_builder;
mod icrc;
mod known_answers;
mod packet_tracker;
mod path_scheduler;
mod queue;
mod random;
mod reorder;
mod timed;
mod vectors;
