// SPDX-License-Identifier: MIT OR Apache-2.0
//! Commands, and the placement of keys that wait in the stash. Both work in rounds on one key, that in `hand`. With
//! memories of latency `l`:
//!
//! ```text
//!  step 0      rows of the key in the hand computed        command accepted one cycle before
//!       1      rows read, on the port of their own
//!       l + 1  rows and stash compared; row that may be displaced to `victim`
//!       l + 2  decided
//!       l + 3  row written, or stash changed               command: response
//!       l + 4  next: victim to the hand, front of the stash to the hand, or ready for a command
//! ```
//!
//! What look-ups see changes at the end of step `l` + 3 only, in all places at once, and one key at most:
//!
//! ```text
//!                      before           in step l + 4                   then
//!  insert              -                row, hand (for collisions)      row
//!  insert              -                stash                           stash
//!  remove              row or stash     -                               -
//!  placed              hand             row, hand (for collisions)      row
//!  displaced by it     row              victim                          hand
//!  not placed          hand             stash                           stash
//! ```
//!
//! A look-up that reads a row in the clock cycle in which it is written takes it for empty. It compares the registers one
//! clock cycle later, in step `l` + 4, so it finds the new key in the hand and the displaced one in the victim register.
//! A look-up that reads later finds the new key in the row, and compares the hand when that no longer holds it.

use super::config::{ContextLookupConfig, MAX_MOVES, STASH, SUB_TABLES};
use super::hash::RowHash;
use super::lookups::included;
use super::ports::{Command, OP_WIDTH, Response, op};
use super::records::{Entry, Key};
use super::stash::Stash;
use super::sub_tables::{RowWrite, chosen, each, entry_of, lowest};
use crate::blocks::pipeline_regs::PipelineRegs;
use rtl_model::{Bits, Bundle, Logic, Pipeline, Reading, Reg, bits, clog2, constant, name_nets, select, when};

/// The pipeline of rounds.
const ROUND: Pipeline = Pipeline::new("round");

/// Number of registers outside of the sub-tables that hold keys: the stash, the hand and the victim.
pub const REGISTERS: usize = STASH + 2;

/// What a round changes, in step `l` + 3; all 0 in other steps.
#[derive(Bundle)]
struct Outcome<L: Reading> {
    /// One bit per sub-table: the row is written.
    #[reset]
    tables: Bits<L>,
    /// The row becomes empty.
    clears: Bits<L>,
    /// The key in the row is displaced.
    #[reset]
    displaces: Bits<L>,
    /// The key in the hand goes to the back of the stash.
    #[reset]
    pushes: Bits<L>,
    /// One bit per place of the stash: its key is removed.
    #[reset]
    taken_out: Bits<L>,
}

/// Commands and placements.
#[name_nets]
pub struct Commands<L: Logic> {
    config: ContextLookupConfig,
    sweeping: Reg<Bits<L>>,
    sweep_row: Reg<Bits<L>>,
    in_progress: Reg<Bits<L>>,
    /// Steps 0 to `l` + 4: there is a round in this step, of one at a time.
    round: PipelineRegs<Bits<L>>,
    op: Reg<Bits<L>>,
    /// The kind of the command is included.
    included: Reg<Bits<L>>,
    /// The round belongs to a placement.
    placing: Reg<Bits<L>>,
    /// The key that the round works on; `valid` if look-ups see it.
    hand: Reg<Entry<L>>,
    /// From step 1 on: the row of the key in each sub-table.
    rows: [Reg<Bits<L>>; SUB_TABLES],
    /// From step `l` + 2 on: the row that may be displaced; `valid` if it is, and look-ups see it.
    victim: Reg<Entry<L>>,
    /// Step `l` + 2: one bit per sub-table or place of the stash.
    row_matches: Reg<Bits<L>>,
    empty_rows: Reg<Bits<L>>,
    stash_matches: Reg<Bits<L>>,
    outcome: Reg<Outcome<L>>,
    /// Step `l` + 4: the command has changed the table.
    changed: Reg<Bits<L>>,
    /// The sub-table in which the next key is displaced.
    turn: Reg<Bits<L>>,
    /// Keys displaced in this placement.
    moves: Reg<Bits<L>>,
    stash: Stash<L>,
    response: Reg<Response<L>>,
}

#[name_nets]
impl<L: Logic> Commands<L> {
    pub fn new(config: ContextLookupConfig) -> Self {
        let (flag, tables, l) = (bits(1), bits(SUB_TABLES as u32), config.ram_latency);
        let outcome = Outcome { tables, clears: flag, displaces: flag, pushes: flag, taken_out: bits(STASH as u32) };
        Commands {
            config,
            sweeping: Reg::starting_at(&flag, Bits::lit(1, 1)).with_reset(),
            sweep_row: Reg::new(&config.row()).with_reset(),
            in_progress: Reg::new(&flag).with_reset(),
            round: PipelineRegs::new(0..=l + 4, &flag).checked(ROUND).with_reset(),
            op: Reg::new(&bits(OP_WIDTH)),
            included: Reg::new(&flag),
            placing: Reg::new(&flag).with_reset(),
            hand: Reg::new(&Entry::shape(config)),
            rows: [0, 1, 2, 3].map(|table| Reg::numbered(table, &config.row())),
            victim: Reg::new(&Entry::shape(config)),
            row_matches: Reg::new(&tables),
            empty_rows: Reg::new(&tables),
            stash_matches: Reg::new(&bits(STASH as u32)),
            outcome: Reg::new(&outcome),
            changed: Reg::new(&flag),
            turn: Reg::new(&bits(clog2(SUB_TABLES as u64))).with_reset(),
            moves: Reg::new(&bits(clog2(MAX_MOVES + 1))),
            stash: Stash::new(config),
            response: Reg::new(&Response::shape(config)),
        }
    }

    /// 1 while the table is emptied after reset.
    pub fn sweeping(&self) -> Bits<L> {
        self.sweeping.get()
    }

    /// 1 if a command can be accepted.
    pub fn ready(&self) -> Bits<L> {
        !(self.sweeping.get() | self.in_progress.get())
    }

    pub fn response(&self) -> Response<L> {
        self.response.get()
    }

    /// All registers that hold keys, for look-ups to compare.
    pub fn registers(&self) -> Vec<Entry<L>> {
        let mut registers = self.stash.entries();
        registers.push(self.hand.get());
        registers.push(self.victim.get());
        registers
    }

    /// 1 if the rows in [`Self::rows`] are read in this clock cycle.
    pub fn reads(&self) -> Bits<L> {
        self.round.at(1)
    }

    /// The row of the key in each sub-table.
    pub fn rows(&self) -> [Bits<L>; SUB_TABLES] {
        Reg::get_all(&self.rows)
    }

    /// What is written into the sub-tables in this clock cycle.
    pub fn write(&self) -> RowWrite<L> {
        let (sweeping, outcome, hand) = (self.sweeping.get(), self.outcome.get(), self.hand.get());
        let sweep_row = self.sweep_row.get();
        RowWrite {
            tables: outcome.tables | sweeping.extend_signed(SUB_TABLES as u32),
            rows: self.rows().map(|row| select(sweeping, sweep_row, row)),
            entry: Entry { valid: !(sweeping | outcome.clears), ..hand },
        }
    }

    /// One clock cycle: `command` is offered, `entries` are the rows that were read.
    pub fn clock(&self, command: Command<L>, hash: &RowHash, entries: [Entry<L>; SUB_TABLES]) {
        let l = self.config.ram_latency;
        let [computes, compares, decides, changes, continues] =
            [0, l + 1, l + 2, l + 3, l + 4].map(|step| self.round.at(step));
        let (hand, victim, outcome) = (self.hand.get(), self.victim.get(), self.outcome.get());
        let (moves, turn, front, changed) = (self.moves.get(), self.turn.get(), self.stash.front(), self.changed.get());
        let accepted = command.valid & self.ready();
        let stash_matches = self.stash.matches(hand.key);
        let (one, zero) = (Bits::lit(1, 1), Bits::lit(1, 0));

        // l + 2, first because it reads what the other steps assign.
        self.outcome.set(self.decide(decides, entries));

        // l + 4
        let starts = (continues & changed & front.valid).named("placement_starts");
        let goes_on = starts | continues & victim.valid;
        when(continues, || {
            let next = select(victim.valid, victim, front);
            self.hand.set(Entry { valid: goes_on, ..next });
            self.victim.set(Entry { valid: zero, ..victim });
            self.placing.set(goes_on);
            self.in_progress.set(goes_on);
            self.changed.set(zero);
        });
        when(starts, || self.moves.set(Bits::lit(moves.width(), 0)));

        // l + 3
        when(changes, || {
            let written = outcome.tables.any() & !outcome.clears;
            self.hand.set(Entry { valid: written, ..hand });
            self.victim.set(Entry { valid: outcome.displaces, ..victim });
        });
        when(outcome.displaces, || {
            self.turn.set(turn + 1);
            self.moves.set(moves + 1);
        });
        let taken_out = outcome.taken_out | starts.extend(STASH as u32);
        self.stash.clock(taken_out, outcome.pushes, hand);

        // l + 1
        self.row_matches.set(each(&entries.map(|entry| entry.holds(hand.key))));
        self.empty_rows.set(each(&entries.map(|entry| !entry.valid)));
        self.stash_matches.set(stash_matches);
        when(compares, || self.victim.set(Entry { valid: zero, ..entry_of(turn, entries) }));

        // 0
        when(computes, || {
            for (register, row) in self.rows.iter().zip(hash.rows(hand.key)) {
                register.set(row);
            }
        });
        self.round.shift(accepted | goes_on);
        when(accepted, || {
            let ports = command.key_ports();
            let key = Key::of_ports(self.config.kinds, ports);
            self.hand.set(Entry { valid: zero, key, index: command.index });
            self.op.set(command.op);
            self.included.set(included(self.config.kinds, ports.kind));
            self.in_progress.set(one);
        });
        self.sweep();
    }

    /// Step `l` + 2: what the round does (rows C6, C11 and C12), and the response (row C7).
    fn decide(&self, decides: Bits<L>, entries: [Entry<L>; SUB_TABLES]) -> Outcome<L> {
        let (placing, included, code) = (self.placing.get(), self.included.get(), self.op.get());
        let (rows, places, empty) = (self.row_matches.get(), self.stash_matches.get(), self.empty_rows.get());
        let command = decides & !placing;
        let valid = command & included;
        let is = |constant| valid & code.equals(constant);
        let (reads, inserts, removes) = (is(constant!(op::READ)), is(constant!(op::INSERT)), is(constant!(op::REMOVE)));

        let present = (rows.any() | places.any()) & included;
        let (row_free, stash_full) = (empty.any(), self.stash.full());
        let new = inserts & !present;
        let inserted = new & (row_free | !stash_full);
        let removed = removes & present;
        let places_round = decides & placing;
        let given_up = self.moves.get().equals(MAX_MOVES);
        let displaces = (places_round & !row_free & !given_up).named("displaces");

        let indexes = entries.map(|entry| entry.index).into_iter();
        let indexes: Vec<_> = indexes.chain(self.stash.entries().into_iter().map(|entry| entry.index)).collect();
        let index = chosen(places.concat(rows), &indexes).gate(included);
        self.response.set(Response {
            valid: command,
            op: code,
            done: reads | inserted | removed,
            present,
            full: new & !row_free & stash_full,
            index,
        });
        when(command, || self.changed.set(inserted | removed));

        let turn = self.turn.get();
        let victims: Vec<_> = (0..SUB_TABLES as u64).map(|table| turn.equals(table)).collect();
        let into_row = lowest(empty).gate(new | places_round) | each(&victims).gate(displaces);
        Outcome {
            tables: into_row | rows.gate(removes),
            clears: removes,
            displaces,
            pushes: new & !row_free & !stash_full | places_round & !row_free & given_up,
            taken_out: places.gate(removes),
        }
    }

    /// The sweep after reset, one row of every sub-table at a time.
    fn sweep(&self) {
        let row = self.sweep_row.get();
        when(self.sweeping.get(), || {
            self.sweep_row.set(row + 1);
            self.sweeping.set(!row.all());
        });
    }
}
