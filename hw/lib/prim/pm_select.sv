// SPDX-License-Identifier: Apache-2.0
//
// One of several numbers by its place, or 0: a multiplexer with an enable.
//
// Ranges:    any place below Items; otherwise any result.
// Latency:   0 (combinational). Constant time.
// Form:      a tree, as the cells of FPGAs are; that of standard cells is in syn/tech/cells.

module pm_select #(
    parameter int unsigned Items = 16,  // numbers, at least 2
    parameter int unsigned Width = 544,  // bits of each
    localparam int unsigned PlaceBits = $clog2(Items)
) (
    input  logic [    Items-1:0][Width-1:0] items_i,
    input  logic [PlaceBits-1:0]            at_i,     // place
    input  logic                            en_i,     // 0: item_o is 0
    output logic [    Width-1:0]            item_o
);

  assign item_o = en_i ? items_i[at_i] : '0;

endmodule
