// SPDX-License-Identifier: Apache-2.0
//
// Looks for a free context: at one in each cycle, of each tile in turn, from where the last search
// ended.
//
// Handshake: search_i (level) until found_o, at the latest a cycle behind it. placed_o (pulse), a
//           cycle after found_o, says that place_o has the context found, where it stays until the
//           next one.
// Latency:  found_o comes 1 cycle after a free context is looked at.
// Reset:    asynchronous, active low: the search begins with context 0 of tile 0.
// Constant time: depends on which contexts are free.

module pm_edverify_place_scan #(
    parameter int unsigned NumTiles = 3,  // at least 1
    parameter int unsigned NumContexts = 7,  // of a tile, 2 to 8
    localparam int unsigned TileBits = NumTiles > 1 ? $clog2(NumTiles) : 1
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic search_i,  // level: a context is wanted
    input logic [NumTiles-1:0][7:0] used_i,  // contexts that are not free
    output logic found_o,  // pulse: here is one
    output logic placed_o,  // pulse: place_o has it
    output logic [TileBits+2:0] place_o  // {tile, context}
);

  logic [TileBits-1:0] tile_q;
  logic [2:0] ctx_q;
  logic [TileBits+2:0] seen_q;
  logic look;

  assign look = search_i && !found_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {tile_q, ctx_q, seen_q, found_o, placed_o} <= '0;
    else begin
      found_o  <= look && !used_i[tile_q][ctx_q];
      seen_q   <= {tile_q, ctx_q};
      placed_o <= search_i && found_o;
      if (look) begin
        tile_q <= tile_q + 1'b1;
        if (32'(tile_q) == NumTiles - 1) begin
          tile_q <= '0;
          ctx_q  <= 32'(ctx_q) == NumContexts - 1 ? '0 : ctx_q + 3'd1;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (found_o) place_o <= seen_q;
  end

endmodule
