// SPDX-License-Identifier: Apache-2.0
//
// Recoded digit sequences for a core of tiles: those of half-size scalars (pm_scalar_serial) and,
// of jobs with the tables of their key, of S and k (pm_split_serial), on one bus to all tiles.
//
// Handshake: valid_i, with spread_i, place_i, s_i and digest_i, stays until ready_o (pulse).
//           list_valid_o[t] with list_o is for tile t. clear_i (pulse) abandons all jobs.
// Timing:   those of the units, which do not wait for each other: a list may overtake those of the
//           other unit. list_o is a register.
// Reset:    asynchronous, active low: no jobs.
// Constant time: NO. Verification handles public data.

module pm_edverify_tiles_scalars
  import pm_scalar_pkg::*;
  import pm_edverify_tile_pkg::*;
#(
    parameter int unsigned NumTiles = 3,  // at least 2
    parameter bit CachedKeys = 1'b0,  // there are tables of keys
    localparam int unsigned TileBits = $clog2(NumTiles)
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic clear_i,  // pulse: abandon all jobs
    input logic valid_i,  // a job is offered
    output logic ready_o,  // pulse: it was read
    input logic spread_i,  // with the tables of its key
    input logic [TileBits+2:0] place_i,  // {tile, context}
    input logic [252:0] s_i,  // S
    input logic [511:0] digest_i,  // digest of R || A || M
    output logic [NumTiles-1:0] list_valid_o,  // an entry or an end for this tile
    output tile_list_t list_o
);

  localparam int unsigned Units = CachedKeys ? 2 : 1;
  localparam int unsigned Jobs = 4;  // of a unit, at most

  logic [Units-1:0] ready, push_valid, push_done;
  list_entry_t [Units-1:0] push_entry;

  pm_scalar_serial u_halve (
      .clk_i,
      .rst_ni,
      .clear_i,
      .valid_i(valid_i && !spread_i),
      .ready_o(ready[0]),
      .digest_i,
      .s_i,
      .push_valid_o(push_valid[0]),
      .push_ready_i(1'b1),
      .push_entry_o(push_entry[0]),
      .done_o(push_done[0])
  );

  logic bus_busy;  // half-size scalars go first, since their unit does not wait

  assign bus_busy = push_valid[0] || push_done[0];

  if (CachedKeys) begin : g_spread
    logic valid, done, done_q;

    pm_split_serial u_spread (
        .clk_i,
        .rst_ni,
        .clear_i,
        .valid_i(valid_i && spread_i),
        .ready_o(ready[1]),
        .digest_i,
        .s_i,
        .push_valid_o(valid),
        .push_ready_i(!bus_busy && !done && !done_q),
        .push_entry_o(push_entry[1]),
        .done_o(done)
    );

    // The end of a list waits for the bus, and the next list for it.
    assign push_done[1]  = done_q && !bus_busy;
    assign push_valid[1] = valid && !bus_busy && !done && !done_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) done_q <= 1'b0;
      else done_q <= (done || (done_q && bus_busy)) && !clear_i;
    end

    assign ready_o = spread_i ? ready[1] : ready[0];
  end else begin : g_halve
    logic unused;
    assign unused  = spread_i;
    assign ready_o = ready[0];
  end

  // ---- places -----------------------------------------------------------------------------------
  // A unit takes jobs before the list of the last one is complete.

  logic [Units-1:0][TileBits+2:0] list_place;

  for (genvar u = 0; u < int'(Units); u++) begin : g_places
    logic [Jobs-1:0][TileBits+2:0] places_q;
    logic [$clog2(Jobs)-1:0] put_q, get_q;

    assign list_place[u] = places_q[get_q];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) {put_q, get_q} <= '0;
      else if (clear_i) {put_q, get_q} <= '0;
      else begin
        put_q <= put_q + ($clog2(Jobs))'(ready[u]);
        get_q <= get_q + ($clog2(Jobs))'(push_done[u]);
      end
    end

    always_ff @(posedge clk_i) if (ready[u]) places_q[put_q] <= place_i;
  end

  // ---- bus --------------------------------------------------------------------------------------

  logic from;  // the unit that has it
  logic [TileBits+2:0] place;

  assign from  = CachedKeys && !bus_busy;
  assign place = list_place[from];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) list_valid_o <= '0;
    else if (clear_i) list_valid_o <= '0;
    else list_valid_o <= NumTiles'(push_valid[from] || push_done[from]) << place[3+:TileBits];
  end

  always_ff @(posedge clk_i) begin
    list_o <= '{
        ctx: place[2:0],
        valid: push_valid[from],
        done: push_done[from],
        entry: push_entry[from]
    };
  end

endmodule
