// SPDX-License-Identifier: MIT OR Apache-2.0
//! `path_scheduler`: selects the sub-path of every packet of a queue pair (QP) by weights that follow feedback.
//! Contract: `docs/stages/path_scheduler.md` (rows T1 to T31; the requirements that they cover: `docs/sources.md`).
//! With memories of latency `l`:
//!
//! ```text
//!  request  ->  requests      0 arrive  l + 1 admit  l + 2 rank  l + 3 gap  l + 4 select  l + 5 grant
//!                 ^ sub-path as of l + 3 cycles before     |      ->  grant, l + 6 cycles later, or 2 l + 6
//!                                                          | packet counted, 2 l + 7 cycles later
//!  feedback ->  events        0 arrive  l + 1 decide  l + 2 publish  ->  news  ->  event, lost
//!  command  ->  command port  one at a time, in the place of one feedback     ->  response
//! ```
//!
//! One request and one feedback are accepted per clock cycle. Every memory has one writer. A sub-path has its own row,
//! which only its own feedback and commands change; requests read all sub-paths of a QP as one word.

mod apply_command;
mod comparisons;
mod config;
mod entropies;
mod events;
mod news;
mod path_view;
mod ports;
mod quality;
mod records;
mod requests;
mod selection;
mod sent;
mod settings;
mod settings_registers;
mod weight;
mod window;

pub use config::{EntropyRule, PathSchedulerConfig};
pub use ports::*;
pub(super) use records::state as path_state;
pub use settings::SchedulerSettings;

use crate::blocks::command_port::CommandPort;
use crate::blocks::merge_queue::MergeQueue;
use crate::blocks::table::latency_suffix;
use crate::blocks::timebase::Timebase;
use entropies::EntropyWrite;
use events::Events;
use news::{Failed, Pending};
use requests::{Neighbours, Requests};
use rtl_model::{Design, Logic, Shape, Stage, name_nets};
use settings_registers::SettingsRegs;

#[name_nets]
impl Design for PathSchedulerConfig {
    type Stage<L: Logic> = PathScheduler<L>;

    fn module_name(&self) -> String {
        let PathSchedulerConfig { qps, paths, weight_bits, in_flight_bits, ram_latency, .. } = *self;
        let weights = if weight_bits == 8 { String::new() } else { format!("w{weight_bits}") };
        let packets = if in_flight_bits == 16 { String::new() } else { format!("f{in_flight_bits}") };
        let entropy = if self.entropy_table() { "" } else { "x" };
        format!("path_scheduler_q{qps}p{paths}{weights}{packets}{entropy}{}", latency_suffix(ram_latency))
    }

    fn build<L: Logic>(&self) -> PathScheduler<L> {
        PathScheduler::new(*self)
    }
}

/// The stage `path_scheduler`: a sub-path for every packet of a QP.
#[name_nets]
pub struct PathScheduler<L: Logic> {
    config: PathSchedulerConfig,
    clock: Timebase<L>,
    settings: SettingsRegs<L>,
    command_port: CommandPort<L, Command<L>>,
    events: Events<L>,
    requests: Requests<L>,
    /// What software is told.
    causes: MergeQueue<L, Pending<L>>,
    /// Sub-paths that have failed.
    failed: MergeQueue<L, Failed<L>>,
}

#[name_nets]
impl<L: Logic> PathScheduler<L> {
    fn new(config: PathSchedulerConfig) -> Self {
        PathScheduler {
            config,
            clock: Timebase::new(),
            settings: SettingsRegs::new(config),
            command_port: CommandPort::new(config.command_port(), &PathSchedulerIn::shape(config).command),
            events: Events::new(config),
            requests: Requests::new(config),
            causes: MergeQueue::new(config.qps, config.ram_latency, &Pending::shape(config)),
            failed: MergeQueue::new(config.qps, config.ram_latency, &Failed::shape(config)),
        }
    }
}

#[name_nets]
impl<L: Logic> Stage<L> for PathScheduler<L> {
    type In = PathSchedulerIn<L>;
    type Out = PathSchedulerOut<L>;

    fn input_shape(&self) -> PathSchedulerIn<Shape> {
        PathSchedulerIn::shape(self.config)
    }

    fn outputs(&self) -> PathSchedulerOut<L> {
        let [refused_requests, no_path_requests, full_requests] = self.requests.refused();
        let [feedback_closed, feedback_range, feedback_absent] = self.events.refused();
        PathSchedulerOut {
            busy: self.command_port.busy(),
            command_ready: self.command_port.ready(),
            feedback_ready: !(self.command_port.busy() | self.command_port.issue()),
            grant: self.requests.grant(),
            response: self.events.response(),
            event: news::event(self.causes.offered()),
            lost: news::lost(self.failed.offered()),
            counts: PathSchedulerCounts {
                refused_requests,
                no_path_requests,
                full_requests,
                feedback_closed,
                feedback_range,
                feedback_absent,
            },
        }
    }

    fn clock(&self, input: &PathSchedulerIn<L>) {
        let PathSchedulerIn { request, feedback, command: offered, settings, event_ready, lost_ready } = *input;
        let (in_force, time) = (self.settings.in_force(), self.clock.time());
        let (sweeps, is_command, command) =
            (self.command_port.sweep_valid(), self.command_port.issue(), self.command_port.command());
        let (swept_qp, swept_path) = self.command_port.sweep_index();
        let sweep_index = (swept_qp, swept_path.extend(PATH_WIDTH));
        let event = self.events.event(feedback, sweeps, sweep_index, is_command, command, in_force.delay);
        let (sent, generation, post) = (self.requests.sent(), self.requests.generation(), self.events.post());
        let entropy_write = self.events.writes_entropy().map(|valid| EntropyWrite {
            valid,
            row: self.config.row(command.qp, command.path),
            entropy: command.entropy,
        });
        let beside = Neighbours {
            live: self.events.initialised(),
            context: self.events.request_context(),
            path_update: self.events.path_update(),
            completed_update: self.events.completed_update(),
            entropy_write,
            event_qp: event.qp,
            event_path: event.path,
            sweeps,
            window: (in_force.window_less_one, in_force.adapts),
            time,
        };
        self.requests.clock(request, beside);
        self.events.clock(event, request.qp, sent, generation, &command, &in_force, time);
        self.causes.clock(post.for_software(), event_ready);
        self.failed.clock(post.for_sender(self.config.paths as u32), lost_ready);
        self.command_port.clock(offered.valid, offered);
        self.settings.clock(settings);
        self.clock.clock();
    }
}
