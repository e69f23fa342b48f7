// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stage `credit_pacer`.

use super::StageName;
use super::settings::reset;
use super::spec::{Carries, Contexts, Judge, Part, Place, StageSpec, TimedJudge};
use crate::config::recorded::{Parameter, RAM_LATENCY};
use crate::config::{Config, CreditPacer};
use crate::latency;
use crate::settings;
use golden_vectors::receive::credit_pacer::load_vectors;
use golden_vectors::receive::credit_pacer::oracle::{Settings, Shape};
use pipeline::receive::credit_pacer::{CreditPacerConfig, CreditPacerSettings};

pub const CREDIT_PACER: StageSpec = StageSpec {
    name: "credit_pacer",
    description: "Grants credit to the sources that send to this receiver, at the rate at which it can take data",
    place: Some(Place::of(Part::Receive, gives_credit)),
    carries: Carries::Events,
    header_records: false,
    sections: &["credit_pacer"],
    only: &[],
    except: &[],
    ram_latency: true,
    settings: settings::credit_pacer::RULES,
    contexts: Some(Contexts { name: "sources", section: "credit_pacer", key: "sources", window: None }),
    design: |config| design(config).into(),
    judge: Judge::Timed(TimedJudge {
        parameters: &[Parameter::key("credit_pacer", "sources"), RAM_LATENCY],
        size: |config| shape(config).configuration(),
        load: |config| load_vectors(shape(config)),
    }),
    latency: |stage| latency::answers(stage, Some("command"), &[("command", "response")]),
};

/// Whether its receivers give credit: those of UET with RCCC.
pub(super) fn gives_credit(config: &Config) -> bool {
    config.protocols.uet && config.ccc_table.algorithms.has_rccc()
}

pub(super) fn design(config: &Config) -> CreditPacerConfig {
    let CreditPacer { sources } = config.credit_pacer;
    let reset = |port| reset(StageName::CreditPacer, port, config);
    CreditPacerConfig {
        sources,
        ram_latency: config.ram_latency(),
        settings: CreditPacerSettings {
            rate: reset("rate"),
            quota: reset("quota"),
            burst: reset("burst"),
            advance: reset("advance"),
        },
    }
}

fn shape(config: &Config) -> Shape {
    let CreditPacerConfig { sources, ram_latency, settings } = design(config);
    let CreditPacerSettings { rate, quota, burst, advance } = settings;
    Shape::new(sources).ram_latency(ram_latency.into()).reset(Settings { rate, quota, burst, advance })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0.99 of the link at 100 Gb/s, 12 us and 322.265625 MHz, and what follows from another link, packet or RTT.
    #[test]
    fn the_settings_are_those_of_the_page() {
        let mut config = Config::default();
        config.target.clock_mhz = 322.265_625;
        config.target.link_gbps = 100.0;
        assert_eq!(config.settings.rtt_us, 12.0);
        let settings = design(&config).settings;
        assert_eq!(settings, CreditPacerSettings::new());
        assert_eq!(settings, CreditPacerSettings { rate: 9830, quota: 64, burst: 64, advance: 879 });
        config.target.link_gbps = 400.0;
        assert_eq!(design(&config).settings, CreditPacerSettings { rate: 39_322, advance: 3516, ..settings });
        // 4 packets of 9000 bytes are 140.6 quanta.
        config.settings.mtu = Some(9000);
        config.settings.rtt_us = 6.0;
        let settings = CreditPacerSettings { rate: 39_322, quota: 141, burst: 141, advance: 1758 };
        assert_eq!(design(&config).settings, settings);
        // In other units.
        config.ccc_table.credit_unit = 64;
        let settings = CreditPacerSettings { rate: 157_286, quota: 563, burst: 563, advance: 7031 };
        assert_eq!(design(&config).settings, settings);
    }
}
