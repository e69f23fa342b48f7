// SPDX-License-Identifier: MIT OR Apache-2.0
//! Registers, variables and delay lines as nets.

use super::builder::Builder;
use super::circuit::*;
use super::naming::Kept;
use super::net::{Net, Netlist, from_nets, nets};
use super::problem::Title;
use super::session::{width_problem, with};
use super::uses::{Assigned, Phase, VariableState};
use crate::called::Called;
use crate::leaf::{LeafSpec, join};
use crate::resets::Resets;
use crate::signal::Signal;
use crate::widths::{Widths, leaves_of, reset_leaves};
use std::panic::Location;

/// A register: one [`Register`] per leaf.
pub struct RegisterNet<T: Signal> {
    registers: Registers,
    q: T,
}

/// The part that does not depend on the type of the record.
struct Registers {
    first: usize,
    leaves: Vec<LeafSpec>,
}

pub(super) fn register<T: Signal<Logic = Netlist>>(
    called: Called,
    step: &str,
    shape: &T::Shape,
    init: Option<T>,
    site: Site,
) -> RegisterNet<T> {
    let init = init.as_ref().map(nets);
    let (registers, q) = Registers::new(called, leaves_of(shape, step), init, site);
    RegisterNet { registers, q: from_nets(shape, each(q)) }
}

fn each(outputs: Vec<Net>) -> impl FnMut(u32) -> Net {
    let mut outputs = outputs.into_iter();
    move |_| outputs.next().expect("a register for each leaf")
}

fn initial(b: &mut Builder, net: Net, width: u32, site: Site) -> Value {
    match b.graph.node(net.node).op {
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
        self.registers.read();
        self.q
    }
    #[track_caller]
    pub(super) fn set(&self, value: T) {
        self.registers.set(same_signals(&value, &self.q.shape()), nets(&value));
    }
    #[track_caller]
    pub(super) fn resets(&self, resets: Resets) {
        let leaves = reset_leaves(&self.q.shape(), resets);
        if resets == Resets::Plain && !leaves.is_empty() && !leaves.contains(&true) {
            let (text, site) = ("the reset acts on no field of this record".into(), Location::caller());
            with(|b| b.problem(Title::NothingReset, text, "mark fields with #[reset]", vec![("made", site)]));
        }
        self.registers.resets(&leaves);
    }
}

impl Registers {
    /// The registers and their outputs.
    fn new(called: Called, leaves: Vec<LeafSpec>, init: Option<Vec<Net>>, site: Site) -> (Self, Vec<Net>) {
        with(|b| {
            let first = b.module.registers.len();
            let stem = b.names.add(called, site, Kept::Registers(first..first + leaves.len()));
            let mut outputs = Vec::new();
            for (i, LeafSpec { name, width, reset, .. }) in leaves.iter().enumerate() {
                let init = init.as_ref().map_or(Value::zero(*width), |init| initial(b, init[i], *width, site));
                let (scope, local) = (b.names.scope().to_vec(), join(&stem, name));
                let name = local.clone();
                let (states, width) = (Vec::new(), *width);
                let register = Register { name, scope, local, width, init, reset: *reset, states, site };
                b.module.registers.push(register);
                b.uses.registers.push(Assigned::default());
                outputs.push(b.push(Op::Register(first + i), vec![], width, site));
            }
            (Registers { first, leaves }, outputs)
        })
    }
    #[track_caller]
    fn read(&self) {
        let site = Location::caller();
        with(|b| {
            for i in self.first..self.first + self.leaves.len() {
                if let Some(assigned) = b.uses.registers[i].before(&b.path) {
                    let text = format!("register `{}` is read after it was assigned", b.module.registers[i].name);
                    let sites = vec![("assigned", assigned), ("read", site)];
                    let help = "write the last pipeline step first, or keep the value in a Var";
                    b.problem(Title::ReadAfterAssign, text, help, sites);
                    break;
                }
            }
        });
    }
    #[track_caller]
    fn set(&self, same: bool, value: Vec<Net>) {
        let site = Location::caller();
        if !same {
            return signals_problem(&self.name(0));
        }
        for (i, net) in value.into_iter().enumerate() {
            if net.width != self.leaves[i].width {
                let (name, width) = (self.name(i), self.leaves[i].width);
                width_problem(
                    format!("`{name}` of {width} bits is assigned {} bits", net.width),
                    "extend() or truncate()",
                );
                continue;
            }
            with(|b| {
                b.same_step(&[net], site);
                let value = b.own(net, site);
                b.assign(Target::Register(self.first + i), value, site);
                let path = b.path.clone();
                b.uses.registers[self.first + i].add(&path, site);
            });
        }
    }
    fn name(&self, leaf: usize) -> String {
        with(|b| b.module.registers.get(self.first + leaf).map_or(String::new(), |register| register.name.clone()))
    }
    fn resets(&self, leaves: &[bool]) {
        with(|b| {
            for (register, reset) in b.module.registers[self.first..].iter_mut().zip(leaves) {
                register.reset = *reset;
            }
        });
    }
}

/// Both have the same signals, possibly with different widths: neither leaves out one that the other has.
fn same_signals<T: Signal>(a: &T, b: &T::Shape) -> bool {
    same_names(&a.shape(), b)
}

fn same_names(a: &dyn Widths, b: &dyn Widths) -> bool {
    let name = |leaf: LeafSpec| leaf.name;
    leaves_of(a, "").into_iter().map(name).eq(leaves_of(b, "").into_iter().map(name))
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
    let shape = initial.shape();
    VariableNet { first: variables(leaves_of(&shape, name), nets(&initial)), shape }
}

/// The first of as many variables as there are leaves.
#[track_caller]
fn variables(leaves: Vec<LeafSpec>, initial: Vec<Net>) -> usize {
    let site = Location::caller();
    let first = with(|b| b.uses.variables.len());
    for (leaf, net) in leaves.into_iter().zip(initial) {
        with(|b| {
            let default = b.own(net, site);
            let version = new_version(b, leaf.name.clone(), leaf.width, default, site);
            let in_state = b.phase == Phase::Build;
            b.uses.variables.push(VariableState {
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
    first
}

pub(super) fn new_version(b: &mut Builder, name: String, width: u32, default: NodeId, site: Site) -> usize {
    b.module.variables.push(Variable { name, width, default, site });
    b.module.variables.len() - 1
}

impl<T: Signal<Logic = Netlist>> VariableNet<T> {
    #[track_caller]
    pub(super) fn get(&self) -> T {
        from_nets(&self.shape, read_variables(self.first, Location::caller()))
    }
    #[track_caller]
    pub(super) fn set(&self, value: T) {
        set_variables(self.first, same_signals(&value, &self.shape), nets(&value));
    }
}

fn read_variables(first: usize, site: Site) -> impl FnMut(u32) -> Net {
    let mut next = first..;
    move |width| read_variable(next.next().expect("it has no end"), width, site)
}

fn read_variable(i: usize, width: u32, site: Site) -> Net {
    with(|b| {
        let version = b.uses.variables[i].version;
        let net = b.push(Op::Variable(version), vec![], width, site);
        let state = &mut b.uses.variables[i];
        state.read = true;
        if state.assigned.is_none() && state.early_read.is_none() {
            state.early_read = Some((net.node, site));
        }
        net
    })
}

#[track_caller]
fn set_variables(first: usize, same: bool, value: Vec<Net>) {
    let site = Location::caller();
    if !same {
        let name = with(|b| b.uses.variables.get(first).map_or(String::new(), |state| state.name.clone()));
        return signals_problem(&name);
    }
    for (i, net) in value.into_iter().enumerate() {
        let i = first + i;
        let width = with(|b| b.module.variables[b.uses.variables[i].version].width);
        if net.width != width {
            width_problem(
                format!("a variable of {width} bits is assigned {} bits", net.width),
                "extend() or truncate()",
            );
            continue;
        }
        with(|b| {
            let value = b.own(net, site);
            if b.uses.variables[i].read {
                let default = b.push(Op::Variable(b.uses.variables[i].version), vec![], width, site).node;
                b.uses.variables[i].versions += 1;
                let name = format!("{}_{}", b.uses.variables[i].name, b.uses.variables[i].versions);
                b.uses.variables[i].version = new_version(b, name, width, default, site);
                b.uses.variables[i].read = false;
            }
            b.uses.variables[i].assigned.get_or_insert(site);
            b.assign(Target::Variable(b.uses.variables[i].version), value, site);
        });
    }
}

/// A delay line: registers in series.
pub struct LineNet<T: Signal>(Vec<RegisterNet<T>>);

#[track_caller]
pub(super) fn line<T: Signal<Logic = Netlist>>(called: Called, shape: &T::Shape, length: usize) -> LineNet<T> {
    let site = Location::caller();
    LineNet((1..=length).map(|i| register(called, &i.to_string(), shape, None, site)).collect())
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
    #[track_caller]
    pub(super) fn resets(&self, resets: Resets) {
        for register in &self.0 {
            register.resets(resets);
        }
    }
}
