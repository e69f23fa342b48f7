// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stages of the receive path: what `context_lookup`, `reorder`, `request_check`, `ack_generator` and
//! `credit_pacer` must do, and their vectors or cases.

pub mod ack_generator;
pub mod context_lookup;
pub mod credit_pacer;
pub mod reorder;
pub mod request_check;
