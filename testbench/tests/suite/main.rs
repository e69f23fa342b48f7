// SPDX-License-Identifier: MIT OR Apache-2.0
//! All tests of stages and benches in one program, which is built once: `cargo test -p testbench --test suite header_parser`.

use devices as _;

mod ack_generator;
mod ccc_table;
mod common;

mod builder_vectors;
mod closed_loop;
mod compiled;
mod context_lookup;
mod credit_pacer;
mod cxxrtl;
mod elab;
mod elab_due;
mod elab_host;
mod elab_oracle;
mod entropy_selector;
mod frame_gate;
mod header_builder;
mod header_parser;
mod hostile;
mod icarus;
mod icrc;
mod mark_monitor;
mod nic;
mod operators;
mod packet_tracker;
mod parser_bench;
mod path_scheduler;
mod reorder;
mod reorder_oracle;
mod reorder_payload;
mod reorder_upsets;
mod rx;
mod scheduler_oracle;
mod secded;
mod selector_drive;
mod selector_oracle;
mod tally;
mod timed_bench;
mod tx;
mod tx_rocev2;
mod verilator;
mod waveform;
mod wrap_vectors;
