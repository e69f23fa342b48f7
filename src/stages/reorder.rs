// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stage `reorder`.

use super::settings::reset;
use super::spec::{Carries, Contexts, Judge, StageSpec};
use super::{StageName, narrow};
use crate::config::{Config, Reorder};
use crate::latency;
use crate::settings;
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
    judge: Judge::Nothing,
    latency: |stage| latency::answers(stage, Some("command"), &[("arrival", "answer"), ("command", "response")]),
};

fn design(config: &Config) -> ReorderConfig {
    let Reorder { connections, window, paths, psn_bits, handle_bits } = config.reorder;
    let reset = |port| reset(StageName::Reorder, port, config);
    ReorderConfig {
        connections,
        window,
        paths,
        psn_bits: narrow(psn_bits),
        handle_bits: narrow(handle_bits),
        ram_latency: config.ram_latency(),
        settings: ReorderSettings { span: reset("span"), time: reset("time") },
    }
}
