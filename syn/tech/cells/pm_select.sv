// SPDX-License-Identifier: Apache-2.0
//
// One of several numbers by its place, or 0, for standard cells, in place of the module of the same
// name in hw/lib/prim: the place decoded, an AND for every number, and an OR.
//
// Ranges:    any place; 0 from Items on.
// Latency:   0 (combinational). Constant time.

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

  always_comb begin
    item_o = '0;
    for (int unsigned i = 0; i < Items; i++) begin
      item_o |= {Width{en_i && at_i == PlaceBits'(i)}} & items_i[i];
    end
  end

endmodule
