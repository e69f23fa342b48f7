// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What is proved of lia_router in a Dragonfly of 5 groups of two switches with two global links each, counters of 8 bits;
// run by scripts/prove-router. One property a run, by a macro:
//
//   PROVE_BETWEEN  rows LR6, LR10: one response a request, l + 16 cycles later. Its intermediate group is neither the own one
//                  nor that of the destination, and is the one to which its link leads; so no path has more than two global
//                  hops. Hops are within their bounds. Requests for unknown groups say so
//   PROVE_QUEUED   rows LR2, LR3: what a read finds of any group is what has entered and not left l + 4 cycles before its
//                  visit, never below zero, if nothing leaves before it has entered
//
// The switch is switch 0 of group 0, as after reset, which is in the first cycle. With PROVE_REACHED beside one of them, what is
// asserted is instead that a trace worth proving something about is not reached, which must be refuted. The shadow models know
// the contract and no register of the stage.

`default_nettype none

`ifndef LATENCY
`define LATENCY 2
`endif

module lia_router_properties (
    input wire clk
);

localparam AFTER = `LATENCY + 16;
localparam GROUPS = 3'd5;

// The cycle, counted from power-up.
reg [7:0] step = 8'd0;
always @(posedge clk)
    if (step != 8'd255)
        step <= step + 8'd1;
wire rst = step == 8'd0;

wire busy, command_ready;

// Free inputs.
(* anyseq *) wire        enqueue_valid, dequeue_valid, occupancy_valid, request_valid;
(* anyseq *) wire [2:0]  enqueue_group, dequeue_group, request_group;
(* anyseq *) wire [7:0]  enqueue_flits, dequeue_flits;
(* anyseq *) wire [1:0]  occupancy_port;
(* anyseq *) wire [11:0] occupancy_flits, occupancy_in_flight;
(* anyseq *) wire        request_switch;
(* anyseq *) wire        settings_valid;
(* anyseq *) wire [7:0]  settings_weight, settings_limit_1, settings_limit_2, settings_link_threshold;
(* anyseq *) wire [15:0] settings_bias_0, settings_bias_1, settings_bias_2, settings_interval;
(* anyseq *) wire [4:0]  settings_saturated_links;
(* anyseq *) wire [9:0]  settings_remote_threshold;
(* anyseq *) wire [1:0]  settings_first_hop, settings_second_hop;
(* anyseq *) wire        settings_corrected;

// A read of a group, asked for once, in any cycle.
(* anyconst *) wire [2:0] tracked;
(* anyseq *) wire asks;
reg asked = 1'b0;
always @(posedge clk)
    if (command_valid && command_ready)
        asked <= 1'b1;
`ifdef PROVE_QUEUED
wire command_valid = asks && !asked;
`else
wire command_valid = 1'b0;
`endif

wire        response_valid, response_known, response_minimal, response_switch, response_l1, response_l2;
wire [1:0]  response_port, response_link, response_level;
wire [2:0]  response_group, response_hops;
wire        state_valid, state_done;
wire [1:0]  state_op, state_level;
wire [7:0]  state_queued, state_injected, state_extended;
wire [31:0] non_minimal, unknown;

mpnic_lia_router dut (
    .clk(clk),
    .rst(rst),
    .enqueue_valid(enqueue_valid),
    .enqueue_group(enqueue_group),
    .enqueue_flits(enqueue_flits),
    .dequeue_valid(dequeue_valid),
    .dequeue_group(dequeue_group),
    .dequeue_flits(dequeue_flits),
    .occupancy_valid(occupancy_valid),
    .occupancy_port(occupancy_port),
    .occupancy_flits(occupancy_flits),
    .occupancy_in_flight(occupancy_in_flight),
    .request_valid(request_valid),
    .request_group(request_group),
    .request_switch(request_switch),
    .command_valid(command_valid),
    .command_ready(command_ready),
    .command_op(2'd0),
    .command_group(tracked),
    .command_switch(1'b0),
    .command_seed(32'd0),
    .settings_valid(settings_valid),
    .settings_weight(settings_weight),
    .settings_limit_1(settings_limit_1),
    .settings_limit_2(settings_limit_2),
    .settings_bias_0(settings_bias_0),
    .settings_bias_1(settings_bias_1),
    .settings_bias_2(settings_bias_2),
    .settings_link_threshold(settings_link_threshold),
    .settings_saturated_links(settings_saturated_links),
    .settings_remote_threshold(settings_remote_threshold),
    .settings_interval(settings_interval),
    .settings_first_hop(settings_first_hop),
    .settings_second_hop(settings_second_hop),
    .settings_corrected(settings_corrected),
    .busy(busy),
    .response_valid(response_valid),
    .response_known(response_known),
    .response_minimal(response_minimal),
    .response_port(response_port),
    .response_group(response_group),
    .response_switch(response_switch),
    .response_link(response_link),
    .response_l1(response_l1),
    .response_l2(response_l2),
    .response_level(response_level),
    .response_hops(response_hops),
    .state_valid(state_valid),
    .state_op(state_op),
    .state_done(state_done),
    .state_queued(state_queued),
    .state_injected(state_injected),
    .state_extended(state_extended),
    .state_level(state_level),
    .non_minimal(non_minimal),
    .unknown(unknown)
);

`ifdef PROVE_BETWEEN
// Requests of the last AFTER cycles, the latest in bit 0.
reg [AFTER-1:0] requests = {AFTER{1'b0}};
reg [3*AFTER-1:0] groups = {3*AFTER{1'b0}};
always @(posedge clk) begin
    requests <= rst ? {AFTER{1'b0}} : {requests[AFTER-2:0], request_valid && !busy};
    groups <= {groups[3*AFTER-4:0], request_group};
end
wire due = requests[AFTER-1];
wire [2:0] to = groups[3*AFTER-1:3*AFTER-3];
always @(*) begin
`ifdef PROVE_REACHED
    assert (!(response_valid && !response_minimal && response_known && response_l1 && to == 3'd3));
`else
    if (step != 8'd0) begin
        assert (response_valid == due);
        if (due) begin
            assert (response_known == (to < GROUPS));
            if (to >= GROUPS)
                assert (response_group == 3'd0 && response_hops == 3'd0);
            if (to == 3'd0)
                assert (response_minimal && response_hops <= 3'd1);
            if (to != 3'd0 && to < GROUPS) begin
                assert (response_group != 3'd0 && response_group != to && response_group < GROUPS);
                assert (response_group == {1'b0, response_link} + 3'd1);
                assert (response_hops >= (response_minimal ? 3'd1 : 3'd2));
                assert (response_hops <= (response_minimal ? 3'd3 : 3'd6));
            end
        end
    end
`endif
end
`endif

`ifdef PROVE_QUEUED
// What is in the queue after the events of a cycle, and what that was some cycles ago.
localparam AGO = 2 * `LATENCY + 10;
wire [8:0] enters = enqueue_valid && !busy && enqueue_group == tracked ? {1'b0, enqueue_flits} : 9'd0;
wire [8:0] leaves = dequeue_valid && !busy && dequeue_group == tracked ? {1'b0, dequeue_flits} : 9'd0;
reg  [8:0] inside = 9'd0;
wire [8:0] after = inside + enters - leaves;
reg [9*AGO-1:0] history = {9*AGO{1'b0}};
always @(posedge clk) begin
    inside <= rst ? 9'd0 : after;
    history <= {history[9*AGO-10:0], after};
end
always @(*) begin
    // Nothing leaves that is not inside, and the queue has less than half of what the counters count.
    assume (leaves <= inside && after < 9'd128);
`ifdef PROVE_REACHED
    assert (!(state_valid && state_done && state_queued == 8'd77 && inside == 9'd5));
`else
    if (step != 8'd0 && state_valid && state_done)
        assert ({1'b0, state_queued} == history[9*AGO-1:9*AGO-9]);
    // A read of the own group, and of none, is refused.
    if (step != 8'd0 && state_valid)
        assert (state_done == (tracked != 3'd0 && tracked < GROUPS));
`endif
end
`endif

endmodule

`default_nettype wire
