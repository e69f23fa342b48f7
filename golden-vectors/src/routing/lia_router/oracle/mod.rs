// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the stage `lia_router` must do. "Ln" is row n of the sources, "LRn" row n of `docs/stages/lia_router.md`.
//!
//! [`Table`] has no clock: it takes one event at a time, and is also what a simulated switch routes by.

mod answer;
mod arrangement;
mod draw;
mod loads;
mod settings;
mod shape;
mod table;

pub use answer::Answer;
pub use arrangement::Arrangement;
pub use draw::{Generator, scaled};
pub use loads::{Load, Loads};
pub use settings::{Hop, Settings};
pub use shape::{Place, Shape};
pub use table::Table;
