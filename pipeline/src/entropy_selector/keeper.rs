// SPDX-License-Identifier: MIT OR Apache-2.0
//! The life of each CCC: opens and closes it, reads it back, sweeps the table after reset, and kills marks before their
//! epoch comes round again. With memories of latency `l`:
//!
//! ```text
//!  operation   cycle 0 taken | 16 rows read | 16 + l rows here, decided | 18 + l life written, response
//!  patrol      cycle 0 rows read | l rows here, decided | l + 2 life written, next CCC
//! ```
//!
//! Every memory has one writer: the cursor is written by requests, marks by feedback, lifes here. So a CCC is opened
//! without touching the other two: its life says which of their rows are void. A cursor counts if its `turn` is the
//! life's, and opening takes the turn that the cursor has not. Marks count if their generation is none of the life's two
//! `dead` ones; opening, and the patrol when it finds marks too old to matter, declare their generation dead. An operation
//! waits until all that was under way when the one before took effect has been written. The patrol goes on while it waits.
//!
//! A smaller EV space forgets the marks of an open CCC (row S18), while feedback goes on. Feedback that the keeper does not
//! know of yet, and that the life before admits, has the generation that is known or, if its row starts anew, the one that
//! follows it; a second start is an epoch away. So both are declared dead. Both are sure only if all that feedback sees the
//! same dead ones, so the patrol leaves a CCC alone that is resized: resizing does its work.

use super::EntropySelectorConfig;
use super::epoch::{Age, Epochs, age, fill};
use super::modes::{MODE_WIDTH, Modes, Way};
use super::penalties::ageless;
use super::ports::{Control, Response, op};
use super::records::{Counts, Cursor, Life, Summary, ToldSummary, alive, marked, renewed};
use super::request::Heard;
use super::space::SPACE_WIDTH;
use super::ways::Ways;
use crate::update::Ask;
use crate::write_first::WriteFirst;
use rtl_model::{Bits, Bundle, Logic, Reading, Reg, Signal, bits, clog2, name_nets, select, when};

/// Clocks from an operation taken to its rows read, less one.
const WAIT: u64 = 15;

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
    way: Way<L>,
}

/// The keeper.
#[name_nets]
pub struct Keeper<L: Logic> {
    config: EntropySelectorConfig,
    lifes: WriteFirst<L, Life<L>>,
    seen: WriteFirst<L, Seen<L>>,
    ways: Option<Ways<L>>,
    sweeping: Reg<Bits<L>>,
    /// The CCC that is swept, or patrolled.
    row: Reg<Bits<L>>,
    /// Clock of the patrol.
    patrol: Reg<Bits<L>>,
    operation: Reg<Control<L>>,
    working: Reg<Bits<L>>,
    /// Clocks since the operation was taken, less one.
    timer: Reg<Bits<L>>,
    /// The rows of the operation are read in this clock.
    asks: Reg<Bits<L>>,
    write: [Reg<Write<L>>; 2],
    /// The response but for the marks, and their counts.
    decided: Reg<Response<L>>,
    decided_counts: Reg<Counts<L>>,
    decided_age: Reg<Age<L>>,
    response: Reg<Response<L>>,
}

/// Read ports of the lifes.
pub const REQUEST: usize = 0;
pub const FEEDBACK: usize = 1;
pub const KEEPER: usize = 2;

#[name_nets]
impl<L: Logic> Keeper<L> {
    pub fn new(config: EntropySelectorConfig) -> Self {
        let summary = config.summary();
        let seen = Seen { tag: summary.tag, generation: summary.generation, counts: config.counts() };
        let ports = config.input_shape();
        Keeper {
            config,
            lifes: WriteFirst::new(config.cccs, config.ram_latency, 3, &config.life()),
            seen: WriteFirst::new(config.cccs, config.ram_latency, 1, &seen),
            ways: (config.modes != Modes::BITMAP).then(|| Ways::new(config)),
            sweeping: Reg::starting_at(&bits(1), Bits::lit(1, 1)).with_reset(),
            row: Reg::new(&config.ccc()).with_reset(),
            patrol: Reg::new(&bits(clog2(u64::from(config.ram_latency) + 2))).with_reset(),
            operation: Reg::new(&ports.control),
            working: Reg::new(&bits(1)).with_reset(),
            timer: Reg::new(&bits(5)),
            asks: Reg::new(&bits(1)),
            write: [1, 2].map(|i| {
                let write = Write { valid: bits(1), ccc: config.ccc(), life: config.life(), way: config.way() };
                Reg::numbered(i, &write)
            }),
            decided: Reg::new(&config.response()),
            decided_counts: Reg::new(&config.counts()),
            decided_age: Reg::new(&Age { now: bits(1), young: bits(1) }),
            response: Reg::new(&config.response()),
        }
    }
}

#[name_nets]
impl<L: Logic> Keeper<L> {
    /// The life that a request asked for `l` cycles ago.
    pub fn request_life(&self) -> Life<L> {
        self.lifes.data(REQUEST)
    }

    /// The life that feedback asked for `l` cycles ago.
    pub fn feedback_life(&self) -> Life<L> {
        self.lifes.data(FEEDBACK)
    }

    /// The way of the CCC of [`Self::request_life`].
    pub fn request_way(&self) -> Way<L> {
        self.ways.as_ref().map_or_else(Way::bitmap, |ways| ways.of(REQUEST))
    }

    /// The way of the CCC of [`Self::feedback_life`].
    pub fn feedback_way(&self) -> Way<L> {
        self.ways.as_ref().map_or_else(Way::bitmap, |ways| ways.of(FEEDBACK))
    }

    /// The table is swept.
    pub fn busy(&self) -> Bits<L> {
        self.sweeping.get()
    }

    /// An operation can be taken.
    pub fn ready(&self) -> Bits<L> {
        !(self.sweeping.get() | self.working.get())
    }

    /// The answer.
    pub fn response(&self) -> Response<L> {
        self.response.get()
    }

    /// The CCC whose cursor the operation reads.
    pub fn asks_cursor(&self) -> Bits<L> {
        self.operation.get().ccc
    }

    /// One cycle. `served` are the CCCs of request and feedback, whose lifes are asked for; `cursor` is what `asks_cursor`
    /// asked for `l` cycles ago; `heard` is the feedback in step `l` + 6.
    pub fn clock(
        &self,
        control: Control<L>,
        served: [Bits<L>; 2],
        told: ToldSummary<L>,
        cursor: Cursor<L>,
        heard: Heard<L>,
        epochs: Epochs<L>,
    ) {
        let (sweeping, row, write) = (self.sweeping.get(), self.row.get(), self.write[1].get());
        let (working, timer, patrol) = (self.working.get(), self.timer.get(), self.patrol.get());
        let (latency, ready) = (u64::from(self.config.ram_latency), self.ready());
        let last = row.equals(self.config.cccs - 1);
        let next = select(last, Bits::lit(row.width(), 0), row + 1);

        let marked = marked(self.decided_counts.get(), self.decided_age.get());
        self.response.set(Response { marked, ..self.decided.get() });
        self.write[1].set(self.write[0].get());
        when(sweeping, || {
            self.row.set(next);
            self.sweeping.set(!last);
        });

        // The rows are here: decide.
        let (life, seen) = (self.lifes.data(KEEPER), self.seen.data(0));
        let operation = self.operation.get();
        let alive = alive(seen.generation, life.dead);
        let (way, opened_way) = match &self.ways {
            Some(ways) => (ways.of(KEEPER), ways.opened(operation.mode)),
            None => (Way::bitmap(), Way::bitmap()),
        };
        let mut age = age(seen.tag, epochs, alive);
        if self.config.modes.count() {
            age = ageless(age, alive, way.counts());
        }
        let decide = (working & timer.equals(WAIT + latency)).named("operation_decides");
        // Feedback on its way here may have renewed a row when it was young, in the epoch before: one epoch of grace.
        let grace = seen.tag.equals(epochs.past);
        let too_old = (alive & !age.young & !grace).named("marks_too_old");
        let inside = self.config.inside(operation.ccc);
        let size = self.config.space_of(operation.space);
        let built = self.config.modes.hold(operation.mode).named("mode_built");
        let built = (built & size.valid).named("can_be_opened");
        let opens = inside & operation.op.equals(op::OPEN) & built & !life.open;
        let closes = inside & operation.op.equals(op::CLOSE) & life.open;
        let reads = inside & operation.op.equals(op::READ);
        let resizes = inside & operation.op.equals(op::RESIZE) & size.valid & life.open;
        let spared = working & row.equals(operation.ccc) & resizes;
        let kills = (patrol.equals(latency) & too_old & !spared).named("patrol_kills");
        let opened = Life {
            open: Bits::lit(1, 1),
            turn: !cursor.turn,
            before: operation.start - 1,
            dead: [seen.generation, life.dead[1]],
            rod: operation.rod,
            space: size.space,
        };
        let closed = Life { open: Bits::lit(1, 0), ..life };
        let patrolled = Life { dead: [seen.generation, life.dead[1]], ..life };
        let shrinks = size.space.less(life.space).named("space_shrinks");
        let follower = select(shrinks, renewed(seen.generation, life.dead), life.dead[1]);
        let forgotten = select(shrinks | too_old, seen.generation, life.dead[0]);
        let resized = Life { space: size.space, dead: [forgotten, follower], ..life };
        let operated = select(opens, opened, select(resizes, resized, closed));
        self.write[0].set(Write {
            valid: kills | decide & (opens | closes | resizes),
            ccc: select(decide, operation.ccc, row),
            life: select(decide, operated, patrolled),
            way: select(decide & opens, opened_way, way),
        });
        let known = decide & reads & life.open;
        let at = select(cursor.turn.equals(life.turn), cursor.ev, life.before);
        // Read and resize leave it as it is.
        let keeps = operation.op.bit(0).equals(operation.op.bit(1));
        let opens_or_open = operation.op.equals(op::OPEN) & (built | life.open);
        self.decided.set(Response {
            valid: decide,
            op: operation.op,
            ccc: operation.ccc,
            done: opens | closes | reads | resizes,
            open: inside & select(keeps, life.open, opens_or_open),
            last: at & fill(known, self.config.ev_bits()),
            marked: Bits::lit(self.config.count_bits(), 0),
            mode: way.mode & fill(known, MODE_WIDTH),
            space: life.space.extend(SPACE_WIDTH) & fill(known, SPACE_WIDTH),
        });
        self.decided_counts.set(seen.counts);
        self.decided_age.set(Age { now: age.now, young: age.young & known });

        // The clocks of patrol and operation.
        let early = !timer.slice(3, 2).any();
        let starts = (!sweeping & patrol.equals(0) & (!working | early)).named("patrol_starts");
        when(starts | patrol.any(), || self.patrol.set(patrol + 1));
        when(patrol.equals(latency + 1), || {
            self.row.set(next);
            if !(latency + 2).is_power_of_two() {
                self.patrol.set(Bits::lit(patrol.width(), 0));
            }
        });
        self.timer.set(timer + 1);
        when(working & timer.equals(WAIT + latency + 1), || self.working.set(Bits::lit(1, 0)));
        when(ready & control.valid, || {
            self.operation.set(control);
            self.working.set(Bits::lit(1, 1));
            self.timer.set(Bits::lit(5, 0));
        });

        let asked = select(self.asks.get(), operation.ccc, row);
        self.asks.set(working & timer.equals(WAIT - 1));
        let (ccc, life) = (select(sweeping, row, write.ccc), write.life.gate(!sweeping));
        let (reads, write_life) =
            ([served[REQUEST], served[FEEDBACK], asked], Ask { valid: sweeping | write.valid, key: ccc });
        self.lifes.clock(&reads, write_life, life);
        if let Some(ways) = &self.ways {
            ways.clock(reads, write_life, write.way, heard);
        }
        let Summary { tag, generation, .. } = told.summary;
        let seen = Seen { tag, generation, counts: told.counts };
        self.seen.clock(&[asked], Ask { valid: told.valid, key: told.ccc }, seen);
    }
}
