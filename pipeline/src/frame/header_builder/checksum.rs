// SPDX-License-Identifier: MIT OR Apache-2.0
//! The IPv4 header checksum (RFC 1071): the complement of the ones' complement sum of the other half words.
//!
//! ```text
//!  1 the eight half words besides total length and checksum, added in pairs
//!  2 pairs added
//!  3 all of it, with the total length
//!  4 carries folded in: below 0x1000F, so that one more fold decides
//!  5 folded, complemented
//! ```

use crate::headers::Ipv4;
use crate::headers::record::HeaderRecord;
use rtl_model::{Bits, Logic, Reg, bits, name_nets, select};

/// Bits of the sum of nine half words.
const SUM: u32 = 20;

#[name_nets]
pub(super) struct ChecksumSteps<L: Logic> {
    pairs: [Reg<Bits<L>>; 4],
    quads: [Reg<Bits<L>>; 2],
    total: Reg<Bits<L>>,
    folded: Reg<Bits<L>>,
    /// Steps 1 to 4: the recorded checksum is 0xFFFF.
    ones: [Reg<Bits<L>>; 4],
}

#[name_nets]
impl<L: Logic> ChecksumSteps<L> {
    pub fn new() -> Self {
        ChecksumSteps {
            pairs: [0, 1, 2, 3].map(|i| Reg::numbered(i, &bits(17))),
            quads: [0, 1].map(|i| Reg::numbered(i, &bits(18))),
            total: Reg::new(&bits(SUM)),
            folded: Reg::new(&bits(17)),
            ones: [1, 2, 3, 4].map(|i| Reg::numbered(i, &bits(1))),
        }
    }

    /// Step 4 to 5. If 0x0000 and 0xFFFF are both right, the recorded one is kept.
    pub fn get(&self) -> Bits<L> {
        let folded = self.folded.get();
        let sum = folded.truncate(16) + folded.bit(16).extend(16);
        select(sum.all() & self.ones[3].get(), Bits::lit(16, 0xFFFF), !sum)
    }

    pub fn step_4(&self) {
        let total = self.total.get();
        self.folded.set(total.truncate(16).extend(17) + total.slice(16, SUM - 16).extend(17));
        self.ones[3].set(self.ones[2].get());
    }

    /// Step 3: adds the IPv4 total length; `length` is that of step 2.
    pub fn step_3(&self, length: Bits<L>) {
        let [low, high] = Reg::get_all(&self.quads).map(|quad| quad.extend(SUM));
        self.total.set(low + high + length.extend(SUM));
        self.ones[2].set(self.ones[1].get());
    }

    pub fn step_2(&self) {
        let pair = |i: usize| self.pairs[i].get().extend(18);
        self.quads[0].set(pair(0) + pair(1));
        self.quads[1].set(pair(2) + pair(3));
        self.ones[1].set(self.ones[0].get());
    }

    pub fn step_1(&self, record: &HeaderRecord<L>) {
        let header = Ipv4::read(|i| record.ip[i as usize]);
        self.ones[0].set(header.checksum.all());
        let none = Bits::lit(16, 0);
        let words = Ipv4 { ihl: Bits::lit(4, 5), total_length: none, checksum: none, ..header }.words();
        let high = |i: usize| words[i].slice(16, 16).extend(17);
        let low = |i: usize| words[i].truncate(16).extend(17);
        let sums = [high(0) + high(1), low(1) + high(2), high(3) + low(3), high(4) + low(4)];
        self.pairs.iter().zip(sums).for_each(|(pair, sum)| pair.set(sum));
    }
}
