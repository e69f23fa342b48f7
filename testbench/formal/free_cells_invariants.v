// SPDX-License-Identifier: MIT OR Apache-2.0
//
// For the proof about the free cells alone: stands at the end of the stage, where scripts/prove-receiver puts it. What holds in
// every cycle is stated, so that the proof goes through by induction: each cell is in one place. All of it is proved with the
// properties, so a wrong line makes the proof fail.

`ifdef PROVE_INDUCTION
// How many rows of each list have not been read.
wire [2:0] refused_rest = refused_write_reg - refused_read_reg;
wire [2:0] delivered_rest = delivered_write_reg - delivered_read_reg;
wire [2:0] cleared_rest = cleared_write_reg - cleared_read_reg;

genvar number;
generate
for (number = 0; number < 4; number = number + 1) begin : places
    wire [3:0] refused_at, delivered_at, cleared_at;
    genvar row;
    for (row = 0; row < 4; row = row + 1) begin : rows
        wire [1:0] from_refused = row - refused_read_reg[1:0];
        wire [1:0] from_delivered = row - delivered_read_reg[1:0];
        wire [1:0] from_cleared = row - cleared_read_reg[1:0];
        assign refused_at[row] = {1'b0, from_refused} < refused_rest && refused_rows[row] == number;
        assign delivered_at[row] = {1'b0, from_delivered} < delivered_rest && delivered_rows[row] == number;
        assign cleared_at[row] = {1'b0, from_cleared} < cleared_rest && cleared_rows[row] == number;
    end
    // The places where the cell can be. A row that has not been swept counts as one.
    wire [22:0] at = {
        out[number],
        port_sweeping_reg && port_row_reg <= number,
        walk_returned_valid_reg && walk_returned_cell_reg == number,
        frames_returned_valid_reg && frames_returned_cell_reg == number,
        clearing_returned_valid_reg && clearing_returned_cell_reg == number,
        refused_at, delivered_at, cleared_at,
        refused_valid_reg[1] && refused_rows_data_reg == number,
        refused_valid_reg[0] && refused_front_reg == number,
        delivered_valid_reg[1] && delivered_rows_data_reg == number,
        delivered_valid_reg[0] && delivered_front_reg == number,
        cleared_valid_reg[1] && cleared_rows_data_reg == number,
        cleared_valid_reg[0] && cleared_front_reg == number
    };
    always @(*) begin
        // One place, and no other.
        assert (|at);
        assert ((at & (at - 23'd1)) == 23'd0);
    end
end
endgenerate

always @(*) begin
    assert (refused_rest <= 3'd4 && delivered_rest <= 3'd4 && cleared_rest <= 3'd4);
    // The shadow counts what the stage counts.
    assert (walked == {walk_counts_reg, walk_returned_valid_reg});
    assert (uncounted == {free_cells_returned_6_reg, free_cells_returned_5_reg, free_cells_returned_4_reg,
        free_cells_returned_3_reg, free_cells_returned_2_reg, free_cells_returned_1_reg});
    // The sweep, and the cycles after it.
    if (port_draining_reg)
        assert (port_timer_reg <= 5'd12);
    assert (free_cells_none_reg == (free_cells_free_reg == 3'd0));
    if (commands_busy)
        assert (!writer_placed_takes_reg && free_cells_free_reg == 3'd4 && out == 4'd0);
    assert (!(port_sweeping_reg && port_draining_reg));
end
`endif
