// SPDX-License-Identifier: MIT OR Apache-2.0
//! The life of each CCC: opens and closes it, reads it back, sweeps the table after reset, and kills marks before their
//! epoch comes round again.
//!
//! ```text
//!  operation   cycle 0 taken | 16 rows read | 18 rows here, decided | 19 life written | 20 response
//!  patrol      cycle 0 rows read | 2 rows here, decided | 3 life written | 4 next CCC
//! ```
//!
//! Every memory has one writer: the cursor is written by requests, marks by feedback, lifes here. So a CCC is opened
//! without touching the other two: its life says which of their rows are void. A cursor counts if its `turn` is the
//! life's, and opening takes the turn that the cursor has not. Marks count if their generation is not the life's `dead`
//! one; opening, and the patrol when it finds marks too old to matter, declare their generation dead. An operation waits
//! until all that was under way when the one before took effect has been written. The patrol goes on while it waits.

use super::EntropySelectorConfig;
use super::epoch::{age, fill};
use super::marks::{Counts, ToldSummary};
use super::ports::{Control, Response, op};
use super::walk::Cursor;
use crate::update::Ask;
use rtl_model::{Bits, Bundle, Logic, Ram, RamShape, Reading, Reg, Shape, Signal, bits, select, when};

/// Clocks from an operation taken to its rows read, less one.
const WAIT: u64 = 15;

/// The life of a CCC.
#[derive(Bundle)]
pub struct Life<L: Reading> {
    /// It is open.
    pub open: Bits<L>,
    /// The cursor counts if it has the same.
    pub turn: Bits<L>,
    /// The EV before the first.
    pub before: Bits<L>,
    /// The generation of marks that do not count.
    pub dead: Bits<L>,
}

/// The keeper's copy of what feedback tells, without the words written.
#[derive(Bundle)]
struct Seen<L: Reading> {
    tag: Bits<L>,
    generation: Bits<L>,
    counts: Counts<L>,
}

/// A life to be written.
#[derive(Bundle)]
struct Write<L: Reading> {
    #[reset]
    valid: Bits<L>,
    ccc: Bits<L>,
    life: Life<L>,
}

/// The keeper.
pub struct Keeper<L: Logic> {
    config: EntropySelectorConfig,
    lifes: Ram<Life<L>>,
    seen: Ram<Seen<L>>,
    sweeping: Reg<Bits<L>>,
    /// The CCC that is swept, or patrolled.
    row: Reg<Bits<L>>,
    /// Clock of the patrol.
    patrol: Reg<Bits<L>>,
    operation: Reg<Control<L>>,
    working: Reg<Bits<L>>,
    /// Clocks since the operation was taken, less one.
    timer: Reg<Bits<L>>,
    write: Reg<Write<L>>,
    decided: Reg<Response<L>>,
    response: Reg<Response<L>>,
}

/// Read ports of the lifes.
const REQUEST: usize = 0;
const FEEDBACK: usize = 1;
const KEEPER: usize = 2;

impl EntropySelectorConfig {
    fn life(self) -> Life<Shape> {
        Life { open: bits(1), turn: bits(1), before: bits(self.ev_bits()), dead: bits(2) }
    }
}

impl<L: Logic> Keeper<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        let ram = RamShape::new(config.cccs).read_first();
        let summary = config.summary();
        let seen = Seen { tag: summary.tag, generation: summary.generation, counts: config.counts() };
        let ports = config.input_shape();
        Keeper {
            config,
            lifes: Ram::new("lifes", ram.reads(3), &config.life()),
            seen: Ram::new("seen", ram, &seen),
            sweeping: Reg::starting_at("sweeping", &bits(1), Bits::lit(1, 1)),
            row: Reg::new("keeper_row", &config.ccc()),
            patrol: Reg::new("patrol", &bits(2)),
            operation: Reg::new("operation", &ports.control),
            working: Reg::new("working", &bits(1)),
            timer: Reg::new("timer", &bits(5)),
            write: Reg::new("life", &Write { valid: bits(1), ccc: config.ccc(), life: config.life() }),
            decided: Reg::new("decided", &config.response()),
            response: Reg::new("response", &config.response()),
        }
    }
}

impl<L: Logic> Keeper<L> {
    /// The life that a request asked for two cycles ago.
    #[inline(always)]
    pub fn request_life(&self) -> Life<L> {
        self.lifes.data_port(REQUEST)
    }

    /// The life that feedback asked for two cycles ago.
    #[inline(always)]
    pub fn feedback_life(&self) -> Life<L> {
        self.lifes.data_port(FEEDBACK)
    }

    /// The table is swept.
    #[inline(always)]
    pub fn busy(&self) -> Bits<L> {
        self.sweeping.get()
    }

    /// An operation can be taken.
    #[inline(always)]
    pub fn ready(&self) -> Bits<L> {
        !(self.sweeping.get() | self.working.get())
    }

    /// The answer.
    #[inline(always)]
    pub fn response(&self) -> Response<L> {
        self.response.get()
    }

    /// The cursor that the operation reads.
    #[inline(always)]
    pub fn asks_cursor(&self) -> Ask<L> {
        Ask { valid: self.working.get() & self.timer.get().equals(WAIT), key: self.operation.get().ccc }
    }

    /// One cycle. `request` and `feedback` ask for lifes, `cursor` is what `asks_cursor` gave two cycles ago.
    #[inline(always)]
    pub fn clock(
        &self,
        control: Control<L>,
        request: Ask<L>,
        feedback: Ask<L>,
        told: ToldSummary<L>,
        cursor: Cursor<L>,
        epoch: Bits<L>,
    ) {
        let (sweeping, row, write) = (self.sweeping.get(), self.row.get(), self.write.get());
        let (working, timer, patrol) = (self.working.get(), self.timer.get(), self.patrol.get());
        let ready = self.ready();
        let last = row.equals(self.config.cccs - 1);
        let next = select(last, Bits::lit(row.width(), 0), row + 1);

        self.response.set(self.decided.get());
        when(sweeping, || {
            self.lifes.write(row, Life::zero(&self.config.life()));
            self.row.set(next);
            self.sweeping.set(!last);
        })
        .or_when(write.valid, || self.lifes.write(write.ccc, write.life));

        // The rows are here: decide.
        let (life, seen) = (self.lifes.data_port(KEEPER), self.seen.data());
        let alive = seen.generation.differs(life.dead);
        let (current, young) = age(seen.tag, epoch);
        let held = [alive & current, alive & young];
        let operation = self.operation.get();
        let decide = (working & timer.equals(WAIT + 2)).named("operation_decides");
        // Feedback on its way here may have renewed a row when it was young, in the epoch before: one epoch of grace.
        let grace = (seen.tag + 2).equals(epoch);
        let too_old = (patrol.equals(2) & alive & !young & !grace).named("marks_too_old");
        let marked = self.marked(seen.counts, held, epoch);
        let inside = self.config.inside(operation.ccc);
        let opens = inside & operation.op.equals(op::OPEN) & !life.open;
        let closes = inside & operation.op.equals(op::CLOSE) & life.open;
        let reads = inside & operation.op.equals(op::READ);
        let opened =
            Life { open: Bits::lit(1, 1), turn: !cursor.turn, before: operation.start - 1, dead: seen.generation };
        let closed = Life { open: Bits::lit(1, 0), ..life };
        let patrolled = Life { dead: seen.generation, ..life };
        self.write.set(Write {
            valid: too_old | decide & (opens | closes),
            ccc: select(decide, operation.ccc, row),
            life: select(decide, select(opens, opened, closed), patrolled),
        });
        let known = reads & life.open;
        let at = select(cursor.turn.equals(life.turn), cursor.ev, life.before);
        let known_op = inside & operation.op.differs(3);
        self.decided.set(Response {
            valid: decide,
            op: operation.op,
            ccc: operation.ccc,
            done: opens | closes | reads,
            open: known_op & select(operation.op.equals(op::READ), life.open, operation.op.equals(op::OPEN)),
            last: at & fill(known, self.config.ev_bits()),
            marked: marked & fill(known, self.config.count_bits()),
        });

        // The clocks of patrol and operation.
        let early = !timer.slice(3, 2).any();
        let starts = (!sweeping & patrol.equals(0) & (!working | early)).named("patrol_starts");
        when(starts | patrol.any(), || self.patrol.set(patrol + 1));
        when(patrol.equals(3), || self.row.set(next));
        let asks = working & timer.equals(WAIT);
        when(starts | asks, || {
            self.lifes.read_port(KEEPER, select(starts, row, operation.ccc));
            self.seen.read(select(starts, row, operation.ccc));
        });
        self.timer.set(timer + 1);
        when(working & timer.equals(WAIT + 3), || self.working.set(Bits::lit(1, 0)));
        when(ready & control.valid, || {
            self.operation.set(control);
            self.working.set(Bits::lit(1, 1));
            self.timer.set(Bits::lit(5, 0));
        });

        when(request.valid, || self.lifes.read_port(REQUEST, request.key));
        when(feedback.valid, || self.lifes.read_port(FEEDBACK, feedback.key));
        when(told.valid, || {
            let summary = told.summary;
            self.seen.write(told.ccc, Seen { tag: summary.tag, generation: summary.generation, counts: told.counts });
        });
        self.lifes.clock();
        self.seen.clock();
    }

    /// EVs with a mark in force.
    #[inline(always)]
    fn marked(&self, counts: Counts<L>, held: [Bits<L>; 2], epoch: Bits<L>) -> Bits<L> {
        let ([even, odd], [current, before], is_odd) = (counts.marks, held, epoch.bit(0));
        let width = self.config.count_bits();
        (select(is_odd, odd, even) & fill(current, width)) + (select(is_odd, even, odd) & fill(before, width))
    }

    pub fn reset(&self) {
        self.sweeping.reset();
        self.row.reset();
        self.patrol.reset();
        self.working.reset();
        self.write.reset();
        self.decided.reset();
        self.response.reset();
    }
}
