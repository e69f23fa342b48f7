// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What is proved of the free cells of reorder with frames in a pool; run by scripts/prove-receiver. Row R36 of
// docs/stages/reorder.md, for a pool of four cells, with resets at any time:
//
//   repeats  a cell that is given out is on offer, and has not been given out since it was last returned
//   loses    cells that are given out, those that have been returned and are not counted, and `free_cells` are four in all. As
//            a cell is given out whenever `free_cells` is not 0, no cell is lost
//
// Beats are free in every cycle after the sweep, and so is what is returned: up to three cells in each cycle, but only cells
// that are out, and each once. That this holds in the stage is what reorder_payload_properties.v is about.
//
// The stage has what free_cells.sed and free_cells_alone.sed change and free_cells_invariants.v adds; with PROVE_INDUCTION what
// holds inside is asserted too, as the induction needs it. With PROVE_REACHED what is asserted is instead that a trace worth
// proving something about is not reached, which must be refuted.

`default_nettype none

module free_cells_properties (
    input wire clk
);

// Free inputs.
(* anyseq *) wire       rst, s_axis_tvalid, s_axis_tlast;
(* anyseq *) wire [2:0] any;
(* anyseq *) wire [5:0] returned;

wire       gives, offers;
wire [1:0] given;
wire [2:0] free_cells;

// Cells that have been given out and not returned.
reg  [3:0] out = 4'd0;
wire [1:0] by_walk = returned[1:0], by_delivery = returned[3:2], by_clearing = returned[5:4];
wire [2:0] returns;
assign returns[0] = any[0] && out[by_walk];
assign returns[1] = any[1] && out[by_delivery] && !(returns[0] && by_walk == by_delivery);
assign returns[2] = any[2] && out[by_clearing] && !(returns[0] && by_walk == by_clearing)
    && !(returns[1] && by_delivery == by_clearing);
wire [3:0] back = (returns[0] ? 4'd1 << by_walk : 4'd0) | (returns[1] ? 4'd1 << by_delivery : 4'd0)
    | (returns[2] ? 4'd1 << by_clearing : 4'd0);
wire [3:0] gone = gives ? 4'd1 << given : 4'd0;

// Cells that have been returned and are not counted: in the two cycles before the walk counts them, and in the LATENCY + 5
// cycles for all, the last ones in the low bits.
reg  [1:0] walked = 2'd0;
reg  [2*(`LATENCY+5)-1:0] uncounted = 0;
wire [4:0] waiting = uncounted[1:0] + uncounted[3:2] + uncounted[5:4] + uncounted[7:6] + uncounted[9:8] + uncounted[11:10]
    + walked[0] + walked[1];
wire [4:0] outside = out[0] + out[1] + out[2] + out[3];
// Cells that have been returned, and those that were given out after it.
reg  [3:0] was_back = 4'd0, again = 4'd0;

always @(posedge clk)
    if (rst) begin
        out <= 4'd0;
        walked <= 2'd0;
        uncounted <= 0;
        was_back <= 4'd0;
        again <= 4'd0;
    end else begin
        out <= (out | gone) & ~back;
        walked <= {walked[0], returns[0]};
        uncounted <= {uncounted[2*(`LATENCY+4)-1:0], {1'b0, walked[1]} + {1'b0, returns[1]} + {1'b0, returns[2]}};
        was_back <= was_back | back;
        again <= again | (gone & was_back);
    end

reorder_payload dut (
    .clk(clk),
    .rst(rst),
    .s_axis_tvalid(s_axis_tvalid),
    .s_axis_tlast(s_axis_tlast),
    .out(out),
    .uncounted(uncounted),
    .walked(walked),
    .any_returns(returns),
    .any_returned(returned),
    .gives(gives),
    .given(given),
    .offers(offers),
    .free_cells(free_cells)
);

always @(*) begin
`ifdef PROVE_REACHED
    // Each cell has been given out, returned, and given out again.
    assert (again != 4'd15);
`else
    // repeats
    if (gives)
        assert (offers && !out[given]);
    // loses. A cell is counted as taken one cycle before it is given out.
    assert ({2'd0, free_cells} + waiting + outside + {4'd0, gives} == 5'd4);
`endif
end

endmodule
