// SPDX-License-Identifier: MIT OR Apache-2.0
//! Stages of the receive path.

mod ack_generator;
mod context_lookup;
mod credit_pacer;
mod reorder;
