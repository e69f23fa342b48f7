// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stage `tally`.

use super::narrow;
use super::spec::{Carries, Contexts, Judge, StageSpec};
use crate::config::{Config, Tally};
use crate::latency;
use pipeline::examples::tally::TallyConfig;

pub const TALLY: StageSpec = StageSpec {
    name: "tally",
    description: "A table of counters, the example of how a stage is written",
    place: None,
    carries: Carries::Events,
    header_records: false,
    sections: &["tally"],
    only: &[],
    except: &[],
    ram_latency: true,
    settings: &[],
    contexts: Some(Contexts { name: "counters", section: "tally", key: "rows", window: None }),
    design: |config| design(config).into(),
    judge: Judge::Nothing,
    latency: |stage| latency::answers(stage, Some("event"), &[("event", "done")]),
};

fn design(config: &Config) -> TallyConfig {
    let Tally { rows, width, amount_width } = config.tally;
    TallyConfig { rows, width: narrow(width), amount_width: narrow(amount_width), ram_latency: config.ram_latency() }
}
