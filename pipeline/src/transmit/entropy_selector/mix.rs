// SPDX-License-Identifier: MIT OR Apache-2.0
//! The mix (rule S23): from the seed of the device and the numbers of pipeline and CCC it makes the start of a CCC, its
//! upper bits on the wire and its first LFSR. It takes one round per clock cycle after a command was accepted.

use super::config::EntropySelectorConfig;
use rtl_model::{Bits, Logic, Reg, bits, name_nets, select, when};

/// Round after which `q` is taken.
const Q_ROUNDS: u64 = 8;
/// Number of rounds.
const ROUNDS: u64 = 12;
/// Width of the number of a pipeline.
pub const PIPELINE_WIDTH: u32 = 4;
/// Bits of a CCC number in the number that is mixed.
const CCC_WIDTH: u32 = 12;
/// Width of the number that is mixed.
const WIDTH: u32 = 16;
/// Place of the upper half of the seed.
const UPPER_HALF: u32 = 16;

/// What tells the CCCs of devices and pipelines apart.
#[derive(Clone, Copy)]
pub struct Origin<L: Logic> {
    /// `settings_seed` in force.
    pub seed: Bits<L>,
    /// The number of the pipeline.
    pub pipeline: Bits<L>,
}

/// The mix of the CCC of a command.
#[name_nets]
pub struct Mix<L: Logic> {
    wire_bits: u32,
    /// State of the rounds, and after the last round.
    x: Reg<Bits<L>>,
    /// State after 8 rounds.
    q: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Mix<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        let wire_bits = config.wire_bits();
        Mix { wire_bits, x: Reg::new(&bits(wire_bits)), q: Reg::new(&bits(wire_bits)) }
    }

    /// `q`, from 9 cycles after the command on.
    pub fn q(&self) -> Bits<L> {
        self.q.get()
    }

    /// The state after all rounds, from 13 cycles after the command on.
    pub fn x(&self) -> Bits<L> {
        self.x.get()
    }

    /// One cycle. `accepts` is 1 in the cycle in which a command for `ccc` is accepted; after that `working` is 1, and
    /// `timer` counts from 0.
    pub fn clock(&self, accepts: Bits<L>, ccc: Bits<L>, working: Bits<L>, timer: Bits<L>, origin: Origin<L>) {
        let (x, width) = (self.x.get(), self.wire_bits);
        let key = |low: u32| origin.seed.slice(low, width);
        let sum = x + select(timer.bit(0), key(UPPER_HALF), key(0));
        let spread = (sum ^ sum << 3).named("spread");
        let folded = if width > 5 { spread ^ spread >> 5 } else { spread };
        when(working & timer.less(ROUNDS), || self.x.set(folded));
        when(timer.equals(Q_ROUNDS), || self.q.set(x));
        // A narrow range on the wire does not read all of it.
        origin.pipeline.ignore();
        let number = origin.pipeline.concat(ccc.extend(CCC_WIDTH)).named("number");
        when(accepts, || {
            self.x.set(number.truncate(width) ^ number.slice(width, width.min(WIDTH - width)).extend(width));
        });
    }
}
