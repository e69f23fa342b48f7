// SPDX-License-Identifier: MIT OR Apache-2.0
//! The oracle of the entropy selector: each row of the contract by example, and what must hold of every run.

mod free_ports;
mod groups;
mod help;
mod independent;
mod mixed;
mod modes;
mod oblivious;
mod penalty;
mod properties;
mod reps;
mod reroute;
mod ring_ages;
mod rows;
mod saturation;
mod shipped;
mod simulated;
mod single_path;
mod space;
mod table;
