// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors of the block `fifo`, answers from its oracle.

pub mod oracle;

use crate::blocks::queue::{self, Size};
use crate::collect::ports::named;
use crate::collect::timed::Head;
use crate::collect::timed::{Suite, latency};
use crate::rng::{SEED, SplitMix64};
use crate::schema::{TimedFile, TimedGroup};
use oracle::{Fifo, Shape};
use std::collections::BTreeMap;

/// The sizes that are tested: each latency, the smallest, items of one bit, of 64 and of more.
const SHAPES: [Shape; 6] = [
    Shape::new(2, 8, 1),
    Shape::new(2, 1, 3),
    Shape::new(4, 16, 2),
    Shape::new(8, 64, 1),
    Shape::new(8, 100, 3),
    Shape::new(32, 32, 2),
];

impl Size for Shape {
    type Queue = Fifo;

    fn queue(self) -> Fifo {
        Fifo::new(self)
    }

    fn configuration(self) -> BTreeMap<String, u64> {
        let Shape { depth, width, ram_latency } = self;
        named([("depth", depth), ("width", width), ("ram_latency", ram_latency)])
    }

    fn name(self) -> String {
        format!("d{}w{}{}", self.depth, self.width, latency(self.ram_latency))
    }

    fn width(self) -> u64 {
        self.width
    }

    fn capacity(self) -> u64 {
        self.depth + self.ram_latency + 1
    }

    fn latency(self) -> u64 {
        self.ram_latency + 2
    }

    fn rows(self) -> &'static [&'static str] {
        &["Q1", "Q2", "Q3", "Q4", "Q5"]
    }
}

/// The vectors of the block `fifo`.
#[must_use]
pub fn vectors() -> TimedFile {
    let mut rng = SplitMix64::new(SEED);
    let mut suite = Suite::default();
    for shape in SHAPES {
        queue::add(&mut suite, shape, &mut rng);
    }
    Head {
        stage: "fifo",
        algorithm: "First in, first out, with the items in a memory that is read ahead of the receiver",
        oracle: "golden-vectors, blocks::fifo::oracle; its runs keep the properties that are stated apart from it in \
                     tests/suite/blocks/queue.rs",
        contract: "docs/blocks.md",
        rows: &["Q1", "Q2", "Q3", "Q4", "Q5"],
        notes: &queue::NOTES,
    }
    .file(suite)
}

/// Random traffic for a FIFO of any size, and the oracle's answers. Of wider items the lowest 64 bits are used.
#[must_use]
pub fn load_vectors(shape: Shape) -> Vec<TimedGroup> {
    let mut suite = Suite::default();
    queue::load(&mut suite, shape, &mut SplitMix64::new(SEED));
    suite.into_groups()
}
