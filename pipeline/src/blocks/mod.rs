// SPDX-License-Identifier: MIT OR Apache-2.0
//! Blocks: pieces of hardware that are parts of several stages and know nothing of any protocol.

pub mod arbiter;
pub mod bounds;
pub mod command_port;
pub mod counter;
pub mod designs;
pub mod drained;
pub mod fifo;
pub mod iwrr;
pub mod merge_queue;
pub mod open_count;
pub mod pipeline_regs;
pub mod prefetch_fifo;
pub mod secded;
pub mod skid_buffer;
pub mod table;
pub mod timebase;
pub mod unit_clock;
