// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a table by d-left hashing would hold, to compare: a key goes to the sub-table in whose row there are most free places, the
//! first one of equal ones, and no key is moved. Behind it is a stash as large as that of the stage.

use super::oracle::STASH;
use crate::rng::SplitMix64;

/// Sub-tables, and the keys that fit into a row of each. A look-up reads one row of each sub-table, so all of these read four keys.
pub const FORMS: [(usize, u64); 3] = [(4, 1), (2, 2), (1, 4)];

/// How many keys go into `rows` x 4 places before the first one for which there is none, by ideal hashing: the mean of so many
/// sets and the worst one, per place.
#[must_use]
pub fn load((sub_tables, keys): (usize, u64), rows: u64, sets: u64) -> (f64, f64) {
    let filled: Vec<_> = (0..sets).map(|set| fill((sub_tables, keys), rows, &mut SplitMix64::new(set))).collect();
    let all = (4 * rows) as f64;
    let worst = filled.iter().min().copied().unwrap_or(0);
    (filled.iter().sum::<u64>() as f64 / sets as f64 / all, worst as f64 / all)
}

fn fill((sub_tables, keys): (usize, u64), rows: u64, rng: &mut SplitMix64) -> u64 {
    let mut used = vec![vec![0; rows as usize]; sub_tables];
    let mut stash = 0;
    for count in 0.. {
        let rows: Vec<_> = (0..sub_tables).map(|_| rng.below(rows) as usize).collect();
        let least = (0..sub_tables).min_by_key(|&table| used[table][rows[table]]).expect("there is a sub-table");
        let place = &mut used[least][rows[least]];
        if *place < keys {
            *place += 1;
        } else if stash < STASH {
            stash += 1;
        } else {
            return count;
        }
    }
    unreachable!("a table is full some time")
}
