// SPDX-License-Identifier: MIT OR Apache-2.0
//! The design: one file per stage, written once in the language of `rtl-model`.

mod clock;
pub mod entropy_selector;
mod frame;
pub mod header_builder;
pub mod header_parser;
pub mod headers;
pub mod icrc;
pub mod path_scheduler;
pub mod protocols;
pub mod reason;
pub mod record;
pub mod row;
pub mod tally;
pub mod update;
pub mod write_first;
