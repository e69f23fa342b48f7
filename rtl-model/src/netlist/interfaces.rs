// SPDX-License-Identifier: MIT OR Apache-2.0
//! The interfaces of a module: which ports carry one thing together, which way it goes, by which handshake, and what the
//! source says of it.

use super::circuit::{Input, Module, Output};
use crate::leaf::{Field, Place, Role};
use std::collections::BTreeSet;

/// Ports that carry one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    /// The field of the stage's inputs or outputs: what the names of its ports begin with, but for what an attribute put there.
    pub name: String,
    /// What the source says of that field, or nothing.
    pub doc: String,
    /// Which way the payload goes.
    pub direction: Direction,
    /// What marks a transfer.
    pub handshake: Handshake,
    /// The payload, in the order of the ports.
    pub fields: Vec<Pin>,
}

/// The way data go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direction {
    /// Into the module.
    In,
    /// Out of the module.
    Out,
}

/// What marks a transfer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Handshake {
    /// Nothing: the values hold in every clock.
    None,
    /// A valid; every transfer is taken at once.
    Valid {
        /// It goes with the payload.
        valid: Pin,
    },
    /// A valid and a ready: a transfer happens in the clocks in which both are 1.
    ValidReady {
        /// It goes with the payload.
        valid: Pin,
        /// It goes the other way.
        ready: Pin,
    },
}

/// A port of an interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    /// The port.
    pub port: String,
    /// Its name within the interface.
    pub name: String,
    /// Width in bits.
    pub width: u32,
    /// What the source says of it, or nothing.
    pub doc: String,
    /// The port ahead of it is another element of the same array.
    pub continues: bool,
}

impl Direction {
    /// The other way.
    pub fn other(self) -> Self {
        match self {
            Direction::In => Direction::Out,
            Direction::Out => Direction::In,
        }
    }
}

impl Interface {
    /// Bits of a transfer.
    pub fn width(&self) -> u32 {
        self.fields.iter().map(|field| field.width).sum()
    }

    /// The port that says that there is a transfer.
    pub fn valid(&self) -> Option<&Pin> {
        match &self.handshake {
            Handshake::None => None,
            Handshake::Valid { valid } | Handshake::ValidReady { valid, .. } => Some(valid),
        }
    }

    /// The port that says that a transfer is taken.
    pub fn ready(&self) -> Option<&Pin> {
        match &self.handshake {
            Handshake::ValidReady { ready, .. } => Some(ready),
            _ => None,
        }
    }

    /// All its ports, each with its direction: the handshake first, of which what goes in stands ahead.
    pub fn pins(&self) -> impl Iterator<Item = (&Pin, Direction)> {
        let (to, back) = (self.direction, self.direction.other());
        let mut handshake = vec![self.valid().map(|pin| (pin, to)), self.ready().map(|pin| (pin, back))];
        handshake.sort_by_key(|pin| pin.map(|(_, direction)| direction));
        handshake.into_iter().flatten().chain(self.fields.iter().map(move |field| (field, to)))
    }

    /// Whether the port is one of its own.
    pub fn owns(&self, port: &str) -> bool {
        self.pins().any(|(pin, _)| pin.port == port)
    }
}

impl Module {
    /// The interfaces, in the order of their first ports, inputs ahead of outputs. Every port but clock and reset is in one.
    pub fn interfaces(&self) -> Vec<Interface> {
        let ports = self.ports();
        let valids: BTreeSet<_> = ports.iter().filter(|port| port.place.role == Role::Valid).map(Port::key).collect();
        let (mut drafts, mut answered): (Vec<Draft>, _) = (Vec::new(), BTreeSet::new());
        for (i, port) in ports.iter().enumerate() {
            let (name, direction) = port.key();
            let answers = port.place.role == Role::Ready
                && valids.contains(&(name, direction.other()))
                && answered.insert(port.key());
            let to = if answers { direction.other() } else { direction };
            let at = drafts.iter().position(|draft| (draft.name, draft.direction) == (name, to)).unwrap_or_else(|| {
                drafts.push(Draft { name, direction: to, doc: "", valid: None, ready: None, fields: Vec::new() });
                drafts.len() - 1
            });
            drafts[at].add(port, i.checked_sub(1).map(|ahead| &ports[ahead]), answers);
        }
        drafts.into_iter().map(Draft::finished).collect()
    }

    fn ports(&self) -> Vec<Port<'_>> {
        fn input(Input { name, width, path, place, .. }: &Input) -> Port<'_> {
            Port { name, width: *width, path, place, direction: Direction::In }
        }
        fn output(Output { name, width, path, place, .. }: &Output) -> Port<'_> {
            Port { name, width: *width, path, place, direction: Direction::Out }
        }
        self.inputs.iter().map(input).chain(self.outputs.iter().map(output)).collect()
    }
}

/// What is wrong with the handshakes of a module, and what to do about it.
pub(super) fn faults(module: &Module) -> Vec<(String, &'static str)> {
    let ports = module.ports();
    let mut faults = Vec::new();
    for (i, port) in ports.iter().enumerate().filter(|(_, port)| port.place.role != Role::Payload) {
        let Port { name, width, place, .. } = port;
        let (interface, direction) = port.key();
        let what = if place.role == Role::Valid { "valid" } else { "ready" };
        if *width != 1 {
            faults.push((format!("the {what} `{name}` has {width} bits"), "a handshake signal has one bit"));
        }
        let same = |other: &&Port| other.place.role == place.role && other.key() == port.key();
        if let Some(first) = ports[..i].iter().find(same) {
            let text = format!("`{interface}` has two signals that are its {what}: `{}` and `{name}`", first.name);
            faults.push((text, "leave one of them out"));
        }
        let answered = |other: &Port| other.place.role == Role::Valid && other.key() == (interface, direction.other());
        // A signal of the stage itself may be called `ready` and be no more than that.
        if place.role == Role::Ready && place.interface.is_some() && !ports.iter().any(answered) {
            let text = format!("`{name}` is the ready of `{interface}`, which has no valid in the other direction");
            faults.push((text, "name a record with a valid: #[ready(record)]"));
        }
    }
    faults
}

/// What input and output ports have in common.
struct Port<'a> {
    name: &'a str,
    width: u32,
    path: &'a [Field],
    place: &'a Place,
    direction: Direction,
}

impl<'a> Port<'a> {
    /// The interface that it is a part of, as seen from its own direction.
    fn key(&self) -> (&'a str, Direction) {
        let outermost = self.path.first().map_or(self.name, |field| field.name);
        (self.place.interface.as_deref().unwrap_or(outermost), self.direction)
    }

    /// What the source says of the interface, as far as this port knows.
    fn doc_of_interface(&self) -> &'static str {
        let at = match (&self.place.interface, self.place.inside) {
            (None, _) => Some(0),
            (Some(_), inside) => inside.and_then(|inside| self.path.len().checked_sub(inside + 1)),
        };
        at.and_then(|at| self.path.get(at)).map_or("", |field| field.doc)
    }

    fn pin(&self, ahead: Option<&Port>) -> Pin {
        let (interface, _) = self.key();
        let within = self.name.strip_prefix(interface).and_then(|rest| rest.strip_prefix('_'));
        let same = |ahead: &Port| !self.path.is_empty() && ahead.path == self.path && ahead.key() == self.key();
        Pin {
            port: self.name.to_owned(),
            name: within.unwrap_or(self.name).to_owned(),
            width: self.width,
            doc: self.path.last().map_or("", |field| field.doc).to_owned(),
            continues: ahead.is_some_and(same),
        }
    }
}

/// An interface of which not all ports have been seen.
struct Draft<'a> {
    name: &'a str,
    direction: Direction,
    doc: &'static str,
    valid: Option<Pin>,
    ready: Option<Pin>,
    fields: Vec<Pin>,
}

impl Draft<'_> {
    /// `answers`: it is a ready of the other direction.
    fn add(&mut self, port: &Port, ahead: Option<&Port>, answers: bool) {
        let pin = port.pin(ahead);
        if answers {
            self.ready = Some(pin);
            return;
        }
        if self.doc.is_empty() {
            self.doc = port.doc_of_interface();
        }
        match port.place.role {
            Role::Valid if self.valid.is_none() => self.valid = Some(pin),
            _ => self.fields.push(pin),
        }
    }

    fn finished(self) -> Interface {
        let handshake = match (self.valid, self.ready) {
            (None, _) => Handshake::None,
            (Some(valid), None) => Handshake::Valid { valid },
            (Some(valid), Some(ready)) => Handshake::ValidReady { valid, ready },
        };
        let (name, doc) = (self.name.to_owned(), self.doc.to_owned());
        Interface { name, doc, direction: self.direction, handshake, fields: self.fields }
    }
}
