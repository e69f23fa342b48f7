// SPDX-License-Identifier: MIT OR Apache-2.0
//! The receive path. [`context_lookup`] finds the connection of a packet, [`reorder`] puts packets in order,
//! [`request_check`] checks requests, [`ack_generator`] decides what is answered, and [`credit_pacer`] grants credit to senders. [`rx`] is the path as a
//! whole.

pub mod ack_generator;
pub mod context_lookup;
pub mod credit_pacer;
pub mod reorder;
pub mod request_check;
pub mod rx;
