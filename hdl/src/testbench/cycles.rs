// SPDX-License-Identifier: MIT OR Apache-2.0
//! Self-checking Verilog testbenches that play a table, one row per cycle: for modules whose answers come in fixed
//! cycles.
//!
//! ```text
//! iverilog -g2001 -o tb selector_tb.v selector.v && vvp -n tb
//! ```
//!
//! The inputs of a row are stable from one falling edge of the clock to the next, and the outputs are compared at the
//! beginning of that time. The last line is `PASS cycles=N` or `FAIL cycles=N failures=M`. Before it come the first
//! differences, one per line: `FAIL cycle=.. port=.. got=.. expected=..`, with `x` for bits that are not compared.

use super::hex::{self, Bits};
use super::verdict::{HEAD, Memory, task, verdict};
use super::{Rows, TestbenchError, TestbenchFiles};
use crate::names::Names;
use crate::{Header, VerilogFile};
use rtl_model::netlist::circuit::Module;
use std::borrow::Borrow;
use std::fmt::Write;
use std::ops::Range;

/// A cycle: the inputs, and the outputs expected before the edge that ends it.
///
/// Of each port there are `ceil(width / 64)` limbs, lowest first, in the order of the ports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cycle {
    /// The level of `rst`.
    pub reset: bool,
    /// The inputs.
    pub inputs: Vec<u64>,
    /// The outputs.
    pub outputs: Vec<u64>,
    /// Bits of outputs that are 0 here are not compared.
    pub masks: Vec<u64>,
}

/// A port and its lowest bit in a row.
struct Place<'a> {
    name: &'a str,
    width: u32,
    low: u32,
}

/// Makes the testbench of a module; `shown` differences are printed, all are counted.
///
/// # Errors
/// A row does not have one value for each port, or has one that does not fit; or no row compares anything.
pub fn of_cycles(
    top: &Module,
    header: &Header,
    cycles: impl IntoIterator<Item = impl Borrow<Cycle>>,
    shown: u32,
) -> Result<TestbenchFiles, TestbenchError> {
    let inputs = Row::new(top.inputs.iter().map(|p| (p.name.as_str(), p.width)));
    let outputs = Row::new(top.outputs.iter().map(|p| (p.name.as_str(), p.width)));
    let (mut rows, mut total, mut compares) = (String::new(), 0, false);
    let mut bits = Bits::default();
    for (i, cycle) in cycles.into_iter().enumerate() {
        let cycle = cycle.borrow();
        bits.clear();
        outputs.push("outputs", i, &cycle.outputs, &mut bits)?;
        outputs.push("outputs", i, &cycle.masks, &mut bits)?;
        inputs.push("inputs", i, &cycle.inputs, &mut bits)?;
        bits.push(&[cycle.reset.into()], 1);
        bits.write_hex(&mut rows);
        rows.push('\n');
        total = i + 1;
        compares |= cycle.masks.iter().any(|&limb| limb != 0);
    }
    if !compares {
        return Err(TestbenchError::Nothing { module: top.name.clone() });
    }
    let file = format!("{}_tb_cycles.hex", top.name);
    let text = print(top, header, total, &file, shown);
    let testbench = VerilogFile { name: format!("{}_tb.v", top.name), text };
    let lines = Rows::Cycles { file: file.clone(), rows: total };
    Ok(TestbenchFiles { testbench, memories: vec![(file, rows)], rows: lines })
}

/// The ports of a direction, each with the limbs that it has in a cycle.
struct Row<'a> {
    ports: Vec<(&'a str, u32, Range<usize>)>,
    limbs: usize,
}

impl<'a> Row<'a> {
    fn new(ports: impl Iterator<Item = (&'a str, u32)>) -> Self {
        let mut limbs = 0;
        let place = |(name, width): (&'a str, u32)| {
            let first = limbs;
            limbs += width.div_ceil(64) as usize;
            (name, width, first..limbs)
        };
        Row { ports: ports.map(place).collect(), limbs }
    }

    /// Appends the values of a cycle, the last port first.
    fn push(&self, what: &str, cycle: usize, row: &[u64], bits: &mut Bits) -> Result<(), TestbenchError> {
        if row.len() != self.limbs {
            let (stream, found) = (what.to_owned(), row.len());
            return Err(TestbenchError::FieldCount { stream, item: cycle, found, expected: self.limbs });
        }
        for (name, width, limbs) in self.ports.iter().rev() {
            hex::fits(name, cycle, &row[limbs.clone()], *width)?;
            bits.push(&row[limbs.clone()], *width);
        }
        Ok(())
    }
}

/// The ports side by side, the first in the highest bits, and their total width.
fn places<'a>(ports: impl DoubleEndedIterator<Item = (&'a str, u32)>) -> (Vec<Place<'a>>, u32) {
    let mut low = 0;
    let place = |(name, width)| {
        let place = Place { name, width, low };
        low += width;
        place
    };
    let mut places: Vec<_> = ports.rev().map(place).collect();
    places.reverse();
    (places, low)
}

fn print(top: &Module, header: &Header, cycles: usize, file: &str, shown: u32) -> String {
    let (inputs, in_bits) = places(top.inputs.iter().map(|p| (p.name.as_str(), p.width)));
    let (outputs, out_bits) = places(top.outputs.iter().map(|p| (p.name.as_str(), p.width)));
    let mut names = Names::default();
    inputs.iter().chain(&outputs).for_each(|port| {
        names.take(port.name);
    });
    // Ports keep their names; the testbench's own give way.
    let own =
        ["tb_rows", "tb_file", "tb_cycle", "tb_failures", "tb_want", "tb_mask", "tb_device", "tb_abort", "TB_CYCLES"];
    let [rows, handle, cycle, failures, want, mask, device, abort, total] =
        own.map(|name| names.unique_with(name, &[""]));
    let range = |width: u32| if width == 1 { String::new() } else { format!("[{}:0] ", width - 1) };
    let mut text = format!("{}\n// Argument: +vcd.\n\n", header.comment());
    text.push_str(HEAD);
    writeln!(text, "module {}_tb;\n", top.name).ok();
    writeln!(text, "localparam {total} = {cycles};\n\nreg clk;\nreg rst;").ok();
    for port in &inputs {
        writeln!(text, "reg {}{};", range(port.width), port.name).ok();
    }
    for port in &outputs {
        writeln!(text, "wire {}{};", range(port.width), port.name).ok();
    }
    let all: Vec<_> = ["clk", "rst"].into_iter().chain(inputs.iter().chain(&outputs).map(|port| port.name)).collect();
    let wide = all.iter().map(|name| name.len()).max().unwrap_or(0);
    let list: Vec<_> = all.iter().map(|name| format!("    .{name:<wide$} ({name})")).collect();
    writeln!(text, "\n{} {device} (\n{}\n);\n", top.name, list.join(",\n")).ok();

    let packed: Vec<_> = ["rst"].into_iter().chain(inputs.iter().map(|port| port.name)).collect();
    let zeros: String = inputs.iter().map(|port| format!("    {} = {}'d0;\n", port.name, port.width)).collect();
    let row = 1 + in_bits + 2 * out_bits;
    let memory = Memory { path: file, lines: cycles, bits: row, rows: &rows, handle: &handle };
    text.push_str(&task(&abort));
    write!(
        text,
        "\
// A row: rst, inputs, mask of the outputs, outputs.
reg [{row}:0] {rows} [0:{last}];
reg {bits}{mask}, {want};
integer {handle};
integer {cycle};
integer {failures};

initial begin
    clk = 1'b0;
    rst = 1'b1;
{zeros}    {cycle} = 0;
    {failures} = 0;
{load}    if ($test$plusargs(\"vcd\")) begin
        $dumpfile(\"tb.vcd\");
        $dumpvars;
    end
end

always #5 clk = !clk;

always @(negedge clk) begin
    if ({cycle} == {total}) begin
{verdict}    end else begin
        {{{packed}, {mask}, {want}}} = {rows}[{cycle}][{high}:0];
",
        high = row - 1,
        load = memory.load(&abort, &format!("cycles={cycles}")),
        verdict = verdict(2, "cycles", &total, &failures, &abort),
        last = cycles.max(1) - 1,
        bits = range(out_bits),
        packed = packed.join(", "),
    )
    .ok();
    for port in &outputs {
        let (want, mask) = (part(&want, out_bits, port), part(&mask, out_bits, port));
        let (name, width) = (port.name, port.width);
        write!(
            text,
            "        if ((({name} ^ {want}) & {mask}) !== {width}'d0) begin
            {failures} = {failures} + 1;
            if ({failures} <= {shown})
                $display(\"FAIL cycle=%0d port={name} got=%h expected=%h\",
                    {cycle}, {name}, {want} ^ (~{mask} & {{{width}{{1'bx}}}}));
        end
"
        )
        .ok();
    }
    writeln!(text, "        {cycle} = {cycle} + 1;\n    end\nend\n\nendmodule\n\n`resetall").ok();
    text
}

fn part(name: &str, of: u32, port: &Place) -> String {
    match (of, port.width) {
        (1, _) => name.to_owned(),
        (_, 1) => format!("{name}[{}]", port.low),
        (_, width) => format!("{name}[{}:{}]", port.low + width - 1, port.low),
    }
}
