# SPDX-License-Identifier: MIT OR Apache-2.0
# For the proof about one key: the Verilog of context_lookup, behind memories.awk, with context_lookup_rows.v and
# context_lookup_invariants.v in it.
s/sub_tables_rows_\([0-3]\)_copy_\([01]\)\[\([a-z]*_rows_[0-3]_reg\)\];/(\3 == row_\1 ? sub_tables_rows_\1_copy_\2[row_\1] : other(any_\1_\2, key));/
s/^    output wire        busy,.*/    input wire [16:0] key,\n    output wire in_table, index_in_table, in_command, in_victim,\n    output wire [3:0] held_command,\n&/
s/^wire \[3:0\]  writes_any_of =/`include "testbench\/formal\/context_lookup_rows.v"\n&/
s/^endmodule/`include "testbench\/formal\/context_lookup_invariants.v"\n&/
