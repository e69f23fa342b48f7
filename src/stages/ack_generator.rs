// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stage `ack_generator`.

use super::settings::reset;
use super::spec::{Carries, Contexts, Judge, StageSpec, TimedJudge};
use super::{StageName, narrow};
use crate::config::recorded::{Parameter, RAM_LATENCY};
use crate::config::{AckGenerator, Config};
use crate::latency;
use crate::settings;
use golden_vectors::receive::ack_generator::load_vectors;
use golden_vectors::receive::ack_generator::oracle::{Protocol, Settings, Shape};
use pipeline::receive::ack_generator::{AckGeneratorConfig, AckGeneratorSettings, AckProtocol, op};

pub const ACK_GENERATOR: StageSpec = StageSpec {
    name: "ack_generator",
    description: "Decides what a receiver answers, and when: ACKs, NAKs and NACKs",
    place: None,
    carries: Carries::Events,
    header_records: false,
    sections: &["ack_generator", "protocols"],
    only: &[("protocols", "rocev2"), ("protocols", "uet")],
    except: &[],
    ram_latency: true,
    settings: settings::ack_generator::RULES,
    contexts: Some(Contexts { name: "connections", section: "ack_generator", key: "connections", window: None }),
    design: |config| design(config).into(),
    judge: Judge::Timed(TimedJudge {
        parameters: &[
            Parameter::key("ack_generator", "protocol"),
            Parameter::key("ack_generator", "connections"),
            Parameter::key("ack_generator", "window"),
            Parameter::key("ack_generator", "replies"),
            Parameter::key("ack_generator", "handle_bits"),
            RAM_LATENCY,
        ],
        size: |config| shape(config).configuration(),
        load: |config| load_vectors(shape(config)),
    }),
    // Opens connection 0; then a packet in order asks for its ACK, which does not wait for others.
    latency: |stage| {
        let values = [("command_op", op::OPEN), ("arrival_expected", 1), ("arrival_ack_request", 1)];
        latency::answers_to(stage, &values, Some("command"), &[("command", "response"), ("arrival", "ack")])
    },
};

pub(super) fn design(config: &Config) -> AckGeneratorConfig {
    let AckGenerator { connections, window, replies, handle_bits, .. } = config.ack_generator;
    let reset = |port| reset(StageName::AckGenerator, port, config);
    AckGeneratorConfig {
        protocol: config.ack_protocol(),
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
            no_buffer_time: reset("no_buffer_time"),
            credits: reset("credits"),
            offset: reset("offset"),
            cc: reset("cc"),
            mpr: reset("mpr"),
            added: reset("added"),
            restore: reset("restore"),
        },
    }
}

fn shape(config: &Config) -> Shape {
    let AckGeneratorConfig { protocol, connections, window, replies, handle_bits, ram_latency, settings } =
        design(config);
    let protocol = match protocol {
        AckProtocol::Roce => Protocol::Roce,
        AckProtocol::Uet => Protocol::Uet,
    };
    let AckGeneratorSettings { tick, count, count_multipath, trigger, min, time, rnr, credits, offset, .. } = settings;
    let AckGeneratorSettings { no_buffer_time, per_packet, on_ecn, on_retx, cc, mpr, added, restore, .. } = settings;
    let reset = Settings {
        tick,
        count,
        count_multipath,
        time,
        on_ecn: on_ecn == 1,
        rnr,
        no_buffer_time,
        credits,
        offset,
        trigger,
        min,
        per_packet: per_packet == 1,
        on_retx: on_retx == 1,
        cc: cc == 1,
        mpr,
        added,
        restore: restore == 1,
    };
    let shape = Shape::new(protocol, connections, window).replies(replies).handle_bits(handle_bits);
    shape.ram_latency(ram_latency.into()).reset(reset)
}
