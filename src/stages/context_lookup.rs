// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stage `context_lookup`.

use super::spec::{Carries, Contexts, Judge, Part, Place, StageSpec, TimedJudge};
use crate::config::Config;
use crate::config::recorded::{Parameter, RAM_LATENCY};
use crate::latency;
use golden_vectors::receive::context_lookup::load_vectors;
use golden_vectors::receive::context_lookup::oracle::Shape;
use pipeline::receive::context_lookup::{ContextLookupConfig, KeyKinds};

pub const CONTEXT_LOOKUP: StageSpec = StageSpec {
    name: "context_lookup",
    description: "Finds the context of a received frame by its QP, PDC identifier or pair of addresses",
    place: Some(Place::always(Part::Receive)),
    carries: Carries::Events,
    header_records: false,
    sections: &["context_lookup", "protocols"],
    only: &[("protocols", "rocev2"), ("protocols", "uet"), ("protocols", "elab")],
    except: &[],
    ram_latency: true,
    settings: &[],
    contexts: Some(Contexts { name: "contexts", section: "context_lookup", key: "entries", window: None }),
    design: |config| design(config).into(),
    judge: Judge::Timed(TimedJudge {
        parameters: &[
            Parameter::key("context_lookup", "entries"),
            Parameter::key("protocols", "rocev2"),
            Parameter::key("protocols", "uet"),
            Parameter::key("protocols", "elab"),
            RAM_LATENCY,
        ],
        size: |config| shape(config).configuration(),
        load: |config| load_vectors(shape(config)),
    }),
    latency: |stage| latency::answers(stage, Some("command"), &[("lookup", "answer"), ("command", "response")]),
};

fn design(config: &Config) -> ContextLookupConfig {
    ContextLookupConfig {
        entries: config.context_lookup.entries,
        kinds: KeyKinds::of(&config.protocols),
        ram_latency: config.ram_latency(),
    }
}

fn shape(config: &Config) -> Shape {
    let (entries, protocols) = (config.context_lookup.entries, &config.protocols);
    Shape::new(entries, config.ram_latency().into()).protocols(protocols.rocev2, protocols.uet, protocols.elab)
}
