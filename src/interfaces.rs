// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of a stage as people speak of them: streams, and signals that belong together.

use rtl_model::netlist::circuit::Module;
use serde::Serialize;

/// Ports that carry one thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Interface {
    /// What the names of its ports begin with.
    pub name: String,
    /// Whether it goes into the stage or comes out.
    pub direction: Direction,
    /// Transfers are marked by a `valid`; without it the values hold in every clock.
    pub stream: bool,
    /// Bits of a transfer, without `valid` and `ready`.
    pub bits: u32,
    /// Bits of `tdata` alone, if it has one: what the width of a bus means.
    pub data_bits: Option<u32>,
}

/// The way data go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Into the stage.
    In,
    /// Out of the stage.
    Out,
}

impl Interface {
    /// The interfaces of a module, inputs first, each in the order of its ports.
    pub fn all(module: &Module) -> Vec<Self> {
        let inputs: Vec<_> = module.inputs.iter().map(|port| (port.name.as_str(), port.width)).collect();
        let outputs: Vec<_> = module.outputs.iter().map(|port| (port.name.as_str(), port.width)).collect();
        let mut all = one_way(&inputs, Direction::In);
        all.extend(one_way(&outputs, Direction::Out));
        all
    }

    /// A latency's end is the name of an interface or of one of its ports.
    pub fn has(&self, port: &str) -> bool {
        port.strip_prefix(&self.name).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
    }
}

fn one_way(ports: &[(&str, u32)], direction: Direction) -> Vec<Interface> {
    let streams: Vec<&str> = ports.iter().filter_map(|(name, _)| valid_of(name)).collect();
    let mut all: Vec<Interface> = Vec::new();
    for &(name, width) in ports.iter().filter(|(name, _)| !is_ready(name)) {
        let stream = streams.iter().filter(|stream| belongs(name, stream)).max_by_key(|stream| stream.len());
        // Signals without a `valid` go together by their first word: `count_none`, `count_ihl`, ..
        let group = stream.copied().unwrap_or_else(|| name.split('_').next().unwrap_or(name));
        let at = all.iter().position(|known| known.name == group).unwrap_or_else(|| {
            let stream = stream.is_some();
            all.push(Interface { name: group.to_owned(), direction, stream, bits: 0, data_bits: None });
            all.len() - 1
        });
        if valid_of(name).is_none() {
            all[at].bits += width;
        }
        if name.strip_prefix(group) == Some("_tdata") {
            all[at].data_bits = Some(width);
        }
    }
    all
}

fn belongs(name: &str, stream: &str) -> bool {
    name.strip_prefix(stream).is_some_and(|rest| rest.starts_with('_'))
}

/// The stream of which a port is the `valid`.
fn valid_of(name: &str) -> Option<&str> {
    name.strip_suffix("_tvalid").or_else(|| name.strip_suffix("_valid"))
}

/// It says something of a stream of the other direction.
fn is_ready(name: &str) -> bool {
    name == "ready" || name.ends_with("_tready") || name.ends_with("_ready")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::stages::StageName;

    fn of(stage: StageName) -> Vec<(String, bool, u32, Option<u32>)> {
        let circuit = stage.circuit(&Config::default()).expect("it elaborates");
        let all = Interface::all(circuit.top());
        all.into_iter().map(|x| (x.name, x.direction == Direction::Out, x.bits, x.data_bits)).collect()
    }

    #[test]
    fn the_interfaces_of_the_parser() {
        let all = of(StageName::HeaderParser);
        let names: Vec<_> = all.iter().map(|x| x.0.as_str()).collect();
        assert_eq!(names, ["s_axis", "m_axis", "m_record", "count"]);
        // tdata, tkeep, tlast, tuser
        assert_eq!(all[0], ("s_axis".to_owned(), false, 512 + 64 + 1 + 1, Some(512)));
        assert_eq!(all[3], ("count".to_owned(), true, 11 * 32, None));
    }

    #[test]
    fn the_interfaces_of_tally() {
        let all = of(StageName::Tally);
        assert_eq!(all, [("event".to_owned(), false, 26, None), ("done".to_owned(), true, 42, None)]);
    }
}
