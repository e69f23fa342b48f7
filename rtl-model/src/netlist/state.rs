// SPDX-License-Identifier: MIT OR Apache-2.0
//! Registers, variables, memories, delay lines and children as nets.

use super::Netlist;
use super::build::{self, Assigned, Builder, MemoryUse, Phase, PortUse, VariableState, leaf_net, with};
use super::circuit::*;
use super::logic::{Net, width_problem};
use super::problem::Title;
use crate::ops::index_width;
use crate::ram::RamShape;
use crate::signal::{Leaf, LeafSpec, Signal, join};
use crate::stage::{Design, Stage};
use std::panic::Location;

/// A register: one [`Register`] per leaf.
pub struct RegisterNet<T: Signal> {
    first: usize,
    q: T,
    leaves: Vec<LeafSpec>,
}

fn nets<T: Signal<Logic = Netlist>>(value: &T) -> Vec<Net> {
    let mut nets = Vec::new();
    value.visit(&mut |leaf| nets.push(leaf_net(leaf)));
    nets
}

fn from_nets<T: Signal<Logic = Netlist>>(shape: &T::Shape, mut next: impl FnMut(u32) -> Net) -> T {
    T::build(shape, &mut |width, wide| {
        let net = next(width);
        if wide { Leaf::Wide(net) } else { Leaf::Narrow(net) }
    })
}

pub(super) fn register<T: Signal<Logic = Netlist>>(
    name: &str,
    shape: &T::Shape,
    init: Option<T>,
    site: Site,
) -> RegisterNet<T> {
    let leaves = T::leaves_of(shape, name);
    let init: Option<Vec<Net>> = init.map(|value| nets(&value));
    let first = with(|b| b.module.registers.len());
    let mut i = 0;
    let q = from_nets(shape, |width| {
        let start = init.as_ref().map(|init| init[i]);
        let net = with(|b| {
            let init = start.map_or(Value::zero(width), |net| initial(b, net, width, site));
            b.module.registers.push(Register { name: leaves[i].name.clone(), width, init, reset: false, site });
            b.registers.push(Assigned::default());
            b.push(Op::Register(first + i), vec![], width, site)
        });
        i += 1;
        net
    });
    RegisterNet { first, q, leaves }
}

fn initial(b: &mut Builder, net: Net, width: u32, site: Site) -> Value {
    match b.module.node(net.node).op {
        Op::Constant(value) if value.width() == width => value,
        Op::Constant(value) => {
            let text = format!("a register of {width} bits starts at a value of {} bits", value.width());
            b.problem(Title::WidthMismatch, text, "make both the same", vec![("made", site)]);
            Value::zero(width)
        }
        _ => {
            let text = "the initial value of a register is not a constant".into();
            b.problem(Title::VariableInState, text, "start it with lit()", vec![("made", site)]);
            Value::zero(width)
        }
    }
}

impl<T: Signal<Logic = Netlist>> RegisterNet<T> {
    #[track_caller]
    pub(super) fn get(&self) -> T {
        let site = Location::caller();
        with(|b| {
            for i in self.first..self.first + self.leaves.len() {
                if let Some(assigned) = b.registers[i].before(&b.path) {
                    let text = format!("register `{}` is read after it was assigned", b.module.registers[i].name);
                    let sites = vec![("assigned", assigned), ("read", site)];
                    let help = "write the last pipeline step first, or keep the value in a Var";
                    b.problem(Title::ReadAfterAssign, text, help, sites);
                    break;
                }
            }
        });
        self.q
    }
    #[track_caller]
    pub(super) fn set(&self, value: T) {
        let site = Location::caller();
        for (i, net) in nets(&value).into_iter().enumerate() {
            if net.width != self.leaves[i].width {
                let (name, width) = (&self.leaves[i].name, self.leaves[i].width);
                width_problem(
                    format!("`{name}` of {width} bits is assigned {} bits", net.width),
                    "extend() or truncate()",
                );
                continue;
            }
            with(|b| {
                let value = b.own(net, site);
                b.assign(Target::Register(self.first + i), value, site);
                let path = b.path.clone();
                b.registers[self.first + i].add(&path, site);
            });
        }
    }
    pub(super) fn reset(&self) {
        with(|b| {
            for (i, _) in self.leaves.iter().enumerate().filter(|(_, leaf)| leaf.reset) {
                b.module.registers[self.first + i].reset = true;
            }
        });
    }
}

/// A variable: one state per leaf.
pub struct VariableNet<T: Signal> {
    first: usize,
    shape: T::Shape,
}

#[track_caller]
pub(super) fn variable<T: Signal<Logic = Netlist>>(name: &str, initial: T) -> VariableNet<T> {
    let site = Location::caller();
    let shape = initial.shape();
    let leaves = T::leaves_of(&shape, name);
    let first = with(|b| b.variables.len());
    for (leaf, net) in leaves.into_iter().zip(nets(&initial)) {
        with(|b| {
            let default = b.own(net, site);
            let version = new_version(b, leaf.name.clone(), leaf.width, default, site);
            let in_state = b.phase == Phase::Build;
            b.variables.push(VariableState {
                name: leaf.name,
                made: site,
                in_state,
                version,
                versions: 1,
                read: false,
                early_read: None,
                assigned: None,
            });
        });
    }
    VariableNet { first, shape }
}

fn new_version(b: &mut Builder, name: String, width: u32, default: NodeId, site: Site) -> usize {
    b.module.variables.push(Variable { name, width, default, site });
    b.module.variables.len() - 1
}

impl<T: Signal<Logic = Netlist>> VariableNet<T> {
    #[track_caller]
    pub(super) fn get(&self) -> T {
        let site = Location::caller();
        let mut i = self.first;
        from_nets(&self.shape, |width| {
            let net = with(|b| {
                let version = b.variables[i].version;
                let net = b.push(Op::Variable(version), vec![], width, site);
                let state = &mut b.variables[i];
                state.read = true;
                if state.assigned.is_none() && state.early_read.is_none() {
                    state.early_read = Some((net.node, site));
                }
                net
            });
            i += 1;
            net
        })
    }
    #[track_caller]
    pub(super) fn set(&self, value: T) {
        let site = Location::caller();
        for (i, net) in nets(&value).into_iter().enumerate() {
            let i = self.first + i;
            let width = with(|b| b.module.variables[b.variables[i].version].width);
            if net.width != width {
                width_problem(
                    format!("a variable of {width} bits is assigned {} bits", net.width),
                    "extend() or truncate()",
                );
                continue;
            }
            with(|b| {
                let value = b.own(net, site);
                if b.variables[i].read {
                    let default = b.push(Op::Variable(b.variables[i].version), vec![], width, site).node;
                    b.variables[i].versions += 1;
                    let name = format!("{}_{}", b.variables[i].name, b.variables[i].versions);
                    b.variables[i].version = new_version(b, name, width, default, site);
                    b.variables[i].read = false;
                }
                b.variables[i].assigned.get_or_insert(site);
                b.assign(Target::Variable(b.variables[i].version), value, site);
            });
        }
    }
}

/// A memory whose rows are the leaves side by side, the first in the highest bits.
pub struct MemoryNet<T: Signal> {
    index: usize,
    name: String,
    address_width: u32,
    width: u32,
    shape: T::Shape,
}

impl<T: Signal<Logic = Netlist>> MemoryNet<T> {
    #[track_caller]
    pub(super) fn new(name: &str, ram: &RamShape, shape: &T::Shape) -> Self {
        let site = Location::caller();
        let width = T::leaves_of(shape, "").iter().map(|leaf| leaf.width).sum();
        let address_width = index_width(ram.depth);
        let index = with(|b| {
            let off = b.constant(Value::zero(1), site).node;
            let address = b.constant(Value::zero(address_width), site).node;
            let data = b.constant(Value::zero(width), site).node;
            b.module.memories.push(Memory {
                name: name.into(),
                depth: ram.depth,
                width,
                latency: ram.latency,
                collision: ram.collision,
                write: WritePort { enable: off, address, data },
                reads: vec![ReadPort { enable: off, address }; ram.reads],
                site,
            });
            b.memories.push(MemoryUse { reads: vec![None; ram.reads], ..MemoryUse::default() });
            b.module.memories.len() - 1
        });
        MemoryNet { index, name: name.into(), address_width, width, shape: *shape }
    }

    #[track_caller]
    fn address(&self, address: Net) -> bool {
        let fits = address.width == self.address_width;
        if !fits {
            let text = format!("`{}` has addresses of {} bits, given {}", self.name, self.address_width, address.width);
            width_problem(text, "address a memory with clog2(depth) bits");
        }
        fits
    }

    #[track_caller]
    pub(super) fn read(&self, port: usize, address: Net) {
        let site = Location::caller();
        if self.address(address) {
            let suffix = if port == 0 { String::new() } else { port.to_string() };
            let prefix = join(&join(&self.name, "read"), &suffix);
            with(|b| {
                let address = b.own(address, site);
                let old = b.memories[self.index].reads[port].take();
                let used = request(b, old, &prefix, &[("address", address)], site);
                b.memories[self.index].reads[port] = Some(used);
            });
        }
    }

    #[track_caller]
    pub(super) fn write(&self, address: Net, value: T) {
        let site = Location::caller();
        let mut row: Option<Net> = None;
        for net in nets(&value) {
            row = Some(match row {
                None => net,
                Some(high) => with(|b| b.op(Op::Concat, &[high, net], high.width + net.width, site)),
            });
        }
        let row = row.expect("a record has at least one signal");
        if row.width != self.width {
            let text = format!("`{}` has rows of {} bits, given {}", self.name, self.width, row.width);
            return width_problem(text, "extend() or truncate()");
        }
        if self.address(address) {
            let prefix = join(&self.name, "write");
            with(|b| {
                let values = [("address", b.own(address, site)), ("data", b.own(row, site))];
                let old = b.memories[self.index].writes.take();
                b.memories[self.index].writes = Some(request(b, old, &prefix, &values, site));
            });
        }
    }

    #[track_caller]
    pub(super) fn data(&self, port: usize) -> T {
        let site = Location::caller();
        with(|b| b.check_clocked(&self.name, |b| &b.memories[self.index].clocked, site));
        let row = with(|b| b.push(Op::MemoryData(self.index, port), vec![], self.width, site));
        let mut high = self.width;
        from_nets(&self.shape, |width| {
            high -= width;
            with(|b| b.op(Op::Slice { low: high }, &[row], width, site))
        })
    }

    #[track_caller]
    pub(super) fn clock(&self) {
        let site = Location::caller();
        with(|b| {
            b.clocked(&self.name, |b| &mut b.memories[self.index].clocked, site);
            let uses = &b.memories[self.index];
            let (writes, reads) = (uses.writes.clone(), uses.reads.clone());
            if let Some(port) = writes {
                let (enable, values) = (b.port_enable(&port, site), b.port_values(&port, site));
                b.module.memories[self.index].write = WritePort { enable, address: values[0], data: values[1] };
            }
            for (i, port) in reads.into_iter().enumerate() {
                if let Some(port) = port {
                    let (enable, values) = (b.port_enable(&port, site), b.port_values(&port, site));
                    b.module.memories[self.index].reads[i] = ReadPort { enable, address: values[0] };
                }
            }
        });
    }
}

/// A request on a memory port. The first one connects its address and data; a later one makes variables of them.
fn request(b: &mut Builder, old: Option<PortUse>, prefix: &str, values: &[(&str, NodeId)], site: Site) -> PortUse {
    let on = b.constant(Value::from_u64(1, 1), site).node;
    let mut port = old.unwrap_or_else(|| {
        let off = b.constant(Value::zero(1), site).node;
        let enable = new_version(b, join(prefix, "enable"), 1, off, site);
        let values: Vec<NodeId> = values.iter().map(|v| v.1).collect();
        PortUse { enable, variables: vec![None; values.len()], values }
    });
    b.assign(Target::Variable(port.enable), on, site);
    for (i, &(what, value)) in values.iter().enumerate() {
        if port.values[i] != value || port.variables[i].is_some() {
            let width = b.module.node(value).width;
            let default = port.values[i];
            let variable =
                *port.variables[i].get_or_insert_with(|| new_version(b, join(prefix, what), width, default, site));
            b.assign(Target::Variable(variable), value, site);
        }
    }
    port
}

impl Builder {
    fn port_enable(&mut self, port: &PortUse, site: Site) -> NodeId {
        self.push(Op::Variable(port.enable), vec![], 1, site).node
    }

    fn port_values(&mut self, port: &PortUse, site: Site) -> Vec<NodeId> {
        let values = port.values.iter().zip(&port.variables);
        let values: Vec<_> = values.map(|(&value, variable)| (value, *variable)).collect();
        let net = |(value, variable): (NodeId, Option<usize>)| match variable {
            None => value,
            Some(v) => self.push(Op::Variable(v), vec![], self.module.variables[v].width, site).node,
        };
        values.into_iter().map(net).collect()
    }

    fn check_clocked(&mut self, name: &str, of: impl Fn(&Builder) -> &Assigned, site: Site) {
        if let Some(clocked) = of(self).first() {
            let text = format!("`{name}` is read after its clock()");
            let sites = vec![("clocked", clocked), ("read", site)];
            self.problem(Title::ReadAfterAssign, text, "read it first", sites);
        }
    }

    fn clocked(&mut self, name: &str, of: impl Fn(&mut Builder) -> &mut Assigned, site: Site) {
        if let Some(first) = of(self).first() {
            let text = format!("`{name}` is clocked twice");
            self.problem(Title::MultipleDrivers, text, "once in every clock", vec![("first", first), ("again", site)]);
        } else if !self.path.is_empty() {
            let text = format!("`{name}` is clocked under a condition");
            self.problem(Title::MultipleDrivers, text, "call its clock() outside of any when", vec![("clocked", site)]);
        }
        let path = self.path.clone();
        of(self).add(&path, site);
    }
}

/// A delay line: registers in a row.
pub struct LineNet<T: Signal>(Vec<RegisterNet<T>>);

#[track_caller]
pub(super) fn line<T: Signal<Logic = Netlist>>(name: &str, shape: &T::Shape, length: usize) -> LineNet<T> {
    let site = Location::caller();
    LineNet((1..=length).map(|i| register(&format!("{name}_{i}"), shape, None, site)).collect())
}

impl<T: Signal<Logic = Netlist>> LineNet<T> {
    pub(super) fn last(&self) -> &RegisterNet<T> {
        self.0.last().expect("at least one register")
    }
    #[track_caller]
    pub(super) fn shift(&self, value: T) {
        for i in (1..self.0.len()).rev() {
            self.0[i].set(self.0[i - 1].q);
        }
        self.0[0].set(value);
    }
    pub(super) fn reset(&self) {
        for register in &self.0 {
            register.reset();
        }
    }
}

/// An instance.
pub struct ChildNet<D: Design> {
    index: usize,
    name: String,
    input: <<D::Stage<Netlist> as Stage<Netlist>>::In as Signal>::Shape,
    output: <<D::Stage<Netlist> as Stage<Netlist>>::Out as Signal>::Shape,
}

impl<D: Design> ChildNet<D> {
    #[track_caller]
    pub(super) fn new(name: &str, design: &D) -> Self {
        let site = Location::caller();
        let interface = build::module(design, site);
        let index = with(|b| {
            b.module.instances.push(Instance {
                name: name.into(),
                module: interface.name.clone(),
                inputs: vec![],
                outputs: interface.outputs.clone(),
                site,
            });
            b.children.push(Assigned::default());
            b.children.len() - 1
        });
        ChildNet { index, name: name.into(), input: interface.input_shape, output: interface.output_shape }
    }
    pub(super) fn input_shape(&self) -> <<D::Stage<Netlist> as Stage<Netlist>>::In as Signal>::Shape {
        self.input
    }
    #[track_caller]
    pub(super) fn outputs(&self) -> <D::Stage<Netlist> as Stage<Netlist>>::Out {
        let site = Location::caller();
        with(|b| b.check_clocked(&self.name, |b| &b.children[self.index], site));
        let mut i = 0;
        from_nets(&self.output, |width| {
            i += 1;
            with(|b| b.push(Op::InstanceOutput(self.index, i - 1), vec![], width, site))
        })
    }
    #[track_caller]
    pub(super) fn clock(&self, input: &<D::Stage<Netlist> as Stage<Netlist>>::In) {
        let site = Location::caller();
        if !input.fits(&self.input) {
            return width_problem(
                format!("the inputs of `{}` do not fit its ports", self.name),
                "compare with its input_shape()",
            );
        }
        let nets = nets(input);
        with(|b| {
            b.clocked(&self.name, |b| &mut b.children[self.index], site);
            let inputs = nets.into_iter().map(|net| b.own(net, site)).collect();
            b.module.instances[self.index].inputs = inputs;
        });
    }
}
