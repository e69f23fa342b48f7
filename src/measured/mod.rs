// SPDX-License-Identifier: MIT OR Apache-2.0
//! Results of synthesis, place and route for the stages: the table that `scripts/qor --config .. --update` writes.

mod design;
#[cfg(test)]
mod tests;

use crate::config::{Config, Key, Kind, Value};
use crate::device::DEVICES;
use crate::failure::{Failure, Outcome};
use crate::stages::StageName;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The table in TOML.
const TABLE: &str = include_str!("table.toml");

/// Keys of the configuration that make a stage what it is, `section.name`, with their values.
pub type Parameters = BTreeMap<String, Value>;

/// One stage, of one family and one set of parameters.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Measured {
    /// The name of the stage.
    pub stage: String,
    /// The family of the device.
    pub family: String,
    /// What the budget said of the stage when it was measured.
    pub netlist: NetlistSize,
    /// The [hash](design::hash) of its Verilog; `None` if it was measured before there were hashes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verilog: Option<String>,
    /// The tools with their versions, and the part.
    pub tool: String,
    /// Number of seeds over which `mhz` is the median.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seeds: Option<u64>,
    /// The clock after place and route, in MHz.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mhz: Option<f64>,
    /// Longest path before placement, estimated by synthesis with the cell delays of an older family.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate_ns: Option<f64>,
    /// Cells by kind: `lut4`, `ccu2c`, `ff`, `ebr`, `lutram`, `mult` of ECP5; `lut6`, `ff`, `srl`, `bram`, `lutram`, `dsp` of
    /// UltraScale+.
    #[serde(flatten)]
    pub cells: BTreeMap<String, f64>,
    /// The parameters.
    pub parameters: BTreeMap<String, toml::Value>,
}

/// The budget at that time.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct NetlistSize {
    /// Number of flip-flops.
    pub register_bits: u64,
    /// Number of memory bits.
    pub memory_bits: u64,
    /// Operators on the longest path.
    pub logic_levels: u32,
}

/// The relation of a measured configuration to the wanted one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// They are the same.
    Same,
    /// They are the same, but the stage has another Verilog now, or it is not known which it had.
    Changed,
    /// The measured one is larger: no parameter is smaller, and some are larger. The stage has the Verilog that it had.
    Larger,
}

#[derive(Deserialize)]
struct Table {
    #[serde(default)]
    measured: Vec<Measured>,
}

/// All entries.
pub fn table() -> Outcome<Vec<Measured>> {
    toml::from_str::<Table>(TABLE)
        .map(|table| table.measured)
        .map_err(|error| Failure::defect(format!("the table of measured figures: {error}")))
}

/// The entries of a stage on a family, the nearest relation and the fastest first. The Verilog is made for those alone that
/// could decide; an entry of a larger configuration that is of an earlier design is left out.
pub fn find(stage: StageName, family: &str, wanted: &Parameters) -> Outcome<Vec<(Relation, Measured)>> {
    find_in(table()?, stage, family, wanted)
}

fn find_in(
    table: Vec<Measured>,
    stage: StageName,
    family: &str,
    wanted: &Parameters,
) -> Outcome<Vec<(Relation, Measured)>> {
    let of_stage = |entry: &Measured| entry.stage == stage.name() && entry.family == family;
    let mut found = Vec::new();
    for entry in table.into_iter().filter(of_stage) {
        if let Some(larger) = entry.covers(wanted) {
            let relation = match (entry.is_current(stage)?, larger) {
                (true, true) => Relation::Larger,
                (true, false) => Relation::Same,
                (false, false) => Relation::Changed,
                (false, true) => continue,
            };
            found.push((relation, entry));
        }
    }
    let speed = |entry: &Measured| entry.mhz.or(entry.estimate_ns.map(|ns| 1e3 / ns)).unwrap_or(0.0);
    found.sort_by(|(a, x), (b, y)| (*a as u8).cmp(&(*b as u8)).then(speed(y).total_cmp(&speed(x))));
    Ok(found)
}

impl Measured {
    /// Whether the stage has the Verilog today that was measured.
    fn is_current(&self, stage: StageName) -> Outcome<bool> {
        let Some(known) = &self.verilog else { return Ok(false) };
        let Some(config) = self.configuration() else { return Ok(false) };
        Ok(design::hash(stage, &config)? == *known)
    }

    /// The configuration that was measured: its parameters, a device of its family, and defaults. `None` if it is no
    /// configuration any more.
    fn configuration(&self) -> Option<Config> {
        let mut config = Config::default();
        for (name, value) in &self.parameters {
            let (key, value) = (key(name)?, value_of(value)?);
            if !key.kind.allows(&value) {
                return None;
            }
            (key.set)(&mut config, value);
        }
        let device = DEVICES.iter().find(|device| device.family() == self.family)?;
        device.name.clone_into(&mut config.target.device);
        Some(config)
    }

    /// Compares parameters: whether none is smaller than wanted, and whether one is larger.
    fn covers(&self, wanted: &Parameters) -> Option<bool> {
        let mut larger = false;
        for (name, wanted) in wanted {
            let key = key(name)?;
            let has = match self.parameters.get(name) {
                Some(value) => value_of(value)?,
                // A key that was added later: the stage was built with its default.
                None => (key.get)(&Config::default()),
            };
            larger |= has != *wanted;
            if has != *wanted && !is_larger(key, &has, wanted) {
                return None;
            }
        }
        Some(larger)
    }

    /// The number of cells of a kind.
    pub fn cells(&self, kind: &str) -> Option<f64> {
        self.cells.get(kind).copied()
    }
}

/// Whether a greater value means more hardware: a size, or a part that can be left out.
fn is_larger(key: &Key, has: &Value, wanted: &Value) -> bool {
    let size = matches!(key.kind, Kind::Whole(..) | Kind::OneOf(_)) && key.section != "protocols";
    match (has, wanted) {
        (Value::Whole(has), Value::Whole(wanted)) => size && has > wanted,
        (Value::Flag(has), Value::Flag(_)) => *has,
        _ => false,
    }
}

/// The key of a parameter.
fn key(name: &str) -> Option<&'static Key> {
    Key::all().find(|key| key.full_name() == name)
}

fn value_of(value: &toml::Value) -> Option<Value> {
    match value {
        toml::Value::Integer(x) => u64::try_from(*x).ok().map(Value::Whole),
        toml::Value::Boolean(x) => Some(Value::Flag(*x)),
        toml::Value::String(x) => Some(Value::Text(x.clone())),
        _ => None,
    }
}

/// The parameters of a stage. The latency of its memories is the one that device and clock choose.
pub fn parameters(stage: StageName, config: &Config) -> Parameters {
    let mut config = config.clone();
    config.target.ram_latency = Some(config.ram_latency().into());
    Key::all().filter(|key| stage.has_key(key)).map(|key| (key.full_name(), (key.get)(&config))).collect()
}
