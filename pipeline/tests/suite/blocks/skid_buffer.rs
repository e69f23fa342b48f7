// SPDX-License-Identifier: MIT OR Apache-2.0
//! The skid buffer: nothing lost, repeated or changed under any stalls, one payload a clock without them.
#![allow(missing_docs)]

use pipeline::blocks::skid_buffer::SkidBuffer;
use proptest::prelude::*;
use rtl_model::model::Instance;
use rtl_model::{Bits, Bundle, Model, Reading, bits};
use std::collections::VecDeque;

type Buffer = SkidBuffer<Bits<Model>>;

fn bit(value: bool) -> Bits<Model> {
    Bits::lit(1, value as u64)
}

proptest! {
    #[test]
    fn what_goes_in_comes_out(pattern in prop::collection::vec((any::<bool>(), any::<bool>()), 1..300)) {
        let skid = Buffer::new(&bits(16));
        let mut inside = VecDeque::new();
        let mut next = 0;
        let mut held: Option<u64> = None;
        for (push, pop) in pattern {
            let (ready, valid) = (skid.ready().value() == 1, skid.valid().value() == 1);
            prop_assert!(inside.len() <= 2);
            prop_assert_eq!(valid, !inside.is_empty());
            if let Some(value) = held {
                prop_assert!(valid && skid.front().value() == value, "a payload on offer stays");
            }
            held = (valid && !pop).then(|| skid.front().value());
            if valid && pop {
                prop_assert_eq!(Some(skid.front().value()), inside.pop_front());
            }
            skid.clock(bit(push), || Bits::lit(16, next), bit(pop));
            if push && ready {
                inside.push_back(next);
                next += 1;
            }
        }
    }
}

#[test]
fn one_payload_a_clock() {
    let skid = Instance::new(|| Buffer::new(&bits(16)));
    skid.clock(bit(false), || Bits::lit(16, 0), bit(true));
    for i in 0..100 {
        assert_eq!(skid.ready().value(), 1);
        skid.clock(bit(true), || Bits::lit(16, i), bit(true));
        assert_eq!((skid.valid().value(), skid.front().value()), (1, i));
    }
    skid.reset();
    assert_eq!((skid.valid().value(), skid.ready().value()), (0, 0));
}

/// A payload with a field that the reset would act on.
#[derive(Bundle)]
struct Marked<L: Reading> {
    #[reset]
    mark: Bits<L>,
}

#[test]
fn it_forgets_that_there_is_something_but_not_what() {
    let skid = Instance::new(|| SkidBuffer::<Marked<Model>>::new(&Marked { mark: bits(8) }));
    for _ in 0..3 {
        skid.clock(bit(true), || Marked { mark: Bits::lit(8, 9) }, bit(false));
    }
    assert_eq!(skid.valid().value(), 1);
    skid.reset();
    assert_eq!((skid.valid().value(), skid.ready().value()), (0, 0));
    assert_eq!(skid.front().mark.value(), 9);
}
