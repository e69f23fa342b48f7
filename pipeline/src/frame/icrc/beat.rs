// SPDX-License-Identifier: MIT OR Apache-2.0
//! A beat while the headers of its frame are read.

use rtl_model::stream::Side;
use rtl_model::{Bits, Bundle, Reading, Wide};

/// A beat in a delay line.
#[derive(Bundle)]
pub struct DelayedBeat<L: Reading> {
    pub tdata: Wide<L>,
    pub tkeep: Wide<L>,
    pub tuser: Bits<L>,
    pub side: Side<L>,
}
