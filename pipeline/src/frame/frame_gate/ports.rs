// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports.

use super::config::{FrameGateConfig, USER};
use crate::headers::record::HeaderRecord;
use rtl_model::stream::{Axis, Ready};
use rtl_model::{Bits, Bundle, Reading};

/// Inputs.
#[derive(Bundle)]
#[shape(config: FrameGateConfig)]
pub struct FrameGateIn<L: Reading> {
    /// Frames. On the last beat `tuser` bit 0 is the verdict (1 drop) and bits 4:1 are the reason; above them
    /// is the side band.
    #[shape(Axis::shape(config.data_width, USER, config.side_band.shape()))]
    pub s_axis: Axis<L>,
    /// There is a record; it stays until `s_record_tready` is 1.
    #[valid(s_record)]
    #[width(config.records.then_some(1))]
    pub s_record_tvalid: Option<Bits<L>>,
    /// The header records: one for each frame, in the order of the frames.
    #[shape(config.records.then(|| HeaderRecord::shape(config.side_band)))]
    pub s_record: Option<HeaderRecord<L>>,
    /// The receiver of the frames is ready.
    pub m_axis: Ready<L>,
    /// The receiver of the records is ready.
    #[shape(config.records.then(Ready::shape))]
    pub m_record: Option<Ready<L>>,
}

/// Outputs.
#[derive(Bundle)]
pub struct FrameGateOut<L: Reading> {
    /// It is always 1: the network cannot wait.
    pub s_axis: Ready<L>,
    /// A record can be taken.
    pub s_record: Option<Ready<L>>,
    /// The frames that pass, each without a gap. `tuser` is as it came.
    pub m_axis: Axis<L>,
    /// There is a record; it stays until `m_record_tready` is 1.
    #[valid(m_record)]
    pub m_record_tvalid: Option<Bits<L>>,
    /// The header records: one for each frame on `m_axis`, in their order.
    pub m_record: Option<HeaderRecord<L>>,
    /// There is a record that is kept, or one of a frame that is lost.
    #[valid(kept)]
    pub kept_valid: Option<Bits<L>>,
    /// The records that are kept, one clock cycle each, in the order in which they come on `m_record`, from 2 + *l* clock
    /// cycles later on; and in their places those of frames that are lost for want of room.
    pub kept: Option<HeaderRecord<L>>,
    /// The frame is lost for want of room, and its record is not kept.
    #[with(kept)]
    pub kept_lost: Option<Bits<L>>,
    /// Frames since reset, by what became of them. The counters wrap, and together they count all frames.
    pub count: GateCounts<L>,
    /// The most beats that the memory has held at once since reset.
    pub high_water: Bits<L>,
}

/// Frames by result, wrapping. Together the counters count all frames.
#[derive(Bundle)]
pub struct GateCounts<L: Reading> {
    /// Frames that passed without a mark.
    pub passed: Bits<L>,
    /// Frames whose verdict was drop: they were dropped, or passed with it.
    pub dropped: Bits<L>,
    /// Frames that were lost for want of room.
    pub overflowed: Bits<L>,
}
