// SPDX-License-Identifier: MIT OR Apache-2.0
//! All tests of the language in one program, which is built once: `cargo test -p rtl-model-suite problems`.

mod child_names;
mod delays;
mod interfaces;
mod live;
mod names;
mod problems;
mod reset;
mod shapes;
mod side;
mod state_names;
mod words;
