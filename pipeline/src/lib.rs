// SPDX-License-Identifier: MIT OR Apache-2.0
//! The design: one file per stage, written once in the language of `rtl-model`.

mod clock;
mod desk;
pub mod elab;
pub mod elab_feedback;
pub mod elab_scheduler;
pub mod entropy_selector;
mod frame;
pub mod frame_gate;
pub mod header_builder;
pub mod header_parser;
pub mod headers;
pub mod icrc;
mod iwrr;
mod leading;
pub mod path_scheduler;
mod planes;
pub mod protocols;
mod rate;
pub mod reason;
pub mod record;
pub mod row;
pub mod rows;
pub mod side_band;
pub mod tally;
pub mod update;
pub mod write_first;
