// SPDX-License-Identifier: MIT OR Apache-2.0
//! The headers of RoCEv2, UET and ELAB: every field, every type, every length.

mod cut;
mod elab;
mod fields;
mod outer;
mod stack;
mod uet;

pub use stack::{Carrier, Place, RESERVED_TYPES, Stack, base, stacks};

use crate::collect::frames::Suite;
use crate::rng::SplitMix64;

/// Adds the groups of all files here.
pub fn add(suite: &mut Suite, rng: &mut SplitMix64) {
    outer::add(suite);
    fields::add(suite);
    uet::add(suite, rng);
    elab::add(suite, rng);
    cut::add(suite, rng);
}
