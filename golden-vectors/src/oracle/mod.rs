// SPDX-License-Identifier: MIT OR Apache-2.0
//! The untimed oracles, one a stage, and [`frame`] for whole frames. They share no code with the model they judge.

pub mod entropy_selector;
mod epochs;
pub mod frame;
pub mod header_parser;
pub mod icrc;
pub mod record;

pub use header_parser::{Parsed, parse};
pub use record::{Link, Network, Record, Rocev2};
