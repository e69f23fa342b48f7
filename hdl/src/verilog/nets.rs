// SPDX-License-Identifier: MIT OR Apache-2.0
//! The names of the nets of a module, and the bits of them that the text reads.

use super::arrays::arrays;
use super::literal::bits;
use crate::names::Names;
use crate::simplify::Simple;
use rtl_model::netlist::circuit::{Memory, Module, Node, NodeId, Op, Origin, Value};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Names by kind and index.
pub struct Nets {
    /// All names taken.
    pub names: Names,
    /// Stem of each register: `foo` of `foo_reg` and `foo_next`.
    pub registers: Vec<String>,
    /// Values of registers with a name in the source, each once, and their names in the text.
    pub states: Vec<State>,
    /// Each variable.
    pub variables: Vec<String>,
    /// Stem of each memory.
    pub memories: Vec<String>,
    /// Data register of each read port.
    pub data: Vec<Vec<String>>,
    /// Each instance.
    pub instances: Vec<String>,
    /// Net at each output of each instance.
    pub outputs: Vec<Vec<String>>,
    /// Net of each node that has one of its own, and the origin of its name.
    pub wires: Vec<Option<(String, Origin)>>,
    reads: RefCell<BTreeMap<String, Reads>>,
}

/// A value of a register that has a name: a `localparam`.
#[derive(Debug)]
pub struct State {
    source: String,
    /// Its name in the text.
    pub name: String,
    /// The value.
    pub value: Value,
}

#[derive(Clone)]
struct Reads(Vec<bool>);

/// The stem of a memory's names, its arrays included.
fn stem(memory: &Memory, names: &mut Names) -> String {
    let arrays = arrays(memory);
    let suffixes: Vec<_> = ["", "_init"].into_iter().chain(arrays.iter().map(|array| &*array.suffix)).collect();
    names.unique_with(&memory.name, &suffixes)
}

/// Two registers may have the same states.
fn states(module: &Module, names: &mut Names) -> Vec<State> {
    let mut all: Vec<State> = Vec::new();
    for (value, source) in module.registers.iter().flat_map(|register| &register.states) {
        if !all.iter().any(|state| state.source == *source && state.value == *value) {
            all.push(State { source: source.clone(), name: names.unique(source), value: *value });
        }
    }
    all
}

impl Nets {
    /// Names everything but the wires.
    pub fn new(simple: &Simple) -> Nets {
        let m = &simple.module;
        let mut names = Names::default();
        for fixed in ["clk", "rst", "_unused_ok"] {
            names.take(fixed);
        }
        for port in m.inputs.iter().map(|p| &p.name).chain(m.outputs.iter().map(|p| &p.name)) {
            names.take(port);
        }
        let registers = m.registers.iter().map(|r| names.unique_with(&r.name, &["_reg", "_next"])).collect();
        let states = states(m, &mut names);
        let variables = m.variables.iter().map(|v| names.unique(&v.name)).collect();
        let memories: Vec<String> = m.memories.iter().map(|memory| stem(memory, &mut names)).collect();
        let data = m.memories.iter().zip(&memories);
        let data = data
            .map(|(memory, stem)| match memory.reads.len() {
                1 => vec![format!("{}_reg", names.unique_with(&format!("{stem}_data"), &["_reg"]))],
                n => (0..n)
                    .map(|i| format!("{}_reg", names.unique_with(&format!("{stem}_data_{i}"), &["_reg"])))
                    .collect(),
            })
            .collect();
        let instances: Vec<String> = m.instances.iter().map(|i| names.unique(&i.name)).collect();
        // An instance output that is an output of the module uses the port as its net.
        let mut ports: Vec<(NodeId, &String)> = m.outputs.iter().rev().map(|o| (o.value, &o.name)).collect();
        let mut port = |i: usize, index: usize| {
            let source = Op::InstanceOutput(i, index);
            let at = ports.iter().rposition(|(id, _)| m.node(*id).op == source)?;
            Some(ports.remove(at).1.clone())
        };
        let mut outputs = Vec::with_capacity(m.instances.len());
        for (i, (instance, name)) in m.instances.iter().zip(&instances).enumerate() {
            let nets = instance.outputs.iter().enumerate().map(|(index, (output, _))| match port(i, index) {
                Some(port) => port,
                None => names.unique(&format!("{name}_{output}")),
            });
            outputs.push(nets.collect());
        }
        let wires = vec![None; m.nodes.len()];
        let reads = RefCell::default();
        Nets { names, registers, states, variables, memories, data, instances, outputs, wires, reads }
    }

    /// Gives a node a wire of this name, or one prefixed with the name of its section if that is taken.
    pub fn give(&mut self, id: NodeId, section: Option<&str>, name: &str, origin: Origin) {
        self.wires[id.0 as usize] = Some((self.names.unique_in(section, name), origin));
    }

    /// The state of this name and value in the source.
    pub fn state(&self, source: &str, value: Value) -> Option<&State> {
        self.states.iter().find(|state| state.source == source && state.value == value)
    }

    /// The name of a node's own wire.
    pub fn wire(&self, id: NodeId) -> Option<&str> {
        self.wires[id.0 as usize].as_ref().map(|(name, _)| name.as_str())
    }

    /// The net whose value the node is, if it is one.
    pub fn of(&self, simple: &Simple, id: NodeId, node: &Node) -> Option<String> {
        match node.op {
            Op::Input(i) => Some(simple.module.inputs[i].name.clone()),
            Op::Register(i) => Some(format!("{}_reg", self.registers[i])),
            Op::Variable(i) => Some(self.variables[i].clone()),
            Op::MemoryData(i, port) => Some(self.data[i][port].clone()),
            Op::InstanceOutput(i, port) => Some(self.outputs[i][port].clone()),
            _ => self.wire(id).map(str::to_owned),
        }
    }

    /// Whether the net is an output port.
    pub fn is_port(&self, simple: &Simple, name: &str) -> bool {
        simple.module.outputs.iter().any(|output| output.name == name)
    }

    /// Records that the text reads bits of a net of `of` bits.
    pub fn read(&self, name: &str, of: u32, low: u32, width: u32) {
        let mut reads = self.reads.borrow_mut();
        let reads = reads.entry(name.to_owned()).or_insert_with(|| Reads(vec![false; of as usize]));
        for bit in low..low + width {
            if let Some(bit) = reads.0.get_mut(bit as usize) {
                *bit = true;
            }
        }
    }

    /// Clears the record of reads, before the final text is printed.
    pub fn forget_reads(&self) {
        self.reads.borrow_mut().clear();
    }

    /// The slices of a net that nothing reads, highest first.
    pub fn unread(&self, name: &str, of: u32) -> Vec<String> {
        let reads = self.reads.borrow();
        let none = Reads(vec![false; of as usize]);
        let reads = reads.get(name).unwrap_or(&none);
        let mut pieces = Vec::new();
        let mut high = of;
        while high > 0 {
            if reads.0[high as usize - 1] {
                high -= 1;
                continue;
            }
            let mut low = high - 1;
            while low > 0 && !reads.0[low as usize - 1] {
                low -= 1;
            }
            pieces.push(bits(name, of, low, high - low));
            high = low;
        }
        pieces
    }
}
