// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memories in the form from which synthesis infers block RAM: one array per read port, because a block RAM has one
//! write port and one read port.

use super::arrays::{Array, arrays};
use super::expression::Printer;
use super::literal::{bits as bits_of, literal, range};
use super::nets::Nets;
use crate::simplify::Simple;
use rtl_model::index_width;
use rtl_model::netlist::circuit::{Collision, Memory, NodeId, Op};

/// Tools limit the iterations of a loop; above this number the initial loop is two nested loops.
const LOOP: u64 = 1024;

/// The names of one copy of a memory.
struct Copy {
    banks: Vec<Bank>,
    /// The data registers in order, from the one after the array to the one that the module reads.
    chain: Vec<String>,
    port: usize,
}

/// An array: a copy, a lane of it, or a slice of either.
struct Bank {
    rows: String,
    width: u32,
    /// The lane number that writes are compared with.
    lane: Option<String>,
    /// Its lowest bit in the row, and in the written data.
    row: u32,
    written: u32,
}

fn banks(memory: &Memory, rows: &str) -> Vec<Bank> {
    let (lanes, lane_width) = (memory.lanes, memory.width / memory.lanes);
    let bank = |Array { suffix, lane, from, width }: Array| Bank {
        rows: format!("{rows}{suffix}"),
        width,
        lane: (lanes > 1).then(|| format!("{}'d{lane}", index_width(lanes.into()))),
        row: lane * lane_width + from,
        written: from,
    };
    arrays(memory).into_iter().map(bank).collect()
}

fn copies(simple: &Simple, nets: &Nets, index: usize) -> Vec<Copy> {
    let memory = &simple.module.memories[index];
    let stem = &nets.memories[index];
    let live = &simple.live.reads[index];
    let alone = memory.reads.len() == 1;
    (0..memory.reads.len())
        .filter(|&port| live[port])
        .map(|port| {
            let data = nets.data[index][port].clone();
            let chain = steps(memory.latency).iter().map(|step| data.replace("_reg", &format!("{step}_reg"))).collect();
            let rows = if alone { stem.clone() } else { format!("{stem}_copy_{port}") };
            Copy { banks: banks(memory, &rows), chain, port }
        })
        .collect()
}

/// Suffixes of `MEMORY_data` in the names of the data registers.
pub fn steps(latency: u32) -> &'static [&'static str] {
    match latency {
        1 => &[""],
        2 => &["_row", ""],
        _ => &["_row", "_block", ""],
    }
}

/// The data registers of each port that is read, as (port, names), in the order of the data.
pub fn data_registers(simple: &Simple, nets: &Nets, index: usize) -> impl Iterator<Item = (usize, Vec<String>)> {
    copies(simple, nets, index).into_iter().map(|copy| (copy.port, copy.chain))
}

/// Declarations of the data registers, as (width, name).
pub fn registers(printer: &Printer, index: usize) -> Vec<(u32, String)> {
    let width = printer.simple.module.memories[index].width;
    let copies = copies(printer.simple, &printer.nets, index);
    copies.into_iter().flat_map(|copy| copy.chain).map(|name| (width, name)).collect()
}

/// Arrays, initial values and the clocked blocks.
pub fn print(printer: &Printer, index: usize) -> String {
    let memory = &printer.simple.module.memories[index];
    let copies = copies(printer.simple, &printer.nets, index);
    if copies.is_empty() {
        return String::new();
    }
    let (depth, width) = (memory.depth, memory.width);
    let mut lanes = if memory.lanes > 1 { format!(", written in {} lanes", memory.lanes) } else { String::new() };
    if memory.slice < width / memory.lanes {
        lanes.push_str(&format!(", in slices of {}", memory.slice));
    }
    let mut text = format!("// {}: {depth} x {width} bits{lanes}\n", printer.nets.memories[index]);
    for bank in copies.iter().flat_map(|copy| &copy.banks) {
        let bits = range(bank.width);
        let space = if bits.is_empty() { "" } else { " " };
        text.push_str(&format!("{}reg {bits}{space}{} [0:{}];\n", attributes(memory), bank.rows, depth - 1));
    }
    text.push_str(&initial(printer, index, memory, &copies));
    for copy in &copies {
        text.push_str(&clocked(printer, memory, copy));
    }
    text
}

/// What synthesis is told of an array.
fn attributes(memory: &Memory) -> String {
    let unused = (memory.collision == Collision::Unused).then_some("no_rw_check");
    let all: Vec<_> = unused.into_iter().chain(memory.large.then_some("ram_style = \"ultra\"")).collect();
    if all.is_empty() { String::new() } else { format!("(* {} *)\n", all.join(", ")) }
}

fn initial(printer: &Printer, index: usize, memory: &Memory, copies: &[Copy]) -> String {
    let i = format!("{}_init", printer.nets.memories[index]);
    let (depth, zero) = (memory.depth, format!("{}'d0", memory.width));
    let nested = depth > LOOP;
    // Block RAM powers up as 0 by itself, and synthesis takes long over such loops.
    let mut text = format!("\n`ifndef SYNTHESIS\ninteger {i};\n");
    if nested {
        text.push_str(&format!("integer {i}_block;\n"));
    }
    text.push_str("initial begin\n");
    for copy in copies {
        let clear = |indent: &str| -> String {
            let clear = |bank: &Bank| format!("{indent}{}[{i}] = {}'d0;\n", bank.rows, bank.width);
            copy.banks.iter().map(clear).collect()
        };
        if nested {
            let block = format!("{i}_block");
            text.push_str(&format!("    for ({block} = 0; {block} < {depth}; {block} = {block} + {LOOP}) begin\n"));
            let end = if depth % LOOP == 0 { String::new() } else { format!(" && {i} < {depth}") };
            text.push_str(&format!(
                "        for ({i} = {block}; {i} < {block} + {LOOP}{end}; {i} = {i} + 1) begin\n{}        end\n    end\n",
                clear("            ")
            ));
        } else {
            text.push_str(&format!(
                "    for ({i} = 0; {i} < {depth}; {i} = {i} + 1) begin\n{}    end\n",
                clear("        ")
            ));
        }
    }
    text.push_str("end\n`endif\n\ninitial begin\n");
    for name in copies.iter().flat_map(|copy| &copy.chain) {
        text.push_str(&format!("    {name} = {zero};\n"));
    }
    text.push_str("end\n");
    text
}

/// The accesses of one copy. An address beyond the depth exists only if the depth is not a power of two: a variable one
/// is compared, a constant one is no access.
fn clocked(printer: &Printer, memory: &Memory, copy: &Copy) -> String {
    let read = &memory.reads[copy.port];
    let write = &memory.write;
    let (we, wa) = (printer.text(write.enable), printer.text(write.address));
    // The written data have a name, or are a constant.
    let data = |from: u32, width: u32| match &printer.simple.module.node(write.data).op {
        Op::Constant(value) => literal(&value.slice(from, width)),
        _ => bits_of(&printer.text(write.data), memory.width / memory.lanes, from, width),
    };
    let wl = write.lane.map_or_else(String::new, |lane| printer.text(lane));
    let (re, ra) = (printer.text(read.enable), printer.text(read.address));
    let bits = printer.width(write.address);
    let constant = |address: NodeId| match printer.simple.module.node(address).op {
        Op::Constant(value) => Some(value.low()),
        _ => None,
    };
    let beyond = |address: NodeId| constant(address).is_some_and(|value| value >= memory.depth);
    let inside = |address: NodeId, text: &str| match memory.depth {
        depth if depth == 1 << bits || constant(address).is_some() => String::new(),
        1 => format!(" && {text} == {bits}'d0"),
        depth => format!(" && {text} < {bits}'d{depth}"),
    };
    let mut text = "\nalways @(posedge clk) begin\n".to_string();
    let written = !beyond(write.address);
    if written {
        let guard = inside(write.address, &wa);
        for bank in &copy.banks {
            let lane = bank.lane.as_ref().map_or_else(String::new, |lane| format!(" && {wl} == {lane}"));
            let (rows, wd) = (&bank.rows, data(bank.written, bank.width));
            text.push_str(&format!("    if ({we}{lane}{guard}) begin\n        {rows}[{wa}] <= {wd};\n    end\n"));
        }
    }
    if !beyond(read.address) {
        let guard = inside(read.address, &ra);
        for bank in &copy.banks {
            let lane = bank.lane.as_ref().map_or_else(String::new, |lane| format!(" && {wl} == {lane}"));
            let hold = match memory.collision {
                Collision::Hold if written => format!(" && !({we}{lane} && {wa} == {ra})"),
                _ => String::new(),
            };
            let (rows, row) = (&bank.rows, bits_of(&copy.chain[0], memory.width, bank.row, bank.width));
            text.push_str(&format!("    if ({re}{guard}{hold}) begin\n        {row} <= {rows}[{ra}];\n    end\n"));
        }
    }
    for pair in copy.chain.windows(2) {
        text.push_str(&format!("    {} <= {};\n", pair[1], pair[0]));
    }
    text.push_str("end\n");
    text
}
