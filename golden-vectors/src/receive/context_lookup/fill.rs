// SPDX-License-Identifier: MIT OR Apache-2.0
//! How many keys fit: sets of keys are inserted one after the other, until the oracle says full (C11).

use super::oracle::{Command, Key, Op, ROCEV2, SUB_TABLES, Shape, Table, UET};
use crate::rng::SplitMix64;
use rayon::prelude::*;

/// What keys a set has, in the order in which they are inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys {
    /// Random QPs.
    RandomQps,
    /// Random PDC identifiers with random directions.
    RandomPdcs,
    /// Random pairs of addresses.
    RandomHosts,
    /// Consecutive QPs, from 0 in the first set, and from a random one in each other set.
    ConsecutiveQps,
    /// Consecutive PDC identifiers, each with both directions, from 0 in the first set, and from a random one in each other
    /// set.
    ConsecutivePdcs,
    /// Consecutive IPv4 sources to one destination, both random.
    ConsecutiveHosts,
    /// QPs from a random one on, with an odd step below 512.
    SteppedQps,
    /// 16 runs of QPs, each 2^16 behind the one before, in turns.
    SpacedQps,
}

impl Keys {
    /// All of them, with what they are called.
    pub const ALL: [(Keys, &str); 8] = [
        (Keys::RandomQps, "random QPs"),
        (Keys::RandomPdcs, "random PDC ids"),
        (Keys::RandomHosts, "random hosts"),
        (Keys::ConsecutiveQps, "consecutive QPs"),
        (Keys::ConsecutivePdcs, "consecutive PDC ids"),
        (Keys::ConsecutiveHosts, "consecutive hosts"),
        (Keys::SteppedQps, "QPs with an odd step"),
        (Keys::SpacedQps, "16 runs of QPs"),
    ];

    /// The stage for such keys that has sub-tables of `rows` rows and as many contexts as they allow.
    #[must_use]
    pub const fn shape(self, rows: u64) -> Shape {
        let shape = Shape::new(18 * rows / 5, 2);
        match self {
            Keys::RandomQps | Keys::ConsecutiveQps | Keys::SteppedQps | Keys::SpacedQps => shape,
            Keys::RandomPdcs | Keys::ConsecutivePdcs => shape.protocols(false, true, false),
            Keys::RandomHosts | Keys::ConsecutiveHosts => shape.protocols(false, false, true),
        }
    }

    /// The keys of a set, without end. Some may be equal.
    fn of_set(self, set: u64) -> impl Iterator<Item = Key> {
        let mut rng = SplitMix64::new(set.wrapping_mul(0xD134_2543_DE82_EF95));
        let first = if set == 0 { 0 } else { rng.next_u64() };
        let host = |low: u64| 0xFFFF_0000_0000 | u128::from(low & 0xFFFF_FFFF);
        let destination = host(rng.next_u64());
        let step = 2 * rng.below(256) + 1;
        (0..).map(move |n: u64| {
            let next = first.wrapping_add(n);
            match self {
                Keys::RandomQps => Key::new(ROCEV2, rng.next_u64() >> 40),
                Keys::RandomPdcs => Key::new(UET, rng.next_u64() >> 47),
                Keys::RandomHosts => Key::hosts(rng.next_u128(), rng.next_u128()),
                Keys::ConsecutiveQps => Key::new(ROCEV2, next & 0xFF_FFFF),
                Keys::SteppedQps => Key::new(ROCEV2, first.wrapping_add(n * step) & 0xFF_FFFF),
                Keys::SpacedQps => Key::new(ROCEV2, first.wrapping_add(n / 16 + ((n % 16) << 16)) & 0xFF_FFFF),
                Keys::ConsecutivePdcs => Key::new(UET, (n & 1) << 16 | first.wrapping_add(n / 2) & 0xFFFF),
                Keys::ConsecutiveHosts => Key::hosts(host(next), destination),
            }
        })
    }
}

/// What came of many sets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// Rows of a sub-table.
    pub rows: u64,
    /// How many sets there were.
    pub sets: u64,
    /// Sets of which fewer keys went in than `entries`, as many as the rows allow.
    pub failed: u64,
    /// Keys that went in, per row of all sub-tables: the mean of the sets.
    pub mean: f64,
    /// The same for the worst set.
    pub worst: f64,
}

/// Inserts sets of keys into tables of 4 x `rows` rows.
#[must_use]
pub fn figures(keys: Keys, rows: u64, sets: u64) -> Figures {
    let shape = keys.shape(rows);
    let empty = Table::new(shape);
    let went_in = |set| went_in(&mut empty.clone(), keys.of_set(set));
    let (sum, least, failed) =
        (0..sets).into_par_iter().map(went_in).map(|n| (n, n, u64::from(n < shape.entries))).reduce(
            || (0, u64::MAX, 0),
            |a, b| (a.0 + b.0, a.1.min(b.1), a.2 + b.2), //
        );
    let all = (SUB_TABLES as u64 * rows) as f64;
    Figures { rows, sets, failed, mean: sum as f64 / sets as f64 / all, worst: least as f64 / all }
}

/// How many keys go in before the first one for which there is no place.
fn went_in(table: &mut Table, keys: impl Iterator<Item = Key>) -> u64 {
    let mut count = 0;
    for key in keys {
        let response = table.command(Command { op: Op::Insert, key, index: 0 }).response;
        if response.full {
            break;
        }
        // A random key may be there already.
        count += u64::from(response.done);
    }
    count
}
