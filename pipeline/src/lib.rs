// SPDX-License-Identifier: MIT OR Apache-2.0
//! The design: one module per stage, written once in the language of `rtl-model`.

mod bit_plane_ram;
mod command_port;
pub mod elab;
pub mod elab_feedback;
pub mod elab_scheduler;
pub mod entropy_selector;
pub mod feedback;
mod frame;
pub mod frame_gate;
pub mod header_builder;
pub mod header_parser;
pub mod headers;
pub mod icrc;
mod iwrr;
mod normalize;
pub mod path_scheduler;
pub mod protocols;
mod rate;
pub mod reason;
pub mod record;
pub mod rmw_table;
pub mod shift_register;
pub mod side_band;
pub mod storage;
pub mod tally;
mod timebase;
pub mod write_first;
