// SPDX-License-Identifier: MIT OR Apache-2.0
//! The oracles and vectors of the stages of the receive path.

mod ack_generator;
mod context_lookup;
mod credit_pacer;
mod reorder;
mod request_check;
