// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What is proved of request_check with 2 connections and a window of 4; run by scripts/prove-receiver.
//
//   rows RQ4 to RQ8, RQ11: of any COUNT packets of a connection, which come in any order, those before the first one that is not
//   legal are delivered, once and in order, and no other one is: so what is delivered are messages of right sizes and lengths. All
//   others are refused. No verdict says more than the packets before that one, and the NAK is for it.
//
// The packets are any: first, last, SEND or WRITE, lengths of 2 bits, a path MTU of 1 or 3, lengths of WRITEs of which bits 2:0, 14 and 31 may
// be 1. With all bits the solver compares numbers for hours. Outcomes and expected PSNs are those of reorder; one packet comes whenever
// the stage takes one, deliveries come LATENCY + 2 cycles after it, and the host takes all: with PROVE_STALLS all three may wait. With
// PROVE_REACHED what is asserted is instead that the last packet is never refused behind others that are delivered, which must be
// refuted. The shadow model knows the contract and no register of the stage.

`default_nettype none

`ifndef LATENCY
`define LATENCY 1
`endif

`ifndef COUNT
`define COUNT 3
`endif

module request_check_properties (
    input wire clk
);

localparam COUNT = `COUNT;

// The cycle, counted from power-up.
reg [7:0] step = 8'd0;
always @(posedge clk)
    if (step != 8'd255)
        step <= step + 8'd1;
wire rst = step == 8'd0;

// The packets.
(* anyconst *) wire [COUNT-1:0]    first, last, write;
(* anyconst *) wire [2*COUNT-1:0]  low_bits;
(* anyconst *) wire [5*COUNT-1:0]  dma_bits;
(* anyconst *) wire                larger;
wire [13:0]         mtu = {12'd0, larger, 1'b1};
wire [16*COUNT-1:0] lengths;
wire [32*COUNT-1:0] dma_lengths;
wire [23:0]         start = 24'hff_fffe;
genvar g;
generate for (g = 0; g < COUNT; g = g + 1) begin : packets
    assign lengths[16*g+:16] = {14'd0, low_bits[2*g+:2]};
    assign dma_lengths[32*g+:32] = {dma_bits[5*g+4], 16'd0, dma_bits[5*g+3], 11'd0, dma_bits[5*g+:3]};
end endgenerate

// Which of them is the first that is not legal; COUNT if all are.
reg        open, is_write, legal, found;
reg [2:0]  bad;
reg [32:0] rest;
reg [15:0] length;
reg [31:0] dma_length;
integer k;
always @* begin
    open = 1'b0;
    is_write = 1'b0;
    found = 1'b0;
    bad = COUNT;
    rest = 33'd0;
    for (k = 0; k < COUNT; k = k + 1) begin
        length = lengths[16*k+:16];
        dma_length = dma_lengths[32*k+:32];
        legal = first[k] ? !open : open && is_write == write[k];
        if (!last[k])
            legal = legal && length == mtu;
        else
            legal = legal && length <= mtu && (first[k] || length != 16'd0);
        if (write[k] && first[k] && last[k])
            legal = legal && length == dma_length;
        else if (write[k] && first[k])
            legal = legal && dma_length > mtu && dma_length <= 32'h8000_0000;
        else if (write[k] && last[k])
            legal = legal && rest == length;
        else if (write[k])
            legal = legal && rest > length;
        rest = (first[k] ? {1'b0, dma_length} : rest) - length;
        open = !last[k];
        is_write = write[k];
        if (!legal && !found) begin
            found = 1'b1;
            bad = k;
        end
    end
end

// The connection is opened once, before there are packets.
reg opened = 1'b0;
wire command_ready;
wire command_valid = !rst && !opened;
always @(posedge clk)
    if (command_valid && command_ready)
        opened <= 1'b1;

// Packets come in any order, each once, as reorder answers them.
`ifdef PROVE_STALLS
(* anyseq *) wire       comes, delivers, passed_ready, refused_ready;
`else
wire comes = 1'b1, delivers = 1'b1, passed_ready = 1'b1, refused_ready = 1'b1;
`endif
(* anyseq *) wire [1:0] which;
reg [3:0]     received = 4'd0;
reg [2:0]     expected = 3'd0;
wire          arrival_ready;
wire          arrival_valid = opened && comes && which < COUNT && !received[which];
wire [3:0] after = received | 4'd1 << which;
reg [2:0] next;
integer n;
always @* begin
    next = expected;
    for (n = 0; n < COUNT; n = n + 1)
        if (next == n && after[n])
            next = n + 1;
end
wire in_order = which == expected;
wire [2:0] expected_after = in_order ? next : expected;
always @(posedge clk)
    if (arrival_valid && arrival_ready) begin
        received <= after;
        expected <= expected_after;
    end

// Deliveries, in order.
reg [3*(`LATENCY+2)-1:0] past = 0;
always @(posedge clk)
    past <= {past[3*(`LATENCY+1)-1:0], expected};
wire [2:0] released = past[3*(`LATENCY+2)-1-:3];
reg [2:0] delivered = 3'd0;
wire delivery_ready;
wire delivery_valid = delivers && delivered < released;
always @(posedge clk)
    if (delivery_valid && delivery_ready)
        delivered <= delivered + 3'd1;

wire        verdict_valid, verdict_last, verdict_invalid, verdict_connection;
wire [2:0]  verdict_outcome;
wire [23:0] verdict_psn, verdict_expected;
wire        passed_valid, passed_connection, refused_valid, refused_connection, refused_behind, deliveries, loss_void;
wire [23:0] passed_psn, status_psn;
wire [7:0]  passed_handle, refused_handle;
wire [1:0]  status_cause;
wire [31:0] invalid_requests;

request_check dut (
    .clk(clk),
    .rst(rst),
    .arrival_valid(arrival_valid),
    .arrival_ready(arrival_ready),
    .arrival_connection(1'b0),
    .arrival_outcome(in_order ? 3'd0 : 3'd1),
    .arrival_psn(start + which),
    .arrival_expected(start + expected_after),
    .arrival_first(first[which]),
    .arrival_last(last[which]),
    .arrival_write(write[which]),
    .arrival_length(lengths[16*which+:16]),
    .arrival_dma_length(dma_lengths[32*which+:32]),
    .delivery_valid(delivery_valid),
    .delivery_ready(delivery_ready),
    .delivery_connection(1'b0),
    .delivery_psn(start + delivered),
    .delivery_handle({5'd0, delivered}),
    .command_valid(command_valid),
    .command_ready(command_ready),
    .command_connection(1'b0),
    .command_mtu(mtu),
    .status_connection(1'b0),
    .loss_connection(1'b0),
    .passed_ready(passed_ready),
    .refused_ready(refused_ready),
    .deliveries(deliveries),
    .verdict_valid(verdict_valid),
    .verdict_last(verdict_last),
    .verdict_connection(verdict_connection),
    .verdict_outcome(verdict_outcome),
    .verdict_psn(verdict_psn),
    .verdict_expected(verdict_expected),
    .verdict_invalid(verdict_invalid),
    .passed_valid(passed_valid),
    .passed_connection(passed_connection),
    .passed_psn(passed_psn),
    .passed_handle(passed_handle),
    .refused_valid(refused_valid),
    .refused_connection(refused_connection),
    .refused_handle(refused_handle),
    .refused_behind(refused_behind),
    .status_cause(status_cause),
    .status_psn(status_psn),
    .loss_void(loss_void),
    .invalid_requests(invalid_requests)
);

// What comes out.
reg [2:0] passed = 3'd0, refused = 3'd0;
wire [23:0] says = verdict_expected - start;
always @(posedge clk) begin
    if (passed_valid && passed_ready)
        passed <= passed + 3'd1;
    if (refused_valid && refused_ready)
        refused <= refused + 3'd1;
`ifdef PROVE_REACHED
    if (refused_valid)
        assert (passed != COUNT - 1);
`else
    if (passed_valid) begin
        assert (passed < bad);
        assert (passed_handle == passed && passed_psn == start + passed && passed_connection == 1'b0);
    end
    if (refused_valid) begin
        assert (refused_handle == bad + refused && refused_connection == 1'b0);
        assert (refused_behind == (refused != 3'd0));
    end
    if (verdict_valid && verdict_outcome != 3'd6) begin
        assert (says <= bad);
        assert (!verdict_invalid || says == bad && verdict_psn == verdict_expected && verdict_outcome == 3'd7);
    end
    assert (invalid_requests <= 32'd1);
`endif
end

endmodule
