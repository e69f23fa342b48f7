// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stage `lia_router`: what it must do ([`oracle`]), and the vectors that test it.

mod generate;
pub mod oracle;
mod ports;
mod script;
mod suite;

pub use generate::{load_vectors, vectors};
