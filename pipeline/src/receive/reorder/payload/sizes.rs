// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sizes of a stage that holds frames.

use super::config::PayloadConfig;
use crate::receive::reorder::config::ReorderConfig;

/// The sizes of the whole stage and those of its pool.
#[derive(Clone, Copy)]
pub struct Sizes {
    pub stage: ReorderConfig,
    pub pool: PayloadConfig,
}
