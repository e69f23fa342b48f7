// SPDX-License-Identifier: MIT OR Apache-2.0
//! The oracle of the entropy selector: each row of the contract by example, and what must hold of every run.

mod help;
mod mixed;
mod modes;
mod oblivious;
mod penalty;
mod properties;
mod reps;
mod rows;
mod single_path;
mod space;
