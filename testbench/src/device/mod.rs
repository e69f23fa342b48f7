// SPDX-License-Identifier: MIT OR Apache-2.0
//! Devices under test. A device is a [`Dut`]: it has [`Ports`], takes a row of inputs and gives a row of outputs in each
//! clock cycle. It can be the software model ([`model`]), either the reference or the C compiled from the netlist
//! ([`compiled`]), or the Verilog, compiled by Verilator ([`verilator`]) or yosys ([`cxxrtl`]) or interpreted by Icarus
//! ([`icarus`]). A [`Drive`](drive::Drive) gives a device its inputs, and [`speed`] measures how fast it is.

pub mod compiled;
pub mod cxxrtl;
pub mod drive;
pub mod dut;
pub mod error;
pub mod icarus;
mod mismatch;
pub mod model;
pub mod named;
mod native;
pub mod ports;
pub mod probe;
pub mod random;
pub mod simulators;
pub mod source;
pub mod speed;
pub mod stimulus;
pub mod tool;
pub mod verilator;

pub use dut::Dut;
pub use error::Error;
pub use mismatch::Mismatch;
pub use native::{Built, NativeDut};
pub use ports::{Port, Ports};
pub use probe::Probe;
