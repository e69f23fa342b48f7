// SPDX-License-Identifier: MIT OR Apache-2.0
//! Shifting a number up until its leading one stands in front, in steps that fit a clock each.

use rtl_model::{Bits, Logic, name_nets, select};

/// Up by each of these amounts in turn if that many bits in front are 0; and whether it was, one bit each, the first in
/// front.
#[name_nets]
pub fn normalize<L: Logic, const N: usize>(number: Bits<L>, amounts: [u32; N]) -> (Bits<L>, Bits<L>) {
    let mut number = number;
    let mut shifted = None;
    for amount in amounts {
        let empty = !number.slice(number.width() - amount, amount).any();
        number = select(empty, number << u64::from(amount), number);
        shifted = Some(shifted.map_or(empty, |above: Bits<L>| above.concat(empty)));
    }
    (number, shifted.unwrap_or_else(|| Bits::lit(1, 0)))
}
