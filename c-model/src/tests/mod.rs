// SPDX-License-Identifier: MIT OR Apache-2.0
//! Shared code for the tests of all passes: an evaluator that compares a program before and after a pass, circuits for
//! such comparisons, and a builder of small programs.

mod apply;
#[allow(dead_code)]
#[path = "../../../hdl/tests/suite/common/build.rs"]
mod build;
mod circuits;
#[path = "../../../hdl/tests/suite/common/interpreter.rs"]
mod interpreter;
mod machine;
mod make;
mod placed;
#[path = "../../../hdl/tests/suite/common/random.rs"]
mod random;
mod reference;
pub mod show;

pub use build::Build;
pub use circuits::{Case, cases};
pub use machine::{Edge, Machine, Plan, evaluate, play};
pub use make::Make;
pub use placed::Run;
use random::module;
use reference::{interpreted, reference};
