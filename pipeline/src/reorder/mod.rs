// SPDX-License-Identifier: MIT OR Apache-2.0
//! `reorder`: delivers the packets of each connection once and in the order of their PSNs, and says for each arrival what
//! has been received. Contract: `docs/stages/reorder.md` (rows R1 to R25). With memories of latency `l`:
//!
//! ```text
//!  arrival ->  window    0 base  l + 1 distance  l + 3 mark  l + 4 compare
//!              search    l + 5 next  l + 6 bits  l + 7 first  l + 8 advance
//!              found     l + 9 outcome, expected PSN
//!              progress  l + 10 move  ->  answers  ->  answer, l + 12 cycles later
//!                          | connection                     | row
//!              turns     0 pop  l + 1 claim  ->  runs       v
//!              reader    0 slot  l  packets  ->  delivery   tolerance  ->  event
//!                          ^ handle in step l + 5             | check, in the place of an arrival
//!  command ->  commands  looks, then takes effect, each in the place of an arrival  ->  response
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
mod ports;
mod progress;
mod reader;
mod search;
mod settings;
mod statistics;
mod sub_paths;
mod tolerance;
mod turns;
mod window;

pub use config::ReorderConfig;
pub use ports::*;
pub use settings::ReorderSettings;

use crate::blocks::pipeline_regs::PipelineRegs;
use crate::blocks::secded::{Protection, UpsetMonitor, Upsets};
use crate::blocks::table::latency_suffix;
use crate::blocks::timebase::Timebase;
use answers::Answers;
use commands::Commands;
use found::Findings;
use pass::Pass;
use progress::ProgressTable;
use reader::Reader;
use rtl_model::{Bits, Design, Logic, Shape, Stage, name_nets, select};
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

/// The memories, each with its bit of `sram_faulty` (row R23).
pub const SRAM_MEMORIES: [&str; 16] = [
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
];

/// The stage `reorder`: packets in the order of their PSNs.
#[name_nets]
pub struct Reorder<L: Logic> {
    config: ReorderConfig,
    clock: Timebase<L>,
    settings: SettingsRegs<L>,
    commands: Commands<L>,
    /// Steps 1 to `l` + 12.
    passes: PipelineRegs<Pass<L>>,
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
}

#[name_nets]
impl<L: Logic> Reorder<L> {
    fn new(config: ReorderConfig) -> Self {
        Reorder {
            config,
            clock: Timebase::new(),
            settings: SettingsRegs::new(config),
            commands: Commands::new(config),
            passes: PipelineRegs::new(1..=config.last_step(), &config.pass()),
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
            sram: (config.sram_protection == Protection::Secded).then(|| UpsetMonitor::new(SRAM_MEMORIES.len() as u32)),
        }
    }

    /// What was wrong with rows that have been used, memory by memory as [`SRAM_MEMORIES`] has them.
    fn upsets(&self) -> Vec<Upsets<L>> {
        [
            self.window.upsets(),
            self.progress.upsets(),
            self.statistics.upsets(),
            self.sub_paths.upsets(),
            self.turns.upsets(),
            self.reader.upsets(),
            self.tolerance.upsets(),
        ]
        .concat()
    }

    /// 1 if an arrival can enter in this clock cycle.
    fn arrival_ready(&self) -> Bits<L> {
        !(self.commands.busy() | self.commands.enters() | self.tolerance.check_due())
    }

    /// The pass that enters: a command or the sweep, else a check that is due, else an arrival.
    fn entering(&self, arrival: Arrival<L>) -> Pass<L> {
        let Arrival { valid, connection, found, psn, path, flags, length, .. } = arrival;
        let no = Bits::lit(1, 0);
        let (due, (checked_connection, checked_psn)) = (self.tolerance.check_due(), self.tolerance.check());
        let arrives = valid & self.arrival_ready();
        let other = Pass {
            valid: arrives | due,
            arrives,
            looks: no,
            applies: no,
            opens: no,
            closes: no,
            checks: due,
            sweeps: no,
            connection: select(due, checked_connection, connection),
            found,
            psn: select(due, checked_psn, psn),
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
        self.config.input_shape()
    }

    fn outputs(&self) -> ReorderOut<L> {
        let [duplicates, below_window, above_window, no_buffer, unknown_connections] = self.findings.refused();
        ReorderOut {
            busy: self.commands.busy(),
            arrival_ready: self.arrival_ready(),
            command_ready: self.commands.ready(),
            answer: self.answers.answer(),
            delivery: self.reader.delivery(),
            event: self.tolerance.event(),
            response: self.answers.response(),
            duplicates,
            below_window,
            above_window,
            no_buffer,
            unknown_connections,
            unknown_paths: self.sub_paths.unknown(),
            sram: self.sram.as_ref().map(UpsetMonitor::report),
        }
    }

    fn clock(&self, input: &ReorderIn<L>) {
        let ReorderIn { arrival, command, settings, delivery_ready, event_ready } = *input;
        let l = self.config.ram_latency;
        let (in_force, time, busy) = (self.settings.in_force(), self.clock.time(), self.commands.busy());
        let entering = self.entering(arrival);
        let mut passes = vec![entering];
        passes.extend(self.passes.all());

        // What the parts show of their registers, before any of them is clocked.
        let (row, sack, (wanted, wanted_groups)) = (self.window.row(), self.window.sack(), self.window.wanted());
        let from = [l + 5, l + 6, l + 8].map(|step| self.window.distance(step).from);
        let (stored, reaching) = (self.window.seen(l + 5), self.window.seen(l + 8));
        let (distance, seen, result) = (self.window.distance(l + 9), self.window.seen(l + 9), self.search.result());
        let [deciding, decided, answered] = [l + 10, l + 11, l + 12].map(|step| self.findings.found(step));
        let (progress, age, held) = (self.progress.row(), self.progress.age(), self.answers.held());
        let (statistics, path_state, done) = (self.statistics.row(), self.sub_paths.state(), self.commands.command());
        let turn_waits = self.turns.turn_waits();
        let upsets = self.sram.as_ref().map(|_| self.upsets());
        let fresh = self.progress.becomes_fresh(deciding, turn_waits).named("becomes_fresh");

        let starting = passes[1];
        let starts = starting.starts().named("starts");
        let (has_run, run) = self.turns.run();
        let reads = self.reader.reads(starts).named("reads");
        let takes = self.reader.takes(has_run, reads).named("takes_run");
        let start = BaseWrite { valid: starts, connection: starting.connection, base: starting.psn };
        let base_write = select(starts, start, self.reader.frees(reads));

        self.answers.respond(&passes, answered, statistics, path_state, done);
        self.answers.clock(&passes, sack, decided, progress);
        self.statistics.clock(&passes, decided.late, age, held);
        self.sub_paths.clock(passes[l as usize + 4], (self.window.open(), row), time);
        self.tolerance.clock(
            &passes,
            [deciding, decided],
            progress,
            busy,
            in_force,
            self.clock.next_time(),
            event_ready,
        );
        self.turns.clock(&passes, [deciding, decided], fresh, takes);
        self.reader.clock(arrival.handle, passes[l as usize + 5], stored.new, reads, takes, run, delivery_ready);
        self.progress.clock(&passes, deciding, fresh, time);
        self.findings.clock(&passes, (from[2], reaching.highest), (distance, seen), result);
        let slot = |from: Bits<L>| from.truncate(self.config.slot_bits());
        self.search.clock(wanted, wanted_groups, from.map(slot));
        self.commands.clock(&passes, deciding, command);
        self.window.clock(&passes, base_write);
        self.passes.shift(entering);
        self.settings.clock(settings);
        self.clock.clock();
        if let (Some(sram), Some(upsets)) = (&self.sram, &upsets) {
            sram.clock(upsets);
        }
    }
}
