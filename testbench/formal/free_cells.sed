# SPDX-License-Identifier: MIT OR Apache-2.0
# For the proofs about the free cells: the Verilog of reorder with frames in a pool, behind memories.awk, with ports that show
# the cell that is given out (`gives`, `given`; one is on offer: `offers`), and those that are returned: by the walk in bit 0
# and below, by delivery, by clearing.
s/^    output wire        busy,.*/    output wire gives, offers,\n    output wire [1:0] given,\n    output wire [2:0] returns,\n    output wire [5:0] returned,\n&/
s/^endmodule/assign gives = writer_placed_takes_reg;\nassign given = front;\nassign offers = refused_valid_reg[0] || cleared_valid_reg[0] || delivered_valid_reg[0];\nassign returns = {clears_valid, transfer_ends_cell, walk_visit_valid_reg \&\& walk_visit_refused_reg};\nassign returned = {clearing_held_cell_reg, places_front_cell_reg, taken_front_reg};\n&/
