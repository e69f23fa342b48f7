// SPDX-License-Identifier: MIT OR Apache-2.0
//! In which rows a key can be.

use golden_vectors::receive::context_lookup::oracle::{ELAB, Key, Places, ROCEV2, UET};
use proptest::prelude::*;

#[test]
fn examples_of_the_page() {
    let places = Places::new(128);
    let hosts = Key::hosts(0xFD00 << 112 | 1, 0xFD00 << 112 | 0xFE);
    assert_eq!(hosts.kind, ELAB);
    let rows = [Key::new(ROCEV2, 0x0A_0102), Key::new(UET, 0x1_ABCD), hosts].map(|key| places.of(key));
    assert_eq!(rows, [[122, 56, 80, 118], [121, 99, 92, 86], [9, 54, 28, 79]]);
}

/// Remainder of a polynomial, given by its coefficients from the highest on: what is left of the long division.
fn divide(mut dividend: Vec<bool>, divisor: usize) -> usize {
    let degree = divisor.ilog2() as usize;
    for at in 0..dividend.len().saturating_sub(degree) {
        if dividend[at] {
            (0..=degree).for_each(|i| dividend[at + i] ^= divisor >> (degree - i) & 1 == 1);
        }
    }
    dividend.iter().fold(0, |number, &bit| number << 1 | usize::from(bit))
}

fn coefficients(key: Key) -> Vec<bool> {
    let words = [key.kind].into_iter().chain(key.words.into_iter().rev());
    words.flat_map(|word| (0..64).rev().map(move |bit| word >> bit & 1 == 1)).collect()
}

proptest! {
    #[test]
    fn rows_are_the_remainders_of_a_long_division(kind in 0u64..4, words: [u64; 4], bits in 3u32..14) {
        let (key, places) = (Key { kind, words }, Places::new(1 << bits));
        prop_assert_eq!(places.of(key), places.polynomials().map(|polynomial| divide(coefficients(key), polynomial)));
    }
}

fn irreducible(polynomial: usize) -> bool {
    let bits = polynomial.ilog2() as usize + 1;
    let coefficients: Vec<_> = (0..bits).rev().map(|bit| polynomial >> bit & 1 == 1).collect();
    (2..1 << (bits / 2 + 1)).all(|divisor| divisor >= polynomial || divide(coefficients.clone(), divisor) != 0)
}

/// Whether a sum of products with polynomials of degrees below `degrees`, not all 0, is 0: by elimination.
fn has_relation(polynomials: &[usize], degrees: usize) -> bool {
    let mut basis = [0; usize::BITS as usize];
    polynomials.iter().flat_map(|polynomial| (0..degrees).map(move |shift| polynomial << shift)).any(|mut rest| {
        while rest != 0 && basis[rest.ilog2() as usize] != 0 {
            rest ^= basis[rest.ilog2() as usize];
        }
        if rest != 0 {
            basis[rest.ilog2() as usize] = rest;
        }
        rest == 0
    })
}

/// From 32 rows on.
#[test]
fn polynomials_are_those_that_the_page_describes() {
    for bits in 5..14 {
        let irreducible: Vec<_> = (1 << bits..2 << bits).rev().filter(|&polynomial| irreducible(polynomial)).collect();
        let limits = [8, 7, 6, 5].map(|eighths| eighths << bits >> 2);
        let below = |j: usize, than: usize| irreducible.iter().copied().filter(move |&p| p < limits[j] && p < than);
        let mut all = below(0, usize::MAX).flat_map(|p0| {
            below(1, p0).flat_map(move |p1| {
                below(2, p1).flat_map(move |p2| below(3, p2).map(move |p3| [p0, p1, p2, p3])) //
            })
        });
        let greatest = all.find(|polynomials| !has_relation(polynomials, (bits - 1) / 3));
        assert_eq!(greatest, Some(Places::new(1 << bits).polynomials()), "{bits}");
    }
}

/// Of the smaller degrees there are no four irreducible ones.
#[test]
fn polynomials_of_small_tables_do_not_have_the_factor_x() {
    for bits in [3, 4] {
        let polynomials = Places::new(1 << bits).polynomials();
        assert!(polynomials.iter().all(|&p| p % 2 == 1 && p.ilog2() == bits), "{polynomials:X?}");
    }
}
