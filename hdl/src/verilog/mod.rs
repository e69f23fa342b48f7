// SPDX-License-Identifier: MIT OR Apache-2.0
//! The text of one module.

mod arrays;
mod expression;
mod functions;
mod instances;
mod literal;
mod memory;
mod memory_ports;
mod nets;
mod placement;
mod ports;
pub mod registers;
mod section;
mod statements;
mod tables;
mod unused;
mod users;
mod wires;
mod wrap;

use crate::adapter;
use crate::error::PrintError;
use crate::simplify::{self, Simple};
use expression::Printer;
use functions::Functions;
use literal::{literal, range};
use nets::Nets;
use placement::Placement;
use rtl_model::netlist::circuit::{Module, NodeId, Op, Origin, Statement, Target, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Prints a module, from `module` to `endmodule`. `children` are the modules printed before it; `parameter` is a
/// constant for its reader.
pub fn module(module: &Module, children: &[Module], parameter: Option<&str>) -> Result<String, PrintError> {
    let simple = simplify::module(module);
    let (printer, wires, place) = printer(&simple, children);
    printer.nets.forget_reads();
    let body = body(&printer, &wires, &place, parameter);
    adapter::module(&module.name, &ports::ports(&simple.module), &body)
}

/// The origins of the names of the nets that [`module`] prints, with the number of names of each.
pub fn origins(module: &Module, children: &[Module]) -> BTreeMap<Origin, usize> {
    let simple = simplify::module(module);
    let (printer, wires, _) = printer(&simple, children);
    let (m, all) = (&simple.module, &simple.live);
    let state = live(&all.registers).count() + live(&all.variables).count();
    let data: usize = (0..m.memories.len()).map(|i| memory::registers(&printer, i).len()).sum();
    let outputs = m.instances.iter().map(|instance| instance.outputs.len()).sum::<usize>();
    let mut origins = BTreeMap::from([(Origin::Given, m.inputs.len() + m.outputs.len() + state + data + outputs)]);
    for (_, origin) in wires.iter().filter_map(|id| printer.nets.wires[id.0 as usize].as_ref()) {
        *origins.entry(*origin).or_insert(0) += 1;
    }
    origins
}

/// The printer of a module with all nets named, the nodes that have a net of their own, and the section of each net.
fn printer<'a>(simple: &'a Simple, children: &[Module]) -> (Printer<'a>, Vec<NodeId>, Placement) {
    let inputs = |name: &str| match children.iter().find(|child| child.name == name) {
        Some(child) => child.inputs.iter().map(|port| port.name.clone()).collect(),
        None => Vec::new(),
    };
    let children = simple.module.instances.iter().map(|instance| inputs(&instance.module)).collect();
    let mut printer = Printer { simple, nets: Nets::new(simple), functions: Functions::default(), children };
    let (wires, place) = wires::choose(&mut printer);
    (printer, wires, place)
}

/// Whether a variable is one expression under no condition, and which.
fn single(simple: &Simple, variable: usize) -> Option<NodeId> {
    match &simple.variables[variable][..] {
        [] => Some(simple.module.variables[variable].default),
        [Statement::Assign { value, .. }] => Some(*value),
        _ => None,
    }
}

fn live(flags: &[bool]) -> impl Iterator<Item = usize> {
    flags.iter().enumerate().filter(|(_, live)| **live).map(|(i, _)| i)
}

fn body(printer: &Printer, wires: &[NodeId], place: &Placement, parameter: Option<&str>) -> String {
    let m = &printer.simple.module;
    let count = printer.simple.sections.len();
    let instances: Vec<String> = (0..m.instances.len()).map(|i| instances::print(printer, i)).collect();
    let mut parts = vec![
        parameter.map_or_else(String::new, |parameter| format!("localparam {parameter};\n")),
        constants(printer, wires),
        section::read_early(printer, place),
        printer.functions.print(),
    ];
    parts.extend((0..count).map(|at| section::print(printer, wires, place, at)));
    parts.push(section::rest(printer, wires, place, count));
    parts.push(instances.join("\n"));
    parts.push(outputs(printer));
    parts.push(unused::print(printer, wires, parameter));
    let parts: Vec<&str> = parts.iter().map(|text| text.trim_end()).filter(|text| !text.is_empty()).collect();
    format!("\n{}", parts.join("\n\n"))
}

/// Constants that have a name in the source: the states of registers, in their order, and others.
fn constants(printer: &Printer, wires: &[NodeId]) -> String {
    let simple = printer.simple;
    let of_wire = |&id: &NodeId| match (simple.module.node(id).op, printer.nets.wire(id)) {
        (Op::Constant(value), Some(name)) => Some((name, value)),
        _ => None,
    };
    let named: Vec<_> = wires.iter().filter_map(of_wire).collect();
    let mut used: BTreeSet<&str> = named.iter().map(|(name, _)| *name).collect();
    for body in simple.sections.iter().map(|section| &section.body).chain(&simple.variables) {
        statements::labels(printer, body, &mut used);
    }
    let states: Vec<_> = printer.nets.states.iter().filter(|state| used.contains(&*state.name)).collect();
    let is_state = |name: &str| states.iter().any(|state| state.name == name);
    let others = named.iter().filter(|(name, _)| !is_state(name)).copied();
    let all = states.iter().map(|state| (&*state.name, state.value)).chain(others);
    let line = |(name, value): (&str, Value)| {
        let bits = range(value.width());
        let space = if bits.is_empty() { "" } else { " " };
        format!("localparam {bits}{space}{name} = {};\n", literal(&value))
    };
    all.map(line).collect()
}

/// Registers that are assigned under no condition: they need no default.
fn assigned_always(simple: &Simple) -> BTreeSet<Target> {
    simple.sections.iter().flat_map(|section| &section.body).filter_map(Statement::target).collect()
}

fn outputs(printer: &Printer) -> String {
    let list: Vec<(&str, NodeId)> = printer
        .simple
        .module
        .outputs
        .iter()
        .filter(|output| {
            let node = printer.simple.module.node(output.value);
            printer.nets.of(printer.simple, output.value, node).as_ref() != Some(&output.name)
        })
        .map(|output| (output.name.as_str(), output.value))
        .collect();
    let wide = list.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    list.iter()
        .map(|(name, value)| statements::assign(printer, &format!("assign {name:<wide$}"), *value, false, 0))
        .collect()
}
