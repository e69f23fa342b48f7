// SPDX-License-Identifier: MIT OR Apache-2.0
//! The port of events: one at a time, which waits until its pass can enter, and stays until it is done (row G12).
//!
//! Whether the expected PSN is in its gap is found beside the row, whose comparison would be the longest path of the stage.
//! With memories of latency `l`:
//!
//! ```text
//!  pass of the event   2            its connection to `expected`, which passes write in step l + 7
//!                      l + 2        the PSN to a register
//!                      l + 3        it is in the gap, or not
//!  pass of an arrival  l + 4        the same for the PSN that it may set: compared with the first PSN and the last one
//!                      l + 5        from both
//!                      l + 6        it takes the place of what was known
//! ```

use super::config::AckGeneratorConfig;
use super::pass::Pass;
use super::ports::{AckGeneratorIn, Event};
use crate::blocks::table::{Access, WriteFirstRam};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, across, bits, name_nets, select, when};

/// Where a PSN is, seen from the gap.
#[derive(Bundle)]
#[shape]
struct Sides<L: Reading> {
    /// It is the first one, or greater.
    from_first: Bits<L>,
    /// It is the last one, or less.
    to_last: Bits<L>,
}

/// The event in progress.
#[name_nets]
pub struct Events<L: Logic> {
    /// Its pass has not entered.
    waits: Reg<Bits<L>>,
    in_progress: Reg<Bits<L>>,
    event: Reg<Event<L>>,
    /// Its first PSN is not greater than the last one.
    ascends: Reg<Bits<L>>,
    /// The expected PSNs.
    expected: WriteFirstRam<L, Bits<L>>,
    /// Step `l` + 3: what was read of them.
    read_expected: Reg<Bits<L>>,
    /// The expected PSN of its connection is in the gap, and has been set since step 2 of its pass.
    gap: Reg<Bits<L>>,
    moved: Reg<Bits<L>>,
    /// Step `l` + 5: where the PSN is that the pass may set.
    sides: Reg<Sides<L>>,
    /// Step `l` + 6: this PSN is in the gap, and its connection is that of the event.
    beside: Reg<Bits<L>>,
    sets_gap: Reg<Bits<L>>,
    latency: usize,
}

#[name_nets]
impl<L: Logic> Events<L> {
    pub fn new(config: AckGeneratorConfig) -> Self {
        let flag = bits(1);
        Events {
            waits: Reg::new(&flag).with_reset(),
            in_progress: Reg::new(&flag).with_reset(),
            event: Reg::new(&AckGeneratorIn::shape(config).event),
            ascends: Reg::new(&flag),
            expected: WriteFirstRam::new(config.connections, config.ram_latency, 1, &config.psn()),
            read_expected: Reg::new(&config.psn()),
            gap: Reg::new(&flag),
            moved: Reg::new(&flag),
            sides: Reg::new(&Sides::shape()),
            beside: Reg::new(&flag),
            sets_gap: Reg::new(&flag),
            latency: config.ram_latency as usize,
        }
    }

    /// An event can be taken, but for the sweep.
    pub fn idle(&self) -> Bits<L> {
        !self.in_progress.get()
    }

    /// Its pass has not entered.
    pub fn waits(&self) -> Bits<L> {
        self.waits.get()
    }

    /// The event in progress.
    pub fn event(&self) -> Event<L> {
        self.event.get()
    }

    /// Where this PSN is.
    fn sides(&self, psn: Bits<L>) -> Sides<L> {
        let Event { first, last, .. } = self.event.get();
        Sides { from_first: psn.at_least(first), to_last: psn.at_most(last) }
    }

    /// 1 if a PSN is not before the first PSN of the gap, and not behind the last: (PSN - first) is at most (last - first).
    fn has(&self, sides: Sides<L>) -> Bits<L> {
        let Sides { from_first, to_last } = sides;
        select(self.ascends.get(), from_first & to_last, from_first | to_last)
    }

    /// The expected PSN of its connection is in the gap, as its pass finds it in step `l` + 6.
    pub fn in_gap(&self) -> Bits<L> {
        self.gap.get()
    }

    /// One clock cycle: the passes in all steps; that in step `l` + 6 sets the expected PSN if `updates`, and that in step `l` + 7
    /// has left this PSN.
    pub fn compare(&self, passes: &[Pass<L>], updates: Bits<L>, written: Bits<L>) {
        let l = self.latency;
        let sets = updates & self.beside.get();
        let compared = across(passes[l + 3]).reports & !self.moved.get();
        let gap = select(compared, self.has(self.sides(self.read_expected.get())), self.gap.get());
        // Not a select: synthesis would make an enable of it, behind all that it takes to find `sets`.
        self.gap.set(sets & self.sets_gap.get() | !sets & gap);
        self.moved.set((sets | self.moved.get()) & !across(passes[1]).reports);
        self.beside.set(passes[l + 5].connection.equals(self.event.get().connection));
        self.sets_gap.set(self.has(self.sides.get()));
        self.sides.set(self.sides(passes[l + 4].expected));
        self.read_expected.set(self.expected.data(0));
        let Access { valid, index } = passes[l + 7].access();
        self.expected.clock(&[passes[2].connection], Access { valid, index }, written);
    }

    /// One clock cycle: an event is accepted, its pass enters, or it is done.
    pub fn clock(&self, accepts: Bits<L>, event: Event<L>, enters: Bits<L>, done: Bits<L>) {
        let (yes, no) = (Bits::lit(1, 1), Bits::lit(1, 0));
        let Event { first, last, .. } = self.event.get();
        self.ascends.set(first.at_most(last));
        when(enters, || self.waits.set(no));
        self.in_progress.set(accepts | self.in_progress.get() & !done);
        when(accepts, || {
            self.event.set(event);
            self.waits.set(yes);
        });
    }
}
