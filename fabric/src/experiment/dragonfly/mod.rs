// SPDX-License-Identifier: MIT OR Apache-2.0
//! Experiments in a Dragonfly.

mod plan;
mod run;
pub mod settings;

pub use plan::setup;
pub use run::{FIGURES, SETTLED, run};
