// SPDX-License-Identifier: MIT OR Apache-2.0
//! `elab_scheduler`: selects the virtual path (VP) of every packet to an ELAB destination, by the available bandwidth
//! of each VP. Contract: `docs/stages/elab_scheduler.md` (rows V1 to V25; E08 to E18). With memories of latency `l`:
//!
//! ```text
//!  request  ->  requests             0 arrive  l + 1 admit, weights  l + 6 select  l + 7 fetch
//!                 ^ VP as of l + 14 cycles before                                  ->  grant, 2 l + 8 cycles later
//!  report   ->  report_accumulator   0 arrive  l + 1 decide
//!               bandwidth_estimator  l + 2 divide  l + 8 average  l + 11 write  l + 12 normalise  l + 14 publish
//!  command  ->  command port         one at a time, in the place of one report     ->  response
//! ```
//!
//! One request and one report are accepted per clock cycle; a command stalls reports for one clock cycle, and nothing
//! else stalls. Counts and rates saturate. Requests and reports for pairs or VPs that do not exist are counted and
//! change nothing. Every memory has one writer. [`silence`] finds VPs on which nothing arrives.

mod bandwidth_estimator;
mod periods;
mod ports;
mod records;
mod report_accumulator;
mod requests;
mod settings;
mod silence;
mod weights;

pub use ports::*;
pub use settings::ElabSchedulerSettings;

use crate::blocks::command_port::CommandPort;
use crate::elab::{ElabSizes, UnitTimebase};
use bandwidth_estimator::BandwidthEstimator;
use periods::Periods;
use records::VpUpdate;
use report_accumulator::ReportAccumulator;
use requests::Requests;
use rtl_model::{Design, Logic, Shape, Stage, name_nets};
use settings::SettingsRegisters;

/// Size and settings of the stage `elab_scheduler`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElabSchedulerConfig {
    /// Its size.
    pub sizes: ElabSizes,
    /// The settings after reset.
    pub settings: ElabSchedulerSettings,
}

impl ElabSchedulerConfig {
    /// This size, with the settings of the paper after reset.
    pub fn new(sizes: ElabSizes) -> Self {
        ElabSchedulerConfig { sizes, settings: ElabSchedulerSettings::default() }
    }
}

#[name_nets]
impl Design for ElabSchedulerConfig {
    type Stage<L: Logic> = ElabScheduler<L>;

    fn module_name(&self) -> String {
        self.sizes.module_name("elab_scheduler")
    }

    fn build<L: Logic>(&self) -> ElabScheduler<L> {
        ElabScheduler::new(*self)
    }
}

/// The stage `elab_scheduler`: the sending half of ELAB.
#[name_nets]
pub struct ElabScheduler<L: Logic> {
    sizes: ElabSizes,
    clock: UnitTimebase<L>,
    periods: Periods<L>,
    settings_registers: SettingsRegisters<L>,
    command_port: CommandPort<L, Command<L>>,
    report_accumulator: ReportAccumulator<L>,
    bandwidth_estimator: BandwidthEstimator<L>,
    requests: Requests<L>,
}

#[name_nets]
impl<L: Logic> ElabScheduler<L> {
    fn new(config: ElabSchedulerConfig) -> Self {
        let ElabSchedulerConfig { sizes, settings } = config;
        let command_interval = u64::from(sizes.ram_latency) + 14;
        ElabScheduler {
            sizes,
            clock: UnitTimebase::new(sizes),
            periods: Periods::new(),
            settings_registers: SettingsRegisters::new(settings),
            command_port: CommandPort::new(
                sizes.command_port(command_interval),
                &ElabSchedulerIn::shape(sizes).command,
            ),
            report_accumulator: ReportAccumulator::new(sizes),
            bandwidth_estimator: BandwidthEstimator::new(sizes),
            requests: Requests::new(sizes),
        }
    }
}

#[name_nets]
impl<L: Logic> Stage<L> for ElabScheduler<L> {
    type In = ElabSchedulerIn<L>;
    type Out = ElabSchedulerOut<L>;

    fn input_shape(&self) -> ElabSchedulerIn<Shape> {
        ElabSchedulerIn::shape(self.sizes)
    }

    fn outputs(&self) -> ElabSchedulerOut<L> {
        let [refused_requests, no_vp_requests, bursts] = self.requests.counters();
        let [refused_reports, absent_reports, returns] = self.report_accumulator.counters();
        let (deaths, dead) = self.requests.deaths();
        let VpUpdate { returns: valid, pair, sport, .. } = self.bandwidth_estimator.vp_update();
        ElabSchedulerOut {
            busy: self.command_port.busy(),
            command_ready: self.command_port.ready(),
            report_ready: !(self.command_port.busy() | self.command_port.issue()),
            grant: self.requests.grant(),
            response: self.bandwidth_estimator.response(),
            dead,
            returned: VpNotice { valid, pair, sport },
            counts: ElabSchedulerCounts {
                refused_requests,
                no_vp_requests,
                refused_reports,
                absent_reports,
                bursts,
                deaths,
                returns,
            },
        }
    }

    fn clock(&self, input: &ElabSchedulerIn<L>) {
        let ElabSchedulerIn { request, report, command: offered, settings: written } = *input;
        let settings = self.settings_registers.get();
        let (sweep_valid, sweep_index, command) =
            (self.command_port.sweep_valid(), self.command_port.sweep_index(), self.command_port.command());
        let (vp_event, vp_update, time) =
            (self.report_accumulator.vp_event(), self.bandwidth_estimator.vp_update(), self.clock.time());
        let (sweeps, packet_update) = ((sweep_valid, sweep_index), self.requests.packet_update());
        let period = self.periods.period();
        self.requests.clock(request, self.command_port.busy(), sweeps, vp_update, &settings, period);
        self.bandwidth_estimator.clock(vp_event, &command, &settings, time);
        let report = Report { valid: report.valid & !self.command_port.busy(), ..report };
        self.report_accumulator.clock(
            report,
            sweeps,
            self.command_port.issue(),
            &command,
            (time, settings.window),
            packet_update,
        );
        self.command_port.clock(offered.valid, offered);
        self.settings_registers.clock(written);
        self.periods.clock(self.clock.ends(), settings.period_rest);
        self.clock.clock();
    }
}
