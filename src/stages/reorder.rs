// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stage `reorder`.

use super::settings::reset;
use super::spec::{Carries, Contexts, Judge, StageSpec, TimedJudge};
use super::{StageName, narrow};
use crate::config::recorded::{Parameter, RAM_LATENCY};
use crate::config::{Config, HoldMode, Reorder};
use crate::latency;
use crate::settings;
use devices::AnyStage;
use golden_vectors::receive::reorder::load_vectors;
use golden_vectors::receive::reorder::oracle::{Limits, PoolShape, Settings, Shape};
use pipeline::receive::reorder::{Hold, PayloadConfig, ReorderConfig, ReorderSettings};

pub const REORDER: StageSpec = StageSpec {
    name: "reorder",
    description: "Delivers the packets of each connection in the order of their PSNs",
    place: None,
    carries: Carries::Events,
    header_records: false,
    sections: &["", "side_band", "reorder"],
    only: &[],
    except: &[],
    ram_latency: true,
    settings: settings::reorder::RULES,
    contexts: Some(Contexts { name: "connections", section: "reorder", key: "connections", window: Some("window") }),
    design: |config| design(config).into(),
    judge: Judge::Timed(TimedJudge {
        parameters: &[
            Parameter::key("reorder", "connections"),
            Parameter::key("reorder", "window"),
            Parameter::key("reorder", "paths"),
            Parameter::key("reorder", "psn_bits"),
            Parameter::key("reorder", "handle_bits").or(16),
            Parameter::key("reorder", "hold").or(0),
            Parameter::key("", "data_width").or(512),
            Parameter::key("reorder", "cells").or(4096),
            Parameter::key("reorder", "cell_bytes").or(256),
            Parameter::key("reorder", "quota").or(1024),
            Parameter::key("reorder", "reserve").or(256),
            RAM_LATENCY,
        ],
        size: |config| shape(config).configuration(),
        load: |config| load_vectors(shape(config)),
    }),
    latency: |stage| {
        let arrivals = match stage {
            AnyStage::Reorder(ReorderConfig { hold: Hold::Payload(_), .. }) => "s_axis",
            _ => "arrival",
        };
        latency::answers(stage, Some("command"), &[(arrivals, "answer"), ("command", "response")])
    },
};

pub(super) fn design(config: &Config) -> ReorderConfig {
    let Reorder { connections, window, paths, psn_bits, handle_bits, sram_protection, hold, .. } = config.reorder;
    let reset = |port| reset(StageName::Reorder, port, config);
    ReorderConfig {
        connections,
        window,
        paths,
        psn_bits: narrow(psn_bits),
        handle_bits: narrow(handle_bits),
        hold: match hold {
            HoldMode::Descriptor => Hold::Descriptor,
            HoldMode::Payload => Hold::Payload(pool(config)),
        },
        ram_latency: config.ram_latency(),
        sram_protection,
        settings: ReorderSettings { span: reset("span"), time: reset("time") },
    }
}

fn pool(config: &Config) -> PayloadConfig {
    let Reorder { cells, cell_bytes, quota, reserve, .. } = config.reorder;
    let defaults = PayloadConfig::new(narrow(config.data_width), cells);
    PayloadConfig {
        side_band: config.side_band,
        cell_bytes: cell_bytes.unwrap_or(defaults.cell_bytes),
        quota: quota.unwrap_or(defaults.quota),
        reserve: reserve.unwrap_or(defaults.reserve),
        ..defaults
    }
}

fn shape(config: &Config) -> Shape {
    let ReorderConfig { connections, window, paths, psn_bits, handle_bits, hold, ram_latency, settings, .. } =
        design(config);
    let reset = Settings { span: settings.span, time: settings.time };
    let shape = Shape::new(connections, window).paths(paths).psn_bits(psn_bits).handle_bits(handle_bits);
    let shape = shape.ram_latency(ram_latency.into()).reset(reset);
    match hold {
        Hold::Descriptor => shape,
        Hold::Payload(PayloadConfig { data_width, cells, cell_bytes, quota, reserve, .. }) => {
            let reset = Limits { quota, reserve };
            shape.pool(PoolShape { reset, ..PoolShape::new(data_width.into(), cells, cell_bytes) })
        }
    }
}
