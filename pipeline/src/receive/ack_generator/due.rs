// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which connections are due (rows G16 and G17): their queue, and a bit for each on the side of takes. A connection is due
//! while that bit differs from the one in its row. With memories of latency `l`:
//!
//! ```text
//!  pass in step 5       connection to `taken`
//!          5 .. l + 5   a take of the same connection changes its bit
//!          l + 6        the bit as of all takes before
//!          l + 7        a connection that became due to `queue`
//!  take in step 0       the front of `queue`
//!          1            its bit to `taken`
//! ```

use super::config::AckGeneratorConfig;
use super::pass::{PASS, Pass};
use crate::blocks::fifo::Fifo;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::{Access, WriteFirstRam};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, bits, name_nets, select};

/// A connection that is due.
#[derive(Bundle)]
#[shape(config: AckGeneratorConfig)]
pub struct DueEntry<L: Reading> {
    #[shape(config.connection())]
    pub connection: Bits<L>,
    /// The bit in its row.
    pub toggle: Bits<L>,
}

/// The connections that are due.
#[name_nets]
pub struct Due<L: Logic> {
    latency: u32,
    queue: Fifo<L, DueEntry<L>>,
    /// The bits on the side of takes.
    taken: WriteFirstRam<L, Bits<L>>,
    /// Steps 6 to `l` + 5: a take has changed the bit.
    changed: PipelineRegs<Bits<L>>,
    /// Step `l` + 6.
    taken_bit: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Due<L> {
    pub fn new(config: AckGeneratorConfig) -> Self {
        let (flag, l) = (bits(1), config.ram_latency);
        Due {
            latency: l,
            queue: Fifo::new(config.connections, l, &DueEntry::shape(config)),
            taken: WriteFirstRam::new(config.connections, l, 1, &flag),
            changed: PipelineRegs::new(6..=l + 5, &flag).checked(PASS),
            taken_bit: Reg::new(&flag),
        }
    }

    /// There is a connection that is due.
    pub fn valid(&self) -> Bits<L> {
        self.queue.valid()
    }

    /// The first one.
    pub fn front(&self) -> DueEntry<L> {
        self.queue.front()
    }

    /// The bit on the side of takes for the pass in step `l` + 6.
    pub fn taken_bit(&self) -> Bits<L> {
        self.taken_bit.get()
    }

    /// One clock cycle: the passes in all steps; one is queued from step `l` + 7; the front is taken, and what was taken in the
    /// clock cycle before is written.
    pub fn clock(
        &self,
        passes: &[Pass<L>],
        (queued, entry): (Bits<L>, DueEntry<L>),
        takes: Bits<L>,
        (was_taken, taken): (Bits<L>, DueEntry<L>),
    ) {
        let (l, front) = (self.latency, self.queue.front());
        let hit = |step: u32| takes & passes[step as usize].connection.equals(front.connection);
        self.taken_bit.set(self.taken.data(0) ^ (self.changed.last() | hit(l + 5)));
        for step in (5..l + 5).rev() {
            let before = if step == 5 { Bits::lit(1, 0) } else { self.changed.at(step) };
            self.changed.set(step + 1, before | hit(step));
        }
        let swept = passes[1];
        let write =
            Access { valid: was_taken | swept.sweeps, index: select(swept.sweeps, swept.connection, taken.connection) };
        self.taken.clock(&[passes[5].connection], write, taken.toggle & !swept.sweeps);
        self.queue.clock(queued, || entry, takes);
    }
}
