// SPDX-License-Identifier: MIT OR Apache-2.0
//! The arbiter: one grant, only to a request, to the right one, and in turn.
#![allow(missing_docs)]

use pipeline::blocks::arbiter::{Arbiter, Grant, MAX_REQUESTS, Policy};
use proptest::prelude::*;
use rtl_model::model::Instance;
use rtl_model::{Bits, Model};

fn bit(value: bool) -> Bits<Model> {
    Bits::lit(1, value as u64)
}

/// The number that is granted. Number and bit agree.
fn granted(grant: &Grant<Model>) -> Option<u32> {
    let (one_hot, number) = (grant.one_hot.value(), grant.number.value() as u32);
    assert_eq!(one_hot.count_ones() as u64, grant.valid.value());
    assert_eq!(number, if one_hot == 0 { 0 } else { one_hot.trailing_zeros() });
    (one_hot != 0).then_some(number)
}

fn requests() -> impl Strategy<Value = (u32, Vec<(u64, bool)>)> {
    // Few requests and many.
    let sparse = (any::<u64>(), any::<u64>(), any::<u64>()).prop_map(|(a, b, c)| a & b & c);
    let mask = prop_oneof![any::<u64>(), sparse, Just(u64::MAX), Just(0)];
    (2..=MAX_REQUESTS, prop::collection::vec((mask, any::<bool>()), 1..200))
}

proptest! {
    #[test]
    fn the_next_in_turn((n, cycles) in requests()) {
        let arbiter = Arbiter::<Model>::new(Policy::RoundRobin, n);
        let mut next = 0;
        for (mask, advance) in cycles {
            let requests = mask & u64::MAX >> (64 - n);
            let grant = arbiter.grant(Bits::lit(n, requests));
            let expected = (0..n).map(|i| (next + i) % n).find(|i| requests >> i & 1 == 1);
            prop_assert_eq!(granted(&grant), expected);
            arbiter.clock(grant, bit(advance));
            if let (Some(last), true) = (expected, advance) {
                next = (last + 1) % n;
            }
        }
    }

    #[test]
    fn the_lowest((n, cycles) in requests()) {
        let arbiter = Arbiter::<Model>::new(Policy::Priority, n);
        for (mask, advance) in cycles {
            let requests = mask & u64::MAX >> (64 - n);
            let grant = arbiter.grant(Bits::lit(n, requests));
            prop_assert_eq!(granted(&grant), (requests != 0).then(|| requests.trailing_zeros()));
            arbiter.clock(grant, bit(advance));
        }
    }
}

#[test]
fn after_reset_it_begins_with_request_0() {
    let arbiter = Instance::new(|| Arbiter::<Model>::new(Policy::RoundRobin, 5));
    let all = || arbiter.grant(Bits::lit(5, 31));
    for number in [0, 1, 2, 3, 4, 0, 1] {
        assert_eq!(granted(&all()), Some(number));
        arbiter.clock(all(), bit(true));
    }
    arbiter.reset();
    assert_eq!(granted(&all()), Some(0));
}
