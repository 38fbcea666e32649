// SPDX-License-Identifier: Apache-2.0
//
// Cached keys of a core of tiles: slots (pm_edverify_key_slots) and memory of the tables, which the
// tiles write by way of their nodes, a coordinate in parts.
//
// A tile may put a coordinate in one of three cycles, the same for all tiles. Each link is a cycle
// longer than the one before, so that the memory takes a part of one tile at a time.
//
// Handshake: begin_i (pulse) makes the slot of a load invalid, before the load starts; the last
//           coordinate makes it valid. put_i as pm_edverify_tile_node. A slot is not loaded while
//           it is used or another load of it is under way.
// Timing:   hit_o three cycles after slot_i and a_i, which must have been still; value_o a cycle
//           after addr_i and coord_i.
// Reset:    asynchronous, active low: no key is cached.
// Constant time: NO. For public keys.

module pm_edverify_tiles_keys
  import pm_edverify_tile_pkg::*;
#(
    parameter int unsigned NumTiles = 3,  // 2 or 3
    parameter int unsigned Keys = 8,  // slots, 2, 4 or 8
    localparam int unsigned StoreBits = $clog2(Keys)
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    // loads
    input logic begin_i,  // pulse: a load begins
    input logic [StoreBits-1:0] slot_i,  // of this slot; that is also looked up
    input logic [255:0] a_i,  // with this key
    input tile_put_t [NumTiles-1:0] put_i,  // coordinates that tiles have made
    output logic hit_o,  // the slot holds the tables of this key
    // points
    input logic [8:0] addr_i,  // {slot, point}
    input tile_coord_e coord_i,  // this coordinate of it
    output logic [ValueBits-1:0] value_o
);

  localparam int unsigned Low = 65, High = 64;  // bits of parts of a coordinate
  localparam int unsigned AddrBits = StoreBits + 6 + $bits(tile_coord_e);

  if (Keys < 2 || Keys > MaxKeys) begin : g_refuse_keys
    $fatal(1, "pm_edverify_tiles_keys: Keys must be 2, 4 or 8");
  end
  if (NumTiles > 3) begin : g_refuse_tiles
    $fatal(1, "pm_edverify_tiles_keys: keys are cached for at most 3 tiles");
  end

  // ---- coordinates ------------------------------------------------------------------------------

  tile_put_t [NumTiles-1:0] put;
  logic [3:0][NumTiles-1:0] from;  // whose part comes
  logic [2:0][NumTiles-1:0] from_q;
  tile_place_t place;
  logic [3:0][Low-1:0] part, part_q;
  logic [3:0] we_q;
  logic [3:0][AddrBits-1:0] addr_q;  // where parts go
  logic last_q;  // it is the last coordinate of a load

  for (genvar t = 0; t < int'(NumTiles); t++) begin : g_link
    pm_delay #(
        .Width($bits(tile_put_t)),
        .Depth(t + 1)
    ) u_put (
        .clk_i,
        .rst_ni,
        .data_i(put_i[t]),
        .data_o(put[t])
    );

    assign from[0][t] = put[t].place.valid;
  end

  assign from[3:1] = from_q;

  always_comb begin
    place = '0;
    part  = '0;
    for (int unsigned t = 0; t < NumTiles; t++) begin
      if (from[0][t]) place |= put[t].place;
      for (int unsigned p = 0; p < 4; p++) begin
        if (from[p][t]) begin
          part[p] |= p % 2 == 0 ? put[t].operand[Low-1:0] : Low'(put[t].operand[Low+:High]);
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {from_q, we_q, last_q} <= '0;
    else begin
      from_q <= from[2:0];
      we_q   <= {we_q[2:0], place.valid};
      last_q <= place.valid && place.last;
    end
  end

  always_ff @(posedge clk_i) begin
    part_q <= part;
    addr_q <= {addr_q[2:0], place.slot[StoreBits-1:0], place.point, place.coord};
  end

  // ---- memory -----------------------------------------------------------------------------------

  for (genvar p = 0; p < 4; p++) begin : g_part
    localparam int unsigned Bits = p % 2 == 0 ? Low : High;

    pm_regbank #(
        .Width(Bits),
        .AddrBits(AddrBits),
        .NumReads(1),
        .ReadReg(1)
    ) u_values (
        .clk_i,
        .we_i(we_q[p]),
        .waddr_i(addr_q[p]),
        .wdata_i(part_q[p][Bits-1:0]),
        .raddr_i({addr_i[6+:StoreBits], addr_i[5:0], coord_i}),
        .rdata_o(value_o[p/2*(Low+High)+p%2*Low+:Bits])
    );
  end

  // ---- slots ------------------------------------------------------------------------------------

  logic hit;

  pm_edverify_key_slots #(
      .Keys(Keys)
  ) u_slots (
      .clk_i,
      .rst_ni,
      .begin_i,
      .begin_slot_i(slot_i),
      .begin_a_i(a_i),
      .done_i(last_q),
      .done_slot_i(addr_q[0][6+$bits(tile_coord_e)+:StoreBits]),
      .look_slot_i(slot_i),
      .look_a_i(a_i),
      .hit_o(hit)
  );

  always_ff @(posedge clk_i) hit_o <= hit;

endmodule
