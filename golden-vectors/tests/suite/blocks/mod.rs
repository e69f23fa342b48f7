// SPDX-License-Identifier: MIT OR Apache-2.0
//! The oracles and vectors of the blocks.

mod arbiter;
mod queue;
