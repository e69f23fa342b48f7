// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sizes and settings with which the cases are run.

use crate::frame::frame_gate::oracle::Shape;
use crate::frame::frame_gate::script::Ready;

/// Both consumers are ready, unless a case changes that.
pub const BOTH: Ready = Ready { frames: true, records: true };

/// Eight beats and four records, with memories of latency 2.
pub const EIGHT: Shape = Shape::new(8, 4, 2);
/// All sizes: each latency of memories, both modes, the smallest, one with much room, and one without records.
pub const SHAPES: [Shape; 7] = [
    Shape::new(8, 4, 1),
    EIGHT,
    Shape::new(8, 4, 3),
    Shape { mark: true, ..EIGHT },
    Shape::new(2, 2, 1),
    Shape::new(64, 64, 2),
    Shape { records: false, ..EIGHT },
];
