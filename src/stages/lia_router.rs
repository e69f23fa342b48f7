// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stage `lia_router`.

use super::settings::reset;
use super::spec::{Carries, Judge, Part, Place, StageSpec, TimedJudge};
use super::{StageName, narrow};
use crate::config::recorded::{Parameter, RAM_LATENCY};
use crate::config::{Config, LiaRouter};
use crate::latency;
use crate::settings;
use golden_vectors::routing::lia_router::load_vectors;
use golden_vectors::routing::lia_router::oracle::{Hop as OracleHop, Settings, Shape, Size};
use pipeline::routing::lia_router::{Hop, LiaRouterConfig, LiaRouterSettings};

pub const LIA_ROUTER: StageSpec = StageSpec {
    name: "lia_router",
    description: "Routes packets of a switch of a Dragonfly over minimal or non-minimal paths",
    place: Some(Place::of(Part::Choose, |config| config.lia_router.present)),
    carries: Carries::Events,
    header_records: false,
    sections: &["lia_router"],
    only: &[],
    except: &[("lia_router", "present")],
    ram_latency: true,
    settings: settings::lia_router::RULES,
    contexts: None,
    design: |config| design(config).into(),
    judge: Judge::Timed(TimedJudge {
        parameters: &[
            Parameter::key("lia_router", "global_ports"),
            Parameter::key("lia_router", "switches"),
            Parameter::key("lia_router", "trunks"),
            Parameter::key("lia_router", "counter_bits"),
            RAM_LATENCY,
        ],
        size: |config| size(config).configuration(),
        load: |config| load_vectors(size(config)),
    }),
    latency: |stage| latency::answers(stage, Some("command"), &[("request", "response")]),
};

fn design(config: &Config) -> LiaRouterConfig {
    let LiaRouter { global_ports, switches, trunks, counter_bits, .. } = config.lia_router;
    let reset = |port| reset(StageName::LiaRouter, port, config);
    let hop = |port| match reset(port) {
        0 => Hop::Rule,
        1 => Hop::Kept,
        _ => Hop::Dropped,
    };
    LiaRouterConfig {
        global_ports,
        switches,
        trunks,
        counter_bits: narrow(counter_bits),
        ram_latency: config.ram_latency(),
        settings: LiaRouterSettings {
            weight: reset("weight"),
            limits: [reset("limit_1"), reset("limit_2")],
            biases: [reset("bias_0"), reset("bias_1"), reset("bias_2")],
            link_threshold: reset("link_threshold"),
            saturated_links: reset("saturated_links"),
            remote_threshold: reset("remote_threshold"),
            interval: reset("interval"),
            first_hop: hop("first_hop"),
            second_hop: hop("second_hop"),
            corrected: reset("corrected") == 1,
        },
    }
}

fn size(config: &Config) -> Size {
    let LiaRouterConfig { global_ports, switches, trunks, counter_bits, ram_latency, settings } = design(config);
    let hop = |hop| match hop {
        Hop::Rule => OracleHop::Rule,
        Hop::Kept => OracleHop::Kept,
        Hop::Dropped => OracleHop::Dropped,
    };
    let reset = Settings {
        weight: settings.weight,
        limits: settings.limits,
        biases: settings.biases.map(|bias| i64::from(bias as u16 as i16)),
        link_threshold: settings.link_threshold,
        saturated_links: settings.saturated_links,
        remote_threshold: settings.remote_threshold,
        interval: settings.interval,
        first_hop: hop(settings.first_hop),
        second_hop: hop(settings.second_hop),
        corrected: settings.corrected,
    };
    let shape = Shape { global_ports, switches, trunks, counter_bits };
    Size::new(shape).ram_latency(ram_latency.into()).reset(reset)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The oracle has the same defaults for every size of its vectors.
    #[test]
    fn the_settings_are_those_of_the_vectors() {
        let mut compared = 0;
        for (h, a, t, c) in [
            (2, 4, 1, 8),
            (4, 8, 1, 16),
            (1, 2, 1, 8),
            (3, 5, 1, 10),
            (4, 6, 2, 12),
            (2, 6, 2, 16),
            (2, 8, 4, 8),
            (3, 8, 6, 9),
            (6, 4, 4, 16),
            (16, 32, 1, 16),
        ] {
            for ram_latency in 1..=3 {
                let mut config = Config::default();
                config.target.ram_latency = Some(ram_latency);
                let sizes = &mut config.lia_router;
                (sizes.global_ports, sizes.switches, sizes.trunks, sizes.counter_bits) = (h, a, t, c);
                let size = size(&config);
                assert_eq!(size, Size::new(size.shape).ram_latency(ram_latency));
                compared += 1;
            }
        }
        assert_eq!(compared, 30);
    }

    /// The constants that were found by simulation, for 1000 clock cycles and a little more: whole sweeps.
    #[test]
    fn the_settings_are_those_of_the_page() {
        let mut config = Config::default();
        config.target.ram_latency = Some(2);
        let LiaRouterSettings {
            weight,
            limits,
            biases,
            link_threshold,
            saturated_links,
            remote_threshold,
            interval,
            ..
        } = design(&config).settings;
        // 22 sweeps of 47 clock cycles are 1034, and there are 8 switches.
        assert_eq!((weight, limits, biases), (16, [194, 388], [6, 0, 0x8000]));
        assert_eq!((link_threshold, saturated_links, remote_threshold, interval), (103, 2, 2895, 22));
        (config.lia_router.global_ports, config.lia_router.switches) = (16, 32);
        let settings = design(&config).settings;
        assert_eq!((settings.interval, settings.limits, settings.saturated_links), (2, [49, 99], 8));
        config.settings.lia_bias_mixed = -3.0;
        assert_eq!(design(&config).settings.biases, [6, 0xFFFD, 0x8000]);
        assert_eq!(size(&config).reset.biases, [6, -3, -32768]);
    }
}
