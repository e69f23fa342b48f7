// SPDX-License-Identifier: MIT OR Apache-2.0
//! The interfaces of a stage in `summary.json`, and [as a table](table).

pub mod table;

use rtl_model::netlist::circuit::Module;
use rtl_model::netlist::interfaces::{self, Pin};
use serde::Serialize;

/// Ports that together carry one kind of data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Interface {
    /// The name of the interface.
    pub name: String,
    /// Its description in the source.
    pub doc: String,
    /// Whether it is an input or an output of the stage.
    pub direction: Direction,
    /// Whether a `valid` marks transfers; without it the values hold in every clock cycle.
    pub stream: bool,
    /// Number of bits of a transfer, without `valid` and `ready`.
    pub bits: u32,
    /// Number of bits of `tdata`, if there is one: the width of the bus.
    pub data_bits: Option<u32>,
    /// The port that marks a transfer, if there is one.
    pub valid: Option<Field>,
    /// The port of the other direction that accepts a transfer, if there is one.
    pub ready: Option<Field>,
    /// The payload, in the order of the ports.
    pub fields: Vec<Field>,
}

/// The direction of the payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// The payload goes into the stage.
    In,
    /// The payload comes out of the stage.
    Out,
}

/// A port of an interface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Field {
    /// The name of the port.
    pub port: String,
    /// Its name within the interface.
    pub name: String,
    /// Number of bits.
    pub bits: u32,
    /// Its description in the source.
    pub doc: String,
}

impl From<&Pin> for Field {
    fn from(Pin { port, name, width, doc, .. }: &Pin) -> Self {
        Field { port: port.clone(), name: name.clone(), bits: *width, doc: doc.clone() }
    }
}

impl From<&interfaces::Interface> for Interface {
    fn from(of: &interfaces::Interface) -> Self {
        Interface {
            name: of.name.clone(),
            doc: of.doc.clone(),
            direction: match of.direction {
                interfaces::Direction::In => Direction::In,
                interfaces::Direction::Out => Direction::Out,
            },
            stream: of.valid().is_some(),
            bits: of.width(),
            data_bits: of.fields.iter().find(|field| field.name == "tdata").map(|field| field.width),
            valid: of.valid().map(Field::from),
            ready: of.ready().map(Field::from),
            fields: of.fields.iter().map(Field::from).collect(),
        }
    }
}

impl Interface {
    /// The interfaces of a module.
    pub fn all(module: &Module) -> Vec<Self> {
        module.interfaces().iter().map(Self::from).collect()
    }

    /// Whether this is the name of the interface or of one of its ports: a latency names either of them.
    pub fn has(&self, port: &str) -> bool {
        let mut ports = [&self.valid, &self.ready].into_iter().flatten().chain(&self.fields);
        self.name == port || ports.any(|own| own.port == port)
    }

    /// Whether it is one signal without a handshake: a level or a counter.
    pub fn is_single(&self) -> bool {
        !self.stream && self.fields.len() == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::stages::StageName;

    fn of(stage: StageName) -> Vec<Interface> {
        let circuit = stage.circuit(&Config::default()).expect("it elaborates");
        Interface::all(circuit.top())
    }

    /// Name, whether it is an output, whether it has a `valid` and a `ready`, and number of bits.
    fn lines(stage: StageName) -> Vec<(String, bool, [bool; 2], u32)> {
        let line =
            |x: Interface| (x.name, x.direction == Direction::Out, [x.valid, x.ready].map(|x| x.is_some()), x.bits);
        of(stage).into_iter().map(line).collect()
    }

    #[test]
    fn the_interfaces_of_the_parser() {
        let all = of(StageName::HeaderParser);
        let names: Vec<_> = all.iter().map(|x| x.name.as_str()).collect();
        assert_eq!(names, ["s_axis", "m_axis", "m_record", "count"]);
        // The fields are tdata, tkeep, tlast and tuser.
        assert_eq!((all[0].bits, all[0].data_bits), (512 + 64 + 1 + 1, Some(512)));
        assert_eq!((all[3].bits, all[3].data_bits, all[3].stream), (11 * 32, None, false));
        let port = |field: &Option<Field>| field.as_ref().map(|field| field.port.clone()).unwrap_or_default();
        assert_eq!(
            all.iter().map(|x| port(&x.valid)).collect::<Vec<_>>(),
            ["s_axis_tvalid", "m_axis_tvalid", "m_record_tvalid", ""]
        );
        assert_eq!(
            all.iter().map(|x| port(&x.ready)).collect::<Vec<_>>(),
            ["s_axis_tready", "m_axis_tready", "m_record_tready", ""]
        );
        assert!(all.iter().flat_map(|x| &x.fields).all(|field| !field.doc.is_empty()));
    }

    #[test]
    fn the_record_of_the_builder_has_what_stands_beside_it() {
        let all = of(StageName::HeaderBuilder);
        let last = all[0].fields.iter().rev().take(3).map(|field| field.name.as_str()).collect::<Vec<_>>();
        assert_eq!((all[0].name.as_str(), last), ("s_record", vec!["has_payload", "entropy_target", "entropy"]));
    }

    #[test]
    fn the_interfaces_of_stages_that_answer() {
        let (none, valid, both) = ([false; 2], [true, false], [true; 2]);
        let all = lines(StageName::Tally);
        assert_eq!(all, [("event".to_owned(), false, both, 26), ("done".to_owned(), true, valid, 42)]);
        let all = lines(StageName::ElabFeedback);
        let all: Vec<_> = all.iter().map(|(name, out, handshake, _)| (name.as_str(), *out, *handshake)).collect();
        assert_eq!(
            all,
            [
                ("arrival", false, both),
                ("query", false, valid),
                ("command", false, both),
                ("settings", false, valid),
                ("due", true, both),
                ("busy", true, none),
                ("report", true, valid),
                ("refused_arrivals", true, none),
                ("refused_queries", true, none),
                ("empty_queries", true, none),
            ]
        );
    }

    #[test]
    fn an_end_of_a_latency_is_an_interface_or_a_port() {
        let all = of(StageName::Tally);
        assert!(all[0].has("event") && all[0].has("event_valid") && all[0].has("ready"));
        assert!(!all[0].has("done_valid") && !all[0].has("even"));
    }

    /// Every port of every stage has a description.
    #[test]
    fn every_port_has_a_comment() {
        for stage in StageName::ALL {
            for interface in of(*stage) {
                let ports = [&interface.valid, &interface.ready].into_iter().flatten().chain(&interface.fields);
                ports.for_each(|port| assert!(port.doc.ends_with('.'), "{}: {}", stage.name(), port.port));
                assert!(!interface.doc.is_empty(), "{}: {}", stage.name(), interface.name);
            }
        }
    }
}
