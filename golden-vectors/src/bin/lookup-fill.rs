// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lookup-fill [SETS]`: how many keys go into the tables of `context_lookup`, for each number of rows. Of the smallest
//! table it fills SETS, of each larger one half as many. At last, tables by d-left hashing, without moves.

use golden_vectors::receive::context_lookup::d_left;
use golden_vectors::receive::context_lookup::fill::{Figures, Keys, figures};
use std::process::ExitCode;

/// More than a million with the larger ones.
const SETS: u64 = 600_000;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let sets = match (arguments.next().map(|sets| sets.parse()), arguments.next()) {
        (None, _) => SETS,
        (Some(Ok(sets)), None) => sets,
        _ => {
            eprintln!("usage: lookup-fill [SETS]");
            return ExitCode::from(2);
        }
    };
    for (keys, name) in Keys::ALL {
        // Random QPs are those that many sets are needed for.
        let sets = if keys == Keys::RandomQps { sets } else { sets.div_ceil(60) };
        println!("{name}\nrows  entries    sets  failed  mean %  worst %");
        for bits in 3..=13 {
            let Figures { rows, sets, failed, mean, worst } = figures(keys, 1 << bits, (sets >> (bits - 3)).max(10));
            let entries = keys.shape(rows).entries;
            println!("{rows:4}  {entries:7} {sets:7} {failed:7}  {:6.2}  {:7.2}", 100.0 * mean, 100.0 * worst);
        }
    }
    let sets = sets.div_ceil(60);
    for (sub_tables, keys) in d_left::FORMS {
        println!("d-left, {sub_tables} sub-tables, {keys} keys per row\nrows    sets  mean %  worst %");
        for bits in 3..=13 {
            let (rows, sets) = (1 << bits, (sets >> (bits - 3)).max(10));
            let (mean, worst) = d_left::load((sub_tables, keys), rows, sets);
            println!("{rows:4} {sets:7}  {:6.2}  {:7.2}", 100.0 * mean, 100.0 * worst);
        }
    }
    ExitCode::SUCCESS
}
