// SPDX-License-Identifier: MIT OR Apache-2.0
//! The oracle of `ack_generator` against its contract, row by row; properties of its runs; and its vectors.

mod classes;
mod coalescing;
mod commands;
mod cycles;
mod events;
mod fields;
mod help;
mod properties;
mod replies;
mod timer;
mod vectors;
