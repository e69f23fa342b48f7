// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What is proved of reorder with frames in a pool of cells; run by scripts/prove-receiver. Rows R33 to R36 of
// docs/stages/reorder.md, for one of four cells of four beats, which is any:
//
//   given     the cell is not given out while it is out
//   returned  the cell is returned, by walk, delivery or clearing, only while it is out, and by one of them: so it is
//             returned once. free_cells_properties.v assumes this
//   whole     with no frame in reception, and all that was taken delivered, the cell is not out, IDLE cycles after the last
//             beat in
//
// The cell is out from the cycle after it was given to a frame up to its return. Reset in cycle 0; connection 1 is opened in
// cycle START, the first one in which a command is accepted. From the effect of that on, beats, stalls, settings and commands
// are free.
//
// NEAR: beats are free in that many cycles only, and have one of four PSNs, so that the proof reaches delivery.
// CLEARED: the connection is also closed, in the first cycle in which that can be, and there are no other commands. All frames
// are for it, with PSNs behind the expected one, so that none is delivered, and CLEARED cycles after reset the cell is not out.
// With PROVE_REACHED what is asserted is instead that a trace worth proving something about is not reached, which must be
// refuted: the cell is returned by clearing, or with AGAIN given out after a return.

`default_nettype none

module reorder_payload_properties (
    input wire clk
);

localparam [7:0] FIRST = 8'hfe;
// No command is accepted earlier than this after the one that opens.
localparam [6:0] CLOSE = `START + 2 * `LATENCY + 26;

// Free inputs.
(* anyseq *) wire       any_valid, s_axis_tlast, probe;
(* anyseq *) wire       any_connection, any_found;
(* anyseq *) wire       any_command, any_command_connection;
(* anyseq *) wire [1:0] any_op;
(* anyseq *) wire       any_settings;
(* anyseq *) wire [2:0] settings_quota, settings_reserve;
(* anyseq *) wire       m_axis_tready, event_ready;
`ifdef NEAR
(* anyseq *) wire [1:0] offset;
`else
(* anyseq *) wire [7:0] arrival_psn;
`endif
// The cell that is followed.
(* anyconst *) wire [1:0] cell_number;

// Cycles, and the first one that is free.
localparam FREE = `START + `LATENCY + 13;
reg  [6:0] cycle = 7'd0;
wire       free = cycle >= FREE;
wire       opens = cycle == `START;
always @(posedge clk)
    cycle <= cycle + (cycle != 7'd127);

`ifdef NEAR
reg  [4:0] arriving = `NEAR;
wire       s_axis_tvalid = any_valid && free && arriving != 5'd0;
always @(posedge clk)
    if (free && arriving != 5'd0)
        arriving <= arriving - 5'd1;
`else
wire       s_axis_tvalid = any_valid && free;
`endif

`ifdef CLEARED
wire [7:0] arrival_psn = FIRST + 8'd1 + {6'd0, offset};
wire       arrival_connection = 1'b1, arrival_found = 1'b1, settings_valid = 1'b0;
wire       command_valid = opens || cycle == CLOSE;
wire [1:0] command_op = opens ? 2'd1 : 2'd2;
wire       command_connection = 1'b1;
`else
`ifdef NEAR
wire [7:0] arrival_psn = FIRST - 8'd1 + {6'd0, offset};
`endif
wire       arrival_connection = any_connection, arrival_found = any_found, settings_valid = any_settings;
wire       command_valid = opens || (any_command && free);
wire [1:0] command_op = opens ? 2'd1 : any_op;
wire       command_connection = opens || any_command_connection;
`endif

wire       s_axis_tready, command_ready, m_axis_tvalid, m_axis_tlast, answer_valid, gives;
wire [1:0] given;
wire [2:0] answer_outcome, returns;
wire [5:0] returned;

reorder_payload dut (
    .clk(clk),
    .rst(cycle == 7'd0),
    .s_axis_tvalid(s_axis_tvalid),
    .s_axis_tready(s_axis_tready),
    .s_axis_tdata(64'd0),
    .s_axis_tkeep(8'd0),
    .s_axis_tlast(s_axis_tlast),
    .s_axis_tuser(5'd0),
    .arrival_connection(arrival_connection),
    .arrival_found(arrival_found),
    .arrival_psn(arrival_psn),
    .arrival_path(8'd0),
    .arrival_flags({5'd0, probe, 2'd0}),
    .arrival_length(16'd0),
    .command_valid(command_valid),
    .command_ready(command_ready),
    .command_op(command_op),
    .command_connection(command_connection),
    .command_path(8'd0),
    .command_psn(FIRST),
    .settings_valid(settings_valid),
    .settings_span(6'd63),
    .settings_time(20'hfffff),
    .settings_quota(settings_quota),
    .settings_reserve(settings_reserve),
    .m_axis_tready(m_axis_tready),
    .m_axis_tvalid(m_axis_tvalid),
    .m_axis_tlast(m_axis_tlast),
    .event_ready(event_ready),
    .answer_valid(answer_valid),
    .answer_outcome(answer_outcome),
    .gives(gives),
    .given(given),
    .returns(returns),
    .returned(returned)
);

localparam [2:0] IN_ORDER = 3'd0, HELD = 3'd1;

// The cell is out; it has been returned.
reg        out = 1'b0, was_back = 1'b0;
// A frame is being received. Frames of both connections that were taken and not delivered. Cycles since the last beat in.
reg        receiving = 1'b0;
reg  [4:0] held = 5'd0;
reg  [6:0] idle = 7'd0;

wire       gives_cell = gives && given == cell_number;
wire [2:0] back = returns & {returned[5:4] == cell_number, returned[3:2] == cell_number, returned[1:0] == cell_number};
wire       accepted = s_axis_tvalid && s_axis_tready;
wire       takes = answer_valid && (answer_outcome == IN_ORDER || answer_outcome == HELD);

always @(posedge clk) begin
    out <= (out || gives_cell) && back == 3'd0;
    was_back <= was_back || back != 3'd0;
    if (accepted)
        receiving <= !s_axis_tlast;
    held <= held + takes - (m_axis_tvalid && m_axis_tready && m_axis_tlast);
    idle <= accepted ? 7'd0 : idle + (idle != 7'd127);
end

always @(*) begin
`ifdef PROVE_REACHED
`ifdef AGAIN
    assert (!(was_back && gives_cell));
`else
    assert (!back[2]);
`endif
`else
    if (opens)
        assert (command_ready);
    // given
    if (gives_cell)
        assert (!out);
    // returned
    if (back != 3'd0)
        assert (out);
    assert ((back & (back - 3'd1)) == 3'd0);
    // whole
    if (idle >= `IDLE && held == 5'd0 && !receiving)
        assert (!out);
`ifdef CLEARED
    if (cycle == CLOSE)
        assert (command_ready);
    if (cycle >= `CLEARED && !receiving)
        assert (!out);
`endif
`endif
end

endmodule
