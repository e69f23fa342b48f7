// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What is proved of packet_tracker; run by scripts/prove-sender. Rows D4, D6, D13, D18, D26, D27, D30, D34 and D37
// of docs/stages/packet_tracker.md, for one PDC of two, and one PSN of it, which is any of eight:
//
//   once     the PSN has one outcome of kinds 0, 1, 4 and 5 at most, and that behind its sent; it has had one when a response
//            shows a base behind it, or that the PDC is closed
//   marked   kinds 1 and 5 are for a PSN that is marked: that has had outcome 2, 3 or 6 and no sent since; the others for one
//            that is not, and again takes one that is
//   sums     a response shows the packets in flight and marked that the events before it add up to (D34); with none marked the
//            sizes of marked packets add up to 0; no event takes away what the events before it have not added
//   feedback the event of an ACK or NACK says something of a path, the one in it, but with code 0x1a that of the packet; no other
//            event does. Kind 0 without feedback is that of a close (D30), so it comes only behind one
//   backoff  while the PDC backs off no new packet is sent, and there is room for none
//   stalls   whenever quiet is 1: as many packets in events of kind 3 as in sent, as many packets released in events as outcomes
//            of kinds 0, 1, 4 and 5, as many NACKs and losses as outcomes of kinds 2, 3 and 6; a response to a command that
//            was accepted in such a cycle shows the sums of the events up to then; an event or outcome that is not taken stays
//
// The shadow knows the contract and no register of the stage. Reset in cycle 0; settings in cycle 1; the PDC is opened in cycle
// START, the first one in which a command is accepted. In cycle BEGIN, in which this has ended, a program of STEPS steps begins:
// each is any ACK, NACK, credit or backoff, send or command, or none, for any of the PDCs, but that this PDC is not opened again.
// It is offered until it is taken, behind the one before and a pause of less than 2^PAUSE cycles. Behind the last one the PDC is
// read. Inputs that are not named are free: whether a PDC has a timer of its own, the limits, `paused`.
//
// RTO, SPAN, TICK, BACKOFF: the settings. SIZES: the sums of sizes, for Verilog with its records. PROVE_STALLS: event and outcome
// may be stalled, and what is proved is "once" and "stalls"; otherwise they are not, and what is proved is all but "stalls".
// With PROVE_REACHED what is asserted is instead that a trace worth proving something about is not reached, which must be refuted.

`default_nettype none

module packet_tracker_properties (
    input wire clk
);

// PSNs and their blocks wrap after two packets.
localparam [23:0] FIRST = 24'hfffffe;
localparam        PDC = 1'b1;

wire ack_ready, send_ready, command_ready;
reg [7:0] cycle = 8'd0;
always @(posedge clk)
    cycle <= cycle + (cycle != 8'd255);

// The steps.
localparam FIELDS = 32;
(* anyconst *) wire [`STEPS*FIELDS-1:0] program;
reg  [`STEPS*FIELDS-1:0] rest = 0;
reg  [3:0]  steps = 4'd0;
reg  [4:0]  paused = 5'd0;
wire [1:0]  stream, ack_kind, send_op, send_size;
wire        pdc, ack_retx, low_ev, all;
wire [2:0]  ack_offset, sack_low, sack_place;
wire [2:0]  reasons, any_op;
wire [4:0]  pause;
assign {stream, pdc, ack_kind, ack_offset, sack_low, sack_place, ack_retx, reasons, send_op, send_size, any_op, low_ev, all, pause}
    = rest[FIELDS-1:0];
wire        done = steps == `STEPS;
wire [4:0]  waits = pause & ((5'd1 << `PAUSE) - 5'd1);
// The first operation enters behind the open, without waiting for others.
localparam BEGIN = `START + 4 * `LATENCY + 11;
wire        offers = cycle >= BEGIN && (done || paused == waits);
wire        ack_valid = offers && !done && stream == 2'd0, send_valid = offers && !done && stream == 2'd1;
wire        commands = offers && (done || stream == 2'd2);
wire        goes_on = offers && (ack_valid && ack_ready || send_valid && send_ready || commands && command_ready || stream == 2'd3);
// Codes that mark, and that do not; 0x1a is the one that is never stale.
wire [7:0]  ack_reason = reasons == 3'd0 ? 8'h1a : reasons == 3'd1 ? 8'h0c : {5'd0, reasons};
always @(posedge clk)
    if (cycle == 8'd0)
        rest <= program;
    else if (goes_on && !done) begin
        rest <= rest >> FIELDS;
        steps <= steps + 4'd1;
        paused <= 5'd0;
    end else if (cycle >= BEGIN && !done && paused != waits)
        paused <= paused + 5'd1;

// Free inputs.
(* anyseq *) wire        failure_ready;
`ifdef PROVE_STALLS
(* anyseq *) wire        event_ready, outcome_ready;
`else
wire                     event_ready = 1'b1, outcome_ready = 1'b1;
`endif
// The PSN that is followed.
(* anyconst *) wire [2:0] offset;
wire [23:0]              psn = FIRST + {21'd0, offset};
// The EV in all ACKs and NACKs of the PDC; those of the other one have another.
(* anyconst *) wire [15:0] ev;

wire opens = cycle == `START;
wire command_valid = opens || commands;
wire       command_pdc = opens || done ? PDC : pdc;
wire [2:0] command_op = opens ? 3'd1 : done || any_op == 3'd1 && pdc == PDC ? 3'd0 : any_op;

wire        event_valid, event_pdc, event_packet, event_retransmission, event_feedback;
wire [15:0] event_ev;
wire [2:0]  event_kind;
wire [7:0]  event_reason;
wire [15:0] event_packets, event_rtx_packets;
wire [27:0] event_rtx_bytes;
wire [13:0] event_size;
wire        outcome_valid, outcome_pdc;
wire [2:0]  outcome_kind;
wire [23:0] outcome_psn;
wire        sent_valid, sent_pdc, sent_ok, sent_backs_off;
wire [1:0]  sent_op;
wire [23:0] sent_psn;
wire [6:0]  sent_room;
wire        response_valid, response_pdc, response_open, quiet;
wire [23:0] response_base, response_next;
wire [6:0]  response_in_flight, response_marked;

packet_tracker dut (
    .clk(clk),
    .rst(cycle == 8'd0),
    .ack_valid(ack_valid),
    .ack_ready(ack_ready),
    .ack_pdc(pdc),
    .ack_kind(ack_kind),
    .ack_psn(FIRST - 24'd1 + {21'd0, ack_offset}),
    .ack_triggered(1'b0),
    .ack_trigger_offset(16'd0),
    .ack_sack_offset({13'd0, sack_place}),
    .ack_sack({61'd0, sack_low}),
    .ack_counted(1'b0),
    .ack_rcvd_bytes(24'd0),
    .ack_mpr(8'd0),
    .ack_marked(1'b0),
    .ack_retx(ack_retx),
    .ack_arrived(20'd0),
    .ack_ev(pdc == PDC ? ev : ~ev),
    .ack_service(16'd0),
    .ack_pend(7'd0),
    .ack_restore(1'b0),
    .ack_reason(ack_reason),
    .ack_credit(24'd0),
    .send_valid(send_valid),
    .send_ready(send_ready),
    .send_pdc(pdc),
    .send_op(send_op),
    .send_size({12'd0, send_size}),
    .send_ev({15'd0, low_ev}),
    .send_asks(1'b1),
    .send_last(1'b0),
    .command_valid(command_valid),
    .command_ready(command_ready),
    .command_op(command_op),
    .command_pdc(command_pdc),
    .command_psn(FIRST),
    .command_ccc(0),
    .command_window(7'd0),
    .command_mpr(8'd0),
    .command_ev({15'd0, low_ev}),
    .command_all(all),
    .command_force(all),
    .settings_valid(cycle == 8'd1),
    .settings_tick(`TICK),
    .settings_rto(`RTO),
    .settings_retries(5'd5),
    .settings_span(`SPAN),
    .settings_backoff(`BACKOFF),
    .event_ready(event_ready),
    .event_valid(event_valid),
    .event_kind(event_kind),
    .event_pdc(event_pdc),
    .event_packets(event_packets),
    .event_rtx_packets(event_rtx_packets),
    .event_rtx_bytes(event_rtx_bytes),
    .event_size(event_size),
    .event_packet(event_packet),
    .event_retransmission(event_retransmission),
    .event_feedback(event_feedback),
    .event_ev(event_ev),
    .event_reason(event_reason),
    .outcome_ready(outcome_ready),
    .outcome_valid(outcome_valid),
    .outcome_pdc(outcome_pdc),
    .outcome_kind(outcome_kind),
    .outcome_psn(outcome_psn),
    .failure_ready(failure_ready),
    .sent_valid(sent_valid),
    .sent_pdc(sent_pdc),
    .sent_op(sent_op),
    .sent_ok(sent_ok),
    .sent_psn(sent_psn),
    .sent_backs_off(sent_backs_off),
    .sent_room(sent_room),
    .response_valid(response_valid),
    .response_pdc(response_pdc),
    .response_open(response_open),
    .response_base(response_base),
    .response_next(response_next),
    .response_in_flight(response_in_flight),
    .response_marked(response_marked),
    .quiet(quiet)
);

localparam [2:0] ACK = 3'd0, NACK = 3'd1, SEND = 3'd3, LOSS = 3'd4;
localparam [1:0] NEW = 2'd1;

// The PSN: it was sent, is marked, has been released.
reg  was_sent = 1'b0, marked = 1'b0, released = 1'b0, was_marked = 1'b0;
wire sends_packet = sent_valid && sent_pdc == PDC && sent_ok;
wire sends_psn = sends_packet && sent_psn == psn;
wire outcome = outcome_valid && outcome_ready && outcome_pdc == PDC;
wire of_psn = outcome && outcome_psn == psn;
wire marks = outcome_kind == 3'd2 || outcome_kind == 3'd3 || outcome_kind == 3'd6;
wire late = outcome_kind == 3'd1 || outcome_kind == 3'd5;

// The sums of the events: packets in flight, marked, and the sizes of those; all packets sent, released and marked, in events,
// outcomes and answers.
reg  [6:0]  in_flight_sum = 7'd0, marked_sum = 7'd0;
reg  [27:0] bytes_sum = 28'd0;
reg  [6:0]  sent_events = 7'd0, sent_answers = 7'd0, released_events = 7'd0, released_outcomes = 7'd0;
reg  [6:0]  marked_events = 7'd0, marked_outcomes = 7'd0;
wire transfers = event_valid && event_ready && event_pdc == PDC;
wire is_ack = transfers && event_kind == ACK;
wire is_mark = transfers && (event_kind == NACK || event_kind == LOSS);
wire is_send = transfers && event_kind == SEND && event_packet;
wire is_again = is_send && event_retransmission;

// A response of LATENCY + 3 cycles ago: all events of operations up to its own are in the sums, and no others.
reg [`LATENCY+2:0] responded = 0;
wire               compares = responded[`LATENCY+2];
reg                shown_open = 1'b0;
reg  [6:0]         shown_in_flight = 7'd0, shown_marked = 7'd0;
reg                shown_passed = 1'b0, shown_lengths = 1'b0;
// The PSN is from FIRST up to the base.
wire [23:0]        base_offset = response_base - FIRST;
wire [23:0]        length = response_next - response_base;
wire [7:0]         counted = {1'b0, response_in_flight} + {1'b0, response_marked};

// Sums of a cycle in which quiet was 1 and a command was accepted.
reg        held = 1'b0;
reg  [6:0] held_in_flight = 7'd0, held_marked = 7'd0;
// The last cycle was one of a stall.
reg        event_stalled = 1'b0, outcome_stalled = 1'b0;
reg [64:0] event_before = 0;
reg [27:0] outcome_before = 0;
wire [64:0] event_now = {event_kind, event_pdc, event_packets, event_rtx_packets, event_rtx_bytes, event_packet};
wire [27:0] outcome_now = {outcome_kind, outcome_pdc, outcome_psn};
// To be reached.
reg        was_again = 1'b0;
// A close of the PDC was accepted.
reg        was_closed = 1'b0;

always @(posedge clk) begin
    if (sends_psn) begin
        was_sent <= 1'b1;
        marked <= 1'b0;
        was_again <= was_again || marked;
    end
    if (of_psn) begin
        marked <= marks;
        was_marked <= was_marked || marks;
        released <= released || !marks;
    end
    in_flight_sum <= in_flight_sum + is_send - is_mark - (is_ack ? event_packets[6:0] : 7'd0);
    marked_sum <= marked_sum + is_mark - is_again - (is_ack ? event_rtx_packets[6:0] : 7'd0);
    bytes_sum <= bytes_sum + (is_mark ? {14'd0, event_size} : 28'd0) - (is_again ? {14'd0, event_size} : 28'd0)
        - (is_ack ? event_rtx_bytes : 28'd0);
    sent_events <= sent_events + is_send;
    sent_answers <= sent_answers + sends_packet;
    released_events <= released_events + (is_ack ? event_packets[6:0] + event_rtx_packets[6:0] : 7'd0);
    released_outcomes <= released_outcomes + (outcome && !marks);
    marked_events <= marked_events + is_mark;
    marked_outcomes <= marked_outcomes + (outcome && marks);
    responded <= responded << 1 | (response_valid && response_pdc == PDC);
    if (response_valid) begin
        shown_open <= response_open;
        shown_in_flight <= response_in_flight;
        shown_marked <= response_marked;
    end
    was_closed <= was_closed || command_valid && command_ready && command_pdc == PDC && command_op == 3'd2;
    if (command_valid && command_ready) begin
        held <= quiet && command_pdc == PDC && (command_op == 3'd0 || command_op == 3'd3);
        held_in_flight <= in_flight_sum;
        held_marked <= marked_sum;
    end
    event_stalled <= event_valid && !event_ready;
    outcome_stalled <= outcome_valid && !outcome_ready;
    event_before <= event_now;
    outcome_before <= outcome_now;
end

always @(*) begin
`ifdef PROVE_REACHED
    assert (!(`PROVE_REACHED));
`else
    if (opens)
        assert (command_ready);
    // once
    if (of_psn)
        assert (was_sent && !released);
    if (response_valid && response_pdc == PDC && was_sent && !sends_psn) begin
        assert (length <= 24'd64 && {16'd0, counted} <= length);
`ifndef PROVE_STALLS
        if (!response_open || base_offset > {21'd0, offset} && base_offset < 24'h800000)
            assert (released || of_psn);
`endif
    end
`ifdef PROVE_STALLS
    if (quiet) begin
        assert (sent_events == sent_answers);
        assert (released_events == released_outcomes);
        assert (marked_events == marked_outcomes);
    end
    if (response_valid && held) begin
        assert (response_in_flight == held_in_flight);
        assert (response_marked == held_marked);
    end
    if (event_stalled)
        assert (event_valid && event_now == event_before);
    if (outcome_stalled)
        assert (outcome_valid && outcome_now == outcome_before);
`else
    // marked
    if (of_psn)
        assert (late == marked && !(marks && marked));
    if (sends_psn)
        assert (was_sent == marked && (sent_op == NEW) == !marked && !released);
    // backoff
    if (sent_valid && sent_backs_off)
        assert (!(sent_ok && sent_op == NEW) && sent_room == 7'd0);
    // sums
    if (compares) begin
        assert (shown_in_flight == in_flight_sum);
        assert (shown_marked == marked_sum);
`ifdef SIZES
        if (shown_marked == 7'd0)
            assert (bytes_sum == 28'd0);
`endif
    end
    // feedback
    if (transfers)
        assert (event_feedback == (event_kind == NACK || event_kind == ACK && !(was_closed && !event_feedback)));
    if (transfers && event_feedback && !(event_kind == NACK && event_reason == 8'h1a))
        assert (event_ev == ev);
    if (is_ack)
        assert (event_packets <= {9'd0, in_flight_sum} && event_rtx_packets <= {9'd0, marked_sum});
`ifdef SIZES
    if (is_ack)
        assert (event_rtx_bytes <= bytes_sum);
    if (is_again)
        assert ({14'd0, event_size} <= bytes_sum);
`endif
    if (is_mark)
        assert (in_flight_sum != 7'd0);
    if (is_again)
        assert (marked_sum != 7'd0);
`endif
`endif
end

endmodule
