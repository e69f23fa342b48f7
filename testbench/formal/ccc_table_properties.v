// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What is proved of ccc_table; run by scripts/prove-sender. Rows C5 to C9, C11, C25, C26 and C28 to C30 of
// docs/stages/ccc_table.md, for one CCC of two, without adjustments and without credit:
//
//   takes    all streams are ready, as no event has to wait
//   counts   a response shows inflight_pkts, waiting_rtx, rtx_backlog, backlog, and with NSCC inflight and cwnd, as the events
//            that have entered before it make them, those that are refused included
//   ready    a grant is for the CCC only if it was READY at the take, with its limit and grant_retransmission
//   turns    between two grants for the CCC there is an event with send_last
//
// The shadow knows the contract and no register of the stage. Reset in cycle 0; the CCC is opened in cycle START, when the other
// one, which is opened first, has been. From then on STEPS events enter, of any of the four streams and for any of the CCCs,
// one in each cycle but for those of commands, or none; and the CCC is read all the time. What waits at once is not covered.
// Sums are compared with 0 and with upper bounds, so sizes and numbers have BITS bits.
//
// ANY_COUNTS: open sets the counts to numbers near 0 or near their upper bounds, which ccc_table_counts.sed lets it do. LEMMA:
// ccc_table_row.sed shows the row that the stage writes, and that row is compared too, which makes the proof faster.
// NSCC: the CCC has it; ACKs are without time, rcv_cwnd_pend and rc, and quick adapt is off, so that only losses and NACKs change
// cwnd. With REACH_REFUSALS or REACH_GRANTS what is asserted is instead that a trace worth proving something about is not
// reached, which must be refuted.

`default_nettype none

module ccc_table_properties (
    input wire clk
);

localparam CCC = 1'b1;
// From the entry of a pass to its effect, and from a take to its grant.
localparam SEEN = `LATENCY + 20;
localparam SHOWN = `LATENCY + 5;

wire       command_ready;
reg  [7:0] cycle = 8'd0;
always @(posedge clk)
    cycle <= cycle + (cycle != 8'd255);
wire       free = cycle > `START;
wire       opens = cycle == `START;
// The other CCC is opened before.
wire       opens_other = cycle == `START - `LATENCY - 24;
// From then on the CCC is read all the time.
wire       command_valid = opens || opens_other || free;
wire       commands = command_valid && command_ready;
wire       command_ccc = opens_other ? !CCC : CCC;
wire [2:0] command_op = opens || opens_other ? 3'd1 : 3'd0;

// The steps: an event of any stream or none, one in each cycle, with a pause of up to 63 cycles before step PAUSED. No event is
// accepted together with a command, so that each enters in the cycle behind that of its acceptance.
localparam STEP = 21 + 5 * `BITS;
(* anyconst *) wire [`STEPS*STEP-1:0] program;
reg  [`STEPS*STEP-1:0] rest = 0;
reg  [4:0]  steps = 5'd0;
reg  [5:0]  paused = 6'd0;
wire        event_ccc, send_packet, send_retransmission, send_last, none;
// What is proved holds whatever it says.
(* anyseq *) wire send_blocked;
wire [1:0]  stream, ack_kind, reasons;
wire [5:0]  pause;
wire [`BITS-1:0] few_packets, few_rtx_packets, few_rtx_bytes, few_bytes, few_size;
wire [3:0]  quanta;
assign {event_ccc, send_packet, send_retransmission, send_last, none, stream, ack_kind, reasons, pause, few_packets, few_rtx_packets,
    few_rtx_bytes, few_bytes, few_size, quanta} = rest[STEP-1:0];
wire [5:0]  waits = steps == `PAUSED ? pause : 6'd0;
wire        offers = free && !commands && steps != `STEPS && paused == waits;
wire        any = offers && !none;
wire        ack_valid = any && stream == 2'd0, send_valid = any && stream == 2'd1;
wire        loss_valid = any && stream == 2'd2, data_valid = any && stream == 2'd3;
wire [7:0]  ack_reason = {6'd0, reasons};
wire [15:0] ack_quanta = {10'd0, quanta, 2'd0};
always @(posedge clk)
    if (cycle == 8'd0)
        rest <= program;
    else if (offers) begin
        rest <= rest >> STEP;
        steps <= steps + 5'd1;
        paused <= 6'd0;
    end else if (free && steps != `STEPS && paused != waits)
        paused <= paused + 6'd1;

// Small numbers are enough: sums are compared with 0 and the upper bounds, which are both near.
wire [15:0] ack_packets = {{16-`BITS{1'b0}}, few_packets}, ack_rtx_packets = {{16-`BITS{1'b0}}, few_rtx_packets};
wire [27:0] ack_rtx_bytes = {{28-`BITS{1'b0}}, few_rtx_bytes};
wire [39:0] data_bytes = {{40-`BITS{1'b0}}, few_bytes};
wire [13:0] event_size = {few_size, {14-`BITS{1'b0}}} >> `SHIFT;
`ifdef ANY_COUNTS
(* anyconst *) wire [3:0]       high;
(* anyconst *) wire [`BITS-1:0] low_inflight_pkts, low_waiting_rtx, low_rtx_backlog, low_backlog;
`else
wire [3:0]       high = 4'd0;
wire [`BITS-1:0] low_inflight_pkts = 0, low_waiting_rtx = 0, low_rtx_backlog = 0, low_backlog = 0;
`endif
wire [15:0] first_inflight_pkts = {{16-`BITS{high[0]}}, low_inflight_pkts};
wire [15:0] first_waiting_rtx = {{16-`BITS{high[1]}}, low_waiting_rtx};
wire [27:0] first_rtx_backlog = {{28-`BITS{high[2]}}, low_rtx_backlog};
wire [39:0] first_backlog = {{40-`BITS{high[3]}}, low_backlog};

wire        ack_ready, send_ready, loss_ready, data_ready;
wire        grant_valid, grant_ccc, grant_retransmission;
wire [27:0] grant_limit;
wire        response_valid, response_ccc, response_open;
wire [39:0] response_backlog;
wire [27:0] response_rtx_backlog, response_cwnd;
wire [15:0] response_waiting_rtx, response_inflight_pkts;
wire [28:0] response_inflight;

`ifdef LEMMA
wire        modified;
wire [99:0] row;
`endif

ccc_table dut (
    .clk(clk),
    .rst(cycle == 8'd0),
`ifdef LEMMA
    .counts_written(modified),
    .counts_row(row),
`endif
`ifdef ANY_COUNTS
    .first_inflight_pkts(first_inflight_pkts),
    .first_waiting_rtx(first_waiting_rtx),
    .first_rtx_backlog(first_rtx_backlog),
    .first_backlog(first_backlog),
`endif
    .ack_valid(ack_valid),
    .ack_ready(ack_ready),
    .ack_ccc(event_ccc),
    .ack_kind(ack_kind),
    .ack_quanta(ack_quanta),
    .ack_packets(ack_packets),
    .ack_rtx_packets(ack_rtx_packets),
    .ack_rtx_bytes(ack_rtx_bytes),
    .ack_marked(1'b0),
    .ack_retx(1'b0),
    .ack_timed(1'b0),
    .ack_rtx_count(2'd0),
    .ack_stamp(20'd0),
    .ack_arrived(20'd0),
    .ack_service(16'd0),
    .ack_pend(7'd0),
    .ack_restore(1'b0),
    .ack_reason(ack_reason),
    .ack_size(event_size),
    .ack_credit(24'd0),
    .send_valid(send_valid),
    .send_ready(send_ready),
    .send_ccc(event_ccc),
    .send_size(event_size),
    .send_packet(send_packet),
    .send_retransmission(send_retransmission),
    .send_last(send_last),
    .send_blocked(send_blocked),
    .loss_valid(loss_valid),
    .loss_ready(loss_ready),
    .loss_ccc(event_ccc),
    .loss_size(event_size),
    .data_valid(data_valid),
    .data_ready(data_ready),
    .data_ccc(event_ccc),
    .data_bytes(data_bytes),
    .command_valid(command_valid),
    .command_ready(command_ready),
    .command_op(command_op),
    .command_ccc(command_ccc),
    .command_nscc(1'b1),
    .command_rccc(1'b0),
    .command_class(2'd0),
    .command_weight(4'd1),
    .command_force(1'b0),
    .settings_valid(1'b0),
    .grant_ready(1'b1),
    .grant_valid(grant_valid),
    .grant_ccc(grant_ccc),
    .grant_limit(grant_limit),
    .grant_retransmission(grant_retransmission),
    .response_valid(response_valid),
    .response_ccc(response_ccc),
    .response_open(response_open),
    .response_backlog(response_backlog),
    .response_rtx_backlog(response_rtx_backlog),
    .response_waiting_rtx(response_waiting_rtx),
    .response_inflight_pkts(response_inflight_pkts),
    .response_inflight(response_inflight),
    .response_cwnd(response_cwnd)
);

// The events and commands as they were LATE cycles ago. They enter in the cycle behind that of their acceptance; the shadow
// follows them as late as the stage counts them, which makes the proof easier.
localparam LATE = `LATENCY + 4;
localparam FIELDS = 36 + 5 * `BITS;
wire [FIELDS-1:0] now = {
    ack_valid, send_valid, loss_valid, data_valid, commands, commands ? command_ccc : event_ccc, opens, send_packet,
    send_retransmission, send_last, ack_kind, ack_quanta, ack_reason, few_packets, few_rtx_packets, few_rtx_bytes, few_bytes,
    few_size
};
reg  [FIELDS*LATE-1:0] line = 0;
always @(posedge clk)
    line <= {line[FIELDS*(LATE-1)-1:0], now};
wire              enters_ack, enters_send, enters_loss, enters_data, enters_command, e_ccc, e_open, e_packet, e_retransmission;
wire              e_last;
wire [1:0]        e_kind;
wire [15:0]       e_quanta;
wire [7:0]        e_reason;
wire [`BITS-1:0]  e_few_packets, e_few_rtx_packets, e_few_rtx_bytes, e_few_bytes, e_few_size;
assign {
    enters_ack, enters_send, enters_loss, enters_data, enters_command, e_ccc, e_open, e_packet, e_retransmission, e_last, e_kind,
    e_quanta, e_reason, e_few_packets, e_few_rtx_packets, e_few_rtx_bytes, e_few_bytes, e_few_size
} = line[FIELDS*LATE-1:FIELDS*(LATE-1)];
wire [15:0]       e_packets = e_few_packets, e_rtx_packets = e_few_rtx_packets;
wire [27:0]       e_rtx_bytes = e_few_rtx_bytes;
wire [39:0]       e_bytes = e_few_bytes;
wire [13:0]       size = {e_few_size, {14-`BITS{1'b0}}} >> `SHIFT;

reg         open = 1'b0;
wire        counts = open && e_ccc == CCC;
wire        acked = counts && enters_ack && e_kind == 2'd0;
wire        nacked = counts && enters_ack && e_kind == 2'd1;
wire        lost = nacked || (counts && enters_loss);
wire        sent = counts && enters_send && e_packet;
wire        fed = counts && enters_data;
wire        ended = counts && enters_send && e_last;

// The counts, rows C5 to C9.
reg  [15:0] inflight_pkts = 16'd0, waiting_rtx = 16'd0;
reg  [27:0] rtx_backlog = 28'd0;
reg  [39:0] backlog = 40'd0;
reg signed [30:0] inflight = 31'sd0, cwnd = 31'sd0;
wire [28:0] rtx_more = {1'b0, rtx_backlog} + {15'd0, size};
wire [40:0] backlog_more = {1'b0, backlog} + {1'b0, e_bytes};
wire signed [30:0] signed_size = {17'd0, size};
wire signed [30:0] more = inflight + signed_size;
wire signed [30:0] less = inflight - (acked ? {7'd0, e_quanta, 8'd0} : signed_size);
wire        refused = acked && (e_packets > inflight_pkts || e_rtx_packets > waiting_rtx || e_rtx_bytes > rtx_backlog)
    || lost && (inflight_pkts == 16'd0 || waiting_rtx == 16'hffff || rtx_more[28])
    || sent && (inflight_pkts == 16'hffff || more >= 31'sh10000000)
    || fed && backlog_more[40];
wire        done = (acked || lost || sent || fed) && !refused;
wire [15:0] inflight_pkts_after = acked ? inflight_pkts - e_packets : lost ? inflight_pkts - 16'd1
    : sent ? inflight_pkts + 16'd1 : inflight_pkts;
wire        cuts = !nacked || e_reason == 8'd1 || e_reason == 8'd2;
localparam signed [30:0] MTU = 31'sd4096, WINDOW = 31'sd12288;

always @(posedge clk) begin
    if (enters_command && e_open) begin
        open <= 1'b1;
        inflight_pkts <= first_inflight_pkts;
        waiting_rtx <= first_waiting_rtx;
        rtx_backlog <= first_rtx_backlog;
        backlog <= first_backlog;
        cwnd <= WINDOW;
    end
    if (done) begin
        inflight_pkts <= inflight_pkts_after;
        if (acked) begin
            waiting_rtx <= waiting_rtx - e_rtx_packets;
            rtx_backlog <= rtx_backlog - e_rtx_bytes;
        end
        if (lost) begin
            waiting_rtx <= waiting_rtx + 16'd1;
            rtx_backlog <= rtx_more[27:0];
            if (cuts)
                cwnd <= cwnd - signed_size > MTU ? cwnd - signed_size : MTU;
        end
        if (sent && e_retransmission) begin
            waiting_rtx <= waiting_rtx - (waiting_rtx != 16'd0);
            rtx_backlog <= rtx_backlog > {14'd0, size} ? rtx_backlog - {14'd0, size} : 28'd0;
        end
        if (sent && !e_retransmission)
            backlog <= backlog > {26'd0, size} ? backlog - {26'd0, size} : 40'd0;
        if (fed)
            backlog <= backlog_more[39:0];
`ifdef NSCC
        if (inflight_pkts_after == 16'd0)
            inflight <= 31'sd0;
        else if (acked || lost)
            inflight <= less < -31'sd65536 ? -31'sd65536 : less;
        else if (sent)
            inflight <= more;
`endif
    end
end

// What a response shows, in the cycle in which its command entered.
reg  [15:0] shows_inflight_pkts = 16'd0, shows_waiting_rtx = 16'd0;
reg  [27:0] shows_rtx_backlog = 28'd0;
reg  [39:0] shows_backlog = 40'd0;
reg  [28:0] shows_inflight = 29'd0;
reg  [27:0] shows_cwnd = 28'd0;
reg         shows = 1'b0;
always @(posedge clk)
    if (enters_command) begin
        shows <= e_ccc == CCC && open;
        shows_inflight_pkts <= inflight_pkts;
        shows_waiting_rtx <= waiting_rtx;
        shows_rtx_backlog <= rtx_backlog;
        shows_backlog <= backlog;
        shows_inflight <= inflight[28:0];
        shows_cwnd <= cwnd[27:0];
    end
wire responds = response_valid && shows;

// What a take sees: passes that entered so many cycles before its grant.
localparam LINE = SEEN + SHOWN - LATE;
`ifdef NSCC
wire signed [30:0] limit = cwnd - inflight - MTU;
`else
wire signed [30:0] limit = 31'shfffffff;
`endif
wire               ready = open && (backlog != 40'd0 || waiting_rtx != 16'd0) && limit >= 31'sd0;
reg  [LINE-1:0]    readys = 0, agains = 0, ends = 0;
reg  [28*LINE-1:0] limits = 0;
// The CCC is in turn, and turns that have begun.
reg                turn = 1'b0, ended_before = 1'b0;
reg  [1:0]         turns = 2'd0;
wire               granted = grant_valid && grant_ccc == CCC;
wire               in_turn = turn && !ends[LINE-1];
always @(posedge clk) begin
    readys <= readys << 1 | ready;
    agains <= agains << 1 | (waiting_rtx != 16'd0);
    ended_before <= ended;
    ends <= ends << 1 | ended_before;
    limits <= {limits[28*(LINE-1)-1:0], limit[27:0]};
    turn <= in_turn || granted;
    turns <= turns + (granted && turns != 2'd3);
end

// For traces worth proving something about.
reg [2:0] refusals = 3'd0;
always @(posedge clk)
    refusals <= refusals | {refused && sent, refused && lost, refused && acked};

always @(*) begin
`ifdef REACH_REFUSALS
    // A response behind an ACK, a loss and a packet that were refused, with packets that are in flight and that wait.
    assert (!(responds && refusals == `REACH_REFUSALS && shows_inflight_pkts != 16'd0 && shows_waiting_rtx != 16'd0));
`elsif REACH_GRANTS
    assert (!(granted && turns == `REACH_GRANTS - 1));
`else
    if (opens)
        assert (command_ready);
    // takes
    if (free)
        assert (ack_ready && send_ready && loss_ready && data_ready);
`ifdef PROVE_COUNTS
    // counts
    if (responds) begin
        assert (response_ccc == CCC && response_open);
        assert (response_inflight_pkts == shows_inflight_pkts);
        assert (response_waiting_rtx == shows_waiting_rtx);
        assert (response_rtx_backlog == shows_rtx_backlog);
        assert (response_backlog == shows_backlog);
`ifdef NSCC
        assert (response_inflight == shows_inflight);
        assert (response_cwnd == shows_cwnd);
`endif
    end
`endif
`ifdef LEMMA
    if (modified)
        assert (row == {backlog, waiting_rtx, rtx_backlog, inflight_pkts});
`endif
`ifdef PROVE_GRANTS
    if (granted) begin
        // ready
        assert (readys[LINE-1]);
        assert (grant_limit == limits[28*LINE-1:28*(LINE-1)]);
        assert (grant_retransmission == agains[LINE-1]);
        // turns
        assert (!in_turn);
    end
`endif
`endif
end

endmodule
