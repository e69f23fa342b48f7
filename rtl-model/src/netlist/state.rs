// SPDX-License-Identifier: MIT OR Apache-2.0
//! Registers, variables and delay lines as nets.

use super::Netlist;
use super::build::{Assigned, Builder, Phase, VariableState, with};
use super::circuit::*;
use super::net::{Net, from_nets, nets, width_problem};
use super::problem::Title;
use crate::signal::{LeafSpec, Signal};
use std::panic::Location;

/// A register: one [`Register`] per leaf.
pub struct RegisterNet<T: Signal> {
    first: usize,
    q: T,
    leaves: Vec<LeafSpec>,
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
        if !same_signals(&value, &self.q.shape()) {
            let name = self.leaves.first().map_or("", |leaf| &leaf.name);
            return signals_problem(name);
        }
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

/// Both have the same signals, though maybe not of the same widths: neither has one that the other leaves out.
fn same_signals<T: Signal>(a: &T, b: &T::Shape) -> bool {
    let names = |shape: &T::Shape| T::leaves_of(shape, "").into_iter().map(|leaf| leaf.name);
    names(&a.shape()).eq(names(b))
}

#[track_caller]
fn signals_problem(first: &str) {
    let text = format!("the record that begins with `{first}` is assigned one that has other signals");
    width_problem(text, "leave out (None) what its shape leaves out, and nothing else");
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

pub(super) fn new_version(b: &mut Builder, name: String, width: u32, default: NodeId, site: Site) -> usize {
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
        if !same_signals(&value, &self.shape) {
            let name = with(|b| b.variables.get(self.first).map_or(String::new(), |state| state.name.clone()));
            return signals_problem(&name);
        }
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
