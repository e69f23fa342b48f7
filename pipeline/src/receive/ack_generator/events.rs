// SPDX-License-Identifier: MIT OR Apache-2.0
//! The port of events: one at a time, which waits until its pass can enter, and stays until it is done (row G12).
//!
//! Where the expected PSN is, seen from its gap, is found beside the row, whose comparison would be the longest path of the
//! stage.
//! With memories of latency `l`:
//!
//! ```text
//!  pass of the event   2            its connection to `expected`, which passes write in step l + 7
//!                      l + 2        the PSN to a register
//!                      l + 3        is it behind the first PSN, is it before the last one?
//!  pass of an arrival  l + 4        the same for the PSN that it may set
//!                      l + 6        it takes the place of what was known
//! ```

use super::config::AckGeneratorConfig;
use super::pass::{PASS, Pass};
use super::ports::{AckGeneratorIn, Event};
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::table::{Access, WriteFirstRam};
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, across, bits, name_nets, select, when};

/// Where a PSN is, seen from the gap.
#[derive(Bundle)]
#[shape]
pub struct Sides<L: Reading> {
    /// It is the first one, or behind it.
    pub from_first: Bits<L>,
    /// It is the last one, or before it.
    pub to_last: Bits<L>,
}

/// The event in progress.
#[name_nets]
pub struct Events<L: Logic> {
    /// Its pass has not entered.
    waits: Reg<Bits<L>>,
    in_progress: Reg<Bits<L>>,
    event: Reg<Event<L>>,
    /// The expected PSNs.
    expected: WriteFirstRam<L, Bits<L>>,
    /// Step `l` + 3: what was read of them.
    read_expected: Reg<Bits<L>>,
    /// Where the expected PSN of its connection is, and that it has been set since step 2 of its pass.
    sides: Reg<Sides<L>>,
    moved: Reg<Bits<L>>,
    /// Steps `l` + 5 and `l` + 6: where the PSN is that the pass may set.
    set_sides: PipelineRegs<Sides<L>>,
    /// Step `l` + 6: its connection is that of the event.
    beside: Reg<Bits<L>>,
    latency: usize,
}

#[name_nets]
impl<L: Logic> Events<L> {
    pub fn new(config: AckGeneratorConfig) -> Self {
        let (flag, l) = (bits(1), config.ram_latency);
        Events {
            waits: Reg::new(&flag).with_reset(),
            in_progress: Reg::new(&flag).with_reset(),
            event: Reg::new(&AckGeneratorIn::shape(config).event),
            expected: WriteFirstRam::new(config.connections, l, 1, &config.psn()),
            read_expected: Reg::new(&config.psn()),
            sides: Reg::new(&Sides::shape()),
            moved: Reg::new(&flag),
            set_sides: PipelineRegs::new(l + 5..=l + 6, &Sides::shape()).checked(PASS),
            beside: Reg::new(&flag),
            latency: l as usize,
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

    /// Where this PSN is, at most half of all PSNs away.
    fn locate(&self, psn: Bits<L>) -> Sides<L> {
        let Event { first, last, .. } = self.event.get();
        let is_from = |psn: Bits<L>, other: Bits<L>| !(psn - other).bit(psn.width() - 1);
        Sides { from_first: is_from(psn, first), to_last: is_from(last, psn) }
    }

    /// Where the expected PSN of its connection is, as its pass finds it in step `l` + 6.
    pub fn sides(&self) -> Sides<L> {
        self.sides.get()
    }

    /// One clock cycle: the passes in all steps; that in step `l` + 6 sets the expected PSN if `updates`, and that in step `l` + 7
    /// has left this PSN.
    pub fn compare(&self, passes: &[Pass<L>], updates: Bits<L>, written: Bits<L>) {
        let l = self.latency;
        let sets = updates & self.beside.get();
        let compared = across(passes[l + 3]).reports & !self.moved.get();
        let sides = select(compared, self.locate(self.read_expected.get()), self.sides.get());
        // Not a select: synthesis would make an enable of it, behind all that it takes to find `sets`.
        let set = across(self.set_sides.last());
        self.sides.set(Sides {
            from_first: sets & set.from_first | !sets & sides.from_first,
            to_last: sets & set.to_last | !sets & sides.to_last,
        });
        self.moved.set((sets | self.moved.get()) & !across(passes[1]).reports);
        self.beside.set(passes[l + 5].connection.equals(self.event.get().connection));
        self.set_sides.shift(self.locate(passes[l + 4].expected));
        self.read_expected.set(self.expected.data(0));
        let Access { valid, index } = passes[l + 7].access();
        self.expected.clock(&[passes[2].connection], Access { valid, index }, written);
    }

    /// One clock cycle: an event is accepted, its pass enters, or it is done.
    pub fn clock(&self, accepts: Bits<L>, event: Event<L>, enters: Bits<L>, done: Bits<L>) {
        let (yes, no) = (Bits::lit(1, 1), Bits::lit(1, 0));
        when(enters, || self.waits.set(no));
        self.in_progress.set(accepts | self.in_progress.get() & !done);
        when(accepts, || {
            self.event.set(event);
            self.waits.set(yes);
        });
    }
}
