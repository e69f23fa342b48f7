// SPDX-License-Identifier: MIT OR Apache-2.0
//! Groups for stages with other configurations than the default. Groups with equal configurations can be run on the
//! same stage.

mod mpeh;
mod own;
mod ports;
mod reserved;
mod trimmed;

pub use own::groups;

use crate::collect::frames::Suite;
use crate::rng::SplitMix64;

/// Adds the groups of all files here.
pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    mpeh::add(suite, rng);
    reserved::add(suite);
    ports::add(suite, rng);
    trimmed::add(suite);
}
