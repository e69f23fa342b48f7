// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lanes and beats of header words.
//!
//! All headers after the EtherType start at a multiple of 4 plus 2 bytes, so the frame is treated as 32-bit words: word
//! `u` is bytes `4 u - 2` to `4 u + 1`. Word 3 ends with the first EtherType; word 4 is the first of the IP header or
//! tag. With `N` words per beat, word `u` is in lane `u mod N` of beat `u div N`, and all words of a beat end in it:
//! their last byte is byte 1 or 5 of eight.

use rtl_model::{Bits, Logic, Wide, clog2, select};

/// The geometry of a bus.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BusLayout {
    /// Words in a beat.
    pub count: u32,
    /// Last word that is examined.
    pub last: u32,
}

/// Word that ends with the first EtherType.
pub(crate) const ETHERTYPE: u32 = 3;
/// First word after an untagged EtherType.
pub(crate) const UNTAGGED: u32 = ETHERTYPE + 1;
/// Last word of the longest headers up to UDP: two tags, IPv4 with 40 bytes of options.
pub(crate) const LAST_OF_UDP: u32 = UNTAGGED + 2 + 15 + 2 - 1;

impl BusLayout {
    /// Lane of a word.
    pub fn lane(self, at: u32) -> u32 {
        at & (self.count - 1)
    }

    /// Number of the beat in its frame that holds a word.
    pub fn beat(self, at: u32) -> u32 {
        at >> self.select_width()
    }

    /// Bits of a lane number.
    pub fn select_width(self) -> u32 {
        self.count.trailing_zeros()
    }

    /// The beat number at which counting stops, one after the last beat that is examined.
    pub fn stop(self) -> u32 {
        self.beat(self.last) + 1
    }

    /// Bits of a beat number.
    pub fn index_width(self) -> u32 {
        clog2(self.stop() as u64 + 1)
    }

    /// A word in network order.
    pub fn word<L: Logic>(self, words: Wide<L>, at: u32) -> Bits<L> {
        words.slice(32 * self.lane(at), 32).swap_bytes()
    }

    /// 1 if word `at`, counted from a start that depends on the number of tags, is in beat `index`.
    pub fn holds<L: Logic>(self, index: Bits<L>, tags: Bits<L>, at: u32) -> Bits<L> {
        let beat = |tags: u32| self.beat(at + tags);
        if beat(0) == beat(2) {
            return index.equals(beat(0) as u64);
        }
        // The beat number increases by one somewhere between no and two tags.
        let later = if beat(1) > beat(0) { tags.differs(0) } else { tags.bit(1) };
        let beat = |tags: u32| Bits::lit(self.index_width(), beat(tags) as u64);
        index.equals(select(later, beat(2), beat(0)))
    }

    /// Bit `i` is set if the `i`th of `count` words is in a beat. Word 0 is `start` words after lane 0 of the beat that
    /// came `since` beats earlier.
    pub fn hits<L: Logic>(self, since: Bits<L>, start: Bits<L>, count: u32) -> Bits<L> {
        let width = count + (1 << start.width()).max(self.count);
        let beat = Bits::lit(width, (1 << self.count) - 1);
        let ahead = since.concat(Bits::lit(self.select_width(), 0));
        ((beat << ahead) >> start).truncate(count)
    }
}
