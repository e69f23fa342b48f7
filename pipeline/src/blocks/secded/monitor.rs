// SPDX-License-Identifier: MIT OR Apache-2.0
//! [`UpsetMonitor`]: counts the upsets of all memories of a stage, and keeps which of them had one that was not corrected.
//!
//! ```text
//!  cycle n      upsets of the memories: registers
//!        n + 1  number of memories with an upset; the memories that had an uncorrectable one
//!        n + 2  counters
//! ```

use super::ram::Upsets;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, clog2, name_nets};

/// Width of a counter.
const COUNT_WIDTH: u32 = 32;

/// The upsets of all memories of a stage since reset.
#[derive(Bundle)]
pub struct SramReport<L: Reading> {
    /// Rows read in which a flipped bit was corrected, since reset. The counter wraps.
    pub corrected: Bits<L>,
    /// Rows read with two flipped bits in a word, which are not corrected, since reset. The counter wraps.
    pub uncorrectable: Bits<L>,
    /// One bit per memory: it had a row that was not corrected, since reset.
    pub faulty: Bits<L>,
}

/// Memories with an upset in one clock cycle.
#[derive(Bundle)]
#[shape(memories: u32)]
struct Found<L: Reading> {
    #[reset]
    #[width(clog2(u64::from(memories) + 1))]
    corrected: Bits<L>,
    #[reset]
    #[width(clog2(u64::from(memories) + 1))]
    uncorrectable: Bits<L>,
}

/// Counters of the upsets of some memories.
#[name_nets]
pub struct UpsetMonitor<L: Logic> {
    memories: u32,
    found: Reg<Found<L>>,
    corrected: Reg<Bits<L>>,
    uncorrectable: Reg<Bits<L>>,
    faulty: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> UpsetMonitor<L> {
    /// Counters for 1 to 64 memories; a memory with several read ports counts as several.
    pub fn new(memories: u32) -> Self {
        UpsetMonitor {
            memories,
            found: Reg::new(&Found::shape(memories)),
            corrected: Reg::new(&bits(COUNT_WIDTH)).with_reset(),
            uncorrectable: Reg::new(&bits(COUNT_WIDTH)).with_reset(),
            faulty: Reg::new(&bits(memories)).with_reset(),
        }
    }

    /// The upsets since reset.
    pub fn report(&self) -> SramReport<L> {
        SramReport {
            corrected: self.corrected.get(),
            uncorrectable: self.uncorrectable.get(),
            faulty: self.faulty.get(),
        }
    }

    /// One clock cycle: the upsets of all memories, that of bit 0 of `faulty` first.
    pub fn clock(&self, upsets: &[Upsets<L>]) {
        assert_eq!(upsets.len(), self.memories as usize, "the memories that are counted");
        let Found { corrected, uncorrectable } = self.found.get();
        self.corrected.set(self.corrected.get() + corrected.extend(COUNT_WIDTH));
        self.uncorrectable.set(self.uncorrectable.get() + uncorrectable.extend(COUNT_WIDTH));

        let all_corrected = side_by_side(upsets.iter().map(|upset| upset.corrected));
        let all_uncorrectable = side_by_side(upsets.iter().map(|upset| upset.uncorrectable));
        self.faulty.set(self.faulty.get() | all_uncorrectable);
        self.found.set(Found { corrected: all_corrected.count_ones(), uncorrectable: all_uncorrectable.count_ones() });
    }
}

/// The first one in bit 0.
fn side_by_side<L: Logic>(flags: impl Iterator<Item = Bits<L>>) -> Bits<L> {
    flags.reduce(|low, flag| flag.concat(low)).expect("there is a memory")
}
