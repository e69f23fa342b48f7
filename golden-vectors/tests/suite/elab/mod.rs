// SPDX-License-Identifier: MIT OR Apache-2.0
//! The oracles of both halves of ELAB: each row of the contracts by example, what must hold of every run, how far the
//! arithmetic is from the paper's, both halves on a network of two paths, and the committed vectors.

mod arrivals;
mod bursts;
mod closed_loop;
mod cycles;
mod dead;
mod due;
mod due_properties;
mod feedback_cycles;
mod feedback_help;
mod feedback_properties;
mod feedback_vectors;
mod network;
mod operations;
mod rates;
mod reports;
mod requests;
mod scheduler_help;
mod scheduler_properties;
mod scheduler_vectors;
mod vectors_help;
mod weights;
