// SPDX-License-Identifier: MIT OR Apache-2.0
//! Test benches: they show that the reference, the fast model and the Verilog of a stage are equal.
//!
//! Everything but the devices is written once, for any [`Dut`]. The folders, each of which uses those above it alone:
//!
//! | folder | contents |
//! |---|---|
//! | [`device`] | devices under test: the model, and the Verilog in three simulators |
//! | [`streams`] | drivers and monitors of valid/ready streams, frames, side band, header records |
//! | [`benches`] | benches of stages that carry frames |
//! | [`drives`] | traffic for lock-step, for each stage |
//! | [`conform`] | runs golden vectors on a device, also on stages whose outputs are expected in certain cycles |
//! | [`waveform`] | writes waveform files, and draws |
//! | [`lockstep`] | compares two devices, or all forms of a design, in every clock cycle |
//! | [`network`] | a network of links and queues |
//! | [`closed_loop`] | NICs that send to each other over a network |

pub mod benches;
pub mod closed_loop;
pub mod conform;
pub mod device;
pub mod drives;
pub mod files;
pub mod lockstep;
pub mod network;
pub mod streams;
pub mod waveform;

pub use device::{Built, Dut, Error, NativeDut, Port, Ports, Probe};
