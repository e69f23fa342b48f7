// SPDX-License-Identifier: MIT OR Apache-2.0
//! The language in which a stage is written once, as a synchronous state machine, and interpreted twice: with values it
//! is the reference, a bit-exact software model ([`Model`]); with nets it is hardware ([`Netlist`]).
//!
//! 1. A stage has `outputs(&self)`, from state alone, and `clock(&self, &In)`, one rising edge ([`Stage`]). So there is
//!    no combinational path through a stage, and stages can be connected in any order, also in loops.
//! 2. [`Reg::get`] is the flip-flop output, always. Pipelines are written last step first.
//! 3. [`when`] and [`switch`] are branches in the model and `if`/`case` in the RTL. Values have no `bool`.
//! 4. Widths are run-time values, checked at every operator in both interpretations.
//! 5. Registers and memories start from a known value in both interpretations. The declaration of a register says what
//!    the reset acts on ([`Reg`]).
//!
//! Derived code refers to this crate by name:
extern crate self as rtl_model;

mod bits;
mod call;
mod called;
mod constant;
mod control;
mod hint;
mod lanes;
mod leaf;
pub mod logic;
pub mod model;
pub mod names;
pub mod netlist;
pub mod ops;
mod ram;
mod ram_shape;
mod resets;
pub mod role;
mod signal;
mod stage;
mod state;
mod states;
mod steps;
pub mod stream;
mod tables;
mod wide;
pub mod widths;
pub mod words;

pub use bits::{Bits, Operand, bits};
pub use constant::Constant;
pub use control::{Case, Switch, When, switch, when};
pub use leaf::{Field, LeafSpec, join};
pub use logic::{Logic, Reading, Shape};
pub use model::{Model, read_limbs, write_limbs};
pub use netlist::{Netlist, elaborate};
pub use ops::{clog2, index_width};
pub use ram::Ram;
pub use ram_shape::{Collision, RamShape};
pub use resets::Resets;
pub use rtl_model_derive::name_nets;
pub use signal::{Bundle, Leaf, Signal, leaves, select};
pub use stage::{Child, Design, Stage};
pub use state::{Delay, Reg, Var};
pub use states::{StateReg, States};
pub use steps::{Pipeline, across};
pub use tables::{Linear, Table};
pub use wide::{Wide, wide};
pub use widths::Widths;
