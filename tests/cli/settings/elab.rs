// SPDX-License-Identifier: MIT OR Apache-2.0
//! ELAB as shipped: the settings of `elab-100g` are those of the closed loop of experiment X1, which
//! `golden-vectors/tests/suite/elab/closed_loop.rs` runs.

use super::device::shipped;
use mpnic::stages::StageName;

/// The values of some settings, by port.
fn values(stage: StageName, config: &str) -> Vec<(String, u64)> {
    let settings = stage.settings(&shipped(config));
    settings.into_iter().map(|setting| (setting.port, setting.value)).collect()
}

#[test]
fn the_settings_are_those_of_the_experiment() {
    let burst = 651;
    let sender = [("alpha", 77), ("window", 20), ("explore", 32_025), ("burst", burst)];
    let wanted: Vec<_> = sender.map(|(name, value)| (format!("settings_{name}"), value)).into();
    assert_eq!(values(StageName::ElabScheduler, "elab-100g"), wanted);
    assert_eq!(values(StageName::ElabFeedback, "elab-100g"), [("settings_burst".to_owned(), burst)]);
}
