// SPDX-License-Identifier: MIT OR Apache-2.0
//! Blocks as stages of their own: each in a module with ports, so that it can be printed, tested and proved alone.

mod arbiter;
mod fifo;
mod ports;
mod skid_buffer;
mod write_first;

pub use arbiter::{ArbiterConfig, ArbiterIn, ArbiterOut, ArbiterStage};
pub use fifo::{FifoConfig, FifoOut, FifoStage};
pub use ports::{Item, PushPop, Ready};
pub use skid_buffer::{SkidBufferConfig, SkidBufferOut, SkidBufferStage};
pub use write_first::{RowWrite, WriteFirstConfig, WriteFirstIn, WriteFirstOut, WriteFirstStage};
