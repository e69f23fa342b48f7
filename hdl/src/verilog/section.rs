// SPDX-License-Identifier: MIT OR Apache-2.0
//! The text of one section of a module: its declarations, its logic, its next state in one `always @(*)`, its registers
//! in one `always @(posedge clk)`, then its memories.

use super::expression::Printer;
use super::literal::{literal, range};
use super::placement::Placement;
use super::{assigned_always, memory, single, statements};
use crate::comment;
use rtl_model::netlist::circuit::{NodeId, Op, Target};

/// Registers that a section reads before their own section declares them, and the nets that instances drive.
pub fn read_early(printer: &Printer, place: &Placement) -> String {
    let m = &printer.simple.module;
    let mut early = Vec::new();
    for (at, section) in printer.simple.sections.iter().enumerate() {
        let registers = section.registers.iter().filter(|&&i| place.registers[i] < at);
        early.extend(registers.map(|&i| (m.registers[i].width, format!("{}_reg", printer.nets.registers[i]))));
        let memories = section.memories.iter().filter(|&&i| place.memories[i] < at);
        early.extend(memories.flat_map(|&i| memory::registers(printer, i)));
    }
    let mut driven = Vec::new();
    for (instance, names) in m.instances.iter().zip(&printer.nets.outputs) {
        let outputs = instance.outputs.iter().zip(names);
        let inner = outputs.filter(|(_, name)| !printer.nets.is_port(printer.simple, name));
        driven.extend(inner.map(|((_, width), name)| (*width, name.clone())));
    }
    paragraphs(&[columns("reg", &early), columns("wire", &driven)])
}

/// One section.
pub fn print(printer: &Printer, wires: &[NodeId], place: &Placement, at: usize) -> String {
    let section = &printer.simple.sections[at];
    let (m, nets) = (&printer.simple.module, &printer.nets);
    let mut regs = Vec::new();
    for &i in &section.registers {
        let (width, stem) = (m.registers[i].width, &nets.registers[i]);
        let own = place.registers[i] >= at;
        regs.push((width, if own { format!("{stem}_reg, {stem}_next") } else { format!("{stem}_next") }));
    }
    for &i in section.memories.iter().filter(|&&i| place.memories[i] >= at) {
        regs.extend(memory::registers(printer, i));
    }
    let memories: Vec<String> = section.memories.iter().map(|&i| memory::print(printer, i)).collect();
    paragraphs(&[
        title(printer, &section.path),
        columns("reg", &regs),
        initial(printer, &section.registers),
        rest(printer, wires, place, at),
        next_state(printer, at),
        clocked(printer, &section.registers),
        memories.join("\n"),
    ])
}

/// The nets of a section without its registers, or of none.
pub fn rest(printer: &Printer, wires: &[NodeId], place: &Placement, at: usize) -> String {
    let (m, nets) = (&printer.simple.module, &printer.nets);
    let here = |i: &usize| printer.simple.live.variables[*i] && place.variables[*i] == at;
    let variables: Vec<usize> = (0..m.variables.len()).filter(here).collect();
    let (plain, blocks): (Vec<usize>, Vec<usize>) =
        variables.iter().partition(|&&i| single(printer.simple, i).is_some());
    let named = |list: Vec<usize>| -> Vec<(u32, String)> {
        list.into_iter().map(|i| (m.variables[i].width, nets.variables[i].clone())).collect()
    };
    let wires: Vec<NodeId> = wires.iter().copied().filter(|id| place.nodes[id.0 as usize] == at).collect();
    paragraphs(&[
        columns("reg", &named(blocks)),
        columns("wire", &named(plain)),
        drivers(printer, &wires),
        combinational(printer, &variables),
    ])
}

/// The texts that are not empty, with an empty line between them.
fn paragraphs(texts: &[String]) -> String {
    let texts: Vec<&str> = texts.iter().map(|text| text.trim_end()).filter(|text| !text.is_empty()).collect();
    texts.join("\n\n")
}

/// The comment above a section; what belongs to the stage itself has none.
fn title(printer: &Printer, path: &[String]) -> String {
    if path.is_empty() {
        return String::new();
    }
    let doc = printer.simple.module.docs.get(path).map_or("", String::as_str);
    comment::title(&path.join(".")) + &comment::lines("", doc)
}

/// A block of declarations with the ranges in a column.
fn columns(kind: &str, list: &[(u32, String)]) -> String {
    let wide = list.iter().map(|(width, _)| range(*width).len() + 1).filter(|&n| n > 1).max().unwrap_or(0);
    list.iter().map(|(width, name)| format!("{kind} {:<wide$}{name};\n", range(*width))).collect()
}

/// Power-up values are in a block of their own: with `reg x = 0` some simulators never wake an `always @(*)` that reads
/// nothing but registers.
fn initial(printer: &Printer, registers: &[usize]) -> String {
    let m = &printer.simple.module;
    let line = |&i: &usize| format!("    {}_reg = {};\n", printer.nets.registers[i], literal(&m.registers[i].init));
    let lines: String = registers.iter().map(line).collect();
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

fn combinational(printer: &Printer, variables: &[usize]) -> String {
    let simple = printer.simple;
    let mut text = String::new();
    for &i in variables {
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

fn next_state(printer: &Printer, at: usize) -> String {
    let section = &printer.simple.sections[at];
    if section.registers.is_empty() {
        return String::new();
    }
    let always = assigned_always(printer.simple);
    let mut text: String = section
        .registers
        .iter()
        .filter(|&&i| !always.contains(&Target::Register(i)))
        .map(|&i| &printer.nets.registers[i])
        .map(|stem| format!("    {stem}_next = {stem}_reg;\n"))
        .collect();
    if !section.body.is_empty() && !text.is_empty() {
        text.push('\n');
    }
    text.push_str(&statements::body(printer, &section.body, 1));
    format!("always @(*) begin\n{text}end\n")
}

fn clocked(printer: &Printer, registers: &[usize]) -> String {
    let m = &printer.simple.module;
    let names = || registers.iter().map(|&i| (i, &printer.nets.registers[i]));
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
