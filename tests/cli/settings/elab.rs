// SPDX-License-Identifier: MIT OR Apache-2.0
//! ELAB as shipped: the settings of `elab-100g` are those of the closed loop of experiment X1, which
//! `golden-vectors/tests/suite/elab/closed_loop.rs` runs.

use super::device::shipped;
use mpnic::stages::StageName;
use pipeline::elab::feedback::ElabFeedbackSettings;
use pipeline::elab::scheduler::ElabSchedulerSettings;

/// Each setting, compared with its default, which is that of the experiment in units of exactly 1 us and packets of 1500
/// bytes: `elab.unit` is 322 clock cycles of 3.1 ns, and packets have 1538 bytes.
fn near(stage: StageName, wanted: &[(&str, u64)]) {
    let settings = stage.settings(&shipped("elab-100g"));
    assert_eq!(settings.len(), wanted.len());
    for (setting, (name, value)) in settings.iter().zip(wanted) {
        assert_eq!(setting.port, format!("settings_{name}"));
        assert!(setting.value.abs_diff(*value) * 20 <= *value, "{name}: {} of {value}", setting.value);
    }
}

#[test]
fn the_settings_are_those_of_the_experiment() {
    let ElabSchedulerSettings { alpha, window, explore, burst, silence } = ElabSchedulerSettings::default();
    let sender = [("alpha", alpha), ("window", window), ("explore", explore), ("burst", burst), ("silence", silence)];
    near(StageName::ElabScheduler, &sender);
    let ElabFeedbackSettings { burst, report_time } = ElabFeedbackSettings::default();
    near(StageName::ElabFeedback, &[("burst", burst), ("report_time", report_time)]);
}
