// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What is proved of the block arbiter; run by scripts/prove-blocks. Rows A1 to A4 of docs/blocks.md, for any requests, any
// receiver of grants and any resets:
//
//   grant   a grant is one bit with its number, and is that of a request of the cycle before; a request gets one
//   waits   a grant stays as it is until it is taken
//   turns   round robin: a request that stays is granted behind at most N - 1 grants of others
//   lowest  priority: no lower request asks
//
// STAGE is the module, N the number of requests, BITS those of a number; PRIORITY is the policy, else round robin. With
// PROVE_REACHED what is asserted is instead that a trace worth proving something about is not reached, which must be refuted.

`default_nettype none

module arbiter_properties (
    input wire clk
);

// Free inputs.
(* anyseq *) wire          rst;
(* anyseq *) wire [`N-1:0] requests;
(* anyseq *) wire          grant_ready;
// Any request, always the same one.
(* anyconst *) wire [`BITS-1:0] chosen;

wire             grant_valid;
wire [`N-1:0]    grant_one_hot;
wire [`BITS-1:0] grant_number;

`STAGE dut (
    .clk(clk),
    .rst(rst),
    .requests(requests),
    .grant_ready(grant_ready),
    .grant_valid(grant_valid),
    .grant_one_hot(grant_one_hot),
    .grant_number(grant_number)
);

wire [`N-1:0] granted = grant_valid ? grant_one_hot : {`N{1'b0}};
wire          advances = !grant_valid || grant_ready;
// The requests that have not been served by the grant of this cycle.
wire [`N-1:0] asking = requests & ~(grant_ready ? granted : {`N{1'b0}});

// What there was in the cycle before.
reg          known = 1'b0;
reg          advanced = 1'b0;
reg [`N-1:0] asked = {`N{1'b0}};
reg [`N-1:0] granted_before = {`N{1'b0}};
// Grants of others since the chosen request came: it asked in the cycle before as well.
reg         waited = 1'b0;
reg  [6:0]  passed = 7'd0;
wire        others = waited && advanced && grant_valid && !granted[chosen];
wire [6:0]  now = passed + {6'd0, others};
always @(posedge clk) begin
    known <= !rst;
    advanced <= advances && !rst;
    asked <= asking;
    granted_before <= granted;
    waited <= !rst && asking[chosen];
    passed <= rst || !(asking[chosen] && !granted[chosen]) ? 7'd0 : now;
end

integer i;
always @(*) begin
`ifdef PROVE_REACHED
`ifdef PRIORITY
    // A grant that has waited, and another one behind it.
    assert (!(known && advanced && granted[`N-1] && granted_before[0]));
`else
    assert (!(chosen < `N && others && passed == `N - 2));
`endif
`else
    if (grant_valid) begin
        // grant
        assert (grant_number < `N);
        assert (grant_one_hot == {{`N-1{1'b0}}, 1'b1} << grant_number);
    end
    if (known && advanced) begin
        assert (grant_valid == |asked);
        assert ((granted & ~asked) == {`N{1'b0}});
`ifdef PRIORITY
        // lowest
        assert ((asked & (granted - {{`N-1{1'b0}}, 1'b1})) == {`N{1'b0}} || !grant_valid);
`endif
    end
    // waits
    if (known && !advanced)
        assert (granted == granted_before);
`ifndef PRIORITY
    // turns
    if (chosen < `N)
        assert (now < `N);
`endif
`endif
end

endmodule
