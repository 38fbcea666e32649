// SPDX-License-Identifier: Apache-2.0
//
// Loads the registers of all tiles: constants after reset, y of the key and of R of a job, and
// points of the tables of G, which are here, and of cached keys. Values go out in 86 bits a cycle.
//
// Handshake: job_valid_i offers a job for context job_ctx_i of tile job_tile_i, until job_ready_o
//           (pulse) says that its burst follows; ya_i and yr_i hold until the job has started.
//           ask_*, room_i and beat_* as pm_edverify_tile_node, one of each a tile. key_value_i
//           comes a cycle after key_addr_o and key_coord_o.
// Timing:   a burst takes three cycles for each value: 3 a constant, 6 a job, 9 a point of G, 12 of
//           a key; meanwhile the next one is chosen, and its point is read.
// Reset:    asynchronous, active low: constants are loaded first.
// Constant time: NO. Verification handles public data.

module pm_edverify_tiles_loader
  import pm_edverify_tile_ucode_pkg::*;
  import pm_edverify_tile_pkg::*;
#(
    parameter int unsigned NumTiles = 3,  // at least 2
    parameter bit CachedKeys = 1'b0,  // there are tables of keys
    localparam int unsigned TileBits = $clog2(NumTiles)
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    // jobs
    input logic job_valid_i,  // y of a job are offered
    output logic job_ready_o,  // pulse: they are on their way
    input logic [TileBits-1:0] job_tile_i,
    input logic [2:0] job_ctx_i,
    input logic job_load_i,  // it loads a key, which comes in place of R
    input logic [254:0] ya_i,  // y of the key
    input logic [254:0] yr_i,  // y of R
    // points
    input logic [NumTiles-1:0] ask_valid_i,  // a point is wanted
    input tile_ask_t [NumTiles-1:0] ask_i,
    output logic [NumTiles-1:0] ask_taken_o,  // pulse: it will come
    output logic [8:0] key_addr_o,  // of a point of a key
    output tile_coord_e key_coord_o,  // the coordinate that is wanted
    input logic [ValueBits-1:0] key_value_i,
    // loads
    input logic [NumTiles-1:0] room_i,  // a burst fits
    output logic [NumTiles-1:0] beat_valid_o,  // a beat for these tiles
    output tile_beat_t beat_o
);

  localparam int unsigned Rest = 8;  // cycles behind a burst in which room_i of its tile is late

  typedef logic [NumTiles-1:0] tiles_t;

  typedef struct packed {
    tiles_t      to;
    tile_burst_e burst;
    logic [2:0]  ctx;
    logic [1:0]  last;    // value of it
    logic        neg;
    tile_table_e points;
  } burst_t;

  // ---- what comes next --------------------------------------------------------------------------
  // A tile is looked at each cycle; the cycle after decides.

  logic constants_q;  // constants are still to be loaded
  logic job_turn_q, ask_turn_q, all_free_q, found, begins;
  logic ends_q;  // the burst that is sent
  logic next_valid_q, next_read_q;  // there is one; its point was read
  logic [TileBits-1:0] tile_q, looked_q;  // whose turn it is
  tiles_t free, taken_q;  // a burst fits; one is on its way there
  logic [NumTiles-1:0][3:0] rest_q;
  tile_ask_t ask_q;
  burst_t next_q, burst_q;
  logic [8:0] idx_q;  // of the point of next_q

  always_comb begin
    for (int unsigned i = 0; i < NumTiles; i++) begin
      free[i] = room_i[i] && !taken_q[i] && rest_q[i] == '0;
    end
  end

  assign found = !next_valid_q && (constants_q ? all_free_q : job_turn_q || ask_turn_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {tile_q, looked_q, job_turn_q, ask_turn_q, all_free_q} <= '0;
      {next_valid_q, next_read_q, job_ready_o, ask_taken_o, taken_q, rest_q} <= '0;
    end else begin
      tile_q <= 32'(tile_q) == NumTiles - 1 ? '0 : tile_q + 1'b1;
      looked_q <= tile_q;
      all_free_q <= &free && !found;
      job_turn_q <= job_valid_i && job_tile_i == tile_q && free[tile_q] && !constants_q && !found;
      ask_turn_q <= ask_valid_i[tile_q] && free[tile_q] && !constants_q && !found;
      next_valid_q <= found || (next_valid_q && !begins);
      next_read_q <= next_valid_q && !begins;
      job_ready_o <= found && job_turn_q;
      ask_taken_o <= tiles_t'(found && ask_turn_q && !job_turn_q) << looked_q;
      for (int unsigned i = 0; i < NumTiles; i++) begin
        if (found && (constants_q || looked_q == TileBits'(i))) taken_q[i] <= 1'b1;
        else if (ends_q && burst_q.to[i]) taken_q[i] <= 1'b0;
        if (ends_q && burst_q.to[i]) rest_q[i] <= 4'(Rest);
        else if (rest_q[i] != '0) rest_q[i] <= rest_q[i] - 4'd1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    ask_q <= ask_i[tile_q];
    if (found) begin
      next_q.to <= constants_q ? '1 : tiles_t'(1) << looked_q;
      next_q.burst <= constants_q ? BurstConstant : job_turn_q ? BurstJob : BurstPoint;
      next_q.ctx <= job_turn_q ? job_ctx_i : ask_q.ctx;
      next_q.neg <= ask_q.neg;
      next_q.points <= ask_q.points;
      idx_q <= ask_q.idx;
      if (constants_q) next_q.last <= 2'd0;
      else if (job_turn_q) next_q.last <= 2'd1;
      else next_q.last <= ask_q.points == TableKey ? 2'd3 : 2'd2;
    end
  end

  // ---- beats ------------------------------------------------------------------------------------

  logic sending_q, begun_q;
  logic [1:0] value_q, pair_q;
  logic [3:0] ext_q;  // constant that comes next

  assign begins = next_read_q && (!sending_q || ends_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {sending_q, begun_q, ends_q, value_q, pair_q, ext_q} <= '0;
      constants_q <= 1'b1;
    end else begin
      sending_q <= begins || (sending_q && !ends_q);
      begun_q <= begins;
      ends_q <= sending_q && pair_q == 2'd1 && value_q == burst_q.last;
      if (!sending_q || ends_q) {value_q, pair_q} <= '0;
      else if (pair_q == 2'd2) {value_q, pair_q} <= {value_q + 2'd1, 2'd0};
      else pair_q <= pair_q + 2'd1;
      if (ends_q && burst_q.burst == BurstConstant) begin
        ext_q <= ext_q + 4'd1;
        if (32'(ext_q) == ConstantExts - 1) constants_q <= 1'b0;
      end
    end
  end

  // ---- values -----------------------------------------------------------------------------------
  // Of all but keys: a register behind the choice of the pair, another behind that of the value;
  // for points of G a cycle later, since what holds them is far away. A coordinate of a key is read
  // meanwhile.

  function automatic logic [1:0][Third-1:0] pair_of(logic [ValueBits-1:0] value, logic [1:0] pair);
    return value[2*Third*32'(pair)+:2*Third];
  endfunction

  logic [764:0] base_point, base_point_q;
  logic [8:0] key_addr_q;
  logic [ValueBits-1:0] key_value_q;
  logic [2:0][1:0][Third-1:0] base_q;
  logic [1:0][1:0][Third-1:0] y_q;
  logic [1:0][Third-1:0] constant_q;
  logic last_q;
  logic [1:0] value2_q, pair2_q;
  logic [3:0] ext2_q;
  tile_burst_e burst2_q;
  logic [2:0] ctx2_q;
  tile_coord_e coord, coord2_q;
  tile_beat_t beat;
  tile_beat_t [1:0] beat_q;
  // of the last three cycles: for these tiles; of a key
  tiles_t [2:0] to_q;
  logic [2:0] of_key_q;

  pm_edverify_gtable #(
      .Points(CachedKeys ? 1024 : 512)
  ) u_table (
      .clk_i,
      .addr_i((CachedKeys ? 10 : 9)'({next_q.points == TableSpread, idx_q})),
      .data_o(base_point)
  );

  // y + x and y - x change places if the point is negative.
  always_comb begin
    unique case (value_q)
      2'd0: coord = burst_q.neg ? CoordYm : CoordYp;
      2'd1: coord = burst_q.neg ? CoordYp : CoordYm;
      2'd2: coord = CoordT2d;
      default: coord = CoordZ2;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (begins) begin
      burst_q <= next_q;
      key_addr_q <= idx_q;
    end
    if (begun_q) base_point_q <= base_point;
    {key_addr_o, key_coord_o} <= {key_addr_q, coord};
    coord2_q <= key_coord_o;
    key_value_q <= key_value_i;
    for (int unsigned i = 0; i < 3; i++) begin
      base_q[i] <= pair_of(ValueBits'(base_point_q[255*i+:255]), pair2_q);
    end
    y_q <= {pair_of(ValueBits'(yr_i), pair_q), pair_of(ValueBits'(ya_i), pair_q)};
    constant_q <= pair_of(ValueBits'(ext_constant(ext_e'(ext_q))), pair_q);
    {value2_q, pair2_q, ext2_q, last_q} <= {value_q, pair_q, ext_q, ends_q};
    burst2_q <= burst_q.burst;
    ctx2_q <= burst_q.ctx;
    of_key_q <= {of_key_q[1:0], burst_q.burst == BurstPoint && burst_q.points == TableKey};
  end

  always_comb begin
    beat.burst = burst2_q;
    beat.last  = last_q;
    beat.ctx   = ctx2_q;
    beat.pair  = pair2_q;
    unique case (burst2_q)
      BurstJob: begin
        beat.ext  = value2_q[0] ? ExtYr : ExtYa;
        beat.data = y_q[value2_q[0]&&!job_load_i];
      end
      BurstPoint: begin
        beat.ext  = ExtGYp + 4'(value2_q);
        beat.data = constant_q;  // that of the point comes a cycle later
      end
      default: begin
        beat.ext  = ext2_q;
        beat.data = constant_q;
      end
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {to_q, beat_valid_o} <= '0;
    else begin
      to_q <= {to_q[1:0], sending_q ? burst_q.to : '0};
      beat_valid_o <= to_q[2];
    end
  end

  always_ff @(posedge clk_i) begin
    beat_q <= {beat_q[0], beat};
    if (beat_q[0].burst == BurstPoint) beat_q[1].data <= base_q[coord2_q];
    beat_o <= beat_q[1];
    if (of_key_q[2]) beat_o.data <= pair_of(key_value_q, beat_q[1].pair);
  end

endmodule
