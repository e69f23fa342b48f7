// SPDX-License-Identifier: MIT OR Apache-2.0
//! The side band: what a frame brings along and takes on, whatever the stages say of it. A MAC's time stamp, a tag by which
//! a completion is told, a queue or a port, in `tid`, `tdest` and the upper bits of `tuser`. A stage that frames pass
//! through carries it from beat to beat, unchanged.

use rtl_model::Shape;
use rtl_model::stream::Side;

/// Bits of a side band. 0 leaves out what has them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideBand {
    /// Bits of `tid`, to [`Self::MAX_ID_WIDTH`].
    pub tid: u32,
    /// Bits of `tdest`, to [`Self::MAX_ID_WIDTH`].
    pub tdest: u32,
    /// Bits of `tuser` above those of the stage, to [`Self::MAX_USER_WIDTH`].
    pub tuser: u32,
}

impl SideBand {
    /// No side band: `tid`, `tdest` and user bits are left out.
    pub const NONE: Self = SideBand { tid: 0, tdest: 0, tuser: 0 };
    /// The widest `tid` and `tdest`: as wide as the stream switches of FPGA vendors take them.
    pub const MAX_ID_WIDTH: u32 = 32;
    /// The widest `tuser`: two time stamps of 96 bits and 64 bits of tags. It goes through every step of every stage, so
    /// what is wider is cheaper in a memory, with its address here.
    pub const MAX_USER_WIDTH: u32 = 256;

    /// Widths of the side-band signals.
    pub const fn shape(self) -> Side<Shape> {
        Side::<Shape>::new(self.tid, self.tdest, self.tuser)
    }
}
