// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers from outside that may be out of range.

use rtl_model::{Bits, Logic, name_nets};

/// There is a row of this number among so many, of which the numbers have this width.
#[name_nets]
pub fn exists<L: Logic>(number: Bits<L>, rows: u64) -> Bits<L> {
    if rows >> number.width() == 1 { Bits::lit(1, 1) } else { number.less(rows) }
}

/// The value, where 0 counts as 1.
#[name_nets]
pub fn at_least_1<L: Logic>(value: Bits<L>) -> Bits<L> {
    value | (!value.any()).extend(value.width())
}
