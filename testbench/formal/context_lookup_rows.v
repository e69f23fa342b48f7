// SPDX-License-Identifier: MIT OR Apache-2.0
//
// For the proof about one key of context_lookup: stands in the stage, where scripts/prove-receiver puts it. Of each sub-table
// only the row of the key is read, `row_0` to `row_3`. A read of another row gives anything but the key. That is as much as
// there can be: the memories are empty at power-up, and context_lookup_invariants.v checks that the key is written into its
// own row alone.

// The remainder of key + 2^256 x kind by a polynomial, as docs/stages/context_lookup.md has it.
function [2:0] remainder;
    input [16:0] operand;
    input [3:0]  polynomial;
    integer      i;
    reg   [3:0]  rest;
    begin
        rest = 4'd0;
        for (i = 256; i >= 0; i = i - 1) begin
            rest = {rest[2:0], i == 256 || (i < 17 && operand[i < 17 ? i : 0])};
            if (rest[3])
                rest = rest ^ polynomial;
        end
        remainder = rest[2:0];
    end
endfunction

wire [2:0] row_0 = remainder(key, 4'hF);
wire [2:0] row_1 = remainder(key, 4'hD);
wire [2:0] row_2 = remainder(key, 4'hB);
wire [2:0] row_3 = remainder(key, 4'h9);

(* anyseq *) wire [18:0] any_0_0, any_0_1, any_1_0, any_1_1, any_2_0, any_2_1, any_3_0, any_3_1;

// The entry, or none if its key is the one.
function [18:0] other;
    input [18:0] entry;
    input [16:0] operand;
    other = {entry[18] && entry[17:1] != operand, entry[17:0]};
endfunction
