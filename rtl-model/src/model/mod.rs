// SPDX-License-Identifier: MIT OR Apache-2.0
//! The interpretation of a stage with values: the reference, with which all others are compared.
//!
//! It is simple, not fast; the compiled netlist is fast. One cell per register is assigned in place: the language makes
//! `clock` read a register before it assigns it, so there is nothing to commit at the edge. Widths are checked at every
//! operator; a violation panics with the line of the stage, because it is an error of the stage and not of its input.

mod arith;
mod instance;
mod logic;
mod memory;
mod register;
mod state;
mod stored;
mod values;

pub use arith::Word;
pub use instance::{Instance, Watched};
pub use memory::MemoryState;
pub use state::{CellState, LineState};
pub use stored::Stored;
pub use values::{Model, read_limbs, write_limbs};
