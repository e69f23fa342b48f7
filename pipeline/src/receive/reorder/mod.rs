// SPDX-License-Identifier: MIT OR Apache-2.0
//! `reorder`: delivers the packets of each connection once and in the order of their PSNs, and says for each arrival what
//! has been received. Contract: `docs/stages/reorder.md` (rows R1 to R25, and R30 to R40). With memories of latency `l`:
//!
//! ```text
//!  arrival ->  window    0 base  l + 1 distance  l + 3 mark  l + 4 compare
//!              search    l + 5 next  l + 6 bits  l + 7 first  l + 8 advance
//!              found     l + 9 outcome, expected PSN
//!              progress  l + 10 move  ->  answers  ->  answer, l + 12 cycles later
//!                          | connection                     | row
//!              turns     0 pop  l + 1 claim  ->  runs       v
//!              reader    0 slot  l  packets  ->  delivery   tolerance  ->  event
//!                          ^ handle in step l + 5             | checks, in the place of arrivals
//!  command ->  commands  looks, then takes effect, each in the place of an arrival  ->  response
//! ```
//!
//! The handle is in the slot. With frames (`hold` = `payload`) the slot has their place in a pool of cells instead:
//!
//! ```text
//!  s_axis  ->  writer    0 cell?  1 cell  2 beat to the pool; the last beat is an arrival
//!              quota     1 reserve  l + 2 quota: denied?  ->  window, step l + 2
//!              walk      l + 5 decision  2 l + 9 cells of refused frames  ->  free cells
//!  packets ->  frames    0 packet  1 row  l + 2 beat  ->  m_axis  ->  free cells
//!  close   ->  clearing  l + 10 begin  l + 16 slot, in the place of one that is delivered  ->  free cells
//! ```
//!
//! One arrival is accepted per clock cycle, and one packet is read. Every memory has one writer. What goes through the
//! pipeline is a *pass*: an arrival, a command, a check or the sweep of a row.

mod answers;
mod commands;
mod config;
mod credits;
mod found;
mod pass;
mod payload;
mod ports;
mod progress;
mod reader;
mod search;
mod settings;
mod slot_decode;
mod statistics;
mod sub_paths;
mod tolerance;
mod turns;
mod window;

pub use config::{Hold, PLACES, ReorderConfig, ReorderSettings};
pub use payload::{MEMORIES as POOL_MEMORIES, PayloadConfig};
pub use ports::*;

use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::secded::{Protection, UpsetMonitor, Upsets};
use crate::blocks::table::latency_suffix;
use crate::blocks::timebase::Timebase;
use answers::Answers;
use commands::Commands;
use found::Findings;
use pass::{PASS, Pass};
use payload::{Around, Payload};
use progress::ProgressTable;
use reader::Reader;
use rtl_model::stream::Ready;
use rtl_model::{Bits, Design, Logic, Reg, Shape, Stage, bits, name_nets, select};
use search::Search;
use settings::SettingsRegs;
use statistics::StatisticsTable;
use sub_paths::SubPaths;
use tolerance::Tolerance;
use turns::Turns;
use window::{BaseWrite, Window};

#[name_nets]
impl Design for ReorderConfig {
    type Stage<L: Logic> = Reorder<L>;

    fn module_name(&self) -> String {
        format!("reorder_{}{}", self.suffix(), latency_suffix(self.ram_latency))
    }

    fn build<L: Logic>(&self) -> Reorder<L> {
        Reorder::new(*self)
    }
}

/// The memories, each with its bit of `sram_faulty` (row R23); the pool adds [`POOL_MEMORIES`].
pub const SRAM_MEMORIES: [&str; 17] = [
    "bases",
    "opens",
    "rows",
    "bitmaps",
    "progress",
    "statistics",
    "sub_paths",
    "fresh",
    "again",
    "expected_view",
    "claims",
    "waits_view",
    "runs",
    "slots",
    "packets",
    "gaps",
    "tolerances",
];

impl ReorderConfig {
    /// The memories, each with its bit of `sram_faulty` (row R23).
    pub fn memories(self) -> Vec<&'static str> {
        let of_pool: &[_] = if self.pool().is_some() { &POOL_MEMORIES } else { &[] };
        [&SRAM_MEMORIES[..], of_pool].concat()
    }
}

/// The stage `reorder`: packets in the order of their PSNs.
#[name_nets]
pub struct Reorder<L: Logic> {
    config: ReorderConfig,
    clock: Timebase<L>,
    settings: SettingsRegs<L>,
    commands: Commands<L>,
    /// Steps 1 to `l` + 12.
    passes: PipelineRegs<Pass<L>>,
    /// The pass in step 1 starts its connection anew.
    starts: Reg<Bits<L>>,
    window: Window<L>,
    search: Search<L>,
    findings: Findings<L>,
    progress: ProgressTable<L>,
    statistics: StatisticsTable<L>,
    sub_paths: SubPaths<L>,
    answers: Answers<L>,
    turns: Turns<L>,
    reader: Reader<L>,
    tolerance: Tolerance<L>,
    /// Flipped bits in the memories, if they are protected.
    sram: Option<UpsetMonitor<L>>,
    /// The pool of cells, if frames are held.
    payload: Option<Payload<L>>,
}

#[name_nets]
impl<L: Logic> Reorder<L> {
    fn new(config: ReorderConfig) -> Self {
        Reorder {
            config,
            clock: Timebase::new(),
            settings: SettingsRegs::new(config),
            commands: Commands::new(config),
            passes: PipelineRegs::new(1..=config.last_step(), &Pass::shape(config)).checked(PASS),
            starts: Reg::new(&bits(1)).with_reset(),
            window: Window::new(config),
            search: Search::new(config),
            findings: Findings::new(config),
            progress: ProgressTable::new(config),
            statistics: StatisticsTable::new(config),
            sub_paths: SubPaths::new(config),
            answers: Answers::new(config),
            turns: Turns::new(config),
            reader: Reader::new(config),
            tolerance: Tolerance::new(config),
            sram: (config.sram_protection == Protection::Secded)
                .then(|| UpsetMonitor::new(config.memories().len() as u32)),
            payload: config.pool().map(|pool| Payload::new(config, pool)),
        }
    }

    /// What was wrong with rows that have been used, memory by memory as [`ReorderConfig::memories`] has them.
    fn upsets(&self) -> Vec<Upsets<L>> {
        [
            self.window.upsets(),
            self.progress.upsets(),
            self.statistics.upsets(),
            self.sub_paths.upsets(),
            self.turns.upsets(),
            self.reader.upsets(),
            self.tolerance.upsets(),
            self.payload.as_ref().map(Payload::upsets).unwrap_or_default(),
        ]
        .concat()
    }

    /// 1 if an arrival can enter in this clock cycle.
    fn arrival_ready(&self) -> Bits<L> {
        !(self.commands.busy() | self.commands.enters() | self.tolerance.check_due())
    }

    /// The pass that enters: a command or the sweep, else a check that is due, else an arrival.
    fn entering(&self, valid: Bits<L>, arrival: Arrival<L>) -> Pass<L> {
        let Arrival { connection, found, psn, path, flags, length, .. } = arrival;
        let no = Bits::lit(1, 0);
        let (due, check) = (self.tolerance.check_due(), self.tolerance.check());
        let arrives = valid & self.arrival_ready();
        let other = Pass {
            valid: arrives | due,
            arrives,
            looks: no,
            applies: no,
            opens: no,
            closes: no,
            checks: due,
            seeks: due & check.seeks,
            renews: due & check.renews,
            sweeps: no,
            connection: select(due, check.connection, connection),
            found,
            psn: select(due, check.psn, psn),
            path,
            flags,
            length,
        };
        select(self.commands.enters(), self.commands.pass(other), other)
    }
}

#[name_nets]
impl<L: Logic> Stage<L> for Reorder<L> {
    type In = ReorderIn<L>;
    type Out = ReorderOut<L>;

    fn input_shape(&self) -> ReorderIn<Shape> {
        ReorderIn::shape(self.config)
    }

    fn outputs(&self) -> ReorderOut<L> {
        let payload = self.payload.as_ref();
        let (m_axis, delivery) = match payload.map(Payload::delivery) {
            Some((m_axis, connection, psn)) => (Some(m_axis), Delivery { valid: None, connection, psn, handle: None }),
            None => (None, self.reader.delivery()),
        };
        let (free_cells, low_water) = payload.map(Payload::free).unzip();
        let [no_cells, over_quota, below_reserve] = match payload.map(Payload::refused) {
            Some(refused) => refused.map(Some),
            None => [None; 3],
        };
        let [duplicates, below_window, above_window, no_buffer, unknown_connections] = self.findings.refused();
        ReorderOut {
            busy: self.commands.busy(),
            arrival_ready: payload.is_none().then(|| self.arrival_ready()),
            s_axis: payload.map(|_| Ready { tready: self.arrival_ready() }),
            command_ready: self.commands.ready(),
            answer: self.answers.answer(),
            m_axis,
            delivery,
            event: self.tolerance.event(),
            response: self.answers.response(),
            counts: ReorderCounts {
                duplicates,
                below_window,
                above_window,
                no_buffer,
                unknown_connections,
                unknown_paths: self.sub_paths.unknown(),
                sram: self.sram.as_ref().map(UpsetMonitor::report),
                free_cells,
                low_water,
                no_cells,
                over_quota,
                below_reserve,
            },
        }
    }

    fn clock(&self, input: &ReorderIn<L>) {
        let ReorderIn { s_axis, arrival, command, settings, delivery_ready, m_axis, event_ready } = *input;
        let l = self.config.ram_latency;
        let (in_force, time, busy) = (self.settings.in_force(), self.clock.time(), self.commands.busy());
        let arrives = match (arrival.valid, s_axis) {
            (Some(valid), _) => valid,
            (None, Some(axis)) => axis.tvalid & axis.tlast,
            (None, None) => unreachable!("arrivals or frames"),
        };
        let entering = self.entering(arrives, arrival);
        let mut passes = vec![entering];
        passes.extend(self.passes.all());

        // What the parts show of their registers, before any of them is clocked.
        let (row, sack, (wanted, wanted_groups)) = (self.window.row(), self.window.sack(), self.window.wanted());
        let from = [l + 4, l + 5, l + 6, l + 8].map(|step| self.window.distance(step).from);
        let (stored, reaching) = (self.window.seen(l + 5), self.window.seen(l + 8));
        let (distance, seen, result) = (self.window.distance(l + 9), self.window.seen(l + 9), self.search.result());
        let [deciding, decided, answered] = [l + 10, l + 11, l + 12].map(|step| self.findings.found(step));
        let (progress, age, held) = (self.progress.row(), self.progress.age(), self.answers.held());
        let (statistics, path_state, done) = (self.statistics.row(), self.sub_paths.state(), self.commands.command());
        let turn_waits = self.turns.turn_waits();
        let upsets = self.sram.as_ref().map(|_| self.upsets());
        let fresh = self.progress.becomes_fresh(deciding, turn_waits).named("becomes_fresh");

        let starting = passes[1];
        let (starts, starts_next) = (self.starts.get(), entering.starts());
        let (has_run, run) = self.turns.run();
        let payload = self.payload.as_ref();
        let cleared_slot = payload.map(Payload::reads);
        let reads = self.reader.reads(cleared_slot.map(|read| read.valid)).named("reads");
        let takes = self.reader.takes(has_run, reads).named("takes_run");
        let start = BaseWrite { valid: starts, connection: starting.connection, base: starting.psn };
        let base_write = select(starts, start, self.reader.frees(reads));

        let (has_packet, packet) = self.reader.packet();
        let (packet_ready, packet_done) = match (payload, delivery_ready, m_axis) {
            (Some(payload), _, Some(m_axis)) => (payload.takes(has_packet), Some(payload.ends_frame(m_axis.tready))),
            (None, Some(ready), _) => (ready, None),
            _ => unreachable!("the receiver of packets or of frames"),
        };
        let slot = payload.map_or(arrival.handle, |payload| Some(payload.slot()));
        let (place, denied) = match payload {
            Some(payload) => {
                let place = self.window.place();
                (Some(place), Some(payload.denies(place.1)))
            }
            None => (None, None),
        };
        let (blocked, drains) = payload.map(Payload::cleared).unzip();

        if let (Some(payload), Some(s_axis), Some(m_axis), Some(place), Some(read)) =
            (payload, s_axis, m_axis, place, cleared_slot)
        {
            let (sweeps, sweep_row) = self.commands.sweep();
            payload.clock(&Around {
                passes: &passes,
                accepted: s_axis.tvalid & self.arrival_ready(),
                s_axis,
                in_force,
                place,
                new: [stored.new, self.window.seen(l + 7).new],
                missing: wanted,
                deciding,
                packet,
                takes: packet_ready,
                slot: self.reader.slot(read.connection, read.slot),
                ready: m_axis.tready,
                sweep_row,
                sweeps,
            });
        }
        self.answers.respond(&passes, answered, statistics, path_state, done, drains);
        self.answers.clock(&passes, sack, decided, progress);
        self.statistics.clock(&passes, decided.late, age, held);
        self.sub_paths.clock(passes[l as usize + 4], (self.window.open(), row), time);
        self.tolerance.clock(
            &passes,
            [deciding, decided],
            (progress, done),
            busy,
            self.settings.next(settings),
            self.clock.next_time(),
            event_ready,
        );
        self.turns.clock(&passes, [deciding, decided], fresh, takes, (starts, starts_next));
        let stored_pass = passes[l as usize + 5];
        if let Some(slot) = slot {
            self.reader.clock(
                slot,
                stored_pass,
                stored.new,
                (reads, cleared_slot),
                takes,
                run,
                (packet_ready, packet_done),
                starts_next,
            );
        }
        self.progress.clock(&passes, deciding, fresh, time);
        self.findings.clock(&passes, (from[3], reaching.highest), (distance, seen), result);
        let slot = |from: Bits<L>| from.truncate(self.config.slot_bits());
        self.search.clock(wanted, wanted_groups, from.map(slot));
        self.commands.clock(&passes, deciding, blocked, command);
        self.window.clock(&passes, base_write, denied);
        self.passes.shift(entering);
        self.starts.set(starts_next);
        self.settings.clock(settings);
        self.clock.clock();
        if let (Some(sram), Some(upsets)) = (&self.sram, &upsets) {
            sram.clock(upsets);
        }
    }
}
