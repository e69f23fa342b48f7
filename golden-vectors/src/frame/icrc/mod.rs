// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stages `icrc` and `icrc_insert`: what they must do ([`oracle`]), and the vectors that test them.

mod generate;
pub mod oracle;
mod suite;

pub use generate::{check_vectors, check_vectors_for, insert_vectors, insert_vectors_for};
