# SPDX-License-Identifier: MIT OR Apache-2.0
# For the proof about the lists of free cells alone: behind free_cells.sed. What is returned comes from ports, and beats are
# accepted in every cycle after the sweep. The shadow is on ports for free_cells_invariants.v.
s/^    output wire        busy,.*/    input wire [3:0] out,\n    input wire [11:0] uncounted,\n    input wire [1:0] walked,\n    input wire [2:0] any_returns,\n    input wire [5:0] any_returned,\n&/
s/^\( *walk_returned_valid_next =\) .*;/\1 any_returns[0];/
s/^\( *walk_returned_cell_next =\) .*;/\1 any_returned[1:0];/
s/^\( *frames_returned_valid_next =\) .*;/\1 any_returns[1];/
s/^\( *frames_returned_cell_next =\) .*;/\1 any_returned[3:2];/
s/^\( *clearing_returned_valid_next =\) .*;/\1 any_returns[2];/
s/^\( *clearing_returned_cell_next =\) .*;/\1 any_returned[5:4];/
s/^\( *free_cells_returned_1_next = .* \){1'd0, transfer_ends_cell}) + {1'd0, clears_valid};/\1{1'd0, any_returns[1]}) + {1'd0, any_returns[2]};/
s/^\(wire *outputs_s_axis_tready =\) .*/\1 !commands_busy;/
s/^endmodule/`include "testbench\/formal\/free_cells_invariants.v"\n&/
