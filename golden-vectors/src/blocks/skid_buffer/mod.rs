// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors of the block `skid_buffer`, answers from its oracle.

pub mod oracle;

use crate::blocks::queue::{self, Size};
use crate::collect::timed::Head;
use crate::collect::timed::Suite;
use crate::rng::{SEED, SplitMix64};
use crate::schema::{TimedFile, TimedGroup};
use oracle::{Shape, SkidBuffer};
use std::collections::BTreeMap;

/// The sizes that are tested: items of one bit, of some, of more than 64.
const SHAPES: [Shape; 3] = [Shape { width: 1 }, Shape { width: 16 }, Shape { width: 100 }];

impl Size for Shape {
    type Queue = SkidBuffer;

    fn queue(self) -> SkidBuffer {
        SkidBuffer::new()
    }

    fn configuration(self) -> BTreeMap<String, u64> {
        [("width".to_owned(), self.width)].into()
    }

    fn name(self) -> String {
        format!("w{}", self.width)
    }

    fn width(self) -> u64 {
        self.width
    }

    fn capacity(self) -> u64 {
        2
    }

    fn latency(self) -> u64 {
        1
    }

    fn rows(self) -> &'static [&'static str] {
        &["B1", "B2", "B3", "B4"]
    }
}

/// The vectors of the block `skid_buffer`.
#[must_use]
pub fn vectors() -> TimedFile {
    let mut rng = SplitMix64::new(SEED);
    let mut suite = Suite::default();
    for shape in SHAPES {
        queue::add(&mut suite, shape, &mut rng);
    }
    Head {
        stage: "skid_buffer",
        algorithm: "Two items, first in, first out, with ready and all outputs from registers",
        oracle: "golden-vectors, blocks::skid_buffer::oracle; its runs keep the properties that are stated apart from it in \
                     tests/suite/blocks/queue.rs",
        contract: "docs/blocks.md",
        rows: &["B1", "B2", "B3", "B4"],
        notes: &queue::NOTES,
    }
    .file(suite)
}

/// Random traffic for a skid buffer of any width, and the oracle's answers. Of wider items the lowest 64 bits are used.
#[must_use]
pub fn load_vectors(shape: Shape) -> Vec<TimedGroup> {
    let mut suite = Suite::default();
    queue::load(&mut suite, shape, &mut SplitMix64::new(SEED));
    suite.into_groups()
}
