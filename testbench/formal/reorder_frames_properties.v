// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What is proved of the frames of reorder with a pool of cells; run by scripts/prove-receiver. Rows R8, R12, R30 and R34 of
// docs/stages/reorder.md, for one connection of two, and one PSN and one beat of its frame, which are any:
//
//   order  the frames of the connection leave in the order of PSNs, without gap, from that of the open on; a frame leaves with
//          one PSN and one connection, and without a pause
//   once   the frame of the PSN leaves if and only if an answer has said that it was taken, and once
//   same   it has the beats that came in: as many, with last in the last one, and with the bits of that beat
//   stays  a beat that is stalled stays, with the same values
//   moves  with no beat in and no stall for IDLE cycles, and one more for each beat before, all before the expected PSN has
//          left, and no part of a frame is left
//
// The shadow knows the contract and no register of the stage. Reset in cycle 0; connection 1 is opened in cycle START, the
// first one in which a command is accepted, with PSN FIRST, so that PSNs and slots wrap after two packets. From the effect of
// that on there are beats in NEAR cycles at most, of frames of both connections with one of four PSNs each; quota, reserve and
// stalls are free, and there are no more commands. ONE: the only frame ends with the last of these cycles, so it can be long.
//
// Of a beat one byte of the data, one bit of `tkeep` and one of `tuser` are looked at. With PROVE_REACHED what is asserted is
// instead that a trace worth proving something about is not reached, which must be refuted: DELIVERIES frames of the connection
// have left, one of them was held, or with ONE is of more than a cell.

`default_nettype none

module reorder_frames_properties (
    input wire clk
);

localparam [7:0] FIRST = 8'hfe;

// Free inputs.
(* anyseq *) wire       any_valid, any_last, probe;
(* anyseq *) wire       arrival_connection, arrival_found;
(* anyseq *) wire       any_settings;
(* anyseq *) wire [2:0] settings_quota, settings_reserve;
(* anyseq *) wire       m_axis_tready, event_ready;
(* anyseq *) wire [1:0] offset;
(* anyseq *) wire [7:0] byte_in;
(* anyseq *) wire       keep_in, user_in;
// The PSN that is followed, and the beat.
(* anyconst *) wire [7:0] psn;
(* anyconst *) wire [3:0] beat;

// Cycles, and the first one that is free.
localparam FREE = `START + `LATENCY + 13;
reg  [6:0] cycle = 7'd0;
reg  [4:0] arriving = `NEAR;
wire       free = cycle >= FREE;
wire       opens = cycle == `START;
wire       s_axis_tvalid = any_valid && free && arriving != 5'd0;
`ifdef ONE
wire       s_axis_tlast = arriving == 5'd1;
`else
wire       s_axis_tlast = any_last;
`endif
wire [7:0] arrival_psn = FIRST - 8'd1 + {6'd0, offset};
always @(posedge clk) begin
    cycle <= cycle + (cycle != 7'd127);
    if (free && arriving != 5'd0)
        arriving <= arriving - 5'd1;
end

wire        s_axis_tready, command_ready, m_axis_tvalid, m_axis_tlast, delivery_connection, answer_valid, answer_connection;
wire [63:0] m_axis_tdata;
wire [7:0]  m_axis_tkeep, delivery_psn, answer_psn, answer_expected;
wire [4:0]  m_axis_tuser;
wire [2:0]  answer_outcome;

reorder_payload dut (
    .clk(clk),
    .rst(cycle == 7'd0),
    .s_axis_tvalid(s_axis_tvalid),
    .s_axis_tready(s_axis_tready),
    .s_axis_tdata({56'd0, byte_in}),
    .s_axis_tkeep({7'd0, keep_in}),
    .s_axis_tlast(s_axis_tlast),
    .s_axis_tuser({4'd0, user_in}),
    .arrival_connection(arrival_connection),
    .arrival_found(arrival_found),
    .arrival_psn(arrival_psn),
    .arrival_path(8'd0),
    .arrival_flags({5'd0, probe, 2'd0}),
    .arrival_length(16'd0),
    .command_valid(opens),
    .command_ready(command_ready),
    .command_op(2'd1),
    .command_connection(1'b1),
    .command_path(8'd0),
    .command_psn(FIRST),
    .settings_valid(any_settings),
    .settings_span(6'd63),
    .settings_time(20'hfffff),
    .settings_quota(settings_quota),
    .settings_reserve(settings_reserve),
    .m_axis_tready(m_axis_tready),
    .m_axis_tvalid(m_axis_tvalid),
    .m_axis_tdata(m_axis_tdata),
    .m_axis_tkeep(m_axis_tkeep),
    .m_axis_tlast(m_axis_tlast),
    .m_axis_tuser(m_axis_tuser),
    .delivery_connection(delivery_connection),
    .delivery_psn(delivery_psn),
    .event_ready(event_ready),
    .answer_valid(answer_valid),
    .answer_connection(answer_connection),
    .answer_psn(answer_psn),
    .answer_outcome(answer_outcome),
    .answer_expected(answer_expected)
);

localparam [2:0] IN_ORDER = 3'd0, HELD = 3'd1;
// Cycles from the last beat of a frame to its answer.
localparam ANSWER = `LATENCY + 12;
// A frame as the shadow knows it: the bits of the beat that is followed, and the number of beats less one.
localparam BITS = 10, FRAME = BITS + 4;

// Beats of the frame in reception, and the bits.
reg  [3:0]              index = 4'd0;
reg  [BITS-1:0]         bits = 0;
wire [BITS-1:0]         bits_now = index == beat ? {byte_in, keep_in, user_in} : bits;
// Frames whose answer is to come, the last one in the low bits.
reg  [ANSWER*FRAME-1:0] frames = 0;
// The frame of the PSN.
reg                     taken = 1'b0, delivered = 1'b0;
reg  [FRAME-1:0]        frame = 0;
// The next PSN that is to leave, how many have left, and the expected one.
reg  [7:0]              next = FIRST, expected = FIRST;
reg  [3:0]              deliveries = 4'd0;
// Beats of the frame on m_axis that have left, with its connection and PSN; what was stalled.
reg  [3:0]              sent = 4'd0;
reg                     inside = 1'b0, sent_connection = 1'b0, stalled = 1'b0;
reg  [7:0]              sent_psn = 8'd0;
reg  [BITS:0]           stalled_beat = 0;
reg                     was_held = 1'b0, was_long = 1'b0;
reg  [4:0]              beats = 5'd0;
reg  [6:0]              idle = 7'd0;

wire            accepted = s_axis_tvalid && s_axis_tready;
wire            answers = answer_valid && answer_connection;
wire            takes = answers && (answer_outcome == IN_ORDER || answer_outcome == HELD);
wire            takes_psn = takes && answer_psn == psn;
wire            transfers = m_axis_tvalid && m_axis_tready;
wire            delivers = m_axis_tvalid && delivery_connection;
wire [BITS-1:0] bits_out = {m_axis_tdata[7:0], m_axis_tkeep[0], m_axis_tuser[0]};

always @(posedge clk) begin
    if (accepted) begin
        index <= s_axis_tlast ? 4'd0 : index + 4'd1;
        bits <= bits_now;
    end
    frames <= {frames[(ANSWER-1)*FRAME-1:0], bits_now, index};
    if (answers && answer_outcome <= 3'd5)
        expected <= answer_expected;
    if (takes_psn) begin
        taken <= 1'b1;
        frame <= frames[ANSWER*FRAME-1:(ANSWER-1)*FRAME];
    end
    was_held <= was_held || (takes_psn && answer_outcome == HELD);
    if (transfers) begin
        inside <= !m_axis_tlast;
        sent <= m_axis_tlast ? 4'd0 : sent + 4'd1;
        sent_connection <= delivery_connection;
        sent_psn <= delivery_psn;
        if (delivery_connection && m_axis_tlast) begin
            next <= next + 8'd1;
            delivered <= delivered || delivery_psn == psn;
            deliveries <= deliveries + (deliveries != 4'd15);
            was_long <= was_long || sent >= 4'd4;
        end
    end
    stalled <= m_axis_tvalid && !m_axis_tready;
    stalled_beat <= {m_axis_tlast, bits_out};
    beats <= beats + accepted;
    idle <= !free || accepted || !m_axis_tready ? 7'd0 : idle + (idle != 7'd127);
end

always @(*) begin
`ifdef PROVE_REACHED
`ifdef ONE
    assert (!(deliveries == `DELIVERIES && was_long));
`else
    assert (!(deliveries == `DELIVERIES && was_held && delivered));
`endif
`else
    if (opens)
        assert (command_ready);
    // order
    if (delivers)
        assert (delivery_psn == next);
    if (inside)
        assert (m_axis_tvalid && delivery_connection == sent_connection && delivery_psn == sent_psn);
    // once
    if (takes_psn)
        assert (!taken);
    if (delivers && delivery_psn == psn)
        assert (taken && !delivered);
    // same
    if (delivers && delivery_psn == psn) begin
        assert (m_axis_tlast == (sent == frame[3:0]));
        if (sent == beat)
            assert (bits_out == frame[FRAME-1:4]);
    end
    // stays
    if (stalled)
        assert (m_axis_tvalid && {m_axis_tlast, bits_out} == stalled_beat);
    // moves
    if (idle >= `IDLE + beats)
        assert (next == expected && !inside && !m_axis_tvalid);
`endif
end

endmodule
