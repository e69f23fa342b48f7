// SPDX-License-Identifier: MIT OR Apache-2.0
//! Devices: the simulators, the compiled model, and every operator on all of them.

mod compiled;
mod cxxrtl;
mod icarus;
mod operators;
mod verilator;
