// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What is proved of the blocks that items pass through, fifo and skid_buffer; run by scripts/prove-blocks. Rows Q1 to Q5 and
// B1 to B4 of docs/blocks.md, for any pushes, pops and resets:
//
//   order  what is popped is what was pushed, in order, none lost or repeated
//   room   push_ready is 1 if there is room, and 0 if there is none
//   moves  an item is offered LATENCY cycles behind its push, if no item is ahead of it then, else right behind that one
//
// STAGE is the module, WIDTH the bits of an item, CAPACITY the most items, ROOM how many there can be while it is ready in any
// case, LATENCY the cycles from push to pop. FIFO says that there is a level. With PROVE_REACHED what is asserted is instead
// that a trace worth proving something about is not reached, which must be refuted. The shadow knows the contract and no
// register of the block.

`default_nettype none

module queue_properties (
    input wire clk
);

// Free inputs.
(* anyseq *) wire              rst;
(* anyseq *) wire              push_valid;
(* anyseq *) wire [`WIDTH-1:0] push_data;
(* anyseq *) wire              pop_ready;

wire              push_ready, pop_valid;
wire [`WIDTH-1:0] pop_data;
`ifdef FIFO
wire [$clog2(`CAPACITY+1)-1:0] level;
`endif

`STAGE dut (
    .clk(clk),
    .rst(rst),
    .push_valid(push_valid),
    .push_ready(push_ready),
    .push_data(push_data),
    .pop_ready(pop_ready),
    .pop_valid(pop_valid),
`ifdef FIFO
    .level(level),
`endif
    .pop_data(pop_data)
);

// The items inside, the first one in the lowest bits, and how many there are.
reg [`CAPACITY*`WIDTH-1:0] items = {`CAPACITY*`WIDTH{1'b0}};
reg [3:0]                  count = 4'd0;
wire                       pushes = push_valid && push_ready;
wire                       pops = pop_valid && pop_ready;
wire [`CAPACITY*`WIDTH-1:0] left = pops ? items >> `WIDTH : items;
wire [3:0]                  last = count - {3'd0, pops};
// Places behind the last item are 0, so a new one is added by OR.
wire [`CAPACITY*`WIDTH-1:0] added = {{`CAPACITY*`WIDTH-`WIDTH{1'b0}}, push_data} << (last * `WIDTH);
// The pushes of the cycles before, the last one in bit 0, and how many of them are not to be offered yet.
reg [`LATENCY-1:0] pushed = {`LATENCY{1'b0}};
reg [3:0]          recent;
integer            i;
always @(*) begin
    recent = 4'd0;
    for (i = 0; i < `LATENCY - 1; i = i + 1)
        recent = recent + {3'd0, pushed[i]};
end
// Behind power-up or reset.
reg       fresh = 1'b1;
// Items since reset, up to 15, and whether it was full in the meantime.
reg [3:0] popped = 4'd0;
reg       was_full = 1'b0;
always @(posedge clk) begin
    fresh <= rst;
    if (rst) begin
        items <= {`CAPACITY*`WIDTH{1'b0}};
        count <= 4'd0;
        pushed <= {`LATENCY{1'b0}};
        popped <= 4'd0;
        was_full <= 1'b0;
    end else begin
        items <= pushes ? left | added : left;
        count <= last + {3'd0, pushes};
        pushed <= pushed << 1 | pushes;
        popped <= popped + {3'd0, pops && popped != 4'd15};
        was_full <= was_full || count == `CAPACITY;
    end
end

always @(*) begin
`ifdef PROVE_REACHED
    // It was full, and has been emptied behind that, with other items in between.
    assert (!(was_full && popped > `CAPACITY && count == 4'd0));
`else
    // order
    assert (count <= `CAPACITY);
    if (pop_valid)
        assert (pop_data == items[`WIDTH-1:0]);
`ifdef FIFO
    assert (level == count);
`endif
    // room
    if (count == `CAPACITY)
        assert (!push_ready);
`ifdef FIFO
    if (count < `ROOM)
`else
    if (count < `ROOM && !fresh)
`endif
        assert (push_ready);
    // moves
    assert (pop_valid == (count > recent));
`endif
end

endmodule
