// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stages of the receive path, and the path as a whole.

mod ack_generator;
mod context_lookup;
mod credit_pacer;
mod reorder;
mod reorder_oracle;
mod reorder_payload;
mod reorder_upsets;
mod request_check;
mod rx;
