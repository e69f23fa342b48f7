// SPDX-License-Identifier: MIT OR Apache-2.0
//! What must hold of every run of an arbiter, told from the outside, and the committed vectors.

use golden_vectors::TimedFile;
use golden_vectors::blocks::arbiter;
use golden_vectors::blocks::arbiter::oracle::{Arbiter, Shape};
use proptest::collection::vec;
use proptest::prelude::*;

proptest! {
    #[test]
    fn grants_go_to_requests_and_none_starves(
        n in 2..=64u64,
        cycles in vec((any::<u64>(), any::<u64>(), any::<bool>()), 1..300),
    ) {
        for round_robin in [false, true] {
            let mut arbiter = Arbiter::new(Shape::new(n, round_robin));
            // Grants of others since each request came.
            let mut waits = vec![None; n as usize];
            let mut before: Option<(u64, Option<u64>, bool)> = None;
            let mut waiting = 0u64;
            for &(a, b, ready) in &cycles {
                waiting |= a & b & u64::MAX >> (64 - n);
                let granted = arbiter.granted();
                let new = before.is_none_or(|(_, granted, ready)| granted.is_none() || ready);
                if let Some((requests, last, ready)) = before {
                    if last.is_some() && !ready {
                        prop_assert_eq!(granted, last, "it waits");
                    } else {
                        let served = last.map_or(0, |number| 1 << number);
                        let asked = requests & !served;
                        prop_assert_eq!(granted.is_some(), asked != 0, "a grant for every request");
                        prop_assert!(granted.is_none_or(|number| asked >> number & 1 == 1));
                        prop_assert!(round_robin || granted.is_none_or(|number| number == u64::from(asked.trailing_zeros())));
                    }
                }
                if let (Some(number), true) = (granted, new) {
                    waits[number as usize] = None;
                    for wait in waits.iter_mut().flatten() {
                        *wait += 1;
                        prop_assert!(!round_robin || *wait < n, "at most n - 1 others");
                    }
                }
                for (number, wait) in (0..).zip(&mut waits) {
                    let counts = waiting >> number & 1 == 1 && granted != Some(number);
                    *wait = if counts { Some(wait.unwrap_or(0)) } else { None };
                }
                before = Some((waiting, granted, ready));
                arbiter.clock(waiting, ready);
                waiting &= !granted.filter(|_| ready).map_or(0, |number| 1 << number);
            }
        }
    }
}

#[test]
fn all_requests_in_turn() {
    let mut arbiter = Arbiter::new(Shape::new(3, true));
    let grants: Vec<_> = (0..8)
        .map(|_| {
            arbiter.clock(7, true);
            arbiter.granted()
        })
        .collect();
    assert_eq!(grants, [0, 1, 2, 0, 1, 2, 0, 1].map(Some));
}

#[test]
fn the_committed_vectors_are_those_that_are_made() {
    let file = TimedFile::embedded_stage("arbiter").unwrap().unwrap();
    assert_eq!(file, arbiter::vectors());
    // Every request of every size is granted.
    for group in file.groups.iter().filter(|group| group.name.starts_with("one")) {
        let rows = group.tests[0].expect.outputs["grant"].iter();
        assert_eq!(
            rows.map(|row| row[2]).collect::<Vec<_>>(),
            (0..group.configuration["requests"]).collect::<Vec<_>>()
        );
    }
}
