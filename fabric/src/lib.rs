// SPDX-License-Identifier: MIT OR Apache-2.0
//! A network of NICs by events: links, switches, topologies, end points, and the experiments that use them.
//!
//! One run is one thread, and the same for a seed on every machine. The end points are made of the tables of the project's own
//! stages ([`transport`]), so that what is simulated is what the Verilog does.

pub mod dragonfly;
pub mod event;
pub mod experiment;
pub mod host;
pub mod library;
pub mod link;
pub mod network;
pub mod packet;
pub mod queue;
pub mod random;
pub mod report;
pub mod result;
pub mod switch;
pub mod topology;
pub mod traffic;
pub mod transport;
