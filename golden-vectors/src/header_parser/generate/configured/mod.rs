// SPDX-License-Identifier: MIT OR Apache-2.0
//! Stages that are not configured as by default. Groups with the same configuration can be run in one go.

mod mpeh;
mod own;
mod ports;
mod reserved;

pub use own::groups;

use crate::collect::frames::Suite;
use crate::rng::SplitMix64;

/// The groups of this folder.
pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    mpeh::add(suite, rng);
    reserved::add(suite);
    ports::add(suite, rng);
}
