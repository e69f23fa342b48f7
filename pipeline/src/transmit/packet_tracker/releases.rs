// SPDX-License-Identifier: MIT OR Apache-2.0
//! The packets of a visit, one after the other in ascending order (row D13). In clock cycles after that of the visit,
//! with memories of latency `l`:
//!
//! ```text
//!  l + 1   a word of released packets
//!  l + 2   the lowest one that is left
//!  l + 3   its number
//!  l + 4   its place, is it the trigger?
//!  l + 5   its record is read, if there is room for an outcome
//! ```

use super::config::{BLOCK, BLOCK_BITS, PacketTrackerConfig};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, name_nets, when};

/// The packets of a visit, in its step `l` + 1.
#[derive(Clone, Copy)]
pub struct Visited<L: Logic> {
    /// There is a visit.
    pub valid: Bits<L>,
    /// One bit for each packet; those that were marked.
    pub packets: Bits<L>,
    pub late: Bits<L>,
}

/// The lowest packet: one bit of the word.
#[derive(Bundle)]
#[shape]
struct Lowest<L: Reading> {
    #[reset]
    valid: Bits<L>,
    #[width(BLOCK)]
    one_hot: Bits<L>,
}

/// Its number in the word.
#[derive(Bundle)]
#[shape]
struct Number<L: Reading> {
    #[reset]
    valid: Bits<L>,
    #[width(BLOCK_BITS)]
    number: Bits<L>,
    late: Bits<L>,
}

/// A packet that is read.
#[derive(Bundle)]
#[shape(config: PacketTrackerConfig)]
pub struct Release<L: Reading> {
    #[reset]
    pub valid: Bits<L>,
    /// The low bits of its PSN.
    #[shape(config.count())]
    pub place: Bits<L>,
    /// It was marked.
    pub late: Bits<L>,
    /// It is the trigger of the ACK.
    pub trigger: Bits<L>,
}

/// The packets of a visit.
#[name_nets]
pub struct Releases<L: Logic> {
    config: PacketTrackerConfig,
    /// Those that are left.
    left: Reg<Bits<L>>,
    late: Reg<Bits<L>>,
    lowest: Reg<Lowest<L>>,
    number: Reg<Number<L>>,
    release: Reg<Release<L>>,
}

#[name_nets]
impl<L: Logic> Releases<L> {
    pub fn new(config: PacketTrackerConfig) -> Self {
        let (flag, word) = (bits(1), bits(BLOCK));
        Releases {
            config,
            left: Reg::new(&word).with_reset(),
            late: Reg::new(&word),
            lowest: Reg::new(&Lowest::shape()),
            number: Reg::new(&Number::shape()),
            release: Reg::new(&Release::shape(config)),
        }
    }

    /// The packet that is read in this clock cycle, if there is room.
    pub fn read(&self, room: Bits<L>) -> Release<L> {
        let release = self.release.get();
        Release { valid: release.valid & room, ..release }
    }

    /// A packet is behind it: it is read in the next clock cycle, or in step `l` + 5 if this is step `l` + 4 of the
    /// visit.
    pub fn follows(&self) -> Bits<L> {
        self.number.get().valid
    }

    /// One clock cycle: a visit; the block of the latest one; only its first packet is read; the trigger; there is
    /// room.
    pub fn clock(
        &self,
        visited: Visited<L>,
        block: Bits<L>,
        only_first: Bits<L>,
        (has_trigger, trigger): (Bits<L>, Bits<L>),
        room: Bits<L>,
    ) {
        let (left, late, lowest, number) = (self.left.get(), self.late.get(), self.lowest.get(), self.number.get());
        let advances = !self.release.get().valid | room;
        when(advances, || {
            let place = block.concat(number.number);
            let is_trigger = has_trigger & place.equals(trigger);
            self.release.set(Release { valid: number.valid, place, late: number.late, trigger: is_trigger });
            self.number.set(Number {
                valid: lowest.valid,
                number: encoded(lowest.one_hot),
                late: (lowest.one_hot & late).any(),
            });
            self.lowest.set(Lowest { valid: left.any(), one_hot: left & !(left - 1) });
            self.left.set((left & (left - 1)).gate(!only_first));
        });
        when(visited.valid, || {
            self.left.set(visited.packets);
            self.late.set(visited.late);
        });
        assert_eq!(self.config.block_bits() + BLOCK_BITS, self.config.count_bits(), "a place is a block and a number");
    }
}

/// The number of the one bit that is 1.
#[name_nets]
fn encoded<L: Logic>(one_hot: Bits<L>) -> Bits<L> {
    let bit = |i: u32| {
        let numbers = (0..u64::from(BLOCK)).filter(|number| number >> i & 1 == 1);
        (one_hot & numbers.fold(0, |mask, number| mask | 1 << number)).any()
    };
    (1..BLOCK_BITS).fold(bit(0), |low, i| bit(i).concat(low))
}
