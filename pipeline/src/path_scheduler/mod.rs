// SPDX-License-Identifier: MIT OR Apache-2.0
//! `path_scheduler`: the sub-path of every packet of a queue pair (QP), by weights that follow feedback. Contract:
//! `docs/stages/path_scheduler.md` (rows T1 to T19; what covers which requirement: `docs/sources.md`). With memories of
//! latency `l`:
//!
//! ```text
//!  request   ->  requests  0 arrive  l + 1 admit  l + 2 rest  l + 3 walk  l + 4 fill   ->  grant, l + 5 clocks later
//!                  ^ sub-path as of l + 3 clocks ago      | packet counted, 2 l + 6 clocks later
//!  feedback  ->  events    0 arrive  l + 1 decide  l + 2 tell
//!  control   ->  desk      one operation a time, in the place of one feedback          ->  response
//! ```
//!
//! One request and one feedback every clock. Every memory has one writer. A sub-path has a row of its own, which only its
//! own feedback changes; requests see all sub-paths of a QP side by side.

mod config;
mod events;
mod operate;
mod ports;
mod quality;
mod records;
mod requests;
mod sent;
mod sight;

pub use config::PathSchedulerConfig;
pub use ports::*;

use crate::clock::Clock;
use crate::desk::Desk;
use events::Events;
use requests::Requests;
use rtl_model::{Logic, Shape, Stage, name_nets};

/// The stage.
#[name_nets]
pub struct PathScheduler<L: Logic> {
    config: PathSchedulerConfig,
    clock: Clock<L>,
    desk: Desk<L, Control<L>>,
    events: Events<L>,
    requests: Requests<L>,
}

#[name_nets]
impl<L: Logic> PathScheduler<L> {
    fn new(config: PathSchedulerConfig) -> Self {
        PathScheduler {
            config,
            clock: Clock::new(),
            desk: Desk::new(config.desk(), &config.input_shape().control),
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
        let [refused_requests, pathless_requests] = self.requests.refused();
        let [feedback_closed, feedback_range, feedback_absent] = self.events.refused();
        PathSchedulerOut {
            busy: self.desk.busy(),
            control_ready: self.desk.ready(),
            feedback_ready: !(self.desk.busy() | self.desk.issues()),
            grant: self.requests.grant(),
            response: self.events.response(),
            refused_requests,
            pathless_requests,
            feedback_closed,
            feedback_range,
            feedback_absent,
        }
    }

    fn clock(&self, input: &PathSchedulerIn<L>) {
        let PathSchedulerIn { request, feedback, control, settings } = *input;
        let (sweeps, operates, operation) = (self.desk.sweeps(), self.desk.issues(), self.desk.operation());
        let (swept_qp, swept_path) = self.desk.swept();
        let swept = (swept_qp, swept_path.extend(PATH_WIDTH));
        let event = self.events.event(feedback, sweeps, swept, operates, operation);
        let row = self.config.row(event.qp, event.path);
        let (live, context, told) = (self.events.live(), self.events.request_context(), self.events.told());
        let (sent, turn) = (self.requests.sent(), self.requests.turn());
        self.requests.clock(request, live, context, told, (event.qp, row), sweeps, settings.flowlet, self.clock.time());
        self.events.clock(event, request.qp, sent, turn, &operation, &settings);
        self.desk.clock(control.valid, control);
        self.clock.clock();
    }
}
