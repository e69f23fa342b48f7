// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bytes of a beat that do not belong to its frame.

use rtl_model::stream::Beat;
use rtl_model::{Bits, Logic, Wide, name_nets, select};

/// The data of a beat with 0 in the bytes whose `tkeep` is 0. Whatever a source puts there, an X of a simulator too, gets
/// no further.
///
/// A select for each byte: where the result goes straight to a register, and nowhere else, it is the synchronous reset of
/// that byte and takes no look-up table for each bit.
#[name_nets]
pub(crate) fn kept_data<L: Logic>(tdata: Wide<L>, tkeep: Wide<L>) -> Wide<L> {
    let byte = |i: u32| select(tkeep.bit(i), tdata.slice(8 * i, 8), Bits::lit(8, 0)).widen();
    (1..tkeep.width()).fold(byte(0), |below, i| byte(i).concat(below))
}

/// The beat with such data.
#[name_nets]
pub(crate) fn kept<L: Logic>(beat: Beat<L>) -> Beat<L> {
    Beat { tdata: kept_data(beat.tdata, beat.tkeep), ..beat }
}
