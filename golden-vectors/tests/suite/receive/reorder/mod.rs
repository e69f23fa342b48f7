// SPDX-License-Identifier: MIT OR Apache-2.0
//! The oracle of `reorder`: each row of the contract by example, what must hold of every run, and the committed vectors.

mod arrivals;
mod commands;
mod delivery;
mod help;
mod orders;
mod payload;
mod payload_vectors;
mod recorded;
mod tolerance;
mod vectors;
