// SPDX-License-Identifier: MIT OR Apache-2.0
//! `elab_feedback`: counts the packets that arrive on each virtual path (VP) of an ELAB pair of hosts, and gives every
//! packet back a report of one VP, round robin. Contract: `docs/stages/elab_feedback.md` (rows W1 to W14; E05 to E07,
//! E11, E15). With memories of latency `l`:
//!
//! ```text
//!  arrival  ->  arrivals      0 arrive  l + 1 count  l + 2 written
//!                                                      | read by queries of this cycle and later, in their step l + 2
//!  query    ->  queries       0 arrive  l + 1 select  l + 2 fetch  2 l + 3 difference  2 l + 4 divide
//!                                                                     ->  report, 2 l + 11 cycles later
//!  visit    ->  visits        0 visit   l + 1 compare  l + 2 decide  ->  due, l + 3 cycles later
//!  command  ->  command port  one at a time, in the place of one arrival
//! ```
//!
//! One arrival and one query are accepted per clock cycle; a command stalls arrivals for one clock cycle, and nothing
//! else stalls. Counts wrap, rates saturate. Arrivals and queries for pairs that do not exist are counted and change
//! nothing. Every memory has one writer: packets received and packets reported are counted separately, and a report is
//! their difference.

mod arrivals;
mod burst;
mod ports;
mod queries;
mod records;
mod settings;
mod visits;

pub use ports::*;
pub use settings::ElabFeedbackSettings;

use crate::blocks::command_port::CommandPort;
use crate::elab::ElabSizes;
use arrivals::Arrivals;
use queries::Queries;
use records::VisitView;
use rtl_model::{Design, Logic, Shape, Stage, name_nets};
use settings::SettingsRegisters;
use visits::Visits;

/// Clock cycles from one command to the next.
const SPACING: u64 = 2;

/// Size and settings of the stage `elab_feedback`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElabFeedbackConfig {
    /// Its size.
    pub sizes: ElabSizes,
    /// The settings after reset.
    pub settings: ElabFeedbackSettings,
}

impl ElabFeedbackConfig {
    /// This size, with the settings of the paper after reset.
    pub fn new(sizes: ElabSizes) -> Self {
        ElabFeedbackConfig { sizes, settings: ElabFeedbackSettings::default() }
    }
}

#[name_nets]
impl Design for ElabFeedbackConfig {
    type Stage<L: Logic> = ElabFeedback<L>;

    fn module_name(&self) -> String {
        self.sizes.module_name("elab_feedback")
    }

    fn build<L: Logic>(&self) -> ElabFeedback<L> {
        ElabFeedback::new(*self)
    }
}

/// The stage `elab_feedback`: the receiving half of ELAB.
#[name_nets]
pub struct ElabFeedback<L: Logic> {
    sizes: ElabSizes,
    settings_registers: SettingsRegisters<L>,
    command_port: CommandPort<L, Command<L>>,
    arrivals: Arrivals<L>,
    queries: Queries<L>,
    visits: Visits<L>,
}

#[name_nets]
impl<L: Logic> ElabFeedback<L> {
    fn new(config: ElabFeedbackConfig) -> Self {
        let ElabFeedbackConfig { sizes, settings } = config;
        ElabFeedback {
            sizes,
            settings_registers: SettingsRegisters::new(settings),
            command_port: CommandPort::new(sizes.command_port(SPACING), &ElabFeedbackIn::shape(sizes).command),
            arrivals: Arrivals::new(sizes),
            queries: Queries::new(sizes),
            visits: Visits::new(sizes),
        }
    }
}

#[name_nets]
impl<L: Logic> Stage<L> for ElabFeedback<L> {
    type In = ElabFeedbackIn<L>;
    type Out = ElabFeedbackOut<L>;

    fn input_shape(&self) -> ElabFeedbackIn<Shape> {
        ElabFeedbackIn::shape(self.sizes)
    }

    fn outputs(&self) -> ElabFeedbackOut<L> {
        let [refused_queries, empty_queries] = self.queries.refused();
        ElabFeedbackOut {
            busy: self.command_port.busy(),
            command_ready: self.command_port.ready(),
            arrival_ready: !(self.command_port.busy() | self.command_port.issue()),
            report: self.queries.report(),
            due: self.visits.due(),
            refused_arrivals: self.arrivals.refused(),
            refused_queries,
            empty_queries,
        }
    }

    fn clock(&self, input: &ElabFeedbackIn<L>) {
        let ElabFeedbackIn { arrival, query, command, settings, due_ready } = *input;
        let (busy, sweep_valid) =
            (self.command_port.busy(), (self.command_port.sweep_valid(), self.command_port.sweep_index()));
        let clear_pair = (self.command_port.issue(), self.command_port.command().pair);
        let (known_view, received_view, reads) =
            (self.arrivals.known_view(), self.arrivals.received_view(), self.queries.reads(query));
        let visited = self.visits.pair(sweep_valid);
        let view = VisitView { pair: self.arrivals.pair_view(), answered: self.queries.answered_view() };
        self.visits.clock(busy, sweep_valid, view, self.settings_registers.report_time(), due_ready);
        self.queries.clock(query, busy, sweep_valid, known_view, received_view, visited);
        let arrival = Arrival { valid: arrival.valid & !busy, ..arrival };
        self.arrivals.clock(arrival, sweep_valid, clear_pair, self.settings_registers.burst(), reads, visited);
        self.command_port.clock(command.valid, command);
        self.settings_registers.clock(settings);
    }
}
