// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables in block RAM: what happens to a row between its read and its write, and what a read returns of a row that is
//! being written.
//!
//! | table | accesses per clock cycle | a read returns |
//! |---|---|---|
//! | [`RmwTable`] | one read-modify-write | the row as all earlier accesses leave it |
//! | [`WriteFirstRam`] | one read per port, one write | the row that is written in the same clock cycle |
//! | [`BitPlaneRam`] | one read, one write of a lane | all lanes bit by bit, with the lane written in the same clock cycle |

mod access;
mod bit_plane;
mod packed;
mod rmw;
mod write_first;

pub use access::Access;
pub use bit_plane::{BitPlaneRam, BitPlaneRamShape, LaneWrite};
pub use packed::{PackedRam, Storage};
pub use rmw::RmwTable;
pub use write_first::WriteFirstRam;

/// Part of a module name: the latency of the memories, unless it is the usual 2.
pub(crate) fn latency_suffix(latency: u32) -> String {
    if latency == 2 { String::new() } else { format!("l{latency}") }
}
