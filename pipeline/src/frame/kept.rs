// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bytes of a beat that do not belong to its frame.

use rtl_model::stream::Beat;
use rtl_model::{Bits, Logic, name_nets, select};

/// The beat with 0 in the bytes whose `tkeep` is 0. Whatever a source puts there, an X of a simulator too, gets no
/// further.
///
/// A select for each byte: where the result goes straight to a register, it is the synchronous reset of that byte and
/// takes no look-up table for each bit.
#[name_nets]
pub(crate) fn kept<L: Logic>(beat: Beat<L>) -> Beat<L> {
    let Beat { tdata, tkeep, .. } = beat;
    let byte = |i: u32| select(tkeep.bit(i), tdata.slice(8 * i, 8), Bits::lit(8, 0)).widen();
    let tdata = (1..tkeep.width()).fold(byte(0), |below, i| byte(i).concat(below));
    Beat { tdata, ..beat }
}
