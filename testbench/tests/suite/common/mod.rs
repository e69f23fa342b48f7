// SPDX-License-Identifier: MIT OR Apache-2.0
//! Code that several tests share, in files of its own, and devices written by hand.

pub mod buildings;
pub mod captures;
pub mod devices;
pub mod fake;
pub mod oracle;
pub mod selector;
pub mod soak;
pub mod tools;
pub mod unknown;
pub mod upsets;
pub mod waves;

use golden_vectors::VectorFile;
use hdl::VerilogRegister;
use testbench::Ports;
use testbench::device::source::Source;

/// Every `step`th vector of each group: for what is slow, and runs with all of them elsewhere.
pub fn sample(mut file: VectorFile, step: usize) -> VectorFile {
    for group in &mut file.groups {
        group.tests = std::mem::take(&mut group.tests).into_iter().step_by(step).collect();
    }
    file
}

/// A counter with ports of every kind that Verilator has.
pub fn counter() -> Source {
    let text = "\
module counter (
    input wire clk, input wire rst,
    input wire [99:0] step, input wire a__b, input wire [11:0] mid, input wire [31:0] word, input wire [63:0] limb,
    output wire [129:0] total, output wire [4:0] low, output wire [95:0] packed_all
);
    reg [129:0] total_reg = 130'd5;
    reg [95:0] packed_reg = 96'd0;
    reg b_reg = 1'b1;
    assign total = total_reg;
    assign low = total_reg[4:0] ^ {4'd0, b_reg};
    assign packed_all = packed_reg;
    always @(posedge clk) begin
        total_reg <= total_reg + {30'd0, step};
        b_reg <= a__b;
        packed_reg <= {20'd0, mid, limb} ^ {word, 64'd0};
        if (rst) total_reg <= 130'd5;
    end
endmodule
";
    Source {
        top: "counter".into(),
        files: vec![("counter.v".into(), text.into())],
        ports: Ports::new(
            [("step", 100), ("a__b", 1), ("mid", 12), ("word", 32), ("limb", 64)],
            [("total", 130), ("low", 5), ("packed_all", 96)],
        ),
        registers: [("total", 130), ("packed", 96), ("b", 1)].map(register).to_vec(),
    }
}

fn register((name, width): (&str, u32)) -> VerilogRegister {
    let (name, net) = (name.to_owned(), format!("{name}_reg"));
    VerilogRegister { scope: vec![], name, path: vec![], net, width }
}
