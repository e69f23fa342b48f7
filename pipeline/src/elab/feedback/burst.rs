// SPDX-License-Identifier: MIT OR Apache-2.0
//! Measurement of the rate of a burst (row W3).

use super::records::Burst;
use rtl_model::{Bits, Logic, name_nets, select};

/// The last burst of a VP after a packet with Burst_ID `number`. `now` is in clock cycles, a burst has `length`
/// packets, and a VP that is `new` has had no burst.
#[name_nets]
pub fn measure<L: Logic>(row: Burst<L>, number: Bits<L>, new: Bits<L>, now: Bits<L>, length: Bits<L>) -> Burst<L> {
    let (zero, one) = (|x: Bits<L>| Bits::lit(x.width(), 0), |x: Bits<L>| Bits::lit(x.width(), 1));
    let runs = number.any();
    let same = !new & number.equals(row.number);
    let begins = (runs & !same).named("burst_begins");
    let more = (runs & same & !row.done & row.packets.any()).named("burst_more");
    let packets = row.packets + (!row.packets.all()).extend(row.packets.width());
    // 1 if `packets` are enough, computed without waiting for the sum. `more` implies at least two packets.
    let full = !length.any() | row.packets.at_least(length - 1);
    // A packet outside of bursts ends the burst, or abandons it if it has only one packet.
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
