// SPDX-License-Identifier: MIT OR Apache-2.0
//! The blocks: what `arbiter`, `fifo`, `skid_buffer` and memories with check bits must do, and their vectors.

pub mod arbiter;
pub mod fifo;
pub mod queue;
pub mod secded;
pub mod skid_buffer;
