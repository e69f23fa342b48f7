// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stage `ack_generator`.

use super::settings::reset;
use super::spec::{Carries, Contexts, Judge, StageSpec};
use super::{StageName, narrow};
use crate::config::{AckGenerator, Config};
use crate::latency;
use crate::settings;
use pipeline::ack_generator::{AckGeneratorConfig, AckGeneratorSettings};

pub const ACK_GENERATOR: StageSpec = StageSpec {
    name: "ack_generator",
    description: "Decides what a receiver answers, and when: ACKs, NAKs and NACKs",
    place: None,
    carries: Carries::Events,
    header_records: false,
    sections: &["ack_generator"],
    only: &[],
    ram_latency: true,
    settings: settings::ack_generator::RULES,
    contexts: Some(Contexts { name: "connections", section: "ack_generator", key: "connections" }),
    design: |config| design(config).into(),
    judge: Judge::Nothing,
    latency: |stage| latency::answers(stage, Some("command"), &[("command", "response")]),
};

pub(super) fn design(config: &Config) -> AckGeneratorConfig {
    let AckGenerator { protocol, connections, window, replies, handle_bits } = config.ack_generator;
    let reset = |port| reset(StageName::AckGenerator, port, config);
    AckGeneratorConfig {
        protocol,
        connections,
        window,
        replies,
        handle_bits: narrow(handle_bits),
        ram_latency: config.ram_latency(),
        settings: AckGeneratorSettings {
            tick: reset("tick"),
            count: reset("count"),
            count_multipath: reset("count_multipath"),
            trigger: reset("trigger"),
            min: reset("min"),
            time: reset("time"),
            per_packet: reset("per_packet"),
            on_ecn: reset("on_ecn"),
            on_retx: reset("on_retx"),
            rnr: reset("rnr"),
            credits: reset("credits"),
            offset: reset("offset"),
            cc: reset("cc"),
            mpr: reset("mpr"),
            added: reset("added"),
            restore: reset("restore"),
        },
    }
}
