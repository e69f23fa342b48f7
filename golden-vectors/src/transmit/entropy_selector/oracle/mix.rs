// SPDX-License-Identifier: MIT OR Apache-2.0
//! The numbers that make CCCs independent (S23).

use super::{Settings, Shape};

/// What *open* makes for a CCC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mixed {
    /// *q*: the random start.
    pub start: u64,
    /// *Q* without its lowest bits: the upper bits.
    pub upper: u64,
    /// *L*: the first LFSR word of oblivious, but for the start.
    pub word: u64,
}

/// The numbers of a CCC of a pipeline that was opened `openings` times before.
#[must_use]
pub fn mix(shape: Shape, settings: Settings, (pipeline, ccc): (u64, u64), openings: u64) -> Mixed {
    let width = shape.wire_range.ilog2();
    let mask = shape.wire_range - 1;
    let number = pipeline * 4096 + ccc;
    let states: Vec<u64> = (0..12)
        .scan((number & mask) ^ (number >> width), |x, round| {
            let key = settings.seed >> [0, 16][round % 2];
            *x = (*x + (key & mask)) & mask;
            *x = (*x ^ (*x << 3)) & mask;
            *x ^= *x >> 5;
            Some(*x)
        })
        .collect();
    let (start, openings) = (states[7], openings % 16);
    let reversed: u64 = (0..4).map(|bit| ((openings >> bit) & 1) << (width - 1 - bit)).sum();
    Mixed { start, upper: (start ^ reversed) / shape.evs, word: 0x8000 | (states[11] ^ (openings << 10)) }
}
