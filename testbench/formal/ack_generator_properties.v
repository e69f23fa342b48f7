// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What is proved of ack_generator; run by scripts/prove-receiver. Rows G4 to G7, G11, G16 to G18 and G24 of
// docs/stages/ack_generator.md, for one connection, with or without multipath. A cause is a packet that is merged (G6), for the
// open connection; an ACK covers it if it shows the connection after the pass of the packet.
//
//   owes    a command that comes behind a cause finds that the connection owes an ACK, unless one has left that covers the cause
//   says    the PSN of each ACK or NAK is that of the latest arrival before its take
//   leaves  an ACK that covers a cause that is urgent by its class, AckReq or ECN leaves within WITHIN cycles in which the
//           output is not stalled
//   kind    it is a NAK if and only if one is owed: a packet behind a gap, or without buffer, that none has been sent for, came
//           since the last ACK, and no packet in order after it; and for the reason of the last of these
//   mark    it is marked if and only if a packet that it covers, and no ACK before, was; and has the path or EV of the last
//           of these, or of the last packet if there is none
//
// CAUSES: all merged causes, `kind` and `mark`, with packets in NEAR cycles, without events and with no command but open. Without
// it: packets in order and below, AckReq alone makes them urgent, and all is free.
//
// The shadow knows the contract and no register of the stage. Reset in cycle 0; the connection is opened in cycle START, the
// first one in which a command is accepted. From the effect of that on, arrivals, also for the other connection, events,
// commands and settings are free, but that this connection is not closed.

`default_nettype none

module ack_generator_properties (
    input wire clk
);

`ifdef UET
localparam PSN = 32;
`else
localparam PSN = 24;
`endif

// Free inputs.
(* anyseq *) wire           any_valid;
(* anyseq *) wire           arrival_connection;
(* anyseq *) wire [2:0]     arrival_outcome;
(* anyseq *) wire [3:0]     low_psn, low_expected, low_first, low_last;
(* anyseq *) wire [6:0]     arrival_held;
(* anyseq *) wire           arrival_ack_request, arrival_ecn, tag;
(* anyseq *) wire           settings_valid, settings_on_ecn;
(* anyseq *) wire           any_event;
(* anyseq *) wire           event_connection;
(* anyseq *) wire           any_command;
(* anyseq *) wire [1:0]     any_op;
(* anyseq *) wire           any_connection;
(* anyseq *) wire [PSN-1:0] any_psn;
(* anyseq *) wire           ack_ready;
`ifndef UET
(* anyconst *) wire         multipath;
`endif
wire                        connection = 1'b1;
// PSNs are handed on and compared, so few of them are enough.
wire [PSN-1:0]              arrival_psn = {{PSN-4{1'b0}}, low_psn};
wire [PSN-1:0]              arrival_expected = {{PSN-4{1'b0}}, low_expected};
wire [PSN-1:0]              event_first = {{PSN-4{1'b0}}, low_first};
wire [PSN-1:0]              event_last = {{PSN-4{1'b0}}, low_last};

// Cycles, up to the first one that is free.
localparam FREE = `START + `LATENCY + 9;
reg [5:0] cycle = 6'd0;
wire      free = cycle == FREE;
wire      opens = cycle == `START;
always @(posedge clk)
    if (!free)
        cycle <= cycle + 6'd1;

`ifdef NEAR
reg [4:0]  arriving = `NEAR;
wire       arrival_valid = any_valid && free && arriving != 5'd0;
always @(posedge clk)
    if (free && arriving != 5'd0)
        arriving <= arriving - 5'd1;
`else
wire       arrival_valid = any_valid && free;
`endif
`ifdef CAUSES
wire       event_valid = 1'b0, command_valid = opens;
`else
wire       event_valid = any_event && free, command_valid = opens || (any_command && free);
`endif
wire [1:0] command_op = opens ? 2'd1 : any_op == 2'd2 && any_connection == connection ? 2'd0 : any_op;
wire       command_connection = opens ? connection : any_connection;
wire       command_ready, ack_valid, ack_connection, response_valid, response_connection, response_draining;
wire [1:0] ack_kind;
`ifdef UET
wire [6:0] ack_flags;
`else
wire [7:0] ack_flags;
`endif
wire [PSN-1:0] ack_psn;
`ifdef UET
wire [15:0] ack_tag;
wire        ack_mark = ack_flags[5], multipath = 1'b1;
`else
wire [7:0]  ack_tag, ack_syndrome;
wire        ack_mark;
`endif

// Inputs that are not named are free, too.
`STAGE dut (
    .clk(clk),
    .rst(cycle == 6'd0),
    .arrival_valid(arrival_valid),
    .arrival_connection(arrival_connection),
    .arrival_outcome(arrival_outcome),
    .arrival_psn(arrival_psn),
    .arrival_expected(arrival_expected),
    .arrival_held(arrival_held),
    .arrival_ack_request(arrival_ack_request),
    .arrival_ecn(arrival_ecn),
`ifdef UET
    .arrival_trimmed(1'b0),
    .arrival_ev({15'd0, tag}),
    .ack_ev(ack_tag),
`else
    .arrival_path({7'd0, tag}),
    .ack_path(ack_tag),
    .ack_ecn(ack_mark),
    .ack_syndrome(ack_syndrome),
    .command_multipath(opens && multipath),
`endif
    .settings_valid(settings_valid),
    .settings_on_ecn(settings_on_ecn),
    .event_valid(event_valid),
    .event_connection(event_connection),
    .event_first(event_first),
    .event_last(event_last),
    .command_valid(command_valid),
    .command_ready(command_ready),
    .command_op(command_op),
    .command_connection(command_connection),
    .command_psn(opens ? {PSN{1'b0}} : any_psn),
    .ack_ready(ack_ready),
    .ack_valid(ack_valid),
    .ack_kind(ack_kind),
    .ack_connection(ack_connection),
    .ack_psn(ack_psn),
    .ack_flags(ack_flags),
    .response_valid(response_valid),
    .response_connection(response_connection),
    .response_draining(response_draining)
);

// Cycles from a pass to the first one in which an ACK can be on the ports that shows it; from there on it is there only if it
// was taken when the pass had taken effect.
localparam SHOWN = 2 * `LATENCY + 10;

// The class of an arrival.
wire arrives = arrival_valid && arrival_connection == connection && arrival_outcome != 3'd6;
wire [7:0] outcome = {7'd0, arrives} << arrival_outcome;
wire in_order = outcome[0], held = outcome[1], duplicate = outcome[2], below = outcome[3];
`ifdef UET
wire fresh = in_order || held, again = duplicate || below, sequence = 1'b0, not_ready = 1'b0;
`else
wire above = outcome[4], no_buffer = outcome[5], probe = outcome[7];
wire is_expected = arrival_psn == arrival_expected;
reg  answered = 1'b0;
wire fresh = in_order || (held && multipath);
wire again = below || (multipath ? duplicate : probe);
wire not_ready = no_buffer && (is_expected || (multipath && !answered));
wire sequence = !multipath && !answered && (held || duplicate || above || (no_buffer && !is_expected));
always @(posedge clk)
    if (in_order || not_ready || sequence)
        answered <= !in_order;
`endif
`ifdef CAUSES
wire cause = fresh || again || not_ready || sequence;
wire urgent = again || not_ready || sequence || (cause && arrival_ack_request);
`else
wire cause = in_order || below;
wire urgent = below || (cause && arrival_ack_request);
`endif
// Causes of the last cycles, the last one in bit 0. Whether marks are urgent is looked up four cycles later.
reg [SHOWN-1:0] causes = 0, urgents = 0, marks = 0, tags = 0, sequences = 0, not_readies = 0, in_orders = 0;
reg             on_ecn = 1'b1;
`ifdef CAUSES
wire            marks_urgent = marks[3] && multipath && on_ecn;
`else
wire            marks_urgent = 1'b0;
`endif
reg             offered = 1'b0;
// An ACK is new on the ports. A reply is none.
wire begins = ack_valid && !offered && ack_connection == connection;
`ifdef UET
wire is_ack = ack_kind != 2'd2 && !ack_flags[3];
`else
wire is_ack = !ack_flags[2];
`endif
wire acks = begins && is_ack;
// There is a cause that no ACK has covered up to now, and one that is urgent.
reg owed = 1'b0, owed_urgent = 1'b0;
reg [5:0] waits = 6'd0;
wire owed_now = (owed || causes[SHOWN-1]) && !acks;
// What the ACK that is owed is to say.
reg  marked = 1'b0, last_tag = 1'b0, nak_sequence = 1'b0, nak_not_ready = 1'b0;
wire marked_now = marked || marks[SHOWN-1];
wire tag_now = causes[SHOWN-1] && (marks[SHOWN-1] || !marked) ? tags[SHOWN-1] : last_tag;
wire sequence_now = !in_orders[SHOWN-1] && !not_readies[SHOWN-1] && (nak_sequence || sequences[SHOWN-1]);
wire not_ready_now = !in_orders[SHOWN-1] && !sequences[SHOWN-1] && (nak_not_ready || not_readies[SHOWN-1]);

// PSN expected as of the arrivals that an ACK shows.
reg [PSN-1:0] expected = 0;
reg [PSN*SHOWN-1:0] line = 0;
wire [PSN-1:0] shown = line[PSN*SHOWN-1:PSN*(SHOWN-1)];

// The response of LATENCY + 4 cycles ago: by now all ACKs have been offered that were taken before its pass. Its command
// entered LATENCY + 8 cycles before it, which is SHOWN + 2 cycles ago; the causes before that.
reg [`LATENCY+3:0] responded = 0, drained = 0;
reg                owed_1 = 1'b0, owed_2 = 1'b0;
reg [3:0]          count = 4'd0;
// NAKs have left, of each kind.
reg [1:0]          said = 2'd0;

always @(posedge clk) begin
    causes <= causes << 1 | cause;
    urgents <= urgents << 1 | urgent | marks_urgent << 4;
    marks <= marks << 1 | (cause && arrival_ecn);
    tags <= tags << 1 | tag;
    sequences <= sequences << 1 | sequence;
    not_readies <= not_readies << 1 | not_ready;
    in_orders <= in_orders << 1 | in_order;
    if (settings_valid)
        on_ecn <= settings_on_ecn;
    marked <= marked_now && !acks;
    last_tag <= tag_now;
    nak_sequence <= sequence_now && !acks;
    nak_not_ready <= not_ready_now && !acks;
    offered <= ack_valid && !ack_ready;
    owed <= owed_now;
    owed_1 <= owed && !acks;
    owed_2 <= owed_1 && !acks;
    owed_urgent <= (owed_urgent || urgents[SHOWN-1]) && !acks;
    waits <= !owed_urgent || acks ? 6'd0 : waits + (ack_ready || !ack_valid) * (waits != 6'd63);
    if (arrives)
        expected <= arrival_expected;
    line <= {line[PSN*(SHOWN-1)-1:0], arrives ? arrival_expected : expected};
    responded <= responded << 1 | (response_valid && response_connection == connection && free);
    drained <= drained << 1 | response_draining;
    if (acks && count != 4'd15)
        count <= count + 4'd1;
    if (acks && ack_kind == 2'd2)
        said <= said | {not_ready_now, sequence_now};
end

always @(*) begin
`ifdef PROVE_REACHED
`ifdef NAKS
    // A NAK of each kind.
    assert (said != 2'd3);
`else
    // Two ACKs of the connection, with causes in between.
    assert (!(count == 4'd2 && owed));
`endif
`else
    if (opens)
        assert (command_ready);
    // owes
    if (responded[`LATENCY+3] && owed_2 && !acks)
        assert (drained[`LATENCY+3]);
    // says
    if (acks)
`ifdef UET
        assert (ack_psn + 1'b1 == shown);
`else
        assert (ack_psn + (ack_kind != 2'd2) == shown);
`endif
`ifdef CAUSES
    // kind
`ifndef UET
    if (acks)
        assert ((ack_kind == 2'd2) == (sequence_now || not_ready_now));
    if (acks && ack_kind == 2'd2)
        assert (ack_syndrome[7:5] == (sequence_now ? 3'd3 : 3'd1));
`endif
    // mark
    if (acks)
        assert (ack_mark == (marked_now && multipath));
    if (acks && multipath && (owed || causes[SHOWN-1]))
        assert (ack_tag[0] == tag_now);
`endif
    // leaves
    assert (waits < `WITHIN);
`endif
end

endmodule
