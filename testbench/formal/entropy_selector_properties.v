// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What is proved of entropy_selector with one CCC of 16 EVs, rows S1 and S3; run by scripts/prove: one grant a request,
// 8 cycles later, of its CCC; reset at any time. The shadow model below knows the contract and no register of the stage.

`default_nettype none

module entropy_selector_properties (
    input wire clk
);

// Free inputs.
(* anyseq *) wire        rst;
(* anyseq *) wire        request_valid;
(* anyseq *) wire        request_ccc;
(* anyseq *) wire        feedback_valid;
(* anyseq *) wire        feedback_ccc;
(* anyseq *) wire [15:0] feedback_ev;
(* anyseq *) wire [1:0]  feedback_kind;
(* anyseq *) wire        control_valid;
(* anyseq *) wire [1:0]  control_op;
(* anyseq *) wire        control_ccc;
(* anyseq *) wire [3:0]  control_start;
(* anyseq *) wire [23:0] settings_rtt;
(* anyseq *) wire [4:0]  settings_limit;

// The cycle, counted from the one with reset.
reg [7:0] step = 8'd0;
always @(posedge clk)
    if (step != 8'd255)
        step <= step + 8'd1;

wire busy, control_ready;

wire        grant_valid, grant_ccc, grant_open, grant_saturated;
wire [15:0] grant_ev;
wire        response_valid, response_ccc, response_done, response_open;
wire [1:0]  response_op;
wire [3:0]  response_last;
wire [4:0]  response_marked;
wire [31:0] refused_requests, feedback_closed, feedback_range;

entropy_selector_c1e16 dut (
    .clk(clk),
    .rst(rst),
    .request_valid(request_valid),
    .request_ccc(request_ccc),
    .feedback_valid(feedback_valid),
    .feedback_ccc(feedback_ccc),
    .feedback_ev(feedback_ev),
    .feedback_kind(feedback_kind),
    .control_valid(control_valid),
    .control_op(control_op),
    .control_ccc(control_ccc),
    .control_start(control_start),
    .settings_rtt(settings_rtt),
    .settings_limit(settings_limit),
    .busy(busy),
    .control_ready(control_ready),
    .grant_valid(grant_valid),
    .grant_ccc(grant_ccc),
    .grant_open(grant_open),
    .grant_ev(grant_ev),
    .grant_saturated(grant_saturated),
    .response_valid(response_valid),
    .response_op(response_op),
    .response_ccc(response_ccc),
    .response_done(response_done),
    .response_open(response_open),
    .response_last(response_last),
    .response_marked(response_marked),
    .refused_requests(refused_requests),
    .feedback_closed(feedback_closed),
    .feedback_range(feedback_range)
);

// Requests of the last 8 cycles, the latest in bit 0; a reset forgets them.
reg [7:0] requests = 8'd0;
reg [7:0] cccs = 8'd0;
always @(posedge clk) begin
    requests <= rst ? 8'd0 : {requests[6:0], request_valid};
    cccs <= {cccs[6:0], request_ccc};
end
wire due = requests[7];

always @(*) begin
    if (step != 8'd0) begin
        assert (grant_valid == due);
        if (due)
            assert (grant_ccc == cccs[7]);
    end
    cover (due && grant_valid);
end

endmodule

`default_nettype wire
