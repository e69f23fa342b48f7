// SPDX-License-Identifier: MIT OR Apache-2.0
//! The beginning and the end of a testbench: its memory files are present and complete, and a failure has a bad exit
//! status.

/// What stands in front of the module. A testbench assigns one thing after the other, as a program does.
pub const HEAD: &str = "\
`resetall
`timescale 1ns / 1ps
`default_nettype none
/* verilator lint_off BLKSEQ */

";

/// The task `abort`, which ends a run that failed.
///
/// `$finish` has status 0 in every simulator. Icarus has a call of its own for others; `$stop` would return 0 with `vvp
/// -n`. Verilator aborts at `$stop`, and refuses `$fatal` in Verilog-2001. A simulator with a prompt can continue after
/// `$stop`; the `$finish` is for that case.
pub fn task(abort: &str) -> String {
    format!(
        "\
// Ends the run with a bad exit status: 1 of vvp, that of an abort of Verilator. Others stop.
task {abort};
    begin
`ifdef __ICARUS__
        $finish_and_return(1);
`else
        $stop;
`endif
        $finish(0);
    end
endtask

"
    )
}

/// A memory file that a testbench reads.
pub struct Memory<'a> {
    /// Its name.
    pub path: &'a str,
    /// Its lines.
    pub lines: usize,
    /// Bits of a line.
    pub bits: u32,
    /// Name of the array that it is read into. A row has one bit more than a line; that bit is 0 in every row that was
    /// read.
    pub rows: &'a str,
    /// Handle of the file.
    pub handle: &'a str,
}

impl Memory<'_> {
    /// Reads the file. If it is missing or has fewer lines, the run ends at once; simulators only warn. `total` is the
    /// count in the last line: `items=40`.
    pub fn load(&self, abort: &str, total: &str) -> String {
        let Memory { path, lines, bits, rows, handle } = self;
        let last = format!("{rows}[{}]", lines.max(&1) - 1);
        format!(
            "    \
    {handle} = $fopen(\"{path}\", \"r\");
    if ({handle} == 0) begin
        $display(\"FAIL file={path} cannot be opened\");
        $display(\"FAIL {total} failures=1\");
        {abort};
    end
    $fclose({handle});
    {last} = {{1'b1, {bits}'d0}};
    $readmemh(\"{path}\", {rows});
    if ({last} >> {bits} != 0) begin
        $display(\"FAIL file={path} has fewer than {lines} lines\");
        $display(\"FAIL {total} failures=1\");
        {abort};
    end
"
        )
    }
}

/// The last line: `unit` with the number of checks. Nothing checked is a failure.
pub fn verdict(indent: usize, unit: &str, total: &str, failures: &str, abort: &str) -> String {
    let pad = "    ".repeat(indent);
    format!(
        "\
{pad}if ({failures} == 0 && {total} != 0) begin
{pad}    $display(\"PASS {unit}=%0d\", {total});
{pad}    $finish(0);
{pad}end else begin
{pad}    $display(\"FAIL {unit}=%0d failures=%0d\", {total}, {failures});
{pad}    {abort};
{pad}end
"
    )
}
