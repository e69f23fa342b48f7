// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the stage `lia_router` must do. "Ln" is row n of the sources, "LRn" row n of `docs/stages/lia_router.md`.
//!
//! [`Table`] has no clock: it takes one event at a time, and is also what a simulated switch routes by. [`Oracle`] says in
//! which clock cycles of the stage these events take place.

mod answer;
mod arrangement;
mod clocked;
mod draw;
mod loads;
mod ports;
mod settings;
mod shape;
mod size;
mod table;

pub use answer::Answer;
pub use arrangement::Arrangement;
pub use clocked::{Oracle, run};
pub use draw::{Generator, scaled};
pub use loads::{Load, Loads};
pub use ports::*;
pub use settings::{Hop, Settings};
pub use shape::{Place, Shape};
pub use size::Size;
pub use table::{Draw, Path, Table};
