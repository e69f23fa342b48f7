// SPDX-License-Identifier: MIT OR Apache-2.0
//! Blocks against a queue or a rule.

mod arbiter;
mod counter;
mod fifo;
mod skid_buffer;
mod tables;
