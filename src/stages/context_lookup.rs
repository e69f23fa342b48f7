// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stage `context_lookup`.

use super::spec::{Carries, Contexts, Judge, Part, Place, StageSpec};
use crate::config::Config;
use crate::latency;
use pipeline::context_lookup::{ContextLookupConfig, KeyKinds};

pub const CONTEXT_LOOKUP: StageSpec = StageSpec {
    name: "context_lookup",
    description: "Finds the context of a received frame by its QP, PDC identifier or pair of addresses",
    place: Some(Place { part: Part::Receive, wanted: None }),
    carries: Carries::Events,
    header_records: false,
    sections: &["context_lookup", "protocols"],
    only: &[("protocols", "rocev2"), ("protocols", "uet"), ("protocols", "elab")],
    ram_latency: true,
    settings: &[],
    contexts: Some(Contexts { name: "contexts", section: "context_lookup", key: "entries" }),
    design: |config| design(config).into(),
    judge: Judge::Nothing,
    latency: |stage| latency::answers(stage, Some("command"), &[("lookup", "answer"), ("command", "response")]),
};

fn design(config: &Config) -> ContextLookupConfig {
    ContextLookupConfig {
        entries: config.context_lookup.entries,
        kinds: KeyKinds::of(&config.protocols),
        ram_latency: config.ram_latency(),
    }
}
