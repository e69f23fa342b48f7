// SPDX-License-Identifier: MIT OR Apache-2.0
//! The settings of a stage.

use super::StageName;
use crate::config::{Config, Source};
use crate::failure::Outcome;
use crate::settings::{Rule, Setting};

impl StageName {
    /// The settings of the stage and of its parts: as configured, and as its registers hold them after reset. The ports of
    /// a part have its name before theirs; a part that consists of stages has done this for its ports.
    pub fn settings(self, config: &Config) -> Vec<Setting> {
        let config = &*self.own_config(config);
        let own = self.rules(config).map(|rule| rule.setting(config));
        let parts = self.parts(config);
        let of_parts = parts.iter().flat_map(|part| {
            let named = |setting: Setting| match part.has_parts() {
                true => setting,
                false => Setting { port: format!("{}_{}", part.name(), setting.port), ..setting },
            };
            part.settings(config).into_iter().map(named)
        });
        of_parts.chain(own).collect()
    }

    /// The rules of the registers that it has.
    fn rules(self, config: &Config) -> impl Iterator<Item = &'static Rule> {
        self.spec().settings.iter().filter(|rule| (rule.width)(config) > 0)
    }

    /// Whether its registers hold after reset what they hold by default: the committed vectors are for that.
    pub fn has_default_settings(self, config: &Config) -> bool {
        let default = config.clone().with_settings_of(&Config::default());
        self.rules(config).all(|rule| rule.reset(config) == rule.reset(&default))
    }

    /// Whether it has settings.
    pub fn has_settings(self, config: &Config) -> bool {
        !self.settings(config).is_empty()
    }
}

/// The reset value of the register that the port `settings_PORT` changes; 0 if there is none.
pub(crate) fn reset(stage: StageName, port: &str, config: &Config) -> u64 {
    stage.rules(config).find(|rule| rule.port == port).map_or(0, |rule| rule.reset(config))
}

/// Checks that the registers of the pipeline can hold the settings after reset.
pub(crate) fn check_settings(config: &Config, source: &Source) -> Outcome {
    for stage in StageName::with_parts(&StageName::pipeline(config), config) {
        for rule in stage.rules(config) {
            rule.check(stage.spec().name, config, source)?;
        }
    }
    Ok(())
}
