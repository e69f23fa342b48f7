// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What is proved of reorder with handles; run by scripts/prove-receiver. Rows R2, R4, R8, R11 and R12 of
// docs/stages/reorder.md, for one connection of two, and one PSN, which is any:
//
//   order  each delivery of the connection has the PSN behind that of the delivery before; the first one that of the open
//   once   the PSN is delivered if and only if an answer has said that it was taken, which no two answers say, with the
//          handle of that arrival
//   waits  no answer has the PSN as the expected one when it has been taken
//   takes  a duplicate has been taken before
//   moves  with no arrival and no stall for IDLE cycles, and one more for each arrival before, all before the expected PSN
//          has been delivered
//
// The shadow knows the contract and no register of the stage. Reset in cycle 0; the connection is opened in cycle START,
// the first one in which a command is accepted, with PSN FIRST, so that both PSNs and slots wrap after two packets. From
// the effect of that on, arrivals, also for the other connection, and commands are free, but that this connection is not
// closed. NEAR: arrivals are free in that many cycles only, and have one of the eight PSNs from FIRST - 1 on, so that the
// proof reaches more deliveries.

`default_nettype none

module reorder_properties (
    input wire clk
);

localparam [7:0] FIRST = 8'hfe;

// Free inputs.
(* anyseq *) wire        any_valid;
(* anyseq *) wire        arrival_connection;
(* anyseq *) wire        arrival_found;
`ifdef NEAR
(* anyseq *) wire [2:0]  offset;
wire [7:0]               arrival_psn = FIRST - 8'd1 + {5'd0, offset};
`else
(* anyseq *) wire [7:0]  arrival_psn;
`endif
(* anyseq *) wire [7:0]  arrival_path;
(* anyseq *) wire [7:0]  arrival_flags;
(* anyseq *) wire [15:0] arrival_length;
(* anyseq *) wire        arrival_handle;
(* anyseq *) wire        any_command;
(* anyseq *) wire [1:0]  any_op;
(* anyseq *) wire        any_connection;
(* anyseq *) wire [7:0]  command_path;
(* anyseq *) wire [7:0]  any_psn;
(* anyseq *) wire        settings_valid;
(* anyseq *) wire [5:0]  settings_span;
(* anyseq *) wire [19:0] settings_time;
(* anyseq *) wire        delivery_ready;
(* anyseq *) wire        event_ready;
// The PSN that is followed.
(* anyconst *) wire [7:0] psn;
wire                      connection = 1'b1;
wire [7:0]                first = FIRST;

// Cycles, up to the first one that is free.
localparam FREE = `START + `LATENCY + 13;
reg [6:0] cycle = 7'd0;
wire      free = cycle == FREE;
wire      opens = cycle == `START;
always @(posedge clk)
    if (!free)
        cycle <= cycle + 7'd1;

`ifdef NEAR
reg [3:0] arriving = `NEAR;
always @(posedge clk)
    if (free && arriving != 4'd0)
        arriving <= arriving - 4'd1;
wire      arrival_valid = any_valid && free && arriving != 4'd0;
`else
wire      arrival_valid = any_valid && free;
`endif
wire      command_valid = opens || (any_command && free);
wire [1:0] command_op = opens ? 2'd1 : any_op == 2'd2 && any_connection == connection ? 2'd0 : any_op;
wire       command_connection = opens ? connection : any_connection;
wire [7:0] command_psn = opens ? first : any_psn;
wire       arrival_ready, command_ready;
wire       delivery_valid, delivery_connection, delivery_handle, answer_valid, answer_connection;
wire [7:0] delivery_psn, answer_psn, answer_expected;
wire [2:0] answer_outcome;

reorder dut (
    .clk(clk),
    .rst(cycle == 7'd0),
    .arrival_valid(arrival_valid),
    .arrival_ready(arrival_ready),
    .arrival_connection(arrival_connection),
    .arrival_found(arrival_found),
    .arrival_psn(arrival_psn),
    .arrival_path(arrival_path),
    .arrival_flags(arrival_flags),
    .arrival_length(arrival_length),
    .arrival_handle(arrival_handle),
    .command_valid(command_valid),
    .command_ready(command_ready),
    .command_op(command_op),
    .command_connection(command_connection),
    .command_path(command_path),
    .command_psn(command_psn),
    .settings_valid(settings_valid),
    .settings_span(settings_span),
    .settings_time(settings_time),
    .delivery_ready(delivery_ready),
    .delivery_valid(delivery_valid),
    .delivery_connection(delivery_connection),
    .delivery_psn(delivery_psn),
    .delivery_handle(delivery_handle),
    .event_ready(event_ready),
    .answer_valid(answer_valid),
    .answer_connection(answer_connection),
    .answer_psn(answer_psn),
    .answer_outcome(answer_outcome),
    .answer_expected(answer_expected)
);

localparam [2:0] IN_ORDER = 3'd0, HELD = 3'd1, DUPLICATE = 3'd2;

// Handles of the arrivals whose answer is to come, the last one in bit 0.
reg [`LATENCY+11:0] handles = 0;
// The PSN has been taken, and with which handle.
reg        taken = 1'b0, handle = 1'b0, delivered = 1'b0;
// The next PSN to be delivered, and how many have been.
reg [7:0]  next = 8'd0;
reg [3:0]  deliveries = 4'd0;
reg [7:0]  expected = 8'd0;
// A packet has been held.
reg        was_held = 1'b0;
reg [4:0]  arrivals = 5'd0;
reg [6:0]  idle = 7'd0;

wire accepted = arrival_valid && arrival_ready;
wire answers = answer_valid && answer_connection == connection;
wire takes = answers && (answer_outcome == IN_ORDER || answer_outcome == HELD);
wire takes_psn = takes && answer_psn == psn;
wire delivers = delivery_valid && delivery_connection == connection;
wire transfers = delivers && delivery_ready;

always @(posedge clk) begin
    handles <= {handles[`LATENCY+10:0], arrival_handle};
    if (opens) begin
        next <= first;
        expected <= first;
    end
    if (answers && answer_outcome <= 3'd5)
        expected <= answer_expected;
    if (takes_psn) begin
        taken <= 1'b1;
        handle <= handles[`LATENCY+11];
    end
    was_held <= was_held || (takes && answer_outcome == HELD);
    if (transfers) begin
        next <= next + 8'd1;
        delivered <= delivered || delivery_psn == psn;
        deliveries <= deliveries + (deliveries != 4'd15);
    end
    arrivals <= arrivals + (accepted && arrivals != 5'd31);
    idle <= !free || accepted || !delivery_ready ? 7'd0 : idle + (idle != 7'd127);
end

always @(*) begin
`ifdef PROVE_REACHED
    // Packets that have been held were delivered.
    assert (!(was_held && deliveries == `DELIVERIES && delivered));
`else
    if (opens)
        assert (command_ready);
    // order
    if (delivers)
        assert (delivery_psn == next);
    // once
    if (takes_psn)
        assert (!taken);
    if (delivers && delivery_psn == psn)
        assert (taken && !delivered && delivery_handle == handle);
    // waits
    if (answers && answer_outcome <= 3'd5 && (taken || takes_psn))
        assert (answer_expected != psn);
    // takes
    if (answers && answer_psn == psn && answer_outcome == DUPLICATE)
        assert (taken);
    // moves
    if (idle >= `IDLE + arrivals)
        assert (next == expected);
`endif
end

endmodule
