// SPDX-License-Identifier: MIT OR Apache-2.0
//! The size of the pool, and the widths derived from it.

use crate::headers::reason::DropReason;
use crate::headers::side_band::SideBand;
use rtl_model::stream::{Axis, Beat};
use rtl_model::{Bits, Shape, bits, clog2};

/// Most bytes of a frame, where each beat counts as whole (row R31).
const FRAME_BYTES: u64 = 16_384;
/// Bits of `tuser` below those of the side band: drop and reason.
pub const USER: u32 = 1 + DropReason::WIDTH;

/// Size of the pool of cells in which frames are held (`hold` = `payload`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PayloadConfig {
    /// Bits of `tdata`: 64, 128, 256, 512 or 1024.
    pub data_width: u32,
    /// Widths of `tid`, `tdest` and the user bits of `tuser`, stored with every beat.
    pub side_band: SideBand,
    /// Cells of the pool, a power of two from 16 to 65,536.
    pub cells: u64,
    /// Bytes of a cell, a power of two from 64 to 1024, and four beats at least.
    pub cell_bytes: u64,
    /// Most cells of a connection, from reset on (row R38).
    pub quota: u64,
    /// Cells that are kept free for packets without which a connection cannot go on, from reset on (row R38).
    pub reserve: u64,
}

impl PayloadConfig {
    /// Fewest beats of a cell: the time to read the number of the next one.
    pub const LEAST_BEATS: u64 = 4;

    /// A pool of this many cells for this bus width, with the defaults of the configuration.
    pub const fn new(data_width: u32, cells: u64) -> Self {
        PayloadConfig {
            data_width,
            side_band: SideBand::NONE,
            cells,
            cell_bytes: Self::default_cell_bytes(data_width),
            quota: cells / 4,
            reserve: cells / 16,
        }
    }

    /// The default of `cell_bytes` for this bus width.
    pub const fn default_cell_bytes(data_width: u32) -> u64 {
        if data_width == 1024 { 512 } else { 256 }
    }

    /// The smallest `cell_bytes` for this bus width.
    pub const fn least_cell_bytes(data_width: u32) -> u64 {
        let least = Self::LEAST_BEATS * data_width as u64 / 8;
        if least < 64 { 64 } else { least }
    }

    /// Most cells of a frame.
    pub(super) const fn frame_cells(self) -> u64 {
        let most = FRAME_BYTES / self.cell_bytes;
        if most < self.cells { most } else { self.cells }
    }

    /// Width of the number of a cell.
    pub(super) const fn cell_bits(self) -> u32 {
        clog2(self.cells)
    }

    /// Width of the number of a beat in its cell.
    pub(super) const fn position_bits(self) -> u32 {
        clog2(self.cell_bytes * 8 / self.data_width as u64)
    }

    /// Width of the number of beats of a frame less one.
    pub(super) const fn beats_bits(self) -> u32 {
        clog2(FRAME_BYTES * 8 / self.data_width as u64)
    }

    /// Width of the part of a slot that is used: first cell and number of beats less one.
    pub(super) const fn frame_bits(self) -> u32 {
        self.cell_bits() + self.beats_bits()
    }

    /// Width of a slot in the memory, whose lanes are powers of two.
    pub(in crate::receive::reorder) const fn slot_width(self) -> u32 {
        self.frame_bits().next_power_of_two()
    }

    /// Shape of the number of a cell.
    pub(super) const fn cell(self) -> Bits<Shape> {
        bits(self.cell_bits())
    }

    /// Shape of a number of cells, from 0 to all.
    pub(in crate::receive::reorder) const fn count(self) -> Bits<Shape> {
        bits(self.cell_bits() + 1)
    }

    /// Shape of the number of cells of a frame.
    pub(super) const fn frame_count(self) -> Bits<Shape> {
        bits(clog2(self.frame_cells()) + 1)
    }

    /// Shape of a beat.
    pub(super) fn beat(self) -> Beat<Shape> {
        Beat::shape(self.data_width, USER, self.side_band.shape())
    }

    /// Shape of a stream of frames.
    pub(in crate::receive::reorder) fn axis(self) -> Axis<Shape> {
        Axis::shape(self.data_width, USER, self.side_band.shape())
    }

    /// Part of the module name.
    pub(in crate::receive::reorder) fn suffix(self) -> String {
        let PayloadConfig { data_width, cells, cell_bytes, .. } = self;
        format!("d{data_width}k{cells}b{cell_bytes}")
    }
}
