# SPDX-License-Identifier: MIT OR Apache-2.0
# For the proof about counts of any size: the Verilog of ccc_table, behind memories.awk, whose open sets the counts to the values
# of ports that are added.
s/^    output wire  *ack_ready,.*/    input wire [15:0] first_inflight_pkts, first_waiting_rtx,\n    input wire [27:0] first_rtx_backlog,\n    input wire [39:0] first_backlog,\n&/
s/\(rows_modified_row_\([a-z_]*\)_next = opens ?\) [0-9]*'d0 :/\1 first_\2 :/
