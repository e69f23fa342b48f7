// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What is proved of entropy_selector with one CCC of 16 EVs; run by scripts/prove. One property a run, by a macro:
//
//   PROVE_GRANT   rows S1, S3: one grant a request, 8 cycles later, of its CCC; reset at any time
//   PROVE_CLOSED  rows S3, S10: grant_open is the state that the operations have made, everything else is 0 without it
//   PROVE_MARKED  rows S2, S5, S6, S7: the EV of a mark is not granted for an RTT unless saturated
//
// Only PROVE_GRANT is run so far; the other two are drafts that nothing checks.
// The shadow models below know the contract and no register of the stage.

`default_nettype none

module entropy_selector_properties (
    input wire clk
);

`ifndef FEEDBACK_FROM
`define FEEDBACK_FROM 0
`define FEEDBACK_TO 255
`define REQUEST_FROM 0
`define REQUEST_TO 255
`endif

// Free inputs.
(* anyseq *) wire        any_rst;
(* anyseq *) wire        any_request_valid;
(* anyseq *) wire        request_ccc;
(* anyseq *) wire        any_feedback_valid;
(* anyseq *) wire        feedback_ccc;
(* anyseq *) wire [15:0] feedback_ev;
(* anyseq *) wire [1:0]  feedback_kind;
(* anyseq *) wire        any_control_valid;
(* anyseq *) wire [1:0]  any_control_op;
(* anyseq *) wire        any_control_ccc;
(* anyseq *) wire [3:0]  any_control_start;
(* anyconst *) wire [23:0] settings_rtt;
(* anyconst *) wire [4:0]  settings_limit;

// The cycle, counted from the one with reset.
reg [7:0] step = 8'd0;
always @(posedge clk)
    if (step != 8'd255)
        step <= step + 8'd1;

`ifdef PROVE_GRANT
wire rst = any_rst;
`else
wire rst = step == 8'd0;
`endif

wire busy, control_ready;
wire request_valid = any_request_valid && step >= `REQUEST_FROM && step <= `REQUEST_TO;
wire feedback_valid = any_feedback_valid && step >= `FEEDBACK_FROM && step <= `FEEDBACK_TO;

`ifdef PROVE_MARKED
// CCC 0 is opened as soon as that can be, at an EV of any number, and stays open.
reg asked = 1'b0;
(* anyconst *) wire [3:0] first;
wire control_valid = !asked && !rst;
wire [1:0] control_op = 2'd1;
wire control_ccc = 1'b0;
wire [3:0] control_start = first;
always @(posedge clk)
    if (control_valid && control_ready)
        asked <= 1'b1;
`else
wire control_valid = any_control_valid;
wire [1:0] control_op = any_control_op;
wire control_ccc = any_control_ccc;
wire [3:0] control_start = any_control_start;
`endif

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

`ifdef PROVE_GRANT
always @(*) begin
    if (step != 8'd0) begin
        assert (grant_valid == due);
        if (due)
            assert (grant_ccc == cccs[7]);
    end
    cover (due && grant_valid);
end
`endif

`ifdef PROVE_CLOSED
// The operation under way: cycles until it takes effect, 0 if there is none.
reg [4:0] left = 5'd0;
reg [1:0] op = 2'd0;
reg of_0 = 1'b0;
reg open_before = 1'b0;
wire effect = left == 5'd1;
wire open = !effect || !of_0 ? open_before : op == 2'd1 ? 1'b1 : op == 2'd2 ? 1'b0 : open_before;
always @(posedge clk) begin
    if (rst) begin
        left <= 5'd0;
        open_before <= 1'b0;
    end else begin
        open_before <= open;
        if (control_valid && control_ready) begin
            left <= 5'd20;
            op <= control_op;
            of_0 <= control_ccc == 1'b0;
        end else if (left != 5'd0)
            left <= left - 5'd1;
    end
end

reg [7:0] opens = 8'd0;
always @(posedge clk)
    opens <= {opens[6:0], open && request_ccc == 1'b0};

always @(*) begin
    if (step != 8'd0) begin
        assert (!(left > 5'd1 && control_ready));
        assert (response_valid == effect);
        if (due) begin
            assert (grant_open == opens[7]);
            assert (grant_ev < 16'd16);
            if (!opens[7]) begin
                assert (grant_ev == 16'd0);
                assert (!grant_saturated);
            end
        end
    end
    cover (due && !grant_open && !cccs[7] && open);
    cover (due && grant_open && !open_before);
end
`endif

`ifdef PROVE_MARKED
// Row S10: taken in cycle 2, effect in cycle 22.
localparam OPEN_FROM = 8'd22;
wire open = step >= OPEN_FROM;

// Any EV, the same in all cycles.
(* anyconst *) wire [3:0] ev;

// The EV is marked by feedback of cycle t: banned for requests of cycles t + 8 to t + 64.
wire counts_as_mark = feedback_valid && open && feedback_ccc == 1'b0 && feedback_ev < 16'd16 && feedback_kind != 2'd0;
wire mark = counts_as_mark && feedback_ev == {12'd0, ev};
reg [63:0] marks = 64'd0;
wire banned = |marks[63:7];
reg [7:0] bans = 8'd0;
reg [7:0] opens = 8'd0;

// Marks made: no more EVs can be marked than that.
reg [4:0] made = 5'd0;
wire few = made < 5'd16 && made <= settings_limit;
reg [7:0] fews = 8'd0;

always @(posedge clk) begin
    marks <= {marks[62:0], mark};
    bans <= {bans[6:0], banned};
    opens <= {opens[6:0], open && request_ccc == 1'b0};
    fews <= {fews[6:0], few};
    if (counts_as_mark && made != 5'd31)
        made <= made + 5'd1;
end

always @(*) begin
    // Epochs end in cycles that the window can hold, or much later.
    assume (settings_rtt <= 24'd127);
    if (step == 8'd2)
        assert (control_ready && !busy);
    if (due && opens[7]) begin
        assert (grant_open);
        assert (grant_ev < 16'd16);
        if (bans[7])
            assert (grant_saturated || grant_ev != {12'd0, ev});
        if (fews[7])
            assert (!grant_saturated);
    end
    cover (due && opens[7] && bans[7] && !grant_saturated && grant_ev == {12'd0, ev} + 16'd1);
end
`endif

endmodule

`default_nettype wire
