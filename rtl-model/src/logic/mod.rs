// SPDX-License-Identifier: MIT OR Apache-2.0
//! The interpretations that a stage is generic over.
//!
//! A record of signals can be interpreted in three ways: as widths ([`Shape`]), as values ([`crate::Model`]) and as
//! nets ([`crate::Netlist`]). The last two can compute, so they are [`Logic`]. Each implements the few functions of the
//! traits below; every operator of a stage is defined once on top of them (`bits`, `wide`), so the interpretations
//! cannot differ there.

mod control;
mod gates;
mod hierarchy;
mod naming;
mod reading;
mod state;

pub use control::{Body, Control};
pub use gates::Gates;
pub use hierarchy::Hierarchy;
pub use naming::Naming;
pub use reading::{Reading, Shape};
pub use state::State;

/// An interpretation that computes. Stages are written against `L: Logic`; the functions of its parts are called by the
/// types of the language, not by stages.
pub trait Logic: Gates + Naming + State + Control + Hierarchy {}
