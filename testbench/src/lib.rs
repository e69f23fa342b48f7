// SPDX-License-Identifier: MIT OR Apache-2.0
//! The proof that the two readings of a stage are equal.
//!
//! A device under test is a [`Dut`], whatever runs it: the software model ([`model`]), as the reference or compiled from
//! the netlist ([`compiled`]), its Verilog compiled by Verilator ([`verilator`]) or yosys ([`cxxrtl`]), or interpreted by
//! Icarus ([`icarus`]).
//! Everything else is written once, over that trait: [`lockstep`] compares two of them every cycle, [`readings`] all
//! readings of a design, [`stream`] drives and watches valid/ready streams, [`waveform`]
//! writes what happened. [`parser_bench`], [`conform`] and [`replay`] are about the header parser,
//! [`timed_bench`] about stages whose answers have a cycle.

pub mod bench;
pub mod builder_bench;
pub mod compiled;
pub mod conform;
pub mod constrained_drive;
pub mod cxxrtl;
pub mod drive;
pub mod dut;
pub mod elab_drive;
pub mod error;
pub mod icarus;
pub mod lockstep;
pub mod model;
mod native;
pub mod parser_bench;
pub mod ports;
pub mod probe;
pub mod random;
pub mod readings;
pub mod record;
pub mod replay;
pub mod scheduler_drive;
pub mod selector_drive;
pub mod selfcheck;
pub mod side_band;
pub mod simulators;
pub mod source;
pub mod stimulus;
pub mod stream;
pub mod timed_bench;
pub mod tool;
pub mod traffic;
pub mod verilator;
pub mod waveform;

pub use dut::Dut;
pub use error::Error;
pub use native::NativeDut;
pub use ports::{Port, Ports};
pub use probe::Probe;
