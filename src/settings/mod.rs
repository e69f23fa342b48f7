// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings of the stages that choose paths: what `[settings]` says in physical units, and what the registers of the
//! stages hold after reset.
//!
//! Each setting is a [`Rule`]: from the configuration to the number in the register. The reset values of the Verilog, the
//! table of `mpnic settings` and the check of the configuration are derived from the rules.

mod elab;
mod entropy_selector;
mod path_scheduler;
mod space;
mod traffic;
mod unit;

pub use space::{Space, spaces};

use crate::config::Config;
use crate::stages::StageName;
use serde::Serialize;
use traffic::Traffic;
use unit::Unit;

/// How a register gets its reset value.
pub(crate) struct Rule {
    /// The name of the port that changes the register, without `settings_`.
    pub port: &'static str,
    /// The number of bits of the register.
    pub width: fn(&Config) -> u32,
    /// The row of the requirements from which the default comes.
    pub row: &'static str,
    /// The keys of `[settings]` that decide, the main one first.
    pub keys: &'static [&'static str],
    /// What the register counts.
    pub unit: Unit,
    /// The value before it is rounded.
    pub value: fn(&Traffic) -> f64,
    /// How it is rounded.
    pub round: Round,
}

/// How a value becomes a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Round {
    /// To the nearest one, but not to 0 unless the value is 0.
    Nearest,
    /// To the next larger one, for times that must have passed.
    Up,
}

/// A setting of a stage, as configured and as in the register.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Setting {
    /// The name of the port that changes it.
    pub port: String,
    /// The row of the requirements from which the default comes.
    pub row: &'static str,
    /// The keys of `[settings]` that decide, with their values.
    pub configured: String,
    /// The reset value of the register.
    pub value: u64,
    /// The number of bits of the register.
    pub width: u32,
    /// What the register counts.
    pub unit: &'static str,
    /// The value in physical units again, after rounding.
    pub means: String,
}

/// A value that its register cannot hold.
pub(crate) struct TooLarge {
    pub stage: StageName,
    pub rule: &'static Rule,
    pub value: u64,
}

impl Rule {
    /// The value of the register before it is limited to its width.
    fn whole(&self, config: &Config) -> u64 {
        let exact = (self.value)(&Traffic::of(config));
        let rounded = match self.round {
            Round::Nearest if exact > 0.0 => exact.round().max(1.0),
            Round::Nearest => 0.0,
            Round::Up => (exact - 1e-9).ceil().max(0.0),
        };
        rounded as u64
    }

    /// The largest value of the register.
    pub fn most(&self, config: &Config) -> u64 {
        u64::MAX >> (64 - (self.width)(config))
    }

    /// The reset value.
    pub(crate) fn reset(&self, config: &Config) -> u64 {
        self.whole(config).min(self.most(config))
    }

    fn setting(&self, config: &Config) -> Setting {
        let value = self.reset(config);
        let configured: Vec<_> = self.keys.iter().map(|key| crate::config::shown("settings", key, config)).collect();
        Setting {
            port: format!("settings_{}", self.port),
            row: self.row,
            configured: configured.join(", "),
            value,
            width: (self.width)(config),
            unit: self.unit.name(),
            means: self.unit.physical(value, config),
        }
    }
}

impl StageName {
    /// How the settings of the stage get their reset values; nothing if it has none.
    pub(crate) fn settings(self) -> &'static [Rule] {
        match self {
            StageName::EntropySelector => entropy_selector::RULES,
            StageName::PathScheduler => path_scheduler::RULES,
            StageName::ElabScheduler => elab::SCHEDULER,
            StageName::ElabFeedback => elab::FEEDBACK,
            _ => &[],
        }
    }
}

/// The settings of a stage.
pub fn of_stage(stage: StageName, config: &Config) -> Vec<Setting> {
    stage.settings().iter().map(|rule| rule.setting(config)).collect()
}

/// The reset value of the register that the port `settings_PORT` changes; 0 if there is none.
pub(crate) fn reset(stage: StageName, port: &str, config: &Config) -> u64 {
    stage.settings().iter().find(|rule| rule.port == port).map_or(0, |rule| rule.reset(config))
}

/// The first setting of the pipeline whose register is too narrow for the configured value.
pub(crate) fn too_large(config: &Config) -> Option<TooLarge> {
    let rules = StageName::pipeline(config).into_iter().flat_map(|stage| stage.settings().iter().map(move |rule| (stage, rule)));
    let mut values = rules.map(|(stage, rule)| TooLarge { stage, rule, value: rule.whole(config) });
    values.find(|found| found.value > found.rule.most(config))
}
