// SPDX-License-Identifier: MIT OR Apache-2.0
//! The counter counts, wraps and is reset, and its register has the name of its field.
#![allow(missing_docs)]

use pipeline::blocks::counter::Counter;
use rtl_model::model::Instance;
use rtl_model::{Bits, Logic, Model, name_nets};

#[name_nets]
struct Around<L: Logic> {
    refused: Counter<L>,
}

#[name_nets]
impl<L: Logic> Around<L> {
    fn new() -> Self {
        Around { refused: Counter::new(3) }
    }
}

#[test]
fn it_counts_and_wraps() {
    let around = Instance::new(Around::<Model>::new);
    for cycle in 0..20 {
        assert_eq!(around.refused.get().value(), cycle % 8, "cycle {cycle}");
        around.refused.count(Bits::lit(1, 0));
        around.refused.count(Bits::lit(1, 1));
    }
    around.refused.count(Bits::lit(1, 1));
    assert_eq!(around.refused.get().value(), 5);
    around.reset();
    assert_eq!(around.refused.get().value(), 0);
    assert_eq!(around.registers()[0].name, "refused");
}
