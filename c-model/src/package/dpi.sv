`resetall
`timescale 1ns / 1ps
`default_nettype none

module @name@_dpi (
@ports@
);

import "DPI-C" function chandle @name@_dpi_new();
import "DPI-C" function void @name@_dpi_delete(input chandle self);
import "DPI-C" function void @name@_dpi_clock(input chandle self, input bit reset, input bit [@in_high@:0] in);
import "DPI-C" function void @name@_dpi_read(input chandle self, output bit [@out_high@:0] out);

// Ports as the structs of the C have them: 64 bits or a multiple each, the first lowest.
chandle dpi_self = @name@_dpi_new();
/* verilator lint_off UNUSED */
bit [@out_high@:0] dpi_next, dpi_outputs;
/* verilator lint_on UNUSED */

initial begin
    @name@_dpi_read(dpi_self, dpi_next);
    dpi_outputs = dpi_next;
end

always @(posedge clk) begin
    @name@_dpi_clock(dpi_self, rst, {
@inputs@
    });
    @name@_dpi_read(dpi_self, dpi_next);
    dpi_outputs <= dpi_next;
end

@outputs@
final @name@_dpi_delete(dpi_self);

endmodule

`resetall
