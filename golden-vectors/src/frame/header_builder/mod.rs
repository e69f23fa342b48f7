// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stage `header_builder`: what it must do ([`oracle`]), and the vectors that test it.

mod generate;
pub mod oracle;
mod suite;

pub use generate::{vectors, vectors_for};
