// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings of the stages that choose paths or acknowledge: what `[settings]` says in physical units, and what the registers of the
//! stages hold after reset.
//!
//! Each setting is a [`Rule`]: from the configuration to the number in the register. The reset values of the Verilog, the
//! table of `mpnic settings` and the check of the configuration are derived from the rules, of which every stage has a list.

pub(crate) mod ack_generator;
pub(crate) mod ccc_table;
pub(crate) mod credit_pacer;
pub(crate) mod elab;
pub(crate) mod entropy_selector;
pub(crate) mod lia_router;
mod losses;
pub(crate) mod packet_tracker;
pub(crate) mod path_scheduler;
pub(crate) mod reorder;
pub(crate) mod rx;
mod space;
mod traffic;
pub(crate) mod tx;
mod unit;

pub(crate) use losses::losses;
pub use space::{Space, spaces};

use crate::config::{Config, Source, Target};
use crate::failure::{Failure, Mistake, Outcome};
use serde::Serialize;
use traffic::Traffic;
use unit::Unit;

/// How a register gets its reset value.
pub(crate) struct Rule {
    /// The name of the port that changes the register; without `settings_`, if that is the interface.
    pub port: &'static str,
    /// The number of bits of the register; 0 if the configured stage has none.
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

/// A change in `[target]`: its key, its name, and how it is made.
type Change = (&'static str, &'static str, fn(&mut Target));

/// What may make a value smaller.
const CHANGES: [Change; 3] = [
    ("clock_mhz", "a slower clock", |target| target.clock_mhz /= 2.0),
    ("clock_mhz", "a faster clock", |target| target.clock_mhz *= 2.0),
    ("link_gbps", "a smaller `link_gbps`", |target| target.link_gbps /= 2.0),
];

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

impl Rule {
    /// The name of the port.
    fn name(&self) -> String {
        if self.port.contains("settings_") { self.port.to_owned() } else { format!("settings_{}", self.port) }
    }

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

    /// Checks that the register, one of the stage with this name, can hold the value.
    pub fn check(&self, stage: &str, config: &Config, source: &Source) -> Outcome {
        let (value, most) = (self.whole(config), self.most(config));
        if value <= most {
            return Ok(());
        }
        let changes: Vec<_> = CHANGES.iter().filter(|(.., change)| self.lessens(*change, config)).collect();
        let of_settings = self.keys.iter().map(|key| ("settings", *key));
        // The value follows from these keys; what the file does not have has its default.
        let keys: Vec<_> = of_settings.chain(changes.iter().map(|(key, ..)| ("target", *key))).collect();
        let label = format!("makes {value} {}, of at most {most}", self.unit.name());
        let place = source.place(keys.iter().copied(), label);
        let shown: Vec<_> = keys.iter().map(|(section, key)| crate::config::shown(section, key, config)).collect();
        let message = format!("`{}` of {} cannot hold {}", self.name(), stage, shown.join(", "));
        let main = self.keys.first().map(|key| format!("a smaller `{key}`"));
        let remedies: Vec<_> = main.into_iter().chain(changes.iter().map(|(_, how, _)| (*how).to_owned())).collect();
        let help = format!("choose {}", remedies.join(", or "));
        Err(Failure::Usage(Box::new(Mistake { message, place, help: Some(help) })))
    }

    /// Whether the value becomes smaller with a change of the target.
    fn lessens(&self, change: fn(&mut Target), config: &Config) -> bool {
        let mut changed = config.clone();
        change(&mut changed.target);
        self.whole(&changed) < self.whole(config)
    }

    /// The keys that decide, with their values.
    fn configured(&self, config: &Config) -> String {
        let shown: Vec<_> = self.keys.iter().map(|key| crate::config::shown("settings", key, config)).collect();
        shown.join(", ")
    }

    /// The reset value.
    pub fn reset(&self, config: &Config) -> u64 {
        self.whole(config).min(self.most(config))
    }

    /// The setting for a configuration.
    pub fn setting(&self, config: &Config) -> Setting {
        let value = self.reset(config);
        Setting {
            port: self.name(),
            row: self.row,
            configured: self.configured(config),
            value,
            width: (self.width)(config),
            unit: self.unit.name(),
            means: self.unit.physical(value, config),
        }
    }
}
