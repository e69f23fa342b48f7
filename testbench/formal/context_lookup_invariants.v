// SPDX-License-Identifier: MIT OR Apache-2.0
//
// For the proof about one key of context_lookup: stands at the end of the stage, where scripts/prove-receiver puts it. What
// holds in every cycle is stated, so that the proof goes through by induction: where the key is, and what the steps of a
// round know. All of it is proved with the properties, so a wrong line makes the proof fail.

// The places with the key. A row that has not been swept counts as empty.
wire [3:0] in_row;
wire [3:0] in_stash;
assign     in_victim = commands_victim_valid_reg && commands_victim_key_low_reg == key;
wire       of_hand = commands_hand_key_low_reg == key;
// In step l + 4 a key in the hand is also in its row.
wire       in_hand = commands_hand_valid_reg && of_hand && !commands_round_5_reg;
wire [9:0] places = {in_hand, in_victim, in_stash, in_row};
assign     in_table = |places;
assign     index_in_table = (in_hand && commands_hand_index_reg) || (in_victim && commands_victim_index_reg)
    || (in_row[0] && sub_tables_rows_0_copy_0[row_0][0]) || (in_stash[0] && stash_places_0_index_reg)
    || (in_row[1] && sub_tables_rows_1_copy_0[row_1][0]) || (in_stash[1] && stash_places_1_index_reg)
    || (in_row[2] && sub_tables_rows_2_copy_0[row_2][0]) || (in_stash[2] && stash_places_2_index_reg)
    || (in_row[3] && sub_tables_rows_3_copy_0[row_3][0]) || (in_stash[3] && stash_places_3_index_reg);

assign in_row[0] = sub_tables_rows_0_copy_0[row_0][18:1] == {1'b1, key}
    && !(commands_sweeping_reg && commands_sweep_row_reg <= row_0);
assign in_stash[0] = stash_places_0_valid_reg && stash_places_0_key_low_reg == key;
assign in_row[1] = sub_tables_rows_1_copy_0[row_1][18:1] == {1'b1, key}
    && !(commands_sweeping_reg && commands_sweep_row_reg <= row_1);
assign in_stash[1] = stash_places_1_valid_reg && stash_places_1_key_low_reg == key;
assign in_row[2] = sub_tables_rows_2_copy_0[row_2][18:1] == {1'b1, key}
    && !(commands_sweeping_reg && commands_sweep_row_reg <= row_2);
assign in_stash[2] = stash_places_2_valid_reg && stash_places_2_key_low_reg == key;
assign in_row[3] = sub_tables_rows_3_copy_0[row_3][18:1] == {1'b1, key}
    && !(commands_sweeping_reg && commands_sweep_row_reg <= row_3);
assign in_stash[3] = stash_places_3_valid_reg && stash_places_3_key_low_reg == key;

wire [5:0] rounds = {
    commands_round_5_reg, commands_round_4_reg, commands_round_3_reg,
    commands_round_2_reg, commands_round_1_reg, commands_round_0_reg
};
// A command that has had no effect yet: whether it is about the key, its code and its index.
assign in_command = |rounds[4:0] && !commands_placing_reg;
assign held_command = {of_hand && commands_included_reg, commands_op_reg, commands_hand_index_reg};
// Rows have been read in this round.
wire was_read = commands_round_2_reg || commands_round_3_reg || commands_round_4_reg;
// All sub-tables are written with the same data.
wire writes_key = sub_tables_rows_0_write_data[18] && sub_tables_rows_0_write_data[17:1] == key;

`ifdef PROVE_INDUCTION
always @(*) begin
    // One place at most.
    assert ((places & (places - 10'd1)) == 10'd0);
    if (commands_round_5_reg && commands_hand_valid_reg && of_hand)
        assert (|in_row);
    // One round at a time, and no command meanwhile.
    assert ((rounds & (rounds - 6'd1)) == 6'd0);
    assert (commands_in_progress_reg == (|rounds));
    if (commands_sweeping_reg)
        assert (rounds == 6'd0 && places == 10'd0 && !stash_places_0_valid_reg);
    assert (commands_response_valid_reg == (commands_round_4_reg && !commands_placing_reg));
    // The key in the hand is seen if it is being placed.
    if (!commands_round_5_reg)
        assert (commands_hand_valid_reg == (commands_placing_reg && |rounds));
    if (commands_placing_reg)
        assert (|rounds && !commands_changed_reg);
    if (!commands_round_5_reg)
        assert (!commands_victim_valid_reg);
    if (!commands_round_4_reg)
        assert (commands_outcome_tables_reg == 4'd0 && !commands_outcome_displaces_reg && !commands_outcome_pushes_reg
            && commands_outcome_taken_out_reg == 4'd0);
    // There is a place for the key that is being placed. The stash has no gaps.
    if (commands_placing_reg && (!commands_round_5_reg || commands_victim_valid_reg))
        assert (!stash_places_3_valid_reg);
    assert (!(stash_places_3_valid_reg && !stash_places_2_valid_reg));
    assert (!(stash_places_2_valid_reg && !stash_places_1_valid_reg));
    assert (!(stash_places_1_valid_reg && !stash_places_0_valid_reg));

    if (writes_key && sub_tables_rows_0_write_enable)
        assert (sub_tables_rows_0_write_address == row_0);
    assert (sub_tables_rows_0_copy_0[row_0] == sub_tables_rows_0_copy_1[row_0]);
    if (of_hand && |rounds[5:1])
        assert (commands_rows_0_reg == row_0);
    if (was_read && commands_rows_0_reg == row_0)
        assert (sub_tables_rows_0_data_1_reg == sub_tables_rows_0_copy_1[row_0]);
    if (was_read && commands_rows_0_reg != row_0)
        assert (sub_tables_rows_0_data_1_reg[18:1] != {1'b1, key});

    if (writes_key && sub_tables_rows_1_write_enable)
        assert (sub_tables_rows_1_write_address == row_1);
    assert (sub_tables_rows_1_copy_0[row_1] == sub_tables_rows_1_copy_1[row_1]);
    if (of_hand && |rounds[5:1])
        assert (commands_rows_1_reg == row_1);
    if (was_read && commands_rows_1_reg == row_1)
        assert (sub_tables_rows_1_data_1_reg == sub_tables_rows_1_copy_1[row_1]);
    if (was_read && commands_rows_1_reg != row_1)
        assert (sub_tables_rows_1_data_1_reg[18:1] != {1'b1, key});

    if (writes_key && sub_tables_rows_2_write_enable)
        assert (sub_tables_rows_2_write_address == row_2);
    assert (sub_tables_rows_2_copy_0[row_2] == sub_tables_rows_2_copy_1[row_2]);
    if (of_hand && |rounds[5:1])
        assert (commands_rows_2_reg == row_2);
    if (was_read && commands_rows_2_reg == row_2)
        assert (sub_tables_rows_2_data_1_reg == sub_tables_rows_2_copy_1[row_2]);
    if (was_read && commands_rows_2_reg != row_2)
        assert (sub_tables_rows_2_data_1_reg[18:1] != {1'b1, key});

    if (writes_key && sub_tables_rows_3_write_enable)
        assert (sub_tables_rows_3_write_address == row_3);
    assert (sub_tables_rows_3_copy_0[row_3] == sub_tables_rows_3_copy_1[row_3]);
    if (of_hand && |rounds[5:1])
        assert (commands_rows_3_reg == row_3);
    if (was_read && commands_rows_3_reg == row_3)
        assert (sub_tables_rows_3_data_1_reg == sub_tables_rows_3_copy_1[row_3]);
    if (was_read && commands_rows_3_reg != row_3)
        assert (sub_tables_rows_3_data_1_reg[18:1] != {1'b1, key});
end
`endif
