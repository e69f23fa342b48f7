// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports.

use super::USER_IN;
use crate::record::HeaderRecord;
use crate::side_band::SideBand;
use rtl_model::stream::{Axis, Ready, Side};
use rtl_model::{Bits, Bundle, Reading, Shape, bits};

/// The field that takes the entropy; 3 is reserved and does the same as 0.
pub mod entropy_target {
    /// None: all fields as recorded.
    pub const RECORDED: u64 = 0;
    /// UDP source port, or entropy header of UET without UDP: the low 16 bits.
    pub const SOURCE_PORT: u64 = 1;
    /// IPv6 flow label.
    pub const FLOW_LABEL: u64 = 2;
}

/// Inputs.
#[derive(Bundle)]
pub struct HeaderBuilderIn<L: Reading> {
    /// There is a record.
    pub s_record_tvalid: Bits<L>,
    /// The record, with the side band of all beats of the frame.
    pub s_record: HeaderRecord<L>,
    /// What the path of the frame is chosen by.
    pub s_record_entropy: Bits<L>,
    /// Where that is written, a code: see [`entropy_target`].
    pub s_record_entropy_into: Bits<L>,
    /// Something follows the headers on `s_axis`.
    pub s_record_has_rest: Bits<L>,
    /// What follows the headers. `tuser` on the last beat: the source found it bad.
    pub s_axis: Axis<L>,
    /// The consumer is ready.
    pub m_axis: Ready<L>,
}

impl HeaderBuilderIn<Shape> {
    /// Its widths.
    pub const fn new(data_width: u32, side_band: SideBand) -> Self {
        HeaderBuilderIn {
            s_record_tvalid: bits(1),
            s_record: HeaderRecord::<Shape>::new(side_band),
            s_record_entropy: bits(20),
            s_record_entropy_into: bits(2),
            s_record_has_rest: bits(1),
            s_axis: Axis::<Shape>::new(data_width, USER_IN, Side::NONE),
            m_axis: Ready::new(),
        }
    }
}

/// Outputs.
#[derive(Bundle)]
pub struct HeaderBuilderOut<L: Reading> {
    /// A record is taken.
    pub s_record: Ready<L>,
    /// A beat is taken.
    pub s_axis: Ready<L>,
    /// The frames. `tuser`: bit 0 drop, bits 4:1 the reason, on the last beat; above them the side band.
    pub m_axis: Axis<L>,
    /// Frames since reset.
    pub count: BuilderCounts<L>,
}

/// Frames, wrapping.
#[derive(Bundle)]
pub struct BuilderCounts<L: Reading> {
    /// All.
    pub frames: Bits<L>,
    /// Those that the source found bad.
    pub bad: Bits<L>,
}
