// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stage `ccc_table`.

use super::settings::reset;
use super::spec::{Carries, Contexts, Judge, Part, Place, StageSpec, TimedJudge};
use super::{StageName, narrow, presence};
use crate::config::recorded::{Parameter, RAM_LATENCY};
use crate::config::{CccTable, Config};
use crate::latency;
use crate::settings;
use golden_vectors::transmit::ccc_table::load_vectors;
use golden_vectors::transmit::ccc_table::oracle::{Algorithms, Settings, Shape};
use pipeline::transmit::ccc_table::{CccAlgorithms, CccTableConfig, CccTableSettings};

pub const CCC_TABLE: StageSpec = StageSpec {
    name: "ccc_table",
    description: "Keeps the state of every congestion control context, and decides which may send",
    place: Some(Place::of(Part::Choose, |config| config.protocols.uet || presence::sends(config))),
    carries: Carries::Events,
    header_records: false,
    sections: &["ccc_table"],
    only: &[],
    except: &[],
    ram_latency: true,
    settings: settings::ccc_table::RULES,
    contexts: Some(Contexts { name: "CCCs", section: "ccc_table", key: "cccs", window: None }),
    design: |config| design(config).into(),
    judge: Judge::Timed(TimedJudge {
        parameters: &[
            Parameter::key("ccc_table", "cccs"),
            Parameter::key("ccc_table", "algorithms"),
            Parameter::key("ccc_table", "classes"),
            Parameter::key("ccc_table", "delay_shift"),
            Parameter::key("ccc_table", "credit_unit").or(256),
            RAM_LATENCY,
        ],
        size: |config| shape(config).configuration(),
        load: |config| load_vectors(shape(config)),
    }),
    latency: |stage| latency::answers(stage, Some("command"), &[("command", "response")]),
};

pub(super) fn design(config: &Config) -> CccTableConfig {
    let CccTable { cccs, algorithms, classes, delay_shift, credit_unit } = config.ccc_table;
    let reset = |port| reset(StageName::CccTable, port, config);
    CccTableConfig {
        cccs,
        algorithms,
        classes,
        delay_shift: narrow(delay_shift),
        credit_unit,
        ram_latency: config.ram_latency(),
        settings: CccTableSettings {
            tick: reset("tick"),
            mtu: reset("mtu"),
            config_base_rtt: reset("config_base_rtt"),
            rtt_floor: reset("rtt_floor"),
            wnd_rate: reset("wnd_rate"),
            config_wnd: reset("config_wnd"),
            target: reset("target"),
            small_delay: reset("small_delay"),
            alpha: reset("alpha"),
            fi: reset("fi"),
            fi_scale: reset("fi_scale"),
            eta: reset("eta"),
            gamma: reset("gamma"),
            max_cut: reset("max_cut"),
            qa_enable: reset("qa_enable"),
            qa_gate: reset("qa_gate"),
            qa_threshold: reset("qa_threshold"),
            adjust_bytes: reset("adjust_bytes"),
            adjust_period: reset("adjust_period"),
            ack_trigger: reset("ack_trigger"),
        },
    }
}

fn shape(config: &Config) -> Shape {
    let CccTableConfig { cccs, algorithms, classes, delay_shift, credit_unit, ram_latency, settings } = design(config);
    let algorithms = match algorithms {
        CccAlgorithms::Nscc => Algorithms::Nscc,
        CccAlgorithms::Rccc => Algorithms::Rccc,
        CccAlgorithms::Both => Algorithms::Both,
        CccAlgorithms::None => Algorithms::None,
    };
    let CccTableSettings { tick, mtu, config_base_rtt, rtt_floor, wnd_rate, config_wnd, target, .. } = settings;
    let CccTableSettings { small_delay, alpha, fi, fi_scale, eta, gamma, max_cut, qa_enable, .. } = settings;
    let CccTableSettings { qa_gate, qa_threshold, adjust_bytes, adjust_period, ack_trigger, .. } = settings;
    let reset = Settings {
        tick,
        mtu,
        config_base_rtt,
        rtt_floor,
        wnd_rate,
        config_wnd,
        target,
        small_delay,
        alpha,
        fi,
        fi_scale,
        eta,
        gamma,
        max_cut,
        qa_enable: qa_enable == 1,
        qa_gate,
        qa_threshold,
        adjust_bytes,
        adjust_period,
        ack_trigger,
    };
    let shape = Shape::new(algorithms, cccs).classes(classes).delay_shift(delay_shift).credit_unit(credit_unit);
    shape.ram_latency(ram_latency.into()).reset(reset)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of the page: its column, and the values that depend on the rate, up to the largest one.
    #[test]
    fn the_settings_are_those_of_the_page() {
        let mut config = Config::default();
        config.target.clock_mhz = 322.265_625;
        config.target.link_gbps = 100.0;
        assert_eq!(design(&config).settings, CccTableSettings::new());
        let mut checked = 0;
        let rates = [(200.0, 2, 89_478), (400.0, 4, 178_957), (800.0, 8, 357_914), (3200.0, 32, 1_431_656)];
        for (gbps, scale, alpha) in rates {
            config.target.link_gbps = gbps;
            let settings = design(&config).settings;
            assert_eq!(settings.wnd_rate, 38_400 * scale);
            assert_eq!(settings.config_wnd, 225_000 * scale);
            assert_eq!(settings.alpha, alpha);
            assert_eq!(settings.fi, 20_480 * scale);
            assert_eq!(settings.fi_scale, 64 * scale);
            assert_eq!(settings.eta, [1229, 2458, 4915, 19_661][checked]);
            checked += 1;
        }
        assert_eq!(checked, 4);
    }

    /// Without trimming the target is the RTT, and quick adapt has a threshold.
    #[test]
    fn without_trimming_delays_count() {
        let mut config = Config::default();
        config.settings.trim = false;
        let settings = design(&config).settings;
        assert_eq!((settings.target, settings.qa_threshold), (94, 375));
    }
}
