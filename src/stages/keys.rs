// SPDX-License-Identifier: MIT OR Apache-2.0
//! The keys of the configuration that a stage reads.

use super::StageName;
use super::spec::{Carries, Contexts, StageSpec};
use crate::config::{Config, Key, table};

impl StageName {
    /// The keys that its files list in their headers; they include all keys that affect its Verilog.
    pub(super) fn keys(self) -> impl Iterator<Item = &'static Key> {
        let spec = self.spec();
        let (memories, conversions) = (["device", "ram_latency", "ultra_ram_bits"], ["clock_mhz", "link_gbps"]);
        let rules = spec.settings;
        Key::all().filter(move |key| match key.section {
            "target" if conversions.contains(&key.name) => !rules.is_empty(),
            "target" => spec.ram_latency && memories.contains(&key.name),
            "settings" => rules.iter().any(|rule| rule.keys.contains(&key.name)),
            section => spec.sections.contains(&section),
        })
    }

    /// Whether a key of the configuration changes what its hardware does. Settings only change values after reset.
    pub fn has_key(self, key: &Key) -> bool {
        let (place, StageSpec { only, except, .. }) = ((key.section, key.name), self.spec());
        match place {
            ("target", "device" | "clock_mhz" | "link_gbps" | "ultra_ram_bits") | ("settings", _) => false,
            _ if except.contains(&place) => false,
            (section, _) if only.iter().any(|(of, _)| *of == section) => only.contains(&place),
            _ => self.keys().any(|own| (own.section, own.name) == place),
        }
    }

    /// Whether the stage is the same for the protocols of both configurations.
    pub(crate) fn is_as_in(self, asked: &Config, config: &Config) -> bool {
        table::keys().filter(|key| self.has_key(key)).all(|key| (key.get)(asked) == (key.get)(config))
    }

    /// The contexts for which it has a row of state, if there are any.
    pub fn contexts(self) -> Option<Contexts> {
        self.spec().contexts
    }

    /// The names of the stages that have contexts.
    pub(crate) fn with_contexts() -> Vec<String> {
        Self::ALL.iter().filter(|stage| stage.contexts().is_some()).map(|stage| stage.name()).collect()
    }

    /// Whether `target.ram_latency` changes it.
    pub fn has_ram_latency(self) -> bool {
        self.spec().ram_latency
    }

    /// Whether frames pass through it.
    pub fn carries_frames(self) -> bool {
        matches!(self.spec().carries, Carries::Frames | Carries::FramesAndPackets(_))
    }

    /// Clock cycles of each event or packet that passes through it; `None` for a stage whose operations differ in that.
    pub fn clocks_of_event(self, config: &Config) -> Option<u64> {
        match self.spec().carries {
            Carries::Events => Some(1),
            Carries::Packets(clocks) | Carries::FramesAndPackets(clocks) => Some(clocks(config)),
            Carries::Frames | Carries::Operations => None,
        }
    }
}
