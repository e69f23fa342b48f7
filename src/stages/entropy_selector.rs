// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stage `entropy_selector`.

use super::StageName;
use super::settings::reset;
use super::spec::{Carries, Contexts, Judge, Part, Place, StageSpec, TimedJudge};
use crate::config::recorded::{Parameter, RAM_LATENCY};
use crate::config::{Config, EntropySelector};
use crate::latency;
use crate::settings;
use golden_vectors::transmit::entropy_selector;
use golden_vectors::transmit::entropy_selector::oracle::{Settings, Shape};
use pipeline::transmit::entropy_selector::{
    EntropySelectorConfig, EntropySelectorSettings, Modes, WIRE_BASE, WIRE_RANGE,
};

pub const ENTROPY_SELECTOR: StageSpec = StageSpec {
    name: "entropy_selector",
    description: "Chooses the path of every packet of a connection, away from congestion",
    place: Some(Place::of(Part::Choose, |config| config.protocols.uet)),
    carries: Carries::Events,
    header_records: false,
    sections: &["entropy_selector"],
    only: &[],
    except: &[],
    ram_latency: true,
    settings: settings::entropy_selector::RULES,
    contexts: Some(Contexts { name: "CCCs", section: "entropy_selector", key: "cccs", window: None }),
    design: |config| design(config).into(),
    judge: Judge::Timed(TimedJudge {
        parameters: &[
            Parameter::key("entropy_selector", "cccs"),
            Parameter::key("entropy_selector", "evs"),
            // Older files have no ports; they are for one port.
            Parameter::key("entropy_selector", "ports").or(1),
            Parameter::key("entropy_selector", "wire_base").or(WIRE_BASE),
            Parameter::key("entropy_selector", "wire_range").or(WIRE_RANGE),
            Parameter::other("modes", allowed_modes, set_modes),
            RAM_LATENCY,
        ],
        size: |config| shape(config).configuration(),
        load: |config| entropy_selector::load_vectors(shape(config)),
    }),
    latency: |stage| latency::answers(stage, Some("command"), &[("request", "grant"), ("command", "response")]),
};

pub(super) fn design(config: &Config) -> EntropySelectorConfig {
    let EntropySelector { cccs, evs, modes, ports, wire_base, wire_range } = config.entropy_selector;
    EntropySelectorConfig::new(cccs, evs)
        .ram_latency(config.ram_latency())
        .modes(modes)
        .ports(ports)
        .wire(wire_base, wire_range)
        .settings(settings_after_reset(config))
}

fn settings_after_reset(config: &Config) -> EntropySelectorSettings {
    let reset = |port| reset(StageName::EntropySelector, port, config);
    EntropySelectorSettings {
        rtt: reset("rtt"),
        saturation: reset("saturation"),
        seed: reset("seed"),
        explore: reset("explore"),
        freeze: reset("freeze"),
        idle: reset("idle"),
        reroute: reset("reroute"),
    }
}

fn shape(config: &Config) -> Shape {
    let EntropySelectorConfig { cccs, evs, ram_latency, modes, ports, wire_base, wire_range, settings } =
        design(config);
    let EntropySelectorSettings { rtt, saturation, seed, explore, freeze, idle, reroute } = settings;
    Shape::new(cccs, evs)
        .ram_latency(ram_latency.into())
        .modes(modes.mask())
        .ports(ports)
        .wire(wire_base, wire_range)
        .settings(Settings { rtt, saturation, seed, explore, freeze, idle, reroute })
}

/// Vectors record the modes as one number with a bit per mode, the configuration has a key per mode. Vectors also exist
/// for selectors without the bitmap.
fn allowed_modes() -> String {
    format!("a number from 1 to {}, a bit for each mode", Modes::ALL.mask())
}

fn set_modes(config: &mut Config, mask: u64) -> bool {
    let modes = Modes::of_mask(mask);
    config.entropy_selector.modes = modes.unwrap_or(config.entropy_selector.modes);
    modes.is_some()
}
