// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stage `reorder`.

use super::settings::reset;
use super::spec::{Carries, Contexts, Judge, StageSpec, TimedJudge};
use super::{StageName, narrow};
use crate::config::recorded::{Parameter, RAM_LATENCY};
use crate::config::{Config, Reorder};
use crate::latency;
use crate::settings;
use golden_vectors::reorder::load_vectors;
use golden_vectors::reorder::oracle::{Settings, Shape};
use pipeline::reorder::{ReorderConfig, ReorderSettings};

pub const REORDER: StageSpec = StageSpec {
    name: "reorder",
    description: "Delivers the packets of each connection in the order of their PSNs",
    place: None,
    carries: Carries::Events,
    header_records: false,
    sections: &["reorder"],
    only: &[],
    ram_latency: true,
    settings: settings::reorder::RULES,
    contexts: Some(Contexts { name: "connections", section: "reorder", key: "connections" }),
    design: |config| design(config).into(),
    judge: Judge::Timed(TimedJudge {
        parameters: &[
            Parameter::key("reorder", "connections"),
            Parameter::key("reorder", "window"),
            Parameter::key("reorder", "paths"),
            Parameter::key("reorder", "psn_bits"),
            Parameter::key("reorder", "handle_bits"),
            RAM_LATENCY,
        ],
        size: |config| shape(config).configuration(),
        load: |config| load_vectors(shape(config)),
    }),
    latency: |stage| latency::answers(stage, Some("command"), &[("arrival", "answer"), ("command", "response")]),
};

pub(super) fn design(config: &Config) -> ReorderConfig {
    let Reorder { connections, window, paths, psn_bits, handle_bits, sram_protection } = config.reorder;
    let reset = |port| reset(StageName::Reorder, port, config);
    ReorderConfig {
        connections,
        window,
        paths,
        psn_bits: narrow(psn_bits),
        handle_bits: narrow(handle_bits),
        ram_latency: config.ram_latency(),
        sram_protection,
        settings: ReorderSettings { span: reset("span"), time: reset("time") },
    }
}

fn shape(config: &Config) -> Shape {
    let ReorderConfig { connections, window, paths, psn_bits, handle_bits, ram_latency, settings, .. } = design(config);
    let reset = Settings { span: settings.span, time: settings.time };
    let shape = Shape::new(connections, window).paths(paths).psn_bits(psn_bits).handle_bits(handle_bits);
    shape.ram_latency(ram_latency.into()).reset(reset)
}
