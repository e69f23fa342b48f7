// SPDX-License-Identifier: MIT OR Apache-2.0
//! Normalisation: shifts a number left until its leading one is the most significant bit, in steps that fit into one
//! clock cycle each.

use rtl_model::{Bits, Logic, name_nets, select};

/// Shifts left by each of `amounts` in turn if that many leading bits are 0. Also returns one bit per amount, 1 if the
/// number was shifted by it; the first amount is the most significant bit.
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
