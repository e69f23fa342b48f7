// SPDX-License-Identifier: MIT OR Apache-2.0
//! The outcomes (rows D13, D18, D22, D27 and D30). With memories of latency `l`:
//!
//! ```text
//!  l + 3 after a read of a walk     outcome     2 l + 9 of a NACK or an examination
//!  l + 4                            to the queue    2 l + 10
//! ```
//!
//! They never come together: a walk waits until all before it have had their effect.

use super::config::{OPEN, PacketTrackerConfig};
use super::outputs::Ending;
use super::pass::Record;
use super::ports::{Outcome, TIME_WIDTH, outcome_kind};
use super::releases::Release;
use super::serving::Serving;
use crate::blocks::fifo::Fifo;
use crate::blocks::open_count::OpenCount;
use crate::headers::uet::nack;
use rtl_model::{Bits, Logic, Reg, across, constant, name_nets, select};

/// A packet that a walk has read `l` + 3 clock cycles ago.
#[derive(Clone, Copy)]
pub struct Read<L: Logic> {
    pub release: Release<L>,
    pub psn: Bits<L>,
    pub record: Record<L>,
    pub age: Bits<L>,
}

/// The outcomes.
#[name_nets]
pub struct Outcomes<L: Logic> {
    outcome: Reg<Outcome<L>>,
    queue: Fifo<L, Outcome<L>>,
    open: OpenCount<L>,
}

#[name_nets]
impl<L: Logic> Outcomes<L> {
    pub fn new(config: PacketTrackerConfig) -> Self {
        Outcomes {
            outcome: Reg::new(&Outcome::shape(config)),
            queue: Fifo::new(OPEN, config.ram_latency, &Outcome::shape(config)),
            open: OpenCount::new(OPEN),
        }
    }

    /// The outcome that is output.
    pub fn outcome(&self) -> Outcome<L> {
        Outcome { valid: self.queue.valid(), ..self.queue.front() }
    }

    /// As many are open as may be; and some are.
    pub fn open(&self) -> (Bits<L>, Bits<L>) {
        (self.open.full(), self.open.any())
    }

    /// One clock cycle: one opens; an operation ends in step 2 `l` + 9; a packet that was read; a NACK or an
    /// examination is in step 2 `l` + 10; the outcome is taken.
    pub fn clock(&self, opens: Bits<L>, ending: &Ending<L>, read: Read<L>, ended: Bits<L>, ready: Bits<L>) {
        let outcome = self.outcome.get();
        self.open.clock(opens, self.queue.valid() & ready, ended & !outcome.valid);
        // There is room: no more than its rows are open.
        self.queue.clock(outcome.valid, || outcome, ready);
        self.outcome.set(self.of(ending, read));
    }

    fn of(&self, ending: &Ending<L>, read: Read<L>) -> Outcome<L> {
        let Ending { pass, walk, takes, load, .. } = *ending;
        let Serving { closes, agains, .. } = walk;
        let released = read.release.valid & !agains;
        let late = read.release.late;
        let code = |kind: rtl_model::Constant, is: Bits<L>| kind.lit(outcome_kind::WIDTH).gate(is);
        let of_walk = code(constant!(outcome_kind::LATE), !closes & late)
            | code(constant!(outcome_kind::DISCARDED), closes & !late)
            | code(constant!(outcome_kind::DISCARDED_LATE), closes & late);
        let (refused, unheard) = (pass.nacks & nack::is_retry(load.reason), pass.examines & ending.is_backoff);
        let no_room = refused | unheard;
        let of_pass = code(constant!(outcome_kind::NACK), pass.nacks & !refused)
            | code(constant!(outcome_kind::NO_ROOM), no_room)
            | code(constant!(outcome_kind::LOST), pass.examines & !unheard);
        let trigger = released & read.release.trigger;
        let nacks = !released & pass.nacks;
        let Record { size, rtx_count, ev, .. } = select(released, across(read.record), ending.found);
        let upper = walk.upper.zip(ending.room.upper).map(|(walk, pass)| select(released, walk, pass));
        let age = select(released, across(read.age), ending.age);
        let measured = trigger | nacks;
        let retx = select(released, walk.retx, load.retx);
        let first_time = !rtx_count.any() & !retx | rtx_count.equals(1) & retx;
        Outcome {
            valid: released | takes,
            pdc: select(released, walk.pdc, pass.pdc),
            ccc: select(released, walk.ccc, ending.owner.ccc),
            kind: select(released, of_walk, of_pass),
            psn: select(released, read.psn, pass.psn),
            ev: upper.map_or(ev, |upper| upper.concat(ev)),
            size,
            rtx_count,
            trigger,
            marked: walk.marked & trigger | load.marked & nacks,
            timed: measured & first_time & !age.bit(TIME_WIDTH - 1),
            age: age.gate(measured),
            at_base: !released & pass.examines & ending.room.at_base,
        }
    }
}
