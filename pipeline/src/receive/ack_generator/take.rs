// SPDX-License-Identifier: MIT OR Apache-2.0
//! A take, while it is under way.

use super::config::AckGeneratorConfig;
use super::due::DueEntry;
use rtl_model::{Bits, Bundle, Reading};

/// A take.
#[derive(Bundle)]
#[shape(config: AckGeneratorConfig)]
pub struct Take<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    /// It is of a reply.
    pub replies: Bits<L>,
    pub entry: DueEntry<L>,
}
