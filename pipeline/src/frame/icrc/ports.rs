// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports.

use super::{IcrcConfig, USER};
use rtl_model::stream::{Axis, Ready};
use rtl_model::{Bits, Bundle, Reading};

/// Inputs.
#[derive(Bundle)]
#[shape(config: IcrcConfig)]
pub struct IcrcIn<L: Reading> {
    /// Frames. On the last beat `tuser` bit 0 is the verdict (1 drop) and bits 4:1 are the reason; above them
    /// is the side band.
    #[shape(Axis::shape(config.data_width, USER, config.side_band.shape()))]
    pub s_axis: Axis<L>,
    /// The receiver of the frames is ready.
    pub m_axis: Ready<L>,
}

/// Outputs.
#[derive(Bundle)]
pub struct IcrcOut<L: Reading> {
    /// A beat can be taken.
    pub s_axis: Ready<L>,
    /// Frames. On the last beat `tuser` bit 0 is the verdict (1 drop) and bits 4:1 are the reason; above them
    /// is the side band.
    pub m_axis: Axis<L>,
    /// Frames since reset. The counters wrap.
    pub count: IcrcCounts<L>,
}

/// Frames by result, wrapping.
#[derive(Bundle)]
pub struct IcrcCounts<L: Reading> {
    /// Frames of RoCEv2 or UET with the right CRC, or with one put in.
    pub good: Bits<L>,
    /// Frames of RoCEv2 or UET with a wrong CRC.
    pub bad: Bits<L>,
    /// Frames that have no CRC, or came with a mark.
    pub other: Bits<L>,
}
