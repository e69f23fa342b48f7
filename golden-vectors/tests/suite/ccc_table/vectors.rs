// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vectors: consistent, and complete in what they cover.

use golden_vectors::TimedFile;
use golden_vectors::ccc_table::vectors;
use std::sync::LazyLock;

static FILE: LazyLock<TimedFile> = LazyLock::new(vectors);

#[test]
fn size() {
    let start = std::time::Instant::now();
    FILE.check().unwrap();
    println!("{} cases, {:?}", FILE.number_of_tests, start.elapsed());
    for group in &FILE.groups {
        let cycles: u64 = group.tests.iter().map(|case| case.cycles).sum();
        let bytes = serde_json::to_string(group).unwrap().len();
        println!("{} {} cases {cycles} cycles {bytes} bytes", group.name, group.tests.len());
    }
}
