// SPDX-License-Identifier: MIT OR Apache-2.0
//! The epoch of a CCC: a counter of its round-trip times. A mark is valid in the epoch in which it is made and in the
//! next one. There is one counter for all CCCs, of the RTTs of class 0; the epoch of a CCC of class `k` is that counter
//! without its `k` lowest bits (rule S9).

use super::config::SHORTEST_RTT;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Shape, bits, name_nets, select, when};

/// Width of an RTT class.
pub const RTT_CLASS_WIDTH: u32 = 3;
/// Width of the epoch of a CCC; marks use fewer bits of it.
pub const EPOCH_WIDTH: u32 = 12;

/// Width of the counter of RTTs of class 0.
const RTT_COUNT_WIDTH: u32 = EPOCH_WIDTH + (1 << RTT_CLASS_WIDTH) - 1;

/// Shape of the counter of RTTs of class 0.
pub const fn rtt_count() -> Bits<Shape> {
    bits(RTT_COUNT_WIDTH)
}

/// Epoch counter: counts clock cycles and RTTs of class 0.
#[name_nets]
pub struct Epoch<L: Logic> {
    /// Clock cycles since the counter advanced, this one included.
    cycle: Reg<Bits<L>>,
    rtts: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Epoch<L> {
    pub fn new() -> Self {
        Epoch {
            cycle: Reg::starting_at(&bits(24), Bits::lit(24, 1)).with_reset(),
            rtts: Reg::new(&rtt_count()).with_reset(),
        }
    }

    /// RTTs of class 0 since reset.
    pub fn rtts(&self) -> Bits<L> {
        self.rtts.get()
    }

    /// One cycle; `rtt` is the setting (rule S9).
    pub fn clock(&self, rtt: Bits<L>) {
        let (cycle, rtts) = (self.cycle.get(), self.rtts.get());
        self.cycle.set(cycle + 1);
        when(cycle.at_least(rtt) & cycle.at_least(SHORTEST_RTT), || {
            self.cycle.set(Bits::lit(24, 1));
            self.rtts.set(rtts + 1);
        });
    }
}

/// Epoch of a CCC of this class. The largest step comes first, because the later ones then have fewer bits.
#[name_nets]
pub fn epoch_of<L: Logic>(rtts: Bits<L>, rtt_class: Bits<L>) -> Bits<L> {
    (0..RTT_CLASS_WIDTH).rev().fold(rtts, |rtts, place| {
        let step = 1 << place;
        let width = rtts.width() - step;
        select(rtt_class.bit(place), rtts.slice(step, width), rtts.slice(0, width))
    })
}

/// Age of a CCC's summary.
#[derive(Bundle)]
#[shape]
pub struct Age<L: Reading> {
    /// 1 if last changed in the current epoch.
    pub current: Bits<L>,
    /// 1 if last changed in the current or the previous epoch.
    pub recent: Bits<L>,
}

/// Age, in epoch `now` of its CCC, of a summary last changed in epoch `epoch`; a stale one has neither bit set. Of `now`
/// as many bits count as `epoch` has.
#[name_nets]
pub fn age<L: Logic>(epoch: Bits<L>, now: Bits<L>, marks_valid: Bits<L>) -> Age<L> {
    let elapsed = now.truncate(epoch.width()) - epoch;
    let recent = marks_valid & !elapsed.slice(1, epoch.width() - 1).any();
    Age { current: recent & !elapsed.bit(0), recent }
}

/// Which plane is the current one, by epoch parity.
#[name_nets]
pub fn current<L: Logic>(odd: Bits<L>) -> [Bits<L>; 2] {
    [!odd, odd]
}

/// Which planes hold valid marks: the current one if `age.current`, the other one if `age.recent`.
#[name_nets]
pub fn planes_held<L: Logic>(age: Age<L>, odd: Bits<L>) -> [Bits<L>; 2] {
    current(odd).map(|current| select(current, age.current, age.recent))
}

/// The bit, repeated `width` times.
#[name_nets]
pub fn replicate<L: Logic>(bit: Bits<L>, width: u32) -> Bits<L> {
    bit.extend_signed(width)
}
