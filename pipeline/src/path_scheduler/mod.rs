// SPDX-License-Identifier: MIT OR Apache-2.0
//! `path_scheduler`: selects the sub-path of every packet of a queue pair (QP) by weights that follow feedback.
//! Contract: `docs/stages/path_scheduler.md` (rows T1 to T19; the requirements that they cover: `docs/sources.md`).
//! With memories of latency `l`:
//!
//! ```text
//!  request  ->  requests      0 arrive  l + 1 admit  l + 2 gap  l + 3 select  l + 4 grant
//!                 ^ sub-path as of l + 3 cycles before     |                  ->  grant, l + 5 cycles later
//!                                                          | packet counted, 2 l + 6 cycles later
//!  feedback ->  events        0 arrive  l + 1 decide  l + 2 publish
//!  command  ->  command port  one at a time, in the place of one feedback     ->  response
//! ```
//!
//! One request and one feedback are accepted per clock cycle. Every memory has one writer. A sub-path has its own row,
//! which only its own feedback and commands change; requests read all sub-paths of a QP as one word.

mod apply_command;
mod config;
mod events;
mod path_view;
mod ports;
mod quality;
mod records;
mod requests;
mod sent;

pub use config::PathSchedulerConfig;
pub use ports::*;

use crate::blocks::command_port::CommandPort;
use crate::blocks::table::latency_suffix;
use crate::blocks::timebase::Timebase;
use events::Events;
use requests::Requests;
use rtl_model::{Design, Logic, Shape, Stage, name_nets};

#[name_nets]
impl Design for PathSchedulerConfig {
    type Stage<L: Logic> = PathScheduler<L>;

    fn module_name(&self) -> String {
        let latency = latency_suffix(self.ram_latency);
        format!("path_scheduler_q{}p{}{latency}", self.qps, self.paths)
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
    command_port: CommandPort<L, Control<L>>,
    events: Events<L>,
    requests: Requests<L>,
}

#[name_nets]
impl<L: Logic> PathScheduler<L> {
    fn new(config: PathSchedulerConfig) -> Self {
        PathScheduler {
            config,
            clock: Timebase::new(),
            command_port: CommandPort::new(config.command_port(), &config.input_shape().control),
            events: Events::new(config),
            requests: Requests::new(config),
        }
    }
}

#[name_nets]
impl<L: Logic> Stage<L> for PathScheduler<L> {
    type In = PathSchedulerIn<L>;
    type Out = PathSchedulerOut<L>;

    fn input_shape(&self) -> PathSchedulerIn<Shape> {
        self.config.input_shape()
    }

    fn outputs(&self) -> PathSchedulerOut<L> {
        let [refused_requests, no_path_requests] = self.requests.refused();
        let [feedback_closed, feedback_range, feedback_absent] = self.events.refused();
        PathSchedulerOut {
            busy: self.command_port.busy(),
            control_ready: self.command_port.ready(),
            feedback_ready: !(self.command_port.busy() | self.command_port.issue()),
            grant: self.requests.grant(),
            response: self.events.response(),
            refused_requests,
            no_path_requests,
            feedback_closed,
            feedback_range,
            feedback_absent,
        }
    }

    fn clock(&self, input: &PathSchedulerIn<L>) {
        let PathSchedulerIn { request, feedback, control, settings } = *input;
        let (sweep_valid, is_command, command) =
            (self.command_port.sweep_valid(), self.command_port.issue(), self.command_port.command());
        let (swept_qp, swept_path) = self.command_port.sweep_index();
        let sweep_index = (swept_qp, swept_path.extend(PATH_WIDTH));
        let event = self.events.event(feedback, sweep_valid, sweep_index, is_command, command);
        let row = self.config.row(event.qp, event.path);
        let (initialised, context, path_update) =
            (self.events.initialised(), self.events.request_context(), self.events.path_update());
        let (sent, generation) = (self.requests.sent(), self.requests.generation());
        self.requests.clock(
            request,
            initialised,
            context,
            path_update,
            (event.qp, row),
            sweep_valid,
            settings.flowlet,
            self.clock.time(),
        );
        self.events.clock(event, request.qp, sent, generation, &command, &settings);
        self.command_port.clock(control.valid, control);
        self.clock.clock();
    }
}
