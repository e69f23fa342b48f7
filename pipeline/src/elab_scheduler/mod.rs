// SPDX-License-Identifier: MIT OR Apache-2.0
//! `elab_scheduler`: the virtual path (VP) of every packet to an ELAB destination, by the bandwidth that is left on each.
//! Contract: `docs/stages/elab_scheduler.md` (rows V1 to V19; E08 to E17). With memories of latency `l`:
//!
//! ```text
//!  request  ->  requests  0 arrive  l + 1 admit, weigh  l + 6 walk  l + 7 fetch           ->  grant, 2 l + 8 clocks later
//!                 ^ VP as of l + 14 clocks ago
//!  report   ->  gather    0 arrive  l + 1 decide
//!               follow    l + 2 divide  l + 8 average  l + 11 write  l + 12 float  l + 14 tell
//!  control  ->  desk      one operation a time, in the place of one report                ->  response
//! ```
//!
//! One request and one report every clock; nothing stalls but reports, for the clock of an operation. Counts and rates stop at
//! the most that fits. Pairs and VPs that there are not are counted and change nothing. Every memory has one writer.

mod config;
mod follow;
mod gather;
mod ports;
mod records;
mod requests;
mod weigh;

pub use config::ElabSchedulerConfig;
pub use ports::*;

use crate::desk::Desk;
use crate::elab::{ElabSizes, UnitClock};
use crate::update::Ask;
use follow::Follow;
use gather::Gather;
use requests::Requests;
use rtl_model::{Logic, Shape, Stage, name_nets};

/// The stage.
#[name_nets]
pub struct ElabScheduler<L: Logic> {
    sizes: ElabSizes,
    clock: UnitClock<L>,
    desk: Desk<L, Control<L>>,
    gather: Gather<L>,
    follow: Follow<L>,
    requests: Requests<L>,
}

#[name_nets]
impl<L: Logic> ElabScheduler<L> {
    fn new(sizes: ElabSizes) -> Self {
        let spacing = u64::from(sizes.ram_latency) + 14;
        ElabScheduler {
            sizes,
            clock: UnitClock::new(sizes),
            desk: Desk::new(sizes.desk(spacing), &input_shape(sizes).control),
            gather: Gather::new(sizes),
            follow: Follow::new(sizes),
            requests: Requests::new(sizes),
        }
    }
}

#[name_nets]
impl<L: Logic> Stage<L> for ElabScheduler<L> {
    type In = ElabSchedulerIn<L>;
    type Out = ElabSchedulerOut<L>;

    fn input_shape(&self) -> ElabSchedulerIn<Shape> {
        input_shape(self.sizes)
    }

    fn outputs(&self) -> ElabSchedulerOut<L> {
        let [refused_requests, vpless_requests, bursts] = self.requests.counters();
        let [refused_reports, absent_reports] = self.gather.refused();
        ElabSchedulerOut {
            busy: self.desk.busy(),
            control_ready: self.desk.ready(),
            report_ready: !(self.desk.busy() | self.desk.issues()),
            grant: self.requests.grant(),
            response: self.follow.response(),
            refused_requests,
            vpless_requests,
            refused_reports,
            absent_reports,
            bursts,
        }
    }

    fn clock(&self, input: &ElabSchedulerIn<L>) {
        let ElabSchedulerIn { request, report, control, settings } = *input;
        let (sweeps, swept, operation) = (self.desk.sweeps(), self.desk.swept(), self.desk.operation());
        let (found, told, time) = (self.gather.found(), self.follow.told(), self.clock.time());
        let sender = Ask { valid: sweeps, key: swept.0 };
        self.requests.clock(request, self.desk.busy(), sender, told, settings.burst);
        self.follow.clock(found, &operation, &settings, time);
        let report = Report { valid: report.valid & !self.desk.busy(), ..report };
        self.gather.clock(report, (sweeps, swept), self.desk.issues(), &operation, time, settings.window);
        self.desk.clock(control.valid, control);
        self.clock.clock();
    }
}
