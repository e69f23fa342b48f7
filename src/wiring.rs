// SPDX-License-Identifier: MIT OR Apache-2.0
//! How the stages inside a stage are connected, read from its netlist: which stream of which instance goes where. What is
//! followed is data: conditions and addresses choose data, and are no connection.

use crate::interfaces::Interface;
use crate::latency::Time;
use rtl_model::netlist::circuit::{Circuit, Instance, Module, NodeId, Op, Statement, Target};
use rtl_model::netlist::interfaces::Direction;
use rtl_model::ops::Binary;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The instances of a module and the streams between them.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Wiring {
    /// The instances, those ahead that others depend on.
    pub instances: Vec<Inside>,
    /// The streams, each with its readers.
    pub streams: Vec<Stream>,
}

/// An instance.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Inside {
    /// The name of the instance.
    pub name: String,
    /// The name of its module.
    pub module: String,
    /// The latencies of its stage; none until they are [measured](crate::stages::StageName::wiring).
    pub latency: Vec<Time>,
}

/// A stream with its source and its readers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stream {
    /// Where it comes from.
    pub from: End,
    /// Number of bits of its data bus, or of a transfer.
    pub bits: u32,
    /// Where its data go.
    pub to: Vec<End>,
}

/// An end of a stream.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct End {
    /// The index of the instance; absent at a port of the module itself.
    pub instance: Option<usize>,
    /// The name of the interface.
    pub interface: String,
    /// Data get there through logic of the module, not only through wires.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub logic: bool,
}

/// A source of data: an instance, or the module itself, and the number of the port.
type Source = (Option<usize>, usize);

impl Wiring {
    /// Reads it from the top module.
    pub fn of(circuit: &Circuit) -> Self {
        let top = circuit.top();
        let child = |name: &str| circuit.modules.iter().find(|module| module.name == name);
        let children: Vec<_> = top.instances.iter().map(|instance| child(&instance.module)).collect();
        let trace = Trace::of(top);
        let mut streams: BTreeMap<(Option<usize>, String), Stream> = BTreeMap::new();
        let mut add = |to: End, drivers: Vec<NodeId>| {
            let mut found = BTreeSet::new();
            let direct = drivers.iter().all(|node| trace.is_source(*node));
            drivers.iter().for_each(|node| found.extend(trace.sources(*node)));
            let streams_of = |(instance, port): Source| -> Option<(Option<usize>, Interface)> {
                let (module, direction) = match instance {
                    Some(i) => (children[i]?, Direction::Out),
                    None => (top, Direction::In),
                };
                let name = match direction {
                    Direction::Out => &module.outputs[port].name,
                    Direction::In => &module.inputs[port].name,
                };
                let all = module.interfaces();
                let of = all.iter().find(|it| it.direction == direction && it.valid().is_some() && it.owns(name))?;
                Some((instance, Interface::from(of)))
            };
            for (instance, of) in found.into_iter().filter_map(streams_of) {
                let from = End { instance, interface: of.name.clone(), logic: false };
                let bits = of.data_bits.unwrap_or(of.bits);
                let stream = streams.entry((instance, of.name)).or_insert(Stream { from, bits, to: Vec::new() });
                let to = End { logic: !direct, ..to.clone() };
                if !stream.to.contains(&to) {
                    stream.to.push(to);
                }
            }
        };
        for (i, instance) in top.instances.iter().enumerate() {
            let Some(module) = children[i] else { continue };
            for interface in streams_to(module, Direction::In) {
                let ports = interface.fields.iter().filter_map(|field| position(module, Direction::In, &field.port));
                let drivers = ports.map(|port| instance.inputs[port]).collect();
                add(End { instance: Some(i), interface: interface.name.clone(), logic: false }, drivers);
            }
        }
        for interface in streams_to(top, Direction::Out) {
            let ports = interface.fields.iter().filter_map(|field| position(top, Direction::Out, &field.port));
            let drivers = ports.map(|port| top.outputs[port].value).collect();
            add(End { instance: None, interface: interface.name.clone(), logic: false }, drivers);
        }
        let inside = |it: &Instance| Inside { name: it.name.clone(), module: it.module.clone(), latency: Vec::new() };
        let instances = top.instances.iter().map(inside).collect();
        Wiring { instances, streams: streams.into_values().collect() }.in_order()
    }

    /// The same with the instances in the order of the data: after each other as far as there is no circle.
    fn in_order(mut self) -> Self {
        let count = self.instances.len();
        let mut ahead: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); count];
        for Stream { from, to, .. } in &self.streams {
            for end in to {
                if let (Some(from), Some(to)) = (from.instance, end.instance)
                    && from != to
                {
                    ahead[to].insert(from);
                }
            }
        }
        let mut order: Vec<usize> = Vec::new();
        while order.len() < count {
            let left = (0..count).filter(|i| !order.contains(i));
            // The first one of those that wait for the fewest others.
            let next = left.min_by_key(|&i| ahead[i].iter().filter(|other| !order.contains(other)).count());
            order.extend(next);
        }
        let place = |instance: &mut Option<usize>| {
            *instance = instance.and_then(|i| order.iter().position(|&other| other == i));
        };
        for stream in &mut self.streams {
            place(&mut stream.from.instance);
            stream.to.iter_mut().for_each(|end| place(&mut end.instance));
            stream.to.sort();
        }
        self.streams.sort_by(|a, b| a.from.cmp(&b.from));
        self.instances = order.into_iter().map(|i| self.instances[i].clone()).collect();
        self
    }
}

fn streams_to(module: &Module, direction: Direction) -> Vec<rtl_model::netlist::interfaces::Interface> {
    let all = module.interfaces().into_iter();
    all.filter(|it| it.direction == direction && it.valid().is_some()).collect()
}

fn position(module: &Module, direction: Direction, port: &str) -> Option<usize> {
    match direction {
        Direction::In => module.inputs.iter().position(|input| input.name == port),
        Direction::Out => module.outputs.iter().position(|output| output.name == port),
    }
}

/// The way back of data in a module.
struct Trace<'a> {
    module: &'a Module,
    /// What is assigned to registers and variables.
    assigned: HashMap<Target, Vec<NodeId>>,
}

impl<'a> Trace<'a> {
    fn of(module: &'a Module) -> Self {
        let mut assigned = HashMap::new();
        note(&module.body, &mut assigned);
        Trace { module, assigned }
    }

    /// The node is a port.
    fn is_source(&self, node: NodeId) -> bool {
        matches!(self.module.node(node).op, Op::Input(_) | Op::InstanceOutput(..))
    }

    /// The ports whose data a node has.
    fn sources(&self, from: NodeId) -> BTreeSet<Source> {
        let (mut found, mut seen, mut left) = (BTreeSet::new(), BTreeSet::new(), vec![from]);
        while let Some(id) = left.pop() {
            if !seen.insert(id.0) {
                continue;
            }
            let node = self.module.node(id);
            match node.op {
                Op::Input(port) => {
                    found.insert((None, port));
                }
                Op::InstanceOutput(instance, port) => {
                    found.insert((Some(instance), port));
                }
                Op::Register(register) => {
                    left.extend(self.assigned.get(&Target::Register(register)).into_iter().flatten())
                }
                Op::Variable(variable) => {
                    left.push(self.module.variables[variable].default);
                    left.extend(self.assigned.get(&Target::Variable(variable)).into_iter().flatten());
                }
                Op::MemoryData(memory, _) => left.push(self.module.memories[memory].write.data),
                Op::Select => left.extend(&node.args[1..]),
                Op::Lane | Op::Rotate { .. } => left.push(node.args[0]),
                Op::Concat | Op::Slice { .. } | Op::ZeroExtend | Op::SignExtend => left.extend(&node.args),
                // A multiplexer is an OR of ANDs, too. Flags are conditions.
                Op::Binary(Binary::And | Binary::Or) if node.width > 1 => left.extend(&node.args),
                Op::Binary(Binary::Shl | Binary::Shr | Binary::ShrSigned) => left.push(node.args[0]),
                _ => {}
            }
        }
        found
    }
}

/// Notes the values of all assignments.
fn note(body: &[Statement], to: &mut HashMap<Target, Vec<NodeId>>) {
    for statement in body {
        match statement {
            Statement::Assign { target, value, .. } => to.entry(*target).or_default().push(*value),
            Statement::If { arms, otherwise } => {
                arms.iter().for_each(|(_, block)| note(block, to));
                note(otherwise, to);
            }
            Statement::Case { arms, otherwise, .. } => {
                arms.iter().for_each(|(_, block)| note(block, to));
                note(otherwise, to);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::stages::StageName;

    /// What the page of `rx` draws is there, and nothing goes where no data go.
    #[test]
    fn the_streams_of_the_receive_path_are_those_of_its_page() {
        let wiring = Wiring::of(&StageName::Rx.circuit(&Config::default()).expect("it elaborates"));
        let name = |end: &End| {
            let instance = end.instance.map_or("rx", |i| &wiring.instances[i].name);
            format!("{instance}.{}", end.interface)
        };
        let links: BTreeSet<_> = wiring
            .streams
            .iter()
            .flat_map(|stream| stream.to.iter().map(|to| format!("{} -> {}", name(&stream.from), name(to))))
            .collect();
        println!("{links:#?}");
        for link in [
            "rx.s_axis -> parser.s_axis",
            "parser.m_axis -> icrc.s_axis",
            "icrc.m_axis -> gate.s_axis",
            "parser.m_record -> gate.s_record",
            "gate.m_axis -> rx.m_axis",
            "gate.kept -> lookup.lookup",
            "gate.m_record -> rx.m_record",
            "gate.m_record -> reorder.arrival",
            "gate.m_record -> builder.s_record",
            "lookup.answer -> reorder.arrival",
            "reorder.answer -> requests.arrival",
            "requests.verdict -> acks.arrival",
            "reorder.delivery -> requests.delivery",
            "requests.passed -> rx.delivery",
            "reorder.event -> acks.event",
            "acks.ack -> builder.s_record",
            "builder.m_axis -> icrc_insert.s_axis",
            "icrc_insert.m_axis -> rx.m_answer",
            "rx.command -> reorder.command",
        ] {
            assert!(links.contains(link), "{link}");
        }
        for link in ["parser.m_axis -> gate.s_axis", "gate.m_axis -> reorder.arrival", "rx.s_axis -> rx.m_axis"] {
            assert!(!links.contains(link), "{link}");
        }
        let order: Vec<_> = wiring.instances.iter().map(|it| it.name.as_str()).collect();
        let stages = ["parser", "icrc", "gate", "lookup", "reorder", "requests", "acks", "builder", "icrc_insert"];
        assert_eq!(order, stages);
    }

    #[test]
    fn wires_are_told_from_logic() {
        let wiring = Wiring::of(&StageName::Rx.circuit(&Config::default()).expect("it elaborates"));
        let logic = |from: &str, to: &str| {
            let stream = wiring
                .streams
                .iter()
                .find(|stream| stream.from.interface == from && stream.to.iter().any(|end| end.interface == to));
            stream.and_then(|stream| stream.to.iter().find(|end| end.interface == to)).map(|end| end.logic)
        };
        assert_eq!(logic("delivery", "delivery"), Some(false));
        assert_eq!(logic("m_record", "arrival"), Some(true));
    }
}
