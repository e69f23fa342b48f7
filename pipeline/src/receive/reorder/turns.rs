// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which connection is read next, and how many packets of it (row R10). With memories of latency `l`:
//!
//! ```text
//!  cycle p          pop: a connection from `fresh` or `again`, to `expected_view` and `claims`
//!        p + l      number of packets
//!        p + l + 1  claim: up to 16 of them; is there more?
//!        p + l + 2  the run to `runs`, the connection to `again` if there is more
//! ```
//!
//! A connection waits in one of the two queues while the bits of both sides differ. An arrival that moves the expected PSN
//! and finds them equal changes its bit and queues the connection; a turn after which nothing is left changes the other
//! one. Each side reads the memory of the other one some cycles before it decides, and knows what has been decided since:
//!
//! ```text
//!  arrival in steps 9 .. l + 9   a turn that claims leaves nothing of the same connection: its bit has changed
//!  turn in steps 0 .. l + 1      an arrival in step l + 10 moves the same connection: there is more
//! ```
//!
//! In the same clock cycle the arrival decides first. Both queues have room for all connections, and a connection is in at
//! most one of them, so neither can overflow.

use super::config::{PLACES, ReorderConfig, TURN};
use super::credits::Credits;
use super::found::Found;
use super::pass::{PASS, Pass};
use crate::blocks::fifo::Fifo;
use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::secded::{TableRam, Upsets};
use crate::blocks::table::{Access, WriteFirstRam};
use rtl_model::{Bits, Bundle, Logic, Pipeline, RamShape, Reading, Reg, across, bits, clog2, name_nets, select, when};

/// The pipeline of turns.
const CLAIM: Pipeline = Pipeline::new("turn");

/// Packets of one connection that are read one after the other.
#[derive(Bundle)]
#[shape(config: ReorderConfig)]
pub struct Run<L: Reading> {
    #[shape(config.connection())]
    pub connection: Bits<L>,
    #[shape(config.psn())]
    pub first: Bits<L>,
    /// Number of packets less one.
    #[width(clog2(TURN))]
    pub more: Bits<L>,
}

/// A turn in steps 0 to `l` + 1, or a connection that starts anew.
#[derive(Bundle)]
#[shape(config: ReorderConfig)]
struct Turn<L: Reading> {
    #[reset]
    valid: Bits<L>,
    #[reset]
    starts: Bits<L>,
    /// The row is swept.
    sweeps: Bits<L>,
    #[shape(config.connection())]
    connection: Bits<L>,
    #[shape(config.psn())]
    psn: Bits<L>,
}

/// The row of a connection on this side.
#[derive(Bundle)]
#[shape(config: ReorderConfig)]
struct Claims<L: Reading> {
    /// The next PSN that a turn claims.
    #[shape(config.psn())]
    next: Bits<L>,
    /// Differs from the bit of the arrivals while the connection waits.
    waits: Bits<L>,
}

/// What a turn has decided, in step `l` + 2.
#[derive(Bundle)]
struct Claimed<L: Reading> {
    /// There is a run.
    #[reset]
    valid: Bits<L>,
    /// The connection goes to the queue again.
    #[reset]
    again: Bits<L>,
    /// The row is written.
    #[reset]
    writes: Bits<L>,
    /// The bit is written to the copy that arrivals read.
    #[reset]
    writes_waits: Bits<L>,
    row: Claims<L>,
    run: Run<L>,
}

/// The queues of connections, and the turns.
#[name_nets]
pub struct Turns<L: Logic> {
    config: ReorderConfig,
    fresh: Fifo<L, Bits<L>>,
    again: Fifo<L, Bits<L>>,
    /// The next turn is of `again`, if both queues have a connection.
    prefers_again: Reg<Bits<L>>,
    /// The expected PSN.
    expected_view: WriteFirstRam<L, Bits<L>>,
    claims: TableRam<L, Claims<L>>,
    /// The bit of this side, for arrivals.
    waits_view: WriteFirstRam<L, Bits<L>>,
    /// Steps 1 to `l` + 1.
    turn: PipelineRegs<Turn<L>>,
    /// Steps 2 to `l` + 1: an arrival has moved the expected PSN since step 0.
    moved: PipelineRegs<Bits<L>>,
    row: Reg<Claims<L>>,
    /// The PSN behind a whole turn.
    next_turn: Reg<Bits<L>>,
    expected: Reg<Bits<L>>,
    /// The packets that the turn can claim, less one: up to a whole turn, and whether there are more.
    more: Reg<Bits<L>>,
    rest: Reg<Bits<L>>,
    claimed: Reg<Claimed<L>>,
    /// Steps 9 to `l` + 10 of an arrival: its connection is that of the turn in step `l` + 1.
    beside: PipelineRegs<Bits<L>>,
    /// Steps 10 to `l` + 9 of an arrival: the bit of its connection has changed since step 9.
    changed: PipelineRegs<Bits<L>>,
    /// Step `l` + 10 of an arrival: the bit of its connection.
    turn_waits: Reg<Bits<L>>,
    runs: Fifo<L, Run<L>>,
    /// Turns from their pop until the reader has taken their run.
    outstanding: Credits<L>,
    /// There is a place for one more, and no connection starts anew, whose row is written in the place of a turn.
    may_pop: Reg<Bits<L>>,
    /// The pass in step `l` + 11 sets the expected PSN.
    sets_expected: Reg<Bits<L>>,
}

#[name_nets]
impl<L: Logic> Turns<L> {
    pub fn new(config: ReorderConfig) -> Self {
        let ReorderConfig { connections, ram_latency: l, .. } = config;
        let ram = config.ram();
        let (flag, connection, psn) = (bits(1), config.connection(), config.psn());
        let claims = Claims::shape(config);
        let run = Run::shape(config);
        let turn = Turn::shape(config);
        Turns {
            config,
            fresh: Fifo::new(connections, ram, &connection),
            again: Fifo::new(connections, ram, &connection),
            prefers_again: Reg::new(&flag).with_reset(),
            expected_view: WriteFirstRam::new(connections, ram, 1, &psn),
            // A turn reads the row long after the last one has written it.
            claims: TableRam::new(ram, RamShape::new(connections).unused_on_collision(), &claims),
            waits_view: WriteFirstRam::new(connections, ram, 1, &flag),
            turn: PipelineRegs::new(1..=l + 1, &turn).checked(CLAIM),
            moved: PipelineRegs::new(2..=l + 1, &flag).checked(CLAIM),
            row: Reg::new(&claims),
            next_turn: Reg::new(&psn),
            expected: Reg::new(&psn),
            more: Reg::new(&run.more),
            rest: Reg::new(&flag),
            claimed: Reg::new(&Claimed {
                valid: flag,
                again: flag,
                writes: flag,
                writes_waits: flag,
                row: claims,
                run,
            }),
            beside: PipelineRegs::new(9..=l + 10, &flag).checked(PASS),
            changed: PipelineRegs::new(10..=l + 9, &flag).checked(PASS),
            turn_waits: Reg::new(&flag),
            runs: Fifo::new(PLACES, ram.latency(1), &run),
            outstanding: Credits::new(),
            may_pop: Reg::starting_at(&flag, Bits::lit(1, 1)).with_reset(),
            sets_expected: Reg::new(&flag).with_reset(),
        }
    }

    /// The bit of this side, for the arrival in step `l` + 10.
    pub fn turn_waits(&self) -> Bits<L> {
        self.turn_waits.get()
    }

    /// The next run, and whether there is one.
    pub fn run(&self) -> (Bits<L>, Run<L>) {
        (self.runs.valid(), self.runs.front())
    }

    /// What was wrong with rows that have been used: `fresh`, `again`, `expected_view`, `claims`, `waits_view`, `runs`.
    pub fn upsets(&self) -> Vec<Upsets<L>> {
        let queues = [self.fresh.upsets(), self.again.upsets()].concat();
        let rows = [self.expected_view.upsets(), self.claims.upsets(), self.waits_view.upsets()].concat();
        [queues, rows, self.runs.upsets()].concat()
    }

    /// One clock cycle: the passes in all steps, and what has been found of those in steps `l` + 10 and `l` + 11; the
    /// connection of the first one is to be queued if `fresh`; the reader takes a run; whether the connection of the pass in
    /// step 1 starts anew, and that of the one in step 0.
    pub fn clock(
        &self,
        passes: &[Pass<L>],
        [moving, moved]: [Found<L>; 2],
        fresh: Bits<L>,
        takes: Bits<L>,
        (starts, starts_next): (Bits<L>, Bits<L>),
    ) {
        let l = self.config.ram_latency;
        let at = |step: u32| passes[step as usize];
        let starting = at(1);
        let claiming = self.turn.at(l + 1);

        // l + 2
        let Claimed { valid, again, writes, writes_waits, row, run } = self.claimed.get();
        self.runs.clock(valid, || run, takes);
        when(writes, || self.claims.write(run.connection, row));

        // l + 1
        let leaves = self.claim(claiming, moving.moves & self.beside.last());

        // The steps of the arrivals beside it.
        let change = |step: u32| leaves & self.beside.at(step);
        let last = l + 9;
        let changed = self.changed.last() | change(last);
        self.turn_waits.set(self.waits_view.data(0) ^ changed);
        for step in (9..last).rev() {
            let before = if step == 9 { Bits::lit(1, 0) } else { self.changed.at(step) };
            self.changed.set(step + 1, before | change(step));
        }
        self.waits_view.check(0, at(last).arrives);
        self.waits_view.clock(
            &[passes[9].connection],
            Access { valid: writes_waits, index: run.connection },
            row.waits,
        );

        // 0
        let (has_fresh, has_again) = (self.fresh.valid(), self.again.valid());
        let pops = (has_fresh | has_again) & self.may_pop.get();
        let from_again = has_again & (self.prefers_again.get() | !has_fresh);
        let popped = select(from_again, self.again.front(), self.fresh.front());
        when(pops, || self.prefers_again.set(!from_again));
        let room = self.outstanding.clock(pops, takes);
        self.may_pop.set(room & !starts_next);
        self.again.clock(again, || run.connection, pops & from_again);
        self.fresh.clock(fresh, || at(l + 10).connection, pops & !from_again);

        // l
        let arrived = self.turn.at(l);
        // The sweep reads rows, also in the clock cycle in which it writes them, but does not use them.
        let used = arrived.valid & !arrived.sweeps;
        self.claims.check(0, used);
        self.expected_view.check(0, used);
        when(arrived.valid, || {
            let row = self.claims.data();
            self.row.set(row);
            self.next_turn.set(row.next + TURN);
            let expected = self.expected_view.data(0);
            self.expected.set(expected);
            let (count_bits, turn_bits) = (self.config.count_bits(), clog2(TURN));
            let more = expected.truncate(count_bits) + !row.next.truncate(count_bits);
            self.more.set(more.truncate(turn_bits));
            self.rest.set(more.slice(turn_bits, count_bits - turn_bits).any());
        });

        // 0 to l
        let connection = select(starts, starting.connection, popped);
        let turn = Turn { valid: pops | starts, starts, sweeps: starting.sweeps, connection, psn: starting.psn };
        let (moving_one, moved_one) = (across(at(l + 10).connection), across(at(l + 11).connection));
        for step in (1..=l).rev() {
            let connection = self.turn.at(step).connection;
            let moves = across(moving.moves) & moving_one.equals(connection);
            // In step 0 as well, whose connection is not yet in a register there.
            let before = match step {
                1 => across(moved.moves) & moved_one.equals(connection),
                _ => self.moved.at(step),
            };
            self.moved.set(step + 1, before | moves);
        }
        for step in 9..=l + 10 {
            self.beside.set(step, self.turn.at(l).connection.equals(at(step - 1).connection));
        }
        self.turn.shift(turn);
        self.claims.read(connection);
        self.claims.clock();
        let written = at(l + 11);
        let writes = Access { valid: self.sets_expected.get(), index: written.connection };
        self.expected_view.clock(&[connection], writes, moved.expected);
        let setting = at(l + 10);
        self.sets_expected.set(setting.arrives | setting.opens | setting.sweeps);
    }

    /// Step `l` + 1: a turn claims packets. The result is 1 if it leaves none; `moves` if an arrival moves the expected PSN
    /// of its connection.
    fn claim(&self, turn: Turn<L>, moves: Bits<L>) -> Bits<L> {
        let (row, expected, moved) = (self.row.get(), self.expected.get(), self.moved.last());
        let rest = self.rest.get();
        let more = self.more.get() | rest.extend_signed(clog2(TURN));
        let taken = turn.valid & !turn.starts;
        let again = taken & (rest | moved | moves);
        let leaves = taken & !again;
        let next = select(rest, self.next_turn.get(), expected);
        self.claimed.set(Claimed {
            valid: taken,
            again,
            writes: turn.valid,
            writes_waits: leaves | turn.valid & turn.sweeps,
            row: Claims { next: select(turn.starts, turn.psn, next), waits: (row.waits ^ leaves) & !turn.sweeps },
            run: Run { connection: turn.connection, first: row.next, more },
        });
        leaves
    }
}
