// SPDX-License-Identifier: MIT OR Apache-2.0
//! A Verilog module around a design that communicates through standard input and output.

use crate::device::Port;
use crate::device::source::Source;
use hdl::VerilogRegister;

/// Name of the module.
pub const TOP: &str = "mpnic_pipe";
/// Name of its file.
pub const FILE: &str = "mpnic_pipe.v";

/// Makes the module. In each cycle it prints the outputs and, with `watch`, the registers (bit by bit if a bit is
/// unknown, so that it can be named), reads `rst` and the inputs, and makes a rising edge. It ends at the end of its
/// input.
pub fn text(source: &Source, watch: bool) -> String {
    let bits = |ports: &[Port]| ports.iter().map(|p| p.width).sum::<u32>();
    let connect = |ports: &[Port], net: &str, mut at: u32| -> String {
        let line = |p: &Port| {
            let low = at;
            at += p.width;
            format!(",\n        .{}({net}[{}:{low}])", p.name, at - 1)
        };
        ports.iter().map(line).collect()
    };
    let outputs = bits(&source.ports.outputs);
    let inside: u32 = source.registers.iter().filter(|_| watch).map(|r| r.width).sum();
    format!(
        "\
`timescale 1ns / 1ps
module {TOP};
    reg clk = 1'b0;
    reg [{}:0] from = 0;
    wire [{}:0] outputs;
    wire [{}:0] to = {{{}}};
    integer count;
    {} dut (
        .clk(clk),
        .rst(from[0]){}{}
    );
    initial begin
        #1;
        while (1) begin
            if ((^to) === 1'bx) $display(\"b%b\", to);
            else $display(\"%h\", to);
            $fflush;
            count = $fscanf(32'h8000_0000, \"%h\", from);
            if (count != 1) $finish;
            #1 clk = 1'b1;
            #1 clk = 1'b0;
            #1;
        end
    end
endmodule
",
        bits(&source.ports.inputs),
        outputs.max(1) - 1,
        (outputs + inside).max(1) - 1,
        registers(source, watch) + "outputs",
        source.top,
        connect(&source.ports.inputs, "from", 1),
        connect(&source.ports.outputs, "outputs", 0),
    )
}

/// The registers, which are above the outputs, the first one lowest; a comma follows each.
fn registers(source: &Source, watch: bool) -> String {
    let registers = source.registers.iter().filter(|_| watch).rev();
    let path = |r: &VerilogRegister| r.path.iter().map(|instance| format!("{instance}.")).collect::<String>();
    registers.map(|r| format!("dut.{}{}, ", path(r), r.net)).collect()
}
