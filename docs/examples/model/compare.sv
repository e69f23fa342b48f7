// SPDX-License-Identifier: MIT OR Apache-2.0
// Verilog and model beside each other under random inputs, compared in every cycle.
`timescale 1ns / 1ps

module compare;

logic clk = 0, rst = 1, event_valid = 0;
logic [9:0] event_row = 0;
logic [15:0] event_amount = 0;
// ready, done_valid, done_row, done_value
logic [43:0] rtl, model;
int cycles = 0, answers = 0;

mpnic_tally a_rtl (
    .clk, .rst, .event_valid, .event_row, .event_amount,
    .ready(rtl[43]), .done_valid(rtl[42]), .done_row(rtl[41:32]), .done_value(rtl[31:0])
);
mpnic_tally_dpi a_model (
    .clk, .rst, .event_valid, .event_row, .event_amount,
    .ready(model[43]), .done_valid(model[42]), .done_row(model[41:32]), .done_value(model[31:0])
);

always #5 clk = !clk;

always @(posedge clk) begin
    if (rtl !== model) begin
        $display("cycle %0d: rtl %h, model %h", cycles, rtl, model);
        $stop;
    end
    cycles <= cycles + 1;
    answers <= answers + 32'(rtl[42]);
    if (cycles == 10000) begin
        $display("equal in %0d cycles with %0d answers", cycles, answers);
        $finish;
    end
    rst <= cycles == 5000;
    event_valid <= $urandom_range(3) != 0;
    event_row <= 10'($urandom_range(15));
    event_amount <= 16'($urandom);
end

endmodule
