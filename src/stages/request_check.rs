// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stage `request_check`.

use super::narrow;
use super::spec::{Carries, Contexts, Judge, StageSpec};
use crate::config::{Config, Reorder};
use crate::latency;
use pipeline::receive::request_check::RequestCheckConfig;

pub const REQUEST_CHECK: StageSpec = StageSpec {
    name: "request_check",
    description: "Checks requests of RoCEv2 in the order of their PSNs: the order of their OpCodes, and their lengths",
    place: None,
    carries: Carries::Operations,
    header_records: false,
    sections: &["reorder"],
    only: &[("reorder", "connections"), ("reorder", "window"), ("reorder", "handle_bits")],
    except: &[],
    ram_latency: true,
    settings: &[],
    contexts: Some(Contexts { name: "connections", section: "reorder", key: "connections", window: Some("window") }),
    design: |config| design(config).into(),
    // Its rows say no cycles: the oracle judges it in lock-step.
    judge: Judge::Nothing,
    // A message of one packet, in order.
    latency: |stage| {
        let only = [("arrival_expected", 1), ("arrival_first", 1), ("arrival_last", 1)];
        latency::answers_to(stage, &only, None, &[("arrival", "verdict"), ("delivery", "passed")])
    },
};

fn design(config: &Config) -> RequestCheckConfig {
    let Reorder { connections, window, handle_bits, .. } = config.reorder;
    RequestCheckConfig { connections, window, handle_bits: narrow(handle_bits), ram_latency: config.ram_latency() }
}
