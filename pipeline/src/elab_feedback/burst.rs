// SPDX-License-Identifier: MIT OR Apache-2.0
//! How fast a burst arrives (row W3).

use super::records::Burst;
use rtl_model::{Bits, Logic, name_nets, select};

/// The last burst of a VP behind a packet with this Burst_ID: `now` in cycles, `length` packets are a burst. A VP that is
/// `new` had none.
#[name_nets]
pub fn measure<L: Logic>(row: Burst<L>, number: Bits<L>, new: Bits<L>, now: Bits<L>, length: Bits<L>) -> Burst<L> {
    let (zero, one) = (|x: Bits<L>| Bits::lit(x.width(), 0), |x: Bits<L>| Bits::lit(x.width(), 1));
    let runs = number.any();
    let same = !new & number.equals(row.number);
    let begins = (runs & !same).named("burst_begins");
    let more = (runs & same & !row.done & row.packets.any()).named("burst_more");
    let packets = row.packets + (!row.packets.all()).extend(row.packets.width());
    // Whether `packets` are enough, without waiting for the sum. Two are, as `more` wants one before.
    let full = !length.any() | row.packets.at_least(length - 1);
    // A packet outside of it ends it, or forgets it, if it has a packet alone.
    let outside = !new & !runs & !row.done;
    let several = row.packets.slice(1, row.packets.width() - 1).any();
    let ends = (more & full | outside & several).named("burst_ends");
    let abandons = outside & !several;

    let started = select(new | abandons, zero(row.packets), select(more, packets, row.packets));
    Burst {
        number: select(begins, number, row.number.gate(!new)),
        packets: select(begins, one(row.packets), started),
        start_time: select(begins, now, row.start_time),
        span: select(more, now - row.start_time, row.span),
        done: !begins & (row.done.gate(!new) | ends),
        result_count: select(ends, row.result_count + 1, row.result_count).gate(!new),
    }
}
