// SPDX-License-Identifier: MIT OR Apache-2.0
//! How many keys fit, with few sets. `lookup-fill` does the same with very many.

use golden_vectors::receive::context_lookup::d_left;
use golden_vectors::receive::context_lookup::fill::{Keys, figures};

/// The goal: 90 % of the rows, for random keys of every kind.
#[test]
fn random_keys_fill_nine_tenths_of_the_rows() {
    for keys in [Keys::RandomQps, Keys::RandomPdcs, Keys::RandomHosts] {
        for (rows, sets) in [(8, 200), (16, 200), (32, 200), (64, 100), (128, 50), (1024, 4), (8192, 2)] {
            let figures = figures(keys, rows, sets);
            assert_eq!(figures.failed, 0, "{keys:?} {figures:?}");
            assert!(figures.mean > 0.945, "{keys:?} {figures:?}");
        }
    }
}

/// Those from 0 on, and from three random ones.
#[test]
fn consecutive_keys_fill_nine_tenths_of_the_rows() {
    for keys in [Keys::ConsecutiveQps, Keys::ConsecutivePdcs, Keys::ConsecutiveHosts] {
        for bits in 3..14 {
            let figures = figures(keys, 1 << bits, 4);
            assert_eq!(figures.failed, 0, "{keys:?} {figures:?}");
        }
    }
}

/// Why keys are moved: without, no form that reads four keys comes near.
#[test]
fn d_left_hashing_does_not_fill_nine_tenths_of_the_rows() {
    for form in d_left::FORMS {
        let (mean, worst) = d_left::load(form, 1024, 20);
        assert!(worst > 0.1 && mean < 0.7, "{form:?} {mean} {worst}");
    }
}
