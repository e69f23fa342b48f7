// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What is proved of context_lookup; run by scripts/prove-receiver. Rows C1 to C3 and C5 to C7 of
// docs/stages/context_lookup.md, for one key, while any other keys are inserted and removed, and moved by that,
// with resets at any time:
//
//   found    a look-up of the key finds it if and only if it is in the table in the cycle of the look-up, with the index
//            that was inserted with it
//   told     the response to a command on the key says whether it was there and with which index, and what was done
//   timely   an answer comes LATENCY + 3 cycles after each look-up, and at no other time
//
// The shadow knows the contract and no register of the stage: the key is in the table from the response to its insert on
// that says done, up to the response to its removal. The key is KEY. One stands for all: adding, bit by bit, the same number
// to all keys exchanges rows of each sub-table, because rows are remainders, and nothing else.
//
// The stage has what context_lookup_rows.v and context_lookup_invariants.v add to it; with PROVE_INDUCTION what holds inside is
// asserted too, as the induction needs it. With PROVE_REACHED and PROVE_MOVED what is asserted is instead that a trace worth
// proving something about is not reached, which must be refuted.

`default_nettype none

module context_lookup_properties (
    input wire clk
);

// Free inputs.
(* anyseq *) wire        rst;
(* anyseq *) wire        lookup_valid;
(* anyseq *) wire [1:0]  lookup_kind;
(* anyseq *) wire [16:0] lookup_key;
(* anyseq *) wire        command_valid;
(* anyseq *) wire [1:0]  command_op;
(* anyseq *) wire [1:0]  command_kind;
(* anyseq *) wire [16:0] command_key;
(* anyseq *) wire        command_index;
wire [16:0] key = `KEY;

wire       command_ready, busy, in_table, index_in_table, in_command, in_victim;
wire [3:0] held_command;
wire       answer_valid, answer_found, answer_index;
wire       response_valid, response_done, response_present, response_full, response_index;
wire [1:0] response_op;

context_lookup dut (
    .clk(clk),
    .rst(rst),
    .lookup_valid(lookup_valid),
    .lookup_kind(lookup_kind),
    .lookup_key(lookup_key),
    .command_valid(command_valid),
    .command_ready(command_ready),
    .command_op(command_op),
    .command_kind(command_kind),
    .command_key(command_key),
    .command_index(command_index),
    .busy(busy),
    .key(key),
    .in_table(in_table),
    .index_in_table(index_in_table),
    .in_command(in_command),
    .held_command(held_command),
    .in_victim(in_victim),
    .answer_valid(answer_valid),
    .answer_found(answer_found),
    .answer_index(answer_index),
    .response_valid(response_valid),
    .response_op(response_op),
    .response_done(response_done),
    .response_present(response_present),
    .response_full(response_full),
    .response_index(response_index),
    .unknown_uet(),
    .unknown_kinds()
);

localparam [1:0] UET = 2'd1, INSERT = 2'd1, REMOVE = 2'd2;

// Look-ups on their way, the last one in bit 0; and those of the key.
reg [`LATENCY+2:0] asked = 0, asked_key = 0;
// The command on its way.
reg       on_key = 1'b0, index = 1'b0;
reg [1:0] op = 2'd0;
// The key is in the table after the last response, and before it in the cycles behind; with its index.
reg       present = 1'b0, present_index = 1'b0;
reg [`LATENCY+1:0] present_before = 0, index_before = 0;
wire      accepted = command_valid && command_ready;
wire      inserted = response_valid && on_key && response_done && op == INSERT;
wire      removed = response_valid && on_key && response_done && op == REMOVE;
wire      present_now = inserted || (present && !removed);
wire      index_now = inserted ? index : present_index;
// A command takes effect one cycle before its response: the answer is of LATENCY + 3 cycles ago, so the table is that of the
// response LATENCY + 2 cycles ago.
wire      was_present = present_before[`LATENCY+1];
wire      was_index = index_before[`LATENCY+1];

always @(posedge clk) begin
    if (rst) begin
        asked <= 0;
        asked_key <= 0;
        on_key <= 1'b0;
        present <= 1'b0;
        present_before <= 0;
    end else begin
        asked <= {asked[`LATENCY+1:0], lookup_valid};
        asked_key <= {asked_key[`LATENCY+1:0], lookup_valid && lookup_kind == UET && lookup_key == key};
        if (accepted) begin
            on_key <= command_kind == UET && command_key == key;
            op <= command_op;
            index <= command_index;
        end
        present <= present_now;
        present_index <= index_now;
        present_before <= {present_before[`LATENCY:0], present_now};
        index_before <= {index_before[`LATENCY:0], index_now};
    end
end

// For the trace that must be reached.
reg       found_before = 1'b0;
reg [1:0] inserts = 2'd0;
always @(posedge clk)
    if (rst) begin
        found_before <= 1'b0;
        inserts <= 2'd0;
    end else begin
        found_before <= found_before || (answer_valid && answer_found && asked_key[`LATENCY+2]);
        if (response_valid && response_done && op == INSERT && inserts != 2'd3)
            inserts <= inserts + 2'd1;
    end

always @(*) begin
`ifdef PROVE_REACHED
    // The key has been found and removed, and others are in the table.
    assert (!(found_before && inserts == 2'd3 && removed));
`elsif PROVE_MOVED
    // The key has been found, and is displaced by another one.
    assert (!(found_before && in_victim));
`else
`ifdef PROVE_INDUCTION
    // For the induction: the shadow knows what the stage holds.
    assert (in_table == present);
    assert (index_in_table == (present && present_index));
    if (in_command)
        assert (held_command == {on_key, op, index});
`endif
    // found
    if (asked_key[`LATENCY+2]) begin
        assert (answer_found == was_present);
        assert (answer_index == (was_present && was_index));
    end
    // timely
    assert (answer_valid == asked[`LATENCY+2]);
    // told
    if (response_valid && on_key) begin
        assert (response_present == present);
        assert (response_index == (present && present_index));
        if (op == INSERT)
            assert (response_done == (!present && !response_full));
        else if (op == REMOVE)
            assert (response_done == present);
    end
`endif
end

endmodule
