// SPDX-License-Identifier: MIT OR Apache-2.0
//! A beat while the headers of its frame are read.

use super::{IcrcConfig, USER};
use rtl_model::stream::Side;
use rtl_model::{Bits, Bundle, Reading, Wide};

/// A beat in a delay line.
#[derive(Bundle)]
#[shape(config: IcrcConfig)]
pub struct DelayedBeat<L: Reading> {
    #[width(config.data_width)]
    pub tdata: Wide<L>,
    #[width(config.data_width / 8)]
    pub tkeep: Wide<L>,
    #[width(USER)]
    pub tuser: Bits<L>,
    #[shape(config.side_band.shape())]
    pub side: Side<L>,
}
