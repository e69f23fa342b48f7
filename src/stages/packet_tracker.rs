// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stage `packet_tracker`.

use super::settings::reset;
use super::spec::{Carries, Contexts, Judge, StageSpec, TimedJudge};
use super::{StageName, narrow};
use crate::config::recorded::{Parameter, RAM_LATENCY};
use crate::config::{Config, PacketTracker};
use crate::latency;
use crate::settings;
use golden_vectors::transmit::packet_tracker::load_vectors;
use golden_vectors::transmit::packet_tracker::oracle::{Settings, Shape};
use pipeline::transmit::packet_tracker::{PacketTrackerConfig, PacketTrackerSettings};

pub const PACKET_TRACKER: StageSpec = StageSpec {
    name: "packet_tracker",
    description: "Keeps the packets of every PDC that are in flight, and finds those that are lost",
    place: None,
    carries: Carries::Operations,
    header_records: false,
    sections: &["packet_tracker", "ccc_table"],
    // The width of the number of a CCC.
    only: &[("ccc_table", "cccs")],
    except: &[],
    ram_latency: true,
    settings: settings::packet_tracker::RULES,
    contexts: Some(Contexts { name: "PDCs", section: "packet_tracker", key: "pdcs", window: Some("window") }),
    design: |config| design(config).into(),
    judge: Judge::Timed(TimedJudge {
        parameters: &[
            Parameter::key("packet_tracker", "pdcs"),
            Parameter::key("packet_tracker", "window"),
            Parameter::key("packet_tracker", "psn_bits"),
            Parameter::key("packet_tracker", "ev_bits"),
            Parameter::key("ccc_table", "cccs"),
            RAM_LATENCY,
        ],
        size: |config| shape(config).configuration(),
        load: |config| load_vectors(shape(config)),
    }),
    // A new packet; *end* is not answered.
    latency: |stage| {
        latency::answers_to(stage, &[("send_op", 1)], Some("command"), &[("send", "sent"), ("command", "response")])
    },
};

pub(super) fn design(config: &Config) -> PacketTrackerConfig {
    let PacketTracker { pdcs, window, psn_bits, ev_bits } = config.packet_tracker;
    let reset = |port| reset(StageName::PacketTracker, port, config);
    PacketTrackerConfig {
        pdcs,
        window,
        psn_bits: narrow(psn_bits),
        ev_bits: narrow(ev_bits),
        cccs: config.ccc_table.cccs,
        ram_latency: config.ram_latency(),
        settings: PacketTrackerSettings {
            tick: reset("tick"),
            rto: reset("rto"),
            retries: reset("retries"),
            span: reset("span"),
            backoff: reset("backoff"),
            backoff_limit: reset("backoff_limit"),
            tail_probe: reset("tail_probe"),
        },
    }
}

fn shape(config: &Config) -> Shape {
    let PacketTrackerConfig { pdcs, window, psn_bits, ev_bits, cccs, ram_latency, settings } = design(config);
    let PacketTrackerSettings { tick, rto, retries, span, backoff, backoff_limit, tail_probe } = settings;
    let reset = Settings { tick, rto, retries, span, backoff, backoff_limit, tail_probe };
    let shape = Shape::new(pdcs, window).psn_bits(psn_bits).ev_bits(ev_bits).cccs(cccs);
    shape.ram_latency(ram_latency.into()).reset(reset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_settings_are_those_of_the_page() {
        let mut config = Config::default();
        config.target.clock_mhz = 322.265_625;
        for window in [64, 256, 4096] {
            config.packet_tracker.window = window;
            assert_eq!(design(&config).settings, PacketTrackerSettings::for_window(window));
        }
    }
}
