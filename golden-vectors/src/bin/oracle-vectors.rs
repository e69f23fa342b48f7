// SPDX-License-Identifier: MIT OR Apache-2.0
//! `oracle-vectors STAGE`: makes the vectors of a stage in memory, and prints how many cases they have. `scripts/coverage`
//! runs it to see which branches of the oracle they take.

use golden_vectors::TimedFile;
use golden_vectors::receive::credit_pacer;
use golden_vectors::transmit::ccc_table;
use golden_vectors::transmit::ccc_table::oracle::{Algorithms, Shape};
use golden_vectors::transmit::packet_tracker;
use golden_vectors::transmit::packet_tracker::oracle::{Replay, Shape as TrackerShape};
use std::process::ExitCode;

fn main() -> ExitCode {
    let stage = std::env::args().nth(1).unwrap_or_default();
    let files: Vec<TimedFile> = match stage.as_str() {
        // Counts reach their limits in cases that are too long for the committed file.
        "ccc_table" => vec![ccc_table::vectors(), ccc_table::wrap_vectors(Shape::new(Algorithms::Both, 1))],
        "packet_tracker" => {
            // What only the form without a clock has: its loops, and the times at which it scans.
            let shape = TrackerShape::new(4, 64);
            for trace in packet_tracker::load_traces(shape, 4) {
                let mut replay = Replay::new(shape);
                trace.iter().for_each(|(cycle, change)| replay.change(*cycle, change, |_| ()));
            }
            vec![packet_tracker::vectors()]
        }
        "credit_pacer" => vec![credit_pacer::vectors()],
        _ => {
            eprintln!("usage: oracle-vectors ccc_table|packet_tracker|credit_pacer");
            return ExitCode::from(2);
        }
    };
    println!("{}", files.iter().map(|file| file.cases().count()).sum::<usize>());
    ExitCode::SUCCESS
}
