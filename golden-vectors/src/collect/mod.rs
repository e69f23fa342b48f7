// SPDX-License-Identifier: MIT OR Apache-2.0
//! Collects cases into groups and asks the oracle of the stage for the expected answers. The suites of all stages use
//! this.

mod aim;
pub mod fields;
pub mod frames;
mod notes;
pub mod ports;
mod provenance;
pub mod runs;
pub mod timed;

pub use aim::{Aim, aim};
pub use notes::notes;
pub use provenance::generator;
