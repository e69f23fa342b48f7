# SPDX-License-Identifier: MIT OR Apache-2.0
# For the proofs: the Verilog of packet_tracker, behind memories.awk, whose records are anything whenever they are read. What holds
# of it holds of the stage too.
s/\(records_rows_data_reg <= \).*/\1any_records_rows;/
