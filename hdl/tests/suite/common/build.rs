// SPDX-License-Identifier: MIT OR Apache-2.0
//! Builds modules by hand.

use rtl_model::netlist::circuit::*;
use rtl_model::ops::{Binary, Unary};
use rtl_model::role::Role;
use std::panic::Location;

/// Builds a module node by node.
pub struct Build(pub Module);

impl Build {
    #[track_caller]
    pub fn new(name: &str) -> Build {
        Build(Module {
            name: name.into(),
            site: Location::caller(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            nodes: Vec::new(),
            registers: Vec::new(),
            variables: Vec::new(),
            memories: Vec::new(),
            instances: Vec::new(),
            docs: Default::default(),
            tables: Vec::new(),
            maps: Vec::new(),
            body: Vec::new(),
        })
    }

    #[track_caller]
    pub fn node(&mut self, op: Op, args: &[NodeId], width: u32) -> NodeId {
        self.0.nodes.push(Node { op, args: args.to_vec(), width, name: None, hint: None, site: Location::caller() });
        NodeId(self.0.nodes.len() as u32 - 1)
    }

    pub fn named(&mut self, id: NodeId, name: &str) -> NodeId {
        self.0.nodes[id.0 as usize].name = Some(name.into());
        id
    }

    pub fn width(&self, id: NodeId) -> u32 {
        self.0.node(id).width
    }

    pub fn input(&mut self, name: &str, width: u32) -> NodeId {
        self.0.inputs.push(Input {
            name: name.into(),
            width,
            path: vec![],
            place: Default::default(),
            unused_ok: false,
        });
        self.node(Op::Input(self.0.inputs.len() - 1), &[], width)
    }

    pub fn output(&mut self, name: &str, value: NodeId) {
        let width = self.width(value);
        self.0.outputs.push(Output { name: name.into(), width, path: vec![], place: Default::default(), value });
    }

    /// The ports `NAME_..` are an AXI4-Stream.
    pub fn stream(&mut self, name: &str) {
        let inputs = self.0.inputs.iter_mut().map(|port| (&port.name, &mut port.place));
        let outputs = self.0.outputs.iter_mut().map(|port| (&port.name, &mut port.place));
        for (port, place) in inputs.chain(outputs) {
            let Some(field) = port.strip_prefix(&format!("{name}_")) else { continue };
            place.interface = Some(name.into());
            place.role = match field {
                "tvalid" => Role::Valid,
                "tready" => Role::Ready,
                _ => Role::Payload,
            };
        }
    }

    pub fn constant(&mut self, width: u32, value: u64) -> NodeId {
        self.node(Op::Constant(Value::from_u64(width, value)), &[], width)
    }

    pub fn unary(&mut self, op: Unary, a: NodeId) -> NodeId {
        let width = op.width(self.width(a));
        self.node(Op::Unary(op), &[a], width)
    }

    pub fn not(&mut self, a: NodeId) -> NodeId {
        self.unary(Unary::Not, a)
    }

    pub fn binary(&mut self, op: Binary, a: NodeId, b: NodeId) -> NodeId {
        let width = op.width(self.width(a), self.width(b)).expect("widths fit");
        self.node(Op::Binary(op), &[a, b], width)
    }

    pub fn select(&mut self, condition: NodeId, yes: NodeId, no: NodeId) -> NodeId {
        let width = self.width(yes);
        self.node(Op::Select, &[condition, yes, no], width)
    }

    pub fn concat(&mut self, parts: &[NodeId]) -> NodeId {
        let width = parts.iter().map(|&part| self.width(part)).sum();
        self.node(Op::Concat, parts, width)
    }

    pub fn slice(&mut self, a: NodeId, low: u32, width: u32) -> NodeId {
        self.node(Op::Slice { low }, &[a], width)
    }

    /// A register: its index and its output.
    pub fn register(&mut self, name: &str, width: u32, init: u64, reset: bool) -> (usize, NodeId) {
        let (init, site) = (Value::from_u64(width, init), self.0.site);
        self.0.registers.push(Register {
            name: name.into(),
            scope: vec![],
            local: name.into(),
            width,
            init,
            reset,
            states: vec![],
            site,
        });
        let index = self.0.registers.len() - 1;
        (index, self.node(Op::Register(index), &[], width))
    }

    pub fn variable(&mut self, name: &str, default: NodeId) -> (usize, NodeId) {
        let (width, site) = (self.width(default), self.0.site);
        self.0.variables.push(Variable { name: name.into(), width, default, site });
        let index = self.0.variables.len() - 1;
        (index, self.node(Op::Variable(index), &[], width))
    }

    pub fn set(&self, register: usize, value: NodeId) -> Statement {
        Statement::Assign { target: Target::Register(register), value, site: self.0.site }
    }

    pub fn put(&self, variable: usize, value: NodeId) -> Statement {
        Statement::Assign { target: Target::Variable(variable), value, site: self.0.site }
    }

    pub fn when(condition: NodeId, then: Vec<Statement>) -> Statement {
        Statement::If { arms: vec![(condition, then)], otherwise: Vec::new() }
    }

    /// A memory with one write and `reads` read ports; returns the read data.
    #[allow(clippy::too_many_arguments)]
    pub fn memory(
        &mut self,
        name: &str,
        (depth, width, latency): (u64, u32, u32),
        collision: Collision,
        write: (NodeId, NodeId, NodeId),
        reads: &[(NodeId, NodeId)],
    ) -> Vec<NodeId> {
        let index = self.0.memories.len();
        self.0.memories.push(Memory {
            scope: vec![],
            local: name.into(),
            name: name.into(),
            depth,
            width,
            latency,
            collision,
            lanes: 1,
            slice: width,
            large: false,
            write: WritePort { enable: write.0, address: write.1, lane: None, data: write.2 },
            reads: reads.iter().map(|&(enable, address)| ReadPort { enable, address }).collect(),
            site: self.0.site,
        });
        (0..reads.len()).map(|port| self.node(Op::MemoryData(index, port), &[], width)).collect()
    }

    /// An instance; returns its outputs.
    pub fn instance(&mut self, name: &str, child: &Module, inputs: &[NodeId]) -> Vec<NodeId> {
        let index = self.0.instances.len();
        let outputs: Vec<(String, u32)> = child.outputs.iter().map(|o| (o.name.clone(), o.width)).collect();
        self.0.instances.push(Instance {
            name: name.into(),
            scope: Vec::new(),
            local: name.into(),
            module: child.name.clone(),
            inputs: inputs.to_vec(),
            outputs: outputs.clone(),
            site: self.0.site,
        });
        outputs.iter().enumerate().map(|(i, o)| self.node(Op::InstanceOutput(index, i), &[], o.1)).collect()
    }
}
