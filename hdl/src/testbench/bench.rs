// SPDX-License-Identifier: MIT OR Apache-2.0
//! The text of a testbench.

use super::verdict::{HEAD, Memory, task, verdict};
use super::{Stimulus, Stream, hex};
use crate::Header;
use crate::names::Names;
use rtl_model::netlist::circuit::Module;
use rtl_model::netlist::interfaces::Pin;
use std::fmt::Write;

/// Suffixes of the nets of the testbench itself; ports of the module keep their names.
const SUFFIXES: [&str; 10] =
    ["_rows", "_file", "_item", "_count", "_random", "_stall", "_want", "_mask", "_held", "_last"];

/// Name of the task that ends a run that failed.
const ABORT: &str = "tb_abort";

/// The data of a stream when the text is made.
struct Lane<'a> {
    stream: &'a Stream,
    /// Stem of the testbench's nets for it.
    stem: String,
    items: usize,
    file: &'a str,
    /// Different for each stream.
    salt: u32,
}

impl Lane<'_> {
    /// Bits of an item; a stream without payload has one bit that is never compared.
    fn width(&self) -> u32 {
        self.stream.interface.width().max(1)
    }

    fn valid(&self) -> &str {
        &self.stream.valid.port
    }

    /// The port, or 1.
    fn ready(&self) -> &str {
        self.stream.interface.ready().map_or("1'b1", |ready| &ready.port)
    }

    /// What the ready is called where a difference is shown.
    fn ready_name(&self) -> &str {
        self.stream.interface.ready().map_or("ready", |ready| &ready.name)
    }

    /// Each field with its lowest bit in an item.
    fn fields(&self) -> Vec<(&Pin, u32)> {
        let mut low = self.stream.interface.width();
        let step = |field| {
            let field: &Pin = field;
            low -= field.width;
            (field, low)
        };
        self.stream.fields().iter().map(step).collect()
    }
}

/// Prints the testbench. `counts` has number of items and memory file of each stream.
pub fn print(
    top: &Module,
    header: &Header,
    stimulus: &Stimulus,
    streams: &[Stream],
    counts: &[(usize, String)],
) -> String {
    let mut names = Names::default();
    let ports = top.inputs.iter().map(|p| &p.name).chain(top.outputs.iter().map(|p| &p.name));
    for port in ports {
        names.take(port);
    }
    let lanes: Vec<Lane> = streams
        .iter()
        .zip(counts)
        .enumerate()
        .map(|(i, (stream, (items, file)))| {
            let stem = names.unique_with(stream.name(), &SUFFIXES);
            Lane { stream, stem, items: *items, file, salt: (i as u32 + 1).wrapping_mul(0x9e37_79b9) }
        })
        .collect();
    let mut text = format!("{}\n", header.comment());
    text.push_str("// Arguments: +seed=N, +stall=PERCENT, +vcd.\n\n");
    text.push_str(HEAD);
    writeln!(text, "module {}_tb;\n", top.name).ok();
    let total = lanes.iter().filter(|lane| !lane.stream.input()).map(|lane| lane.items).sum();
    frame(&mut text, stimulus, total);
    device(&mut text, top, stimulus, streams);
    for lane in &lanes {
        if lane.stream.input() { source(&mut text, lane, total) } else { sink(&mut text, lane, total) }
    }
    end(&mut text, &lanes);
    text.push_str("endmodule\n\n`resetall\n");
    text
}

/// Clock, reset, arguments, random numbers.
fn frame(text: &mut String, stimulus: &Stimulus, total: usize) {
    text.push_str(&format!(
        "\
localparam TB_SHOWN = {shown};
localparam TB_WATCHDOG = {watchdog};
localparam TB_DRAIN = {drain};
localparam TB_ITEMS = {total};

reg clk;
reg rst;
integer tb_seed;
integer tb_stall;
integer tb_failures;
integer tb_clocks;
integer tb_idle;

initial begin
    clk = 1'b0;
    rst = 1'b1;
    tb_failures = 0;
    tb_clocks = 0;
    tb_idle = 0;
    if (!$value$plusargs(\"seed=%d\", tb_seed)) tb_seed = 1;
    if (!$value$plusargs(\"stall=%d\", tb_stall)) tb_stall = 30;
    if (tb_stall > 95) tb_stall = 95;
    if ($test$plusargs(\"vcd\")) begin
        $dumpfile(\"tb.vcd\");
        $dumpvars;
    end
end

always #5 clk = !clk;

always @(posedge clk) begin
    tb_clocks <= tb_clocks + 1;
    rst <= tb_clocks < 8;
end

// xorshift32: never 0 unless it starts there.
function [31:0] tb_random;
    input [31:0] state;
    reg [31:0] next;
    begin
        next = state ^ (state << 13);
        next = next ^ (next >> 17);
        tb_random = next ^ (next << 5);
    end
endfunction

function [31:0] tb_start;
    input [31:0] seed;
    input [31:0] salt;
    begin
        tb_start = tb_random(tb_random((seed ^ salt) == 32'd0 ? 32'd1 : seed ^ salt));
    end
endfunction

",
        shown = stimulus.shown,
        watchdog = stimulus.watchdog,
        drain = stimulus.drain,
    ));
    text.push_str(&task(ABORT));
}

fn range(width: u32) -> String {
    if width == 1 { String::new() } else { format!("[{}:0] ", width - 1) }
}

/// The module under test and the nets at its ports.
fn device(text: &mut String, top: &Module, stimulus: &Stimulus, streams: &[Stream]) {
    for port in &top.inputs {
        let bits = range(port.width);
        let owner = streams.iter().find(|stream| stream.interface.owns(&port.name));
        match owner {
            // Driven from a register of the lane.
            Some(stream) if stream.input() && stream.valid.port != port.name => {
                writeln!(text, "wire {bits}{};", port.name).ok();
            }
            Some(_) => {
                writeln!(text, "reg {bits}{};", port.name).ok();
            }
            None => {
                let given = stimulus.constants.iter().find(|(name, _)| *name == port.name);
                let value = hex::literal(given.map_or(&[], |(_, value)| value), port.width);
                writeln!(text, "wire {bits}{} = {value};", port.name).ok();
            }
        }
    }
    for port in &top.outputs {
        writeln!(text, "wire {}{};", range(port.width), port.name).ok();
    }
    // Verilator takes a name with `unused` for what it says.
    let compared = |name: &str| streams.iter().any(|stream| stream.interface.owns(name));
    let left: Vec<&str> = top.outputs.iter().map(|port| port.name.as_str()).filter(|name| !compared(name)).collect();
    if !left.is_empty() {
        writeln!(text, "wire tb_unused = &{{1'b0, {}}};", left.join(", ")).ok();
    }
    let ports = top.inputs.iter().map(|p| &p.name).chain(top.outputs.iter().map(|p| &p.name));
    let mut all = vec!["clk", "rst"];
    all.extend(ports.map(String::as_str));
    let wide = all.iter().map(|name| name.len()).max().unwrap_or(0);
    let list: Vec<String> = all.iter().map(|name| format!("    .{name:<wide$} ({name})")).collect();
    writeln!(text, "\n{} tb_device (\n{}\n);\n", top.name, list.join(",\n")).ok();
}

/// The items of a lane of `row` bits each, and its random state.
fn storage(text: &mut String, lane: &Lane, row: u32) {
    let (stem, items) = (&lane.stem, lane.items);
    let direction = if lane.stream.input() { "in" } else { "out" };
    writeln!(text, "// {}: {items} items {direction}", lane.stream.name()).ok();
    writeln!(text, "reg {}{stem}_rows [0:{}];", range(row + 1), items.max(1) - 1).ok();
    if items > 0 {
        writeln!(text, "integer {stem}_file;").ok();
    }
    writeln!(text, "reg [31:0] {stem}_random;").ok();
    writeln!(text, "wire {stem}_stall = ({{9'd0, {stem}_random[30:8]}} % 100) < tb_stall;").ok();
    writeln!(text, "integer {stem}_count;").ok();
}

fn load(text: &mut String, lane: &Lane, row: u32, total: usize) {
    let (stem, salt) = (&lane.stem, lane.salt);
    if lane.items > 0 {
        let (rows, handle) = (&format!("{stem}_rows"), &format!("{stem}_file"));
        let memory = Memory { path: lane.file, lines: lane.items, bits: row, rows, handle };
        text.push_str(&memory.load(ABORT, &format!("items={total}")));
    }
    writeln!(text, "    {stem}_count = 0;").ok();
    // The arguments are read at time 0 by another block.
    writeln!(text, "    {stem}_random = 32'd1;").ok();
    writeln!(text, "    #1 {stem}_random = tb_start(tb_seed, 32'h{salt:x});").ok();
}

/// Feeds an input stream: once valid, an item stays until it is taken.
fn source(text: &mut String, lane: &Lane, total: usize) {
    let (stem, valid, ready) = (&lane.stem, lane.valid(), lane.ready());
    storage(text, lane, lane.width());
    writeln!(text, "reg {}{stem}_item;", range(lane.width())).ok();
    for (field, low) in lane.fields() {
        let bits = part(&format!("{stem}_item"), lane.width(), low, field.width);
        writeln!(text, "assign {} = {bits};", field.port).ok();
    }
    writeln!(text, "\ninitial begin\n    {valid} = 1'b0;\n    {stem}_item = {}'d0;", lane.width()).ok();
    load(text, lane, lane.width(), total);
    writeln!(
        text,
        "end

always @(posedge clk) begin
    {stem}_random <= tb_random({stem}_random);
    if (rst) begin
        {valid} <= 1'b0;
    end else begin
        if ({valid} && {ready} === 1'b1) begin
            {stem}_count <= {stem}_count + 1;
            tb_idle = 0;
        end
        if (!{valid} || {ready} === 1'b1) begin
            if ({stem}_count + ({valid} ? 1 : 0) < {items} && !{stem}_stall) begin
                {valid} <= 1'b1;
                {stem}_item <= {stem}_rows[{stem}_count + ({valid} ? 1 : 0)]{bits};
            end else begin
                {valid} <= 1'b0;
                {stem}_item <= ~{stem}_item;
            end
        end
    end
end
",
        items = lane.items,
        bits = line(lane.width()),
    )
    .ok();
}

/// The part of a row that comes from a line of this number of bits.
fn line(bits: u32) -> String {
    format!("[{}:0]", bits - 1)
}

fn part(name: &str, of: u32, low: u32, width: u32) -> String {
    match (of, width) {
        (1, _) => name.to_owned(),
        (_, 1) => format!("{name}[{low}]"),
        _ => format!("{name}[{}:{low}]", low + width - 1),
    }
}

/// Prints and counts a difference.
fn fail(text: &mut String, indent: usize, lane: &Lane, field: &str, got: &str, expected: &str) {
    let pad = "    ".repeat(indent);
    let (name, count) = (lane.stream.name(), format!("{}_count", lane.stem));
    write!(
        text,
        "{pad}tb_failures = tb_failures + 1;
{pad}if (tb_failures <= TB_SHOWN)
{pad}    $display(\"FAIL stream={name} item=%0d field={field} got=%h expected=%h\",
{pad}        {count}, {got}, {expected});
"
    )
    .ok();
}

/// Takes an output stream and compares it.
fn sink(text: &mut String, lane: &Lane, total: usize) {
    let (stem, valid, ready, width) = (&lane.stem, lane.valid(), lane.ready(), lane.width());
    storage(text, lane, 2 * width);
    let ports: Vec<&str> = lane.stream.fields().iter().map(|field| field.port.as_str()).collect();
    let item = if ports.is_empty() { "1'b0".to_owned() } else { format!("{{{}}}", ports.join(", ")) };
    let bits = range(width);
    writeln!(text, "wire {bits}{stem}_item = {item};").ok();
    writeln!(text, "reg {bits}{stem}_want, {stem}_mask, {stem}_last;\nreg {stem}_held;").ok();
    writeln!(text, "\ninitial begin\n    {stem}_held = 1'b0;").ok();
    writeln!(text, "    {stem}_last = {width}'d0;").ok();
    if lane.stream.interface.ready().is_some() {
        writeln!(text, "    {ready} = 1'b0;").ok();
    }
    load(text, lane, 2 * width, total);
    writeln!(text, "end\n\nalways @(posedge clk) begin").ok();
    writeln!(text, "    {stem}_random <= tb_random({stem}_random);").ok();
    if lane.stream.interface.ready().is_some() {
        writeln!(text, "    {ready} <= !rst && !{stem}_stall;").ok();
    }
    writeln!(text, "    {stem}_held <= !rst && {valid} === 1'b1 && !{ready};").ok();
    writeln!(text, "    {stem}_last <= {stem}_item;").ok();
    writeln!(text, "    if (!rst && ({valid} ^ {valid}) !== 1'b0) begin").ok();
    let of_valid = &lane.stream.valid.name;
    fail(text, 2, lane, of_valid, valid, "1'b0");
    writeln!(text, "    end\n    if (!rst && {stem}_held) begin").ok();
    writeln!(text, "        if ({valid} !== 1'b1) begin").ok();
    fail(text, 3, lane, &format!("{of_valid}.stable"), valid, "1'b1");
    for (field, low) in lane.fields() {
        let last = part(&format!("{stem}_last"), width, low, field.width);
        writeln!(text, "        end else if ({} !== {last}) begin", field.port).ok();
        fail(text, 3, lane, &format!("{}.stable", field.name), &field.port, &last);
    }
    writeln!(text, "        end\n    end\n    if (!rst && {valid} === 1'b1 && {ready}) begin").ok();
    // Surplus items do not keep the run going: a broken device may offer them without end.
    writeln!(text, "        if ({stem}_count >= {}) begin", lane.items).ok();
    fail(text, 3, lane, "surplus", &format!("{stem}_item"), "1'bx");
    writeln!(text, "        end else begin\n            tb_idle = 0;").ok();
    writeln!(text, "            {{{stem}_mask, {stem}_want}} = {stem}_rows[{stem}_count]{};", line(2 * width)).ok();
    for (field, low) in lane.fields() {
        let want = part(&format!("{stem}_want"), width, low, field.width);
        let mask = part(&format!("{stem}_mask"), width, low, field.width);
        let (port, bits) = (&field.port, field.width);
        writeln!(text, "            if ((({port} ^ {want}) & {mask}) !== {bits}'d0) begin").ok();
        fail(text, 4, lane, &field.name, port, &format!("{want} ^ (~{mask} & {{{bits}{{1'bx}}}})"));
        writeln!(text, "            end").ok();
    }
    writeln!(text, "        end\n        {stem}_count <= {stem}_count + 1;\n    end\nend\n").ok();
}

/// The verdict, when everything has come or nothing moves any more.
fn end(text: &mut String, lanes: &[Lane]) {
    let all: Vec<String> = lanes.iter().map(|lane| format!("{}_count >= {}", lane.stem, lane.items)).collect();
    writeln!(text, "wire tb_complete = {};\n", all.join("\n    && ")).ok();
    text.push_str("always @(posedge clk) begin\n    tb_idle = tb_idle + 1;\n");
    text.push_str("    if (!rst && ((tb_complete && tb_idle > TB_DRAIN) || tb_idle > TB_WATCHDOG)) begin\n");
    for lane in lanes {
        let (field, got, expected) =
            if lane.stream.input() { (lane.ready_name(), "1'b0", "1'b1") } else { ("missing", "1'bx", "1'b1") };
        writeln!(text, "        if ({}_count < {}) begin", lane.stem, lane.items).ok();
        fail(text, 3, lane, field, got, expected);
        writeln!(text, "        end").ok();
    }
    text.push_str(&verdict(2, "items", "TB_ITEMS", "tb_failures", ABORT));
    text.push_str("    end\nend\n\n");
}
