// SPDX-License-Identifier: MIT OR Apache-2.0
//! The text of one module.

mod arrays;
mod expression;
mod functions;
mod instances;
mod literal;
mod memory;
mod nets;
pub mod registers;
mod statements;
mod tables;
mod unused;
mod users;
mod wires;

use crate::adapter::{self, Port};
use crate::error::PrintError;
use crate::simplify::{self, Simple};
use expression::Printer;
use functions::Functions;
use literal::{literal, range};
use nets::Nets;
use rtl_model::netlist::circuit::{Module, NodeId, Op, Origin, Statement, Target};
use std::collections::{BTreeMap, BTreeSet};

/// Prints a module, from `module` to `endmodule`. `children` are the modules that stand before it; `parameter` is a constant
/// that it has for its reader.
pub fn module(module: &Module, children: &[Module], parameter: Option<&str>) -> Result<String, PrintError> {
    let simple = simplify::module(module);
    let (printer, wires) = printer(&simple, children);
    printer.nets.forget_reads();
    let body = body(&printer, &wires, parameter);
    adapter::module(&module.name, &ports(&simple), &body)
}

/// Where the names of the nets that [`module`] prints come from, and how many come from there.
pub fn origins(module: &Module, children: &[Module]) -> BTreeMap<Origin, usize> {
    let simple = simplify::module(module);
    let (printer, wires) = printer(&simple, children);
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

/// What prints a module, with all nets named, and those of its nodes that have one of their own.
fn printer<'a>(simple: &'a Simple, children: &[Module]) -> (Printer<'a>, Vec<NodeId>) {
    let inputs = |name: &str| match children.iter().find(|child| child.name == name) {
        Some(child) => child.inputs.iter().map(|port| port.name.clone()).collect(),
        None => Vec::new(),
    };
    let children = simple.module.instances.iter().map(|instance| inputs(&instance.module)).collect();
    let mut printer = Printer { simple, nets: Nets::new(simple), functions: Functions::default(), children };
    let wires = wires::choose(&mut printer);
    (printer, wires)
}

fn ports(simple: &Simple) -> Vec<Port> {
    let m = &simple.module;
    let fixed = ["clk", "rst"].map(|name| Port { name: name.into(), width: 1, output: false });
    let inputs = m.inputs.iter().map(|p| Port { name: p.name.clone(), width: p.width, output: false });
    let outputs = m.outputs.iter().map(|p| Port { name: p.name.clone(), width: p.width, output: true });
    fixed.into_iter().chain(inputs).chain(outputs).collect()
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

fn body(printer: &Printer, wires: &[NodeId], parameter: Option<&str>) -> String {
    let simple = printer.simple;
    let m = &simple.module;
    let drivers = drivers(printer, wires);
    let variables = variables(printer);
    let next = next_state(printer);
    let memories = (0..m.memories.len()).map(|i| memory::print(printer, i));
    let memories: Vec<String> = memories.filter(|text| !text.is_empty()).collect();
    let instances: Vec<String> = (0..m.instances.len()).map(|i| instances::print(printer, i)).collect();
    let outputs = outputs(printer);
    let sections = [
        parameter.map_or_else(String::new, |parameter| format!("localparam {parameter};\n")),
        declarations(printer, wires),
        initial(printer),
        printer.functions.print(),
        drivers,
        variables,
        next,
        clocked(printer),
        memories.join("\n"),
        instances.join("\n"),
        outputs,
        unused::print(printer, wires, parameter),
    ];
    let sections: Vec<&str> = sections.iter().map(|text| text.trim_end()).filter(|text| !text.is_empty()).collect();
    format!("\n{}", sections.join("\n\n"))
}

/// A block of declarations with the ranges in a column.
fn columns(kind: &str, list: &[(u32, String)]) -> String {
    let wide = list.iter().map(|(width, _)| range(*width).len() + 1).filter(|&n| n > 1).max().unwrap_or(0);
    list.iter().map(|(width, name)| format!("{kind} {:<wide$}{name};\n", range(*width))).collect()
}

fn declarations(printer: &Printer, wires: &[NodeId]) -> String {
    let (m, live_) = (&printer.simple.module, &printer.simple.live);
    let mut regs: Vec<(u32, String)> = live(&live_.registers)
        .map(|i| (m.registers[i].width, &printer.nets.registers[i]))
        .map(|(width, stem)| (width, format!("{stem}_reg, {stem}_next")))
        .collect();
    for i in 0..m.memories.len() {
        regs.extend(memory::registers(printer, i));
    }
    let (plain, blocks): (Vec<usize>, Vec<usize>) =
        live(&live_.variables).partition(|&i| single(printer.simple, i).is_some());
    let named = |list: Vec<usize>| -> Vec<(u32, String)> {
        list.into_iter().map(|i| (m.variables[i].width, printer.nets.variables[i].clone())).collect()
    };
    let mut nets = named(plain);
    for (instance, names) in m.instances.iter().zip(&printer.nets.outputs) {
        let outputs = instance.outputs.iter().zip(names);
        let inner = outputs.filter(|(_, name)| !printer.nets.is_port(printer.simple, name));
        nets.extend(inner.map(|((_, width), name)| (*width, name.clone())));
    }
    let constants = wires.iter().filter_map(|&id| {
        let node = m.node(id);
        match (node.op, printer.nets.wire(id)) {
            (Op::Constant(value), Some(name)) => {
                let bits = range(node.width);
                let space = if bits.is_empty() { "" } else { " " };
                Some(format!("localparam {bits}{space}{name} = {};\n", literal(&value)))
            }
            _ => None,
        }
    });
    let parts = [constants.collect(), columns("reg", &regs), columns("reg", &named(blocks)), columns("wire", &nets)];
    let parts: Vec<&str> = parts.iter().map(|part: &String| part.as_str()).filter(|part| !part.is_empty()).collect();
    parts.join("\n")
}

/// Power-up values stand in a block of their own: with `reg x = 0` some simulators never wake an `always @(*)` that
/// reads nothing but registers.
fn initial(printer: &Printer) -> String {
    let m = &printer.simple.module;
    let lines: String = live(&printer.simple.live.registers)
        .map(|i| format!("    {}_reg = {};\n", printer.nets.registers[i], literal(&m.registers[i].init)))
        .collect();
    if lines.is_empty() { lines } else { format!("initial begin\n{lines}end\n") }
}

fn drivers(printer: &Printer, wires: &[NodeId]) -> String {
    let m = &printer.simple.module;
    let mut list = Vec::new();
    for &id in wires {
        let node = m.node(id);
        if let (false, Some(name)) = (matches!(node.op, Op::Constant(_)), printer.nets.wire(id)) {
            let port = printer.nets.is_port(printer.simple, name);
            list.push((id, if port { None } else { Some(node.width) }, name));
        }
    }
    let wide = list.iter().filter_map(|(_, width, _)| *width).map(|width| range(width).len() + 1);
    let wide = wide.filter(|&n| n > 1).max().unwrap_or(0);
    let mut text = String::new();
    for (id, width, name) in list {
        let left = match width {
            Some(width) => format!("wire {:<wide$}{name}", range(width)),
            None => format!("assign {name}"),
        };
        text.push_str(&statements::assign(printer, &left, id, true, 0));
    }
    text
}

fn variables(printer: &Printer) -> String {
    let simple = printer.simple;
    let mut text = String::new();
    for i in live(&simple.live.variables) {
        let name = &printer.nets.variables[i];
        if let Some(value) = single(simple, i) {
            text.push_str(&statements::assign(printer, &format!("assign {name}"), value, false, 0));
            continue;
        }
        text.push_str("\nalways @(*) begin\n");
        text.push_str(&statements::assign(printer, name, simple.module.variables[i].default, false, 1));
        text.push_str(&statements::body(printer, &simple.variables[i], 1));
        text.push_str("end\n\n");
    }
    text.replace("\n\n\n", "\n\n").trim_start_matches('\n').to_owned()
}

/// Registers that are assigned under no condition: they need no default.
fn assigned_always(simple: &Simple) -> BTreeSet<Target> {
    simple.registers.iter().filter_map(Statement::target).collect()
}

fn next_state(printer: &Printer) -> String {
    let simple = printer.simple;
    if live(&simple.live.registers).next().is_none() {
        return String::new();
    }
    let always = assigned_always(simple);
    let mut text: String = live(&simple.live.registers)
        .filter(|&i| !always.contains(&Target::Register(i)))
        .map(|i| &printer.nets.registers[i])
        .map(|stem| format!("    {stem}_next = {stem}_reg;\n"))
        .collect();
    if !simple.registers.is_empty() && !text.is_empty() {
        text.push('\n');
    }
    text.push_str(&statements::body(printer, &simple.registers, 1));
    format!("always @(*) begin\n{text}end\n")
}

fn clocked(printer: &Printer) -> String {
    let m = &printer.simple.module;
    let names = || live(&printer.simple.live.registers).map(|i| (i, &printer.nets.registers[i]));
    let next: String = names().map(|(_, stem)| format!("    {stem}_reg <= {stem}_next;\n")).collect();
    let reset: String = names()
        .filter(|(i, _)| m.registers[*i].reset)
        .map(|(i, stem)| format!("        {stem}_reg <= {};\n", literal(&m.registers[i].init)))
        .collect();
    if next.is_empty() {
        return next;
    }
    let reset = if reset.is_empty() { reset } else { format!("\n    if (rst) begin\n{reset}    end\n") };
    format!("always @(posedge clk) begin\n{next}{reset}end\n")
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
