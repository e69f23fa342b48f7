// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors of the block `skid_buffer`, answers from its oracle.

pub mod oracle;

use crate::collect::timed::Suite;
use crate::collect::generator;
use crate::rng::{SEED, SplitMix64};
use crate::queue::{self, Size};
use crate::schema::timed::{SCHEMA_NAME, SCHEMA_VERSION};
use crate::schema::{Provenance, SchemaId, TimedFile, TimedGroup};
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
    let groups = suite.into_groups();
    TimedFile {
        schema: SchemaId { name: SCHEMA_NAME.into(), version: SCHEMA_VERSION.into() },
        stage: "skid_buffer".into(),
        algorithm: "Two items, first in, first out, with ready and all outputs from registers".into(),
        license: "MIT OR Apache-2.0".into(),
        generator: generator(),
        provenance: Provenance {
            oracle:
                "golden-vectors, skid_buffer::oracle; its runs keep the properties that are stated apart from it in \
                     tests/suite/queue.rs"
                    .into(),
            contract: "docs/blocks.md".into(),
            rows: (1..=4).map(|row| format!("B{row}")).collect(),
        },
        number_of_tests: groups.iter().map(|group| group.tests.len()).sum(),
        notes: queue::notes(),
        groups,
    }
}

/// Random traffic for a skid buffer of any width, and the oracle's answers. Of wider items the lowest 64 bits are used.
#[must_use]
pub fn load_vectors(shape: Shape) -> Vec<TimedGroup> {
    let mut suite = Suite::default();
    queue::load(&mut suite, shape, &mut SplitMix64::new(SEED));
    suite.into_groups()
}
