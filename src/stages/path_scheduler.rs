// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stage `path_scheduler`.

use super::StageName;
use super::settings::reset;
use super::spec::{Carries, Contexts, Judge, Part, Place, StageSpec, TimedJudge};
use crate::config::recorded::{Parameter, RAM_LATENCY};
use crate::config::{Config, PathScheduler};
use crate::latency;
use crate::settings;
use golden_vectors::transmit::path_scheduler;
use golden_vectors::transmit::path_scheduler::oracle::{Entropy, Settings, Shape};
use pipeline::transmit::path_scheduler::{EntropyRule, PathSchedulerConfig, SchedulerSettings};

pub const PATH_SCHEDULER: StageSpec = StageSpec {
    name: "path_scheduler",
    description: "Chooses the sub-path of every packet of a queue pair, by weights",
    place: Some(Place::of(Part::Choose, |config| config.protocols.rocev2)),
    carries: Carries::Events,
    header_records: false,
    sections: &["path_scheduler"],
    only: &[],
    except: &[],
    ram_latency: true,
    settings: settings::path_scheduler::RULES,
    contexts: Some(Contexts { name: "QPs", section: "path_scheduler", key: "qps", window: None }),
    design: |config| design(config).into(),
    judge: Judge::Timed(TimedJudge {
        parameters: &[
            Parameter::key("path_scheduler", "qps"),
            Parameter::key("path_scheduler", "paths"),
            Parameter::key("path_scheduler", "weight_bits"),
            Parameter::key("path_scheduler", "in_flight_bits"),
            Parameter::key("path_scheduler", "entropy"),
            RAM_LATENCY,
        ],
        size: |config| shape(config).configuration(),
        load: |config| path_scheduler::load_vectors(shape(config)),
    }),
    latency: |stage| latency::answers(stage, Some("command"), &[("request", "grant"), ("command", "response")]),
};

pub(super) fn design(config: &Config) -> PathSchedulerConfig {
    let PathScheduler { qps, paths, weight_bits, in_flight_bits, entropy } = config.path_scheduler;
    let narrow = |bits: u64| u32::try_from(bits).unwrap_or(u32::MAX);
    PathSchedulerConfig::new(qps, paths)
        .weight_bits(narrow(weight_bits))
        .in_flight_bits(narrow(in_flight_bits))
        .entropy(entropy)
        .ram_latency(config.ram_latency())
        .settings(settings_after_reset(config))
}

fn settings_after_reset(config: &Config) -> SchedulerSettings {
    let reset = |port| reset(StageName::PathScheduler, port, config);
    SchedulerSettings {
        flowlet: reset("flowlet"),
        raise: reset("raise"),
        fail: reset("fail"),
        fail_time: reset("fail_time"),
        wait: reset("wait") != 0,
        migrate: reset("migrate"),
        window: reset("window"),
        initial: reset("initial"),
        rtt: reset("rtt"),
        delay: reset("delay"),
    }
}

fn shape(config: &Config) -> Shape {
    let PathSchedulerConfig { qps, paths, weight_bits, in_flight_bits, entropy, ram_latency, settings } =
        design(config);
    let SchedulerSettings { flowlet, raise, fail, fail_time, wait, migrate, window, initial, rtt, delay } = settings;
    let entropy = match entropy {
        EntropyRule::Xor => Entropy::Xor,
        EntropyRule::Table => Entropy::Table,
    };
    Shape::new(qps, paths)
        .weight_bits(weight_bits.into())
        .in_flight_bits(in_flight_bits.into())
        .entropy(entropy)
        .ram_latency(ram_latency.into())
        .reset(Settings { flowlet, raise, fail, fail_time, wait, migrate, window, initial, rtt, delay })
}
