// SPDX-License-Identifier: MIT OR Apache-2.0
//! The side band: data of the user that a frame carries through the stages, whatever their verdict. Examples are a time
//! stamp of the MAC, a tag that identifies a completion, a queue or a port, in `tid`, `tdest` and the upper bits of
//! `tuser`. Every stage passes it on unchanged with each beat.

use rtl_model::Shape;
use rtl_model::stream::Side;

/// Widths of the side band in bits. A signal of width 0 is left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideBand {
    /// Width of `tid`, at most [`Self::MAX_ID_WIDTH`].
    pub tid: u32,
    /// Width of `tdest`, at most [`Self::MAX_ID_WIDTH`].
    pub tdest: u32,
    /// Bits of `tuser` above those of the stage, at most [`Self::MAX_USER_WIDTH`].
    pub tuser: u32,
}

impl SideBand {
    /// No side band: `tid`, `tdest` and user bits are left out.
    pub const NONE: Self = SideBand { tid: 0, tdest: 0, tuser: 0 };
    /// Largest width of `tid` and `tdest`: that of the stream switches of FPGA vendors.
    pub const MAX_ID_WIDTH: u32 = 32;
    /// Largest width of `tuser`: two time stamps of 96 bits and 64 bits of tags. The side band takes registers in every
    /// step of every stage, so wider data is cheaper in a memory whose address is carried here.
    pub const MAX_USER_WIDTH: u32 = 256;

    /// Widths of the side-band signals.
    pub const fn shape(self) -> Side<Shape> {
        Side::<Shape>::new(self.tid, self.tdest, self.tuser)
    }
}
