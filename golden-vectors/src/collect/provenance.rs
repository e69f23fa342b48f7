// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a vector file says of the program that made it.

use crate::rng::SEED;
use crate::schema::Generator;

/// This program, with the seed of its random numbers.
pub fn generator() -> Generator {
    Generator {
        name: "make-vectors".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        prng: "SplitMix64".into(),
        seed: format!("{SEED:#x}"),
    }
}
