// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What is proved of entropy_selector with one CCC of 16 EVs, which are 16 to 31 on the wire; run by scripts/prove. One
// property a run, by a macro:
//
//   PROVE_GRANT   row S1: one grant a request, l + 6 cycles later, of its CCC; reset at any time
//   PROVE_CLOSED  rows S1, S3, S10, S20: grant_open is the state that the commands have made, if the port is free, and
//                 grant_blocked that state if it is not; reset at any time
//   PROVE_SPACE   rows S17, S22: no EV is granted that is beyond the EV space that they have made; reset at any time
//   PROVE_MARKED  rows S2, S5 to S7: the EV of a mark is not granted for the shortest RTT unless saturated, and
//                 saturated is not said without need; reset in the first cycle, then the CCC is opened
//   PROVE_ROUNDS  rows O2, S17: in mode oblivious the EVs of a round are its indices XOR a word that stays as it is; reset in
//                 the first cycle, then the CCC is opened with any EV space
//   PROVE_ONCE    of any grants of which that is true: no EV of the space is granted twice in a round, and each is in it
//
// With PROVE_REACHED beside one of them, what is asserted is instead that a trace worth proving something about is not
// reached, which must be refuted. LATENCY is l, that of the memories: 2 if it is not defined. The shadow models below know the contract and no register of the stage.

`default_nettype none

`ifndef LATENCY
`define LATENCY 2
`endif

module entropy_selector_properties (
    input wire clk
);

// Cycles from a request to its grant, and from a feedback to the requests that see it; and the last of so many bits.
localparam AFTER = `LATENCY + 6;
localparam DUE = AFTER - 1;

// The cycle, counted from power-up.
reg [7:0] step = 8'd0;
always @(posedge clk)
    if (step != 8'd255)
        step <= step + 8'd1;

wire busy, command_ready, reroute_ready;

// Free inputs.
(* anyseq *) wire        request_valid;
(* anyseq *) wire        request_ccc;
(* anyseq *) wire        feedback_valid;
(* anyseq *) wire        feedback_ccc;
(* anyseq *) wire [15:0] feedback_ev;
(* anyseq *) wire [2:0]  feedback_kind;
(* anyseq *) wire        reroute_valid;
(* anyseq *) wire        reroute_ccc;
(* anyseq *) wire [2:0]  command_rtt_class;
(* anyseq *) wire [23:0] settings_rtt;
(* anyseq *) wire [31:0] settings_seed;
(* anyseq *) wire [3:0]  pipeline;
(* anyseq *) wire [15:0] settings_explore;
(* anyseq *) wire [19:0] settings_freeze;
(* anyseq *) wire [7:0]  settings_idle, settings_reroute;
`ifdef PROVE_MARKED
`define OPENED_ONCE
wire [2:0] command_mode = 3'd0;
wire [3:0] command_space = 4'd0;
(* anyseq *) wire [3:0] command_start;
`endif
`ifdef PROVE_ONCE
`define PROVE_ROUNDS
`endif
`ifdef PROVE_ROUNDS
`define OPENED_ONCE
wire [2:0] command_mode = 3'd1;
// Any start and any space, the same in all cycles; codes that there are not count as that of all EVs.
(* anyconst *) wire [3:0] any_space, command_start;
wire [3:0] command_space = any_space > 4'd4 ? 4'd0 : any_space;
`endif

`ifdef PROVE_ROUNDS
wire request_free_ports = 1'b1;
`else
(* anyseq *) wire request_free_ports;
`endif

`ifdef OPENED_ONCE
(* anyconst *) wire [8:0] settings_saturation;
wire       settings_valid = 1'b1;
wire       command_fixed = 1'b1;
wire [3:0] command_stride = 4'd0;
wire       rst = step == 8'd0;
// CCC 0 is opened as soon as that can be, and stays open: a request for it.
reg        asked = 1'b0;
wire       command_valid = !asked && !rst;
wire [2:0] command_op = 3'd1;
wire       command_ccc = 1'b0;
wire       command_rod = 1'b0;
always @(posedge clk)
    if (command_valid && command_ready)
        asked <= 1'b1;
`else
(* anyseq *) wire [8:0] settings_saturation;
(* anyseq *) wire       settings_valid;
(* anyseq *) wire       command_fixed;
(* anyseq *) wire [3:0] command_stride;
(* anyseq *) wire       rst;
(* anyseq *) wire       command_valid;
(* anyseq *) wire [2:0] command_op;
(* anyseq *) wire       command_ccc;
(* anyseq *) wire [2:0] command_mode;
(* anyseq *) wire       command_rod;
(* anyseq *) wire [3:0] command_space;
(* anyseq *) wire [3:0] command_start;
`endif

wire        grant_valid, grant_ccc, grant_open, grant_blocked, grant_saturated, grant_port;
wire [15:0] grant_ev;
wire        response_valid, response_ccc, response_done, response_open;
wire [2:0]  response_op;
wire [3:0]  response_last;
wire [4:0]  response_marked;
wire [2:0]  response_mode;
wire [3:0]  response_space;
wire [2:0]  response_rtt_class;
wire [31:0] refused_requests, blocked_requests, feedback_closed, feedback_range;

mpnic_entropy_selector dut (
    .clk(clk),
    .rst(rst),
    .request_valid(request_valid),
    .request_ccc(request_ccc),
    .request_free_ports(request_free_ports),
    .feedback_valid(feedback_valid),
    .feedback_ccc(feedback_ccc),
    .feedback_ev(feedback_ev),
    .feedback_kind(feedback_kind),
    .reroute_valid(reroute_valid),
    .reroute_ready(reroute_ready),
    .reroute_ccc(reroute_ccc),
    .command_valid(command_valid),
    .command_op(command_op),
    .command_ccc(command_ccc),
    .command_start(command_start),
    .command_fixed(command_fixed),
    .command_stride(command_stride),
    .command_mode(command_mode),
    .command_rod(command_rod),
    .command_space(command_space),
    .command_rtt_class(command_rtt_class),
    .settings_valid(settings_valid),
    .settings_rtt(settings_rtt),
    .settings_saturation(settings_saturation),
    .settings_seed(settings_seed),
    .pipeline(pipeline),
    .settings_explore(settings_explore),
    .settings_freeze(settings_freeze),
    .settings_idle(settings_idle),
    .settings_reroute(settings_reroute),
    .busy(busy),
    .command_ready(command_ready),
    .grant_valid(grant_valid),
    .grant_ccc(grant_ccc),
    .grant_open(grant_open),
    .grant_blocked(grant_blocked),
    .grant_ev(grant_ev),
    .grant_saturated(grant_saturated),
    .grant_port(grant_port),
    .response_valid(response_valid),
    .response_op(response_op),
    .response_ccc(response_ccc),
    .response_done(response_done),
    .response_open(response_open),
    .response_last(response_last),
    .response_marked(response_marked),
    .response_mode(response_mode),
    .response_space(response_space),
    .response_rtt_class(response_rtt_class),
    .refused_requests(refused_requests),
    .blocked_requests(blocked_requests),
    .feedback_closed(feedback_closed),
    .feedback_range(feedback_range)
);

// Requests of the last AFTER cycles, the latest in bit 0; a reset forgets them.
reg [DUE:0] requests = {AFTER{1'b0}};
reg [DUE:0] cccs = {AFTER{1'b0}};
always @(posedge clk) begin
    requests <= rst ? {AFTER{1'b0}} : {requests[DUE-1:0], request_valid};
    cccs <= {cccs[DUE-1:0], request_ccc};
end
wire due = requests[DUE];

`ifdef PROVE_GRANT
always @(*) begin
`ifdef PROVE_REACHED
    assert (!(due && grant_valid && grant_ccc));
`else
    if (step != 8'd0) begin
        assert (grant_valid == due);
        if (due)
            assert (grant_ccc == cccs[DUE]);
    end
`endif
end
`endif

`ifdef PROVE_SPACE
`define PROVE_CLOSED
`endif
`ifdef PROVE_CLOSED
// The command under way: cycles until it takes effect, 0 if there is none.
reg [4:0] left = 5'd0;
reg [2:0] op = 3'd0;
reg       of_0 = 1'b0;
// Its mode is the one that there is (row S14), its space one that there is (row S17), its stride not above it (row S21).
reg       known = 1'b0;
reg       sized = 1'b0;
reg [2:0] space = 3'd0;
reg       strided = 1'b0;
reg [2:0] stride = 3'd0;
reg       open_before = 1'b0;
reg       closed_once = 1'b0;
wire effect = left == 5'd1;
wire opens_now = op == 3'd1 && known && sized && strided;
wire open = !effect || !of_0 ? open_before : op == 3'd2 ? 1'b0 : open_before || opens_now;
wire [2:0] any_space = command_space == 4'd0 ? 3'd4 : command_space[2:0];
always @(posedge clk) begin
    if (rst) begin
        left <= 5'd0;
        open_before <= 1'b0;
    end else begin
        open_before <= open;
        if (open_before && !open)
            closed_once <= 1'b1;
        if (command_valid && command_ready) begin
            left <= 5'd18 + `LATENCY;
            op <= command_op;
            of_0 <= command_ccc == 1'b0;
            known <= command_mode == 3'd0;
            sized <= command_space <= 4'd4;
            space <= any_space;
            strided <= command_stride <= {1'b0, any_space};
            stride <= command_stride[2:0];
        end else if (left != 5'd0)
            left <= left - 5'd1;
    end
end

// The EV space of the CCC, as an exponent: that of the operation that opened it, or of the last resize (row S18).
reg  [2:0] space_before = 3'd4;
reg  [2:0] stride_before = 3'd0;
wire       begins = effect && of_0 && opens_now && !open_before;
wire       resizes = effect && of_0 && op == 3'd3 && sized && open_before && stride_before <= space;
wire [2:0] space_now = begins || resizes ? space : space_before;
always @(posedge clk) begin
    space_before <= space_now;
    if (begins)
        stride_before <= stride;
end

// The state that each request of the last AFTER cycles must see, and whether the CCC has been closed before.
reg [DUE:0] opens = {AFTER{1'b0}};
reg [3*AFTER-1:0] spaces = {AFTER{3'd4}};
reg [DUE:0] again = {AFTER{1'b0}};
reg [DUE:0] frees = {AFTER{1'b0}};
always @(posedge clk) begin
    frees <= {frees[DUE-1:0], request_free_ports};
    opens <= {opens[DUE-1:0], open && request_ccc == 1'b0};
    spaces <= {spaces[3*DUE-1:0], space_now};
    again <= {again[DUE-1:0], closed_once};
end

always @(*) begin
`ifdef PROVE_REACHED
    // Opened, closed and opened again.
    assert (!(due && grant_open && again[DUE]));
`elsif PROVE_SPACE
    if (grant_open) begin
        assert (grant_ev[15:4] == 12'd1);
        assert ({1'b0, grant_ev[3:0]} < 5'd1 << spaces[3*DUE+:3]);
    end
`else
    assert (response_valid == effect);
    assert (grant_valid == due);
    if (due) begin
        assert (grant_ccc == cccs[DUE]);
        assert (grant_open == (opens[DUE] && frees[DUE]));
        assert (grant_blocked == (opens[DUE] && !frees[DUE]));
        if (!grant_open) begin
            assert (grant_ev == 16'd0);
            assert (!grant_saturated);
        end
    end
`endif
end
`endif

`ifdef PROVE_MARKED
// Row S10: taken in step 2, effect l + 18 steps later.
wire open = step >= 8'd20 + `LATENCY;

// Any EV, the same in all cycles.
(* anyconst *) wire [3:0] ev;

// Marked in cycle t, the EV is banned for the requests of cycles t + AFTER to t + 64, for a mark lives to the end of the next
// epoch at least, and no epoch is shorter than 64.
wire counts = feedback_valid && open && feedback_ccc == 1'b0 && feedback_ev[15:4] == 12'd1 && feedback_kind >= 3'd1
    && feedback_kind <= 3'd3;
wire mark = counts && feedback_ev == {12'd1, ev};
reg [63:0] marks = 64'd0;
wire banned = |marks[63:DUE];
reg [DUE:0] bans = {AFTER{1'b0}};
reg [DUE:0] opens = {AFTER{1'b0}};

// Marks made so far: no more EVs can be marked than that.
reg [4:0] made = 5'd0;
reg [DUE:0] fews = {AFTER{1'b0}};

always @(posedge clk) begin
    marks <= {marks[62:0], mark};
    bans <= {bans[DUE-1:0], banned};
    opens <= {opens[DUE-1:0], open && request_ccc == 1'b0};
    fews <= {fews[DUE-1:0], made < 5'd16 && {made, 4'd0} <= settings_saturation};
    if (counts && made != 5'd31)
        made <= made + 5'd1;
end

always @(*) begin
`ifdef PROVE_REACHED
    // The grant before was of the EV before, and this one passes over the marked EV.
    assert (!(due && opens[DUE] && grant_open && bans[DUE] && !grant_saturated && last == grant_ev - 16'd2 && ev == grant_ev[3:0] - 4'd1));
`else
    if (step == 8'd2)
        assert (command_ready && !busy);
    if (due && opens[DUE]) begin
        assert (grant_open || grant_blocked);
        if (bans[DUE])
            assert (grant_saturated || grant_ev != {12'd1, ev});
        if (fews[DUE])
            assert (!grant_saturated);
    end
`endif
end

`ifdef PROVE_REACHED
reg [15:0] last = 16'd0;
always @(posedge clk)
    if (grant_valid && grant_open)
        last <= grant_ev;
`endif
`endif

`ifdef PROVE_ROUNDS
wire [4:0] evs = command_space == 4'd0 ? 5'd16 : 5'd1 << command_space;
wire [3:0] reach = evs[3:0] - 4'd1;

// The grants of the CCC; for PROVE_ONCE any EVs at any times.
`ifdef PROVE_ONCE
(* anyseq *) wire granted;
(* anyseq *) wire [3:0] any_given;
wire [15:0] given = {12'd0, any_given & reach};
`else
wire        granted = grant_valid && grant_open;
wire [15:0] given = grant_ev - 16'd16;
`endif

// Row O2: the index of each grant; and the word of a round, which its first grant tells.
reg  [3:0]  next = 4'd0, word = 4'd0;
wire [3:0]  index = next;
wire        first = index == 4'd0;
wire        ends = index == reach;
wire [3:0]  word_now = first ? given[3:0] ^ index : word;
wire        follows = given == {12'd0, index ^ word_now};
reg  [1:0]  rounds = 2'd0;
`ifndef PROVE_ONCE
reg         begun = 1'b0;
always @(posedge clk)
    if (granted)
        begun <= 1'b1;
`endif
always @(posedge clk)
    if (granted) begin
        next <= ends ? 4'd0 : index + 4'd1;
        word <= word_now;
        if (ends && rounds != 2'd3)
            rounds <= rounds + 2'd1;
    end

`ifdef PROVE_ONCE
// Any EV of the space, the same in all cycles: whether it has been granted in this round; and whether all grants have
// followed row O2.
(* anyconst *) wire [3:0] any_ev;
wire hit = given == {12'd0, any_ev & reach};
reg  used = 1'b0, lawful = 1'b1;
always @(posedge clk)
    if (granted) begin
        used <= !ends && (used || hit);
        lawful <= lawful && follows;
    end
`endif

always @(*) begin
`ifdef PROVE_REACHED
    // The end of the second round of half of the EVs.
    assert (!(granted && ends && rounds == 2'd1 && evs == 5'd8 && index == 4'd7));
`elsif PROVE_ONCE
    if (granted && lawful && follows) begin
        assert (!(used && hit));
        if (ends)
            assert (used || hit);
    end
`else
    if (granted) begin
        assert (given < {11'd0, evs});
        assert (follows);
        // Row O1.
        if (!begun)
            assert (given[3:0] == (command_start & reach));
    end
`endif
end
`endif

endmodule

`default_nettype wire
