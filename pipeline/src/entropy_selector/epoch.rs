// SPDX-License-Identifier: MIT OR Apache-2.0
//! The epoch: a counter of round-trip times. A mark is valid in the epoch in which it is made and in the next one.

use super::config::EntropySelectorConfig;
use super::config::SHORTEST_RTT;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Shape, bits, name_nets, select, when};

/// The epoch and its two predecessors, each in a register for comparison.
#[derive(Bundle)]
pub struct Epochs<L: Reading> {
    /// Current epoch.
    #[reset]
    pub current: Bits<L>,
    /// Epoch before the current one.
    #[reset]
    pub previous: Bits<L>,
    /// Epoch before `previous`.
    #[reset]
    pub older: Bits<L>,
}

/// Epoch counter: counts clock cycles and epochs.
#[name_nets]
pub struct Epoch<L: Logic> {
    /// Clock cycles since the epoch advanced, this one included.
    cycle: Reg<Bits<L>>,
    epochs: Reg<Epochs<L>>,
}

impl EntropySelectorConfig {
    pub(super) fn epochs(self) -> Epochs<Shape> {
        let epoch = bits(self.epoch_bits());
        Epochs { current: epoch, previous: epoch, older: epoch }
    }
}

#[name_nets]
impl<L: Logic> Epoch<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        let width = config.epoch_bits();
        let previous = |n: u64| Bits::lit(width, (1 << width) - n);
        let first = Epochs { current: Bits::lit(width, 0), previous: previous(1), older: previous(2) };
        Epoch {
            cycle: Reg::starting_at(&bits(24), Bits::lit(24, 1)).with_reset(),
            epochs: Reg::starting_at(&config.epochs(), first),
        }
    }

    pub fn get(&self) -> Epochs<L> {
        self.epochs.get()
    }

    /// One cycle; `rtt` is the setting (rule S9).
    pub fn clock(&self, rtt: Bits<L>) {
        let (cycle, epochs) = (self.cycle.get(), self.epochs.get());
        let long = rtt.slice(6, 18).any();
        let rtt = select(long, rtt, Bits::lit(24, SHORTEST_RTT)).named("rtt");
        self.cycle.set(cycle + 1);
        when(cycle.at_least(rtt), || {
            self.cycle.set(Bits::lit(24, 1));
            self.epochs.set(Epochs { current: epochs.current + 1, previous: epochs.current, older: epochs.previous });
        });
    }
}

/// Age of a CCC's summary.
#[derive(Bundle)]
pub struct Age<L: Reading> {
    /// 1 if last changed in the current epoch.
    pub current: Bits<L>,
    /// 1 if last changed in the current or the previous epoch.
    pub recent: Bits<L>,
}

/// Age of a summary last changed in epoch `epoch`; a stale one has neither bit set.
#[name_nets]
pub fn age<L: Logic>(epoch: Bits<L>, epochs: Epochs<L>, marks_valid: Bits<L>) -> Age<L> {
    let current = marks_valid & epoch.equals(epochs.current);
    Age { current, recent: current | marks_valid & epoch.equals(epochs.previous) }
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
