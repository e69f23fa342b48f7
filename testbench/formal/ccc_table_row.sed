# SPDX-License-Identifier: MIT OR Apache-2.0
# For the proofs: the Verilog of ccc_table with the row of counts of CCC 1 on ports.
s/^    output wire  *ack_ready,.*/    output wire counts_written,\n    output wire [99:0] counts_row,\n&/
s/^assign flight_rows_rows_read_enable = .*/&\nassign counts_written = flight_rows_modified_valid_reg \&\& flight_rows_modified_index_reg;\nassign counts_row = flight_rows_rows_write_data;/
