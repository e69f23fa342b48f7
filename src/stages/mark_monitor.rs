// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stage `mark_monitor`.

use super::spec::{Carries, Judge, StageSpec, TimedJudge};
use crate::config::recorded::{Parameter, RAM_LATENCY};
use crate::config::{Config, MarkMonitor};
use crate::latency;
use golden_vectors::examples::mark_monitor::load_vectors;
use golden_vectors::examples::mark_monitor::oracle::Shape;
use pipeline::examples::mark_monitor::MarkMonitorConfig;

pub const MARK_MONITOR: StageSpec = StageSpec {
    name: "mark_monitor",
    description: "Reports paths with too many congestion marks, the example of a stage with a table and a FIFO",
    place: None,
    carries: Carries::Events,
    header_records: false,
    sections: &["mark_monitor"],
    only: &[],
    except: &[],
    ram_latency: true,
    settings: &[],
    contexts: None,
    design: |config| design(config).into(),
    judge: Judge::Timed(TimedJudge {
        parameters: &[Parameter::key("mark_monitor", "paths"), Parameter::key("mark_monitor", "alarms"), RAM_LATENCY],
        size: |config| shape(config).configuration(),
        load: |config| load_vectors(shape(config)),
    }),
    latency: |stage| latency::answers(stage, Some("mark"), &[("mark", "alarm")]),
};

fn design(config: &Config) -> MarkMonitorConfig {
    let MarkMonitor { paths, alarms } = config.mark_monitor;
    MarkMonitorConfig { paths, alarms, ram_latency: config.ram_latency() }
}

fn shape(config: &Config) -> Shape {
    let MarkMonitorConfig { paths, alarms, ram_latency } = design(config);
    Shape { paths, alarms, ram_latency: ram_latency.into() }
}
