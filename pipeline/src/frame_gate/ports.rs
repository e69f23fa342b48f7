// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports.

use super::config::{FrameGateConfig, USER};
use crate::record::HeaderRecord;
use rtl_model::stream::{Axis, Ready};
use rtl_model::{Bits, Bundle, Reading, Shape, bits};

/// Inputs.
#[derive(Bundle)]
pub struct FrameGateIn<L: Reading> {
    /// Frames. `tuser`: bit 0 drop, bits 4:1 the reason, on the last beat; above them the side band.
    pub s_axis: Axis<L>,
    /// There is a record.
    pub s_record_tvalid: Option<Bits<L>>,
    /// The record: one for each frame, in the order of the frames.
    pub s_record: Option<HeaderRecord<L>>,
    /// The frame consumer is ready.
    pub m_axis: Ready<L>,
    /// The record consumer is ready.
    pub m_record: Option<Ready<L>>,
}

impl FrameGateIn<Shape> {
    /// Its widths.
    pub fn new(config: &FrameGateConfig) -> Self {
        let FrameGateConfig { data_width, side_band, records, .. } = *config;
        FrameGateIn {
            s_axis: Axis::<Shape>::new(data_width, USER, side_band.shape()),
            s_record_tvalid: records.then(|| bits(1)),
            s_record: records.then(|| HeaderRecord::<Shape>::new(side_band)),
            m_axis: Ready::new(),
            m_record: records.then(Ready::new),
        }
    }
}

/// Outputs.
#[derive(Bundle)]
pub struct FrameGateOut<L: Reading> {
    /// Always 1: the network cannot wait.
    pub s_axis: Ready<L>,
    /// A record is taken.
    pub s_record: Option<Ready<L>>,
    /// The frames that pass, each without a gap. `tuser` as it came.
    pub m_axis: Axis<L>,
    /// There is a record.
    pub m_record_tvalid: Option<Bits<L>>,
    /// The record: one for each frame on `m_axis`, in their order.
    pub m_record: Option<HeaderRecord<L>>,
    /// Frames since reset.
    pub count: GateCounts<L>,
    /// The most beats that the memory has held at once since reset.
    pub high_water: Bits<L>,
}

/// Frames by result, wrapping. Together the counters count all frames.
#[derive(Bundle)]
pub struct GateCounts<L: Reading> {
    /// Passed without a mark.
    pub passed: Bits<L>,
    /// Their verdict was drop: dropped, or passed with it.
    pub dropped: Bits<L>,
    /// Lost for want of room.
    pub overflowed: Bits<L>,
}
