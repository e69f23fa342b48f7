// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of a configuration that no asked stage looks at, and those that a stage replaces by what follows from another one.

#[cfg(test)]
mod tests;

use super::{StageName, credit_pacer, nic, rx, tx};
use crate::config::{Config, HoldMode, Key, Kind, Source, Value};
use crate::failure::{Failure, Mistake, Outcome};
use pipeline::headers::protocols::Protocols;
use pipeline::receive::ack_generator::AckProtocol;

/// Sections that no stage has for itself. What one stage does not look at there is for the others of the pipeline.
const SHARED: [&str; 4] = ["", "protocols", "side_band", "settings"];

/// The stages that the command line names, or else those of the pipeline, and what is compared with them.
struct Asked<'a> {
    given: &'a [StageName],
    stages: Vec<StageName>,
    /// With the stages of which they consist.
    parts: Vec<StageName>,
    config: &'a Config,
}

/// What the configuration says in vain, a line for each key: its value is not the default, and the stages that the command
/// line names, or else the pipeline, are the same whatever it is.
pub fn warnings(given: &[StageName], config: &Config) -> Vec<String> {
    let default = Config::default();
    let stages = if given.is_empty() { StageName::pipeline(config) } else { given.to_vec() };
    let parts = StageName::with_parts(&stages, config);
    let asked = Asked { given, stages, parts, config };
    let said = Key::all().filter(|key| may_be_unused(key) && (key.get)(config) != (key.get)(&default));
    asked.choice_of_protocol().into_iter().chain(said.filter_map(|key| asked.warning(key))).collect()
}

/// The target and the tests are no matter of stages, and `present` says which of them there are.
fn may_be_unused(key: &Key) -> bool {
    !["target", "conform"].contains(&key.section) && key.name != "present"
}

impl Asked<'_> {
    fn warning(&self, key: &Key) -> Option<String> {
        let value = (key.get)(self.config);
        let what = format!("`{}` = {value}", key.full_name());
        let replaced = self.stages.iter().find_map(|stage| {
            let used = (key.get)(&as_used(*stage, self.config)?);
            (used != value).then(|| {
                let by = decided_by(*stage, key, self.config).map_or(String::new(), |by| format!(", by {by}"));
                format!("{what} is not what {} has: {used}{by}", stage.name())
            })
        });
        if replaced.is_some() {
            return replaced;
        }
        if self.is_used(key) || self.is_as_used(key) {
            return None;
        }
        let names: Vec<_> = self.stages.iter().map(|stage| stage.name()).collect();
        let by = if self.given.is_empty() { "this pipeline".to_owned() } else { names.join(", ") };
        let why = self.reason(key).map_or(String::new(), |why| format!(": {why}"));
        Some(format!("{what} changes nothing of {by}{why}"))
    }

    /// Whether another value of the key makes other stages. What belongs to no stage may be for those that are not asked for.
    fn is_used(&self, key: &Key) -> bool {
        let has = |stage: &StageName| stage.spec().sections.contains(&key.section);
        let own = !SHARED.contains(&key.section) && self.parts.iter().any(has);
        let others = |config: &Config| StageName::with_parts(&StageName::pipeline(config), config);
        let print = |config: &Config| match (self.given.is_empty(), own) {
            (true, _) => format!("{:?}{}", StageName::pipeline(config), print(&self.stages, config)),
            (false, true) => print(&self.stages, config),
            (false, false) => {
                let others = others(config);
                format!("{others:?}{}{}", print(&self.stages, config), print(&others, config))
            }
        };
        let before = print(self.config);
        other_values(key, self.config).into_iter().any(|value| {
            let mut other = self.config.clone();
            (key.set)(&mut other, value);
            print(&other) != before
        })
    }

    /// Whether a stage has this value without looking at the key.
    fn is_as_used(&self, key: &Key) -> bool {
        let mut other = self.config.clone();
        (key.set)(&mut other, (key.get)(&Config::default()));
        let value = (key.get)(self.config);
        self.stages.iter().any(|stage| as_used(*stage, &other).is_some_and(|used| (key.get)(&used) == value))
    }

    /// A NIC is of one protocol.
    fn choice_of_protocol(&self) -> Option<String> {
        let Protocols { rocev2, uet, elab, .. } = self.config.protocols;
        let all = [("RoCEv2", rocev2), ("UET", uet), ("ELAB", elab)];
        let has: Vec<_> = all.iter().filter(|(_, has)| *has).map(|(name, _)| *name).collect();
        let (protocol, other) = match self.config.tx_protocol() {
            AckProtocol::Uet => ("UET", "rocev2"),
            AckProtocol::Roce => ("RoCEv2", "uet"),
        };
        let by = if rocev2 && uet { "`tx.protocol` says" } else { "a NIC has no ELAB" };
        (self.stages.contains(&StageName::Nic) && has.len() > 1).then(|| {
            format!(
                "nic is of {protocol} alone, as {by}, and [protocols] has {}: write `{other} = false` and `elab = false`",
                has.join(", ")
            )
        })
    }

    /// Why it changes nothing, where that can be said.
    fn reason(&self, key: &Key) -> Option<String> {
        let Protocols { rocev2, uet, elab, trimming, .. } = self.config.protocols;
        let off = |name: &str| Some(format!("`protocols.{name}` is false"));
        match (key.section, key.name) {
            ("protocols", "uet_port" | "uet_protocol" | "uet_crc") if !uet => off("uet"),
            ("protocols", "rocev2_port" | "mpeh") if !rocev2 => off("rocev2"),
            ("protocols", "elab_port" | "elab_inner") if !elab => off("elab"),
            ("protocols", "trimmed_dscp" | "trimmed_last_hop_dscp") if !trimming => off("trimming"),
            ("reorder", "cells" | "cell_bytes" | "quota" | "reserve")
                if self.config.reorder.hold == HoldMode::Descriptor =>
            {
                Some("no frames are held, as `reorder.hold` is \"descriptor\"".to_owned())
            }
            ("credit_pacer", _) if !credit_pacer::gives_credit(self.config) => {
                Some("no credit is given, as `protocols.uet` or `ccc_table.algorithms` says".to_owned())
            }
            ("ack_generator" | "tx", "protocol") if rocev2 != uet => {
                Some("of RoCEv2 and UET, [protocols] has only one".to_owned())
            }
            (section, _) => {
                let stage = StageName::find(section).filter(|stage| !self.parts.contains(stage))?;
                Some(format!("there is no {} in it", stage.name()))
            }
        }
    }
}

/// What makes stages what they are, as text.
fn print(stages: &[StageName], config: &Config) -> String {
    stages.iter().map(|stage| format!("{:?}\n", stage.of(&without_what_is_off(*stage, config)))).collect()
}

/// The configuration with defaults for what belongs to parts that are left out.
fn without_what_is_off(stage: StageName, config: &Config) -> Config {
    let mut config = config.clone();
    let Config { protocols: of_default, ccc_table: table, ack_generator: acks, .. } = Config::default();
    let is_icrc = [StageName::Icrc, StageName::IcrcInsert].contains(&stage);
    let all = &mut config.protocols;
    if !all.rocev2 && !is_icrc {
        (all.rocev2_port, all.mpeh) = (of_default.rocev2_port, of_default.mpeh);
    }
    if !all.uet {
        (all.uet_port, all.uet_protocol) = (of_default.uet_port, of_default.uet_protocol);
        all.uet_crc = of_default.uet_crc;
    }
    if !all.elab {
        (all.elab_port, all.elab_inner) = (of_default.elab_port, of_default.elab_inner);
    }
    if !config.ccc_table.algorithms.has_rccc() && stage != StageName::CreditPacer {
        config.ccc_table.credit_unit = table.credit_unit;
    }
    if !config.ccc_table.algorithms.has_nscc() {
        config.ccc_table.delay_shift = table.delay_shift;
    }
    if config.ack_protocol() == AckProtocol::Roce {
        // Only NACKs have a packet that waits.
        config.ack_generator.handle_bits = acks.handle_bits;
    }
    config
}

/// Other values of a key, among them the smallest and the greatest.
fn other_values(key: &Key, config: &Config) -> Vec<Value> {
    let texts = |words: &[&str]| words.iter().map(|word| Value::Text((*word).to_owned())).collect::<Vec<_>>();
    let ends = || key.kind.limits().map_or_else(Vec::new, |(low, high)| vec![Value::Whole(low), Value::Whole(high)]);
    let mut values = match key.kind {
        Kind::OneOf(_) | Kind::AutoOr(_) | Kind::Whole(..) | Kind::AutoOrWhole(..) => ends(),
        Kind::Number(low, high) => vec![Value::Number(low), Value::Number(high)],
        Kind::Flag => vec![Value::Flag(false), Value::Flag(true)],
        Kind::Word(words) => texts(words),
        Kind::Device | Kind::Name => Vec::new(),
    };
    values.insert(0, (key.get)(&Config::default()));
    values.retain(|value| *value != (key.get)(config));
    values
}

/// The configuration with the values that a stage has, whatever their keys say. `None` if there are none.
fn as_used(stage: StageName, config: &Config) -> Option<Config> {
    match stage {
        StageName::Rx => Some(rx::as_used(config)),
        StageName::Tx => Some(tx::as_used(config)),
        StageName::Nic => Some(nic::as_used(config)),
        StageName::ElabHost => Some(rx::with_whole_records(config)),
        _ => None,
    }
}

/// The key that decides what the stage has in place of this one, or what else does.
fn decided_by(stage: StageName, key: &Key, config: &Config) -> Option<&'static str> {
    Some(match (stage, key.section, key.name) {
        (_, "frame_gate", _) => "its use there",
        (_, _, "psn_bits") => "its protocol",
        (_, "packet_tracker", "ev_bits") => match config.tx_protocol() {
            AckProtocol::Uet => "`entropy_selector.evs`",
            AckProtocol::Roce => "`path_scheduler.paths`",
        },
        (_, "path_scheduler", "in_flight_bits") => "`packet_tracker.window`",
        (_, "tx", "header_bytes") | (_, "ccc_table", "algorithms") => "RoCEv2",
        (_, "ack_generator", "window") => "`reorder.window`",
        (StageName::Nic, _, "cccs" | "qps" | "connections" | "sources" | "entries") => "`packet_tracker.pdcs`",
        (StageName::Tx, _, "cccs" | "qps") => "`packet_tracker.pdcs`",
        (StageName::Rx, "ack_generator", "connections") | (StageName::Rx, _, "entries") => "`reorder.connections`",
        _ => return None,
    })
}

/// Sizes of stages that work together and have keys of their own: what the first one lacks, the second one names.
const AT_LEAST: [(StageName, &str, StageName, &str); 4] = [
    (StageName::ContextLookup, "entries", StageName::Reorder, "connections"),
    (StageName::ContextLookup, "entries", StageName::AckGenerator, "connections"),
    (StageName::AckGenerator, "connections", StageName::Reorder, "connections"),
    (StageName::AckGenerator, "window", StageName::Reorder, "window"),
];

/// Refuses stages that are asked for by name and do not fit together.
pub fn check_sizes(given: &[StageName], config: &Config, source: &Source) -> Outcome {
    for (stage, name, other, least) in AT_LEAST {
        let key = |stage: StageName, name: &str| Key::find(stage.spec().name, name);
        let (Some(has), Some(needs)) = (key(stage, name), key(other, least)) else { continue };
        let (Value::Whole(size), Value::Whole(needed)) = ((has.get)(config), (needs.get)(config)) else { continue };
        if size >= needed || ![stage, other].iter().all(|stage| given.contains(stage)) {
            continue;
        }
        let (has, needs) = (has.full_name(), needs.full_name());
        let label = format!("`{has}` is {size}, `{needs}` is {needed}");
        let keys = [(stage.spec().name, name), (other.spec().name, least)];
        return Err(Failure::Usage(Box::new(Mistake {
            message: format!("{} is too small for the {} of {}", stage.name(), least, other.name()),
            place: source.place(keys, label.clone()),
            help: Some(format!("`{has}` is at least `{needs}`: {needed}")),
        })));
    }
    Ok(())
}
