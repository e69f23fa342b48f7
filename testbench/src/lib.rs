// SPDX-License-Identifier: MIT OR Apache-2.0
//! Test benches: they show that the reference, the fast model and the Verilog of a stage are equal.
//!
//! A device under test is a [`Dut`]. It can be the software model ([`model`]), either the reference or the C compiled
//! from the netlist ([`compiled`]), or the Verilog, compiled by Verilator ([`verilator`]) or yosys ([`cxxrtl`]) or
//! interpreted by Icarus ([`icarus`]).
//!
//! Everything else is written once, for any [`Dut`]: [`lockstep`] compares two devices in every clock cycle,
//! [`readings`] compares all forms of a design, [`stream`] drives and monitors valid/ready streams, and [`waveform`]
//! writes waveform files. [`parser_bench`], [`conform`] and [`replay`] test the header parser, [`timed_bench`] tests
//! stages whose outputs are expected in certain cycles.

pub mod ack_drive;
pub mod bench;
pub mod builder_bench;
pub mod ccc_drive;
pub mod closed_loop;
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
pub mod lookup_drive;
pub mod model;
pub mod named;
mod native;
pub mod network;
pub mod pacer_drive;
pub mod parser_bench;
pub mod ports;
pub mod probe;
pub mod random;
pub mod readings;
pub mod record;
pub mod reorder_drive;
pub mod reorder_frames;
pub mod replay;
pub mod rx_bench;
pub mod rx_drive;
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
pub mod tracker_drive;
pub mod traffic;
pub mod verilator;
pub mod waveform;

pub use dut::Dut;
pub use error::Error;
pub use native::NativeDut;
pub use ports::{Port, Ports};
pub use probe::Probe;
