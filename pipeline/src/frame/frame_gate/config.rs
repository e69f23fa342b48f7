// SPDX-License-Identifier: MIT OR Apache-2.0
//! Configuration of the stage.

use crate::headers::reason::DropReason;
use crate::headers::side_band::SideBand;

/// Treatment of frames whose verdict is drop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum DropMode {
    /// The frame ends here, and so does its record.
    #[default]
    Drop,
    /// The frame passes with its verdict, and so does its record.
    Mark,
}

impl DropMode {
    /// All, with their names in the configuration.
    pub const ALL: [(&'static str, Self); 2] = [("drop", DropMode::Drop), ("mark", DropMode::Mark)];
}

/// Configuration of the stage `frame_gate`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameGateConfig {
    /// Bits of `tdata`: 64, 128, 256, 512 or 1024.
    pub data_width: u32,
    /// Beats that the memory of frames holds, a power of two from 2 on.
    pub beats: u64,
    /// Records of released frames that the memory of records holds, a power of two from 2 on.
    pub frames: u64,
    /// Treatment of frames whose verdict is drop.
    pub drop: DropMode,
    /// With the streams of records. Without them the number of frames is not limited, and frames leave two clock cycles
    /// sooner.
    pub records: bool,
    /// With the output `kept`, which shows each record that will leave while it enters its memory, and those of frames that
    /// are lost for want of room; only with `records`.
    pub shows_kept: bool,
    /// Clock cycles from address to row of these two memories: 1, 2 with the output register, 3 with one more register
    /// after it.
    pub ram_latency: u32,
    /// Widths of `tid`, `tdest` and the user bits of `tuser`, carried with every beat.
    pub side_band: SideBand,
}

impl FrameGateConfig {
    /// A configuration for this bus width, with room for `depth` bytes, in beats rounded up to a power of two, and for
    /// `frames` records.
    pub const fn new(data_width: u32, depth: u64, frames: u64) -> Self {
        let beats = depth.div_ceil(data_width as u64 / 8);
        let beats = if beats < 2 { 2 } else { beats.next_power_of_two() };
        FrameGateConfig {
            data_width,
            beats,
            frames,
            drop: DropMode::Drop,
            records: true,
            shows_kept: false,
            ram_latency: 2,
            side_band: SideBand::NONE,
        }
    }

    /// Clock cycles from a frame's last beat in to its first beat out, if no other frame is stored before it.
    pub const fn latency(self) -> u32 {
        if self.records { 4 + self.ram_latency } else { 2 + self.ram_latency }
    }
}

/// Bits of `tuser` below those of the side band: drop and reason.
pub(super) const USER: u32 = 1 + DropReason::WIDTH;
