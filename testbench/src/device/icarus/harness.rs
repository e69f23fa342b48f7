// SPDX-License-Identifier: MIT OR Apache-2.0
//! A Verilog module around a design that communicates through standard input and output.

use crate::device::Port;
use crate::device::source::Source;
use hdl::VerilogRegister;

/// Name of the module.
pub const TOP: &str = "mpnic_pipe";
/// Name of its file.
pub const FILE: &str = "mpnic_pipe.v";

/// What the harness does to the channels of a stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unknown {
    /// Bytes of `tdata` at the inputs are X where `tkeep` is 0 or there is no beat.
    pub inputs: bool,
    /// Bytes of `tdata` at the outputs are shown as 0 where `tkeep` is 0.
    pub outputs: bool,
}

/// The bits of one direction, each bit of `tdata` with a bit of `tkeep` that says whether it counts, and of `tvalid`.
fn kept(ports: &[Port], from: u32) -> Vec<Option<[u32; 2]>> {
    let place = |name: &str| {
        let mut at = from;
        ports.iter().find_map(|port| {
            at += port.width;
            (port.name == name).then(|| at - port.width)
        })
    };
    let bits = ports.iter().flat_map(|port| {
        let channel = port.name.strip_suffix("tdata");
        let keep =
            channel.and_then(|channel| place(&format!("{channel}tkeep")).zip(place(&format!("{channel}tvalid"))));
        (0..port.width).map(move |bit| keep.map(|(keep, valid)| [keep + bit / 8, valid]))
    });
    bits.collect()
}

/// Makes the module. In each cycle it prints the outputs and, with `watch`, the registers (bit by bit if a bit is
/// unknown, so that it can be named), reads `rst` and the inputs, and makes a rising edge. It ends at the end of its
/// input.
pub fn text(source: &Source, watch: bool, unknown: Unknown) -> String {
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
    let list = |bits: Vec<String>| bits.into_iter().rev().collect::<Vec<_>>().join(", ");
    let driven = kept(&source.ports.inputs, 1).into_iter().zip(1..).map(|(keep, at)| match keep {
        Some([keep, valid]) if unknown.inputs => format!("(from[{keep}] & from[{valid}] ? from[{at}] : 1'bx)"),
        _ => format!("from[{at}]"),
    });
    let driven = list(["from[0]".to_owned()].into_iter().chain(driven).collect());
    let shown = kept(&source.ports.outputs, 0).into_iter().zip(0..).map(|(keep, at)| match keep {
        Some([keep, _]) if unknown.outputs => format!("(outputs[{at}] & outputs[{keep}])"),
        _ => format!("outputs[{at}]"),
    });
    let shown = if unknown.outputs { format!("{{{}}}", list(shown.collect())) } else { "outputs".to_owned() };
    let (net, driven) = match unknown.inputs {
        true => ("driven", format!("    wire [{0}:0] driven = {{{driven}}};\n", bits(&source.ports.inputs))),
        false => ("from", String::new()),
    };
    let inside: u32 = source.registers.iter().filter(|_| watch).map(|r| r.width).sum();
    format!(
        "\
`timescale 1ns / 1ps
module {TOP};
    reg clk = 1'b0;
    reg [{}:0] from = 0;
    wire [{}:0] outputs;
    wire [{}:0] to = {{{}}};
{driven}    integer count;
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
        registers(source, watch) + &shown,
        source.top,
        connect(&source.ports.inputs, net, 1),
        connect(&source.ports.outputs, "outputs", 0),
    )
}

/// The registers, which are above the outputs, the first one lowest; a comma follows each.
fn registers(source: &Source, watch: bool) -> String {
    let registers = source.registers.iter().filter(|_| watch).rev();
    let path = |r: &VerilogRegister| r.path.iter().map(|instance| format!("{instance}.")).collect::<String>();
    registers.map(|r| format!("dut.{}{}, ", path(r), r.net)).collect()
}
