// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports.

use super::HeaderBuilderConfig;
use crate::headers::reason::DropReason;
use crate::headers::record::HeaderRecord;
use rtl_model::stream::{Axis, Ready, Side};
use rtl_model::{Bits, Bundle, Reading};

/// Bits of `tuser` on `s_axis`: the source marks the payload as bad.
pub(super) const USER_IN: u32 = 1;
/// Bits of `tuser` on `m_axis` below those of the side band: drop and reason.
pub(super) const USER: u32 = 1 + DropReason::WIDTH;

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
#[shape(config: HeaderBuilderConfig)]
pub struct HeaderBuilderIn<L: Reading> {
    /// There is a record; it stays until `s_record_tready` is 1.
    #[valid(s_record)]
    pub s_record_tvalid: Bits<L>,
    /// The header record of the frame to be made. Its side band goes with all beats of the frame.
    #[shape(HeaderRecord::shape(config.side_band))]
    pub s_record: HeaderRecord<L>,
    /// The value by which the network chooses the path of the frame.
    #[with(s_record)]
    #[width(20)]
    pub s_record_entropy: Bits<L>,
    /// The field that the entropy goes into, a code. Codes are 0 and 3 none, 1 UDP source port or UET entropy
    /// header, 2 IPv6 flow label.
    #[with(s_record)]
    #[width(2)]
    pub s_record_entropy_target: Bits<L>,
    /// Something follows the headers, on `s_axis`.
    #[with(s_record)]
    pub s_record_has_payload: Bits<L>,
    /// The bytes after the headers, one packet for each record with `has_payload`. On the last beat `tuser` is
    /// 1 if the source found them bad.
    #[shape(Axis::shape(config.data_width, USER_IN, Side::NONE))]
    pub s_axis: Axis<L>,
    /// The receiver of the frames is ready.
    pub m_axis: Ready<L>,
}

/// Outputs.
#[derive(Bundle)]
pub struct HeaderBuilderOut<L: Reading> {
    /// A record can be taken.
    pub s_record: Ready<L>,
    /// A beat can be taken.
    pub s_axis: Ready<L>,
    /// Frames. On the last beat `tuser` bit 0 is the verdict (1 drop) and bits 4:1 are the reason; above them
    /// is the side band.
    pub m_axis: Axis<L>,
    /// Frames since reset. The counters wrap.
    pub count: BuilderCounts<L>,
}

/// Frames, wrapping.
#[derive(Bundle)]
pub struct BuilderCounts<L: Reading> {
    /// All frames.
    pub frames: Bits<L>,
    /// Frames that the source found bad.
    pub bad: Bits<L>,
}
