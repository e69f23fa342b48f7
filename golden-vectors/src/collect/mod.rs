// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the suites of all stages share: cases are collected into groups, and the oracle of the stage is asked what to
//! expect of each.

mod aim;
pub mod frames;
mod notes;
pub mod ports;
mod provenance;
pub mod timed;

pub use aim::{Aim, aim};
pub use notes::notes;
pub use provenance::generator;
