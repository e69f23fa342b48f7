// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stage `reorder`: what it must do ([`oracle`]), and the vectors that test it.

mod frame_ports;
mod generate;
pub mod oracle;
mod ports;
mod script;
mod suite;

pub use generate::{load_vectors, payload_vectors, vectors};
