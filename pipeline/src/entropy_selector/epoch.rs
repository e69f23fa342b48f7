// SPDX-License-Identifier: MIT OR Apache-2.0
//! The epoch: a counter of round trips. A mark holds in the epoch in which it was made and in the next.

use super::EntropySelectorConfig;
use super::config::SHORTEST_RTT;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Shape, bits, name_nets, select, when};

/// The epoch and its two predecessors, ready to be compared with.
#[derive(Bundle)]
pub struct Epochs<L: Reading> {
    #[reset]
    pub now: Bits<L>,
    #[reset]
    pub before: Bits<L>,
    /// The one before that.
    #[reset]
    pub past: Bits<L>,
}

/// Counts cycles and epochs.
#[name_nets]
pub struct Epoch<L: Logic> {
    /// Cycles since the epoch advanced, this one included.
    cycle: Reg<Bits<L>>,
    epochs: Reg<Epochs<L>>,
}

impl EntropySelectorConfig {
    pub(super) fn epochs(self) -> Epochs<Shape> {
        let epoch = bits(self.epoch_bits());
        Epochs { now: epoch, before: epoch, past: epoch }
    }
}

#[name_nets]
impl<L: Logic> Epoch<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        let width = config.epoch_bits();
        let before = |n: u64| Bits::lit(width, (1 << width) - n);
        let first = Epochs { now: Bits::lit(width, 0), before: before(1), past: before(2) };
        Epoch {
            cycle: Reg::starting_at(&bits(24), Bits::lit(24, 1)).with_reset(),
            epochs: Reg::starting_at(&config.epochs(), first),
        }
    }

    pub fn get(&self) -> Epochs<L> {
        self.epochs.get()
    }

    /// One cycle of an RTT of so many (row S9).
    pub fn clock(&self, rtt: Bits<L>) {
        let (cycle, epochs) = (self.cycle.get(), self.epochs.get());
        let long = rtt.slice(6, 18).any();
        let rtt = select(long, rtt, Bits::lit(24, SHORTEST_RTT)).named("rtt");
        self.cycle.set(cycle + 1);
        when(cycle.at_least(rtt), || {
            self.cycle.set(Bits::lit(24, 1));
            self.epochs.set(Epochs { now: epochs.now + 1, before: epochs.now, past: epochs.before });
        });
    }
}

/// How old a CCC's row is.
#[derive(Bundle)]
pub struct Age<L: Reading> {
    /// Last changed in this epoch.
    pub now: Bits<L>,
    /// Last changed in this epoch or the one before.
    pub young: Bits<L>,
}

/// The age of a row last changed in epoch `tag`; a dead one has neither.
#[name_nets]
pub fn age<L: Logic>(tag: Bits<L>, epochs: Epochs<L>, alive: Bits<L>) -> Age<L> {
    let now = alive & tag.equals(epochs.now);
    Age { now, young: now | alive & tag.equals(epochs.before) }
}

/// Which plane is the current one, by epoch parity.
#[name_nets]
pub fn current<L: Logic>(odd: Bits<L>) -> [Bits<L>; 2] {
    [!odd, odd]
}

/// Which planes hold marks in force: the current one if the row is of this epoch, the other one if it is young.
#[name_nets]
pub fn planes_held<L: Logic>(age: Age<L>, odd: Bits<L>) -> [Bits<L>; 2] {
    current(odd).map(|current| select(current, age.now, age.young))
}

/// The bit in every place.
#[name_nets]
pub fn fill<L: Logic>(bit: Bits<L>, width: u32) -> Bits<L> {
    bit.extend_signed(width)
}
