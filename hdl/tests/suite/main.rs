// SPDX-License-Identifier: MIT OR Apache-2.0
//! All tests of the Verilog that is printed in one program, which is built once: `cargo test -p hdl-suite lint`.

mod behaviour;
mod common;
mod lint;
mod memories;
mod operators;
mod random;
mod states;
mod testbench;
mod text;
