// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stage `context_lookup`: what it must do ([`oracle`]), the vectors that test it, and how many keys fit ([`fill`],
//! [`d_left`]).

pub mod d_left;
pub mod fill;
mod generate;
pub mod oracle;
mod ports;
mod script;
mod suite;

pub use generate::{load_vectors, vectors};
