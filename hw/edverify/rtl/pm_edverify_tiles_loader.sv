// SPDX-License-Identifier: Apache-2.0
//
// Loads the registers of all tiles: constants after reset, y of the key and of R of a job, and
// multiples of G and 2^127 G, whose one table is here. Values go out in 43 bits a cycle.
//
// Handshake: job_valid_i offers a job for context job_ctx_i of tile job_tile_i, until job_ready_o
//           (pulse) says that its burst is under way; ya_i and yr_i hold until the job has started.
//           ask_*, room_i and beat_* as pm_edverify_tile_node, one of each a tile.
// Timing:   a burst takes 8 cycles and one for each 43 bits: 14 a constant, 20 a job, 26 a point.
// Reset:    asynchronous, active low: constants are loaded first.
// Constant time: NO. Verification handles public data.

module pm_edverify_tiles_loader
  import pm_edverify_tile_ucode_pkg::*;
  import pm_edverify_tile_pkg::*;
#(
    parameter  int unsigned NumTiles = 3,                // at least 2
    localparam int unsigned TileBits = $clog2(NumTiles)
) (
    input  logic                      clk_i,         // clock
    input  logic                      rst_ni,        // asynchronous reset, active low
    // jobs
    input  logic                      job_valid_i,   // y of a job are offered
    output logic                      job_ready_o,   // pulse: they are on their way
    input  logic       [TileBits-1:0] job_tile_i,
    input  logic       [         2:0] job_ctx_i,
    input  logic       [       254:0] ya_i,          // y of the key
    input  logic       [       254:0] yr_i,          // y of R
    // points
    input  logic       [NumTiles-1:0] ask_valid_i,   // a point is wanted
    input  tile_ask_t  [NumTiles-1:0] ask_i,
    output logic       [NumTiles-1:0] ask_taken_o,   // pulse: it will come
    // loads
    input  logic       [NumTiles-1:0] room_i,        // a burst fits
    output logic       [NumTiles-1:0] beat_valid_o,  // a beat for these tiles
    output tile_beat_t                beat_o
);

  typedef enum logic [1:0] {
    StPick,
    StRead,  // the table is read
    StSend,
    StRest   // room_i is behind
  } state_e;

  state_e state_q;
  logic constants_q;  // constants are still to be loaded
  logic [2:0] count_q;  // cycles of a rest or of reading
  logic [TileBits-1:0] tile_q;  // whose turn it is
  logic job_turn_q, ask_turn_q, room_q, all_room_q;
  tile_ask_t ask_q;
  tile_burst_e burst_q;
  logic [NumTiles-1:0] to_q;
  logic [2:0] ctx_q;
  logic neg_q;
  logic [3:0] ext_q;  // constant that comes next

  // ---- what comes next --------------------------------------------------------------------------
  // A tile is looked at each cycle; the cycle after decides.

  logic [1:0] value_q, values_q;  // value of the burst, the last one of it
  logic [2:0] part_q;  // 43 bits of it
  logic [TileBits-1:0] looked_q;
  logic last;

  assign last = part_q == 3'd5 && value_q == values_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StPick;
      constants_q <= 1'b1;
      {ext_q, count_q, tile_q, looked_q, value_q, part_q} <= '0;
      {job_ready_o, ask_taken_o, job_turn_q, ask_turn_q, room_q, all_room_q} <= '0;
    end else begin
      job_ready_o <= 1'b0;
      ask_taken_o <= '0;
      unique case (state_q)
        StPick: begin
          tile_q <= 32'(tile_q) == NumTiles - 1 ? '0 : tile_q + 1'b1;
          looked_q <= tile_q;
          all_room_q <= &room_i;
          room_q <= room_i[tile_q];
          job_turn_q <= job_valid_i && job_tile_i == tile_q && !constants_q;
          ask_turn_q <= ask_valid_i[tile_q] && !constants_q;
          {value_q, part_q, count_q} <= '0;
          if (constants_q ? all_room_q : room_q && (job_turn_q || ask_turn_q)) begin
            state_q <= StRead;
            job_ready_o <= job_turn_q;
            if (!job_turn_q && !constants_q) ask_taken_o[looked_q] <= 1'b1;
          end
        end
        StRead: begin
          {room_q, all_room_q} <= '0;
          count_q <= count_q + 3'd1;
          if (count_q == 3'd2) state_q <= StSend;
        end
        StSend: begin
          count_q <= '0;
          part_q  <= part_q == 3'd5 ? '0 : part_q + 3'd1;
          if (part_q == 3'd5) value_q <= value_q + 2'd1;
          if (last) begin
            state_q <= StRest;
            if (constants_q) begin
              ext_q <= ext_q + 4'd1;
              constants_q <= 32'(ext_q) != ConstantExts - 1;
            end
          end
        end
        default: begin
          count_q <= count_q + 3'd1;
          if (count_q == 3'd7) state_q <= StPick;
        end
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StPick) begin
      ask_q <= ask_i[tile_q];
      to_q  <= constants_q ? '1 : NumTiles'(1) << looked_q;
      if (constants_q) {burst_q, values_q, ctx_q, neg_q} <= {BurstConstant, 2'd0, 3'd0, 1'b0};
      else if (job_turn_q) {burst_q, values_q, ctx_q, neg_q} <= {BurstJob, 2'd1, job_ctx_i, 1'b0};
      else {burst_q, values_q, ctx_q, neg_q} <= {BurstPoint, 2'd2, ask_q.ctx, ask_q.neg};
    end
  end

  // ---- points -----------------------------------------------------------------------------------

  logic [8:0] point_q;
  logic [764:0] table_point;
  logic [2:0][254:0] point_q2;

  always_ff @(posedge clk_i) begin
    if (state_q == StPick) point_q <= {ask_q.second, ask_q.idx};
    if (state_q == StRead) point_q2 <= table_point;
  end

  pm_edverify_gtable #(
      .Points(512)
  ) u_table (
      .clk_i,
      .addr_i(point_q),
      .data_o(table_point)
  );

  // ---- values in parts --------------------------------------------------------------------------
  // A register behind the choice of the part, another behind the choice of the value.

  function automatic logic [42:0] part(logic [254:0] value, logic [2:0] number);
    logic [257:0] padded;
    padded = 258'(value);
    return padded[43*number+:43];
  endfunction

  logic [2:0][42:0] point_part_q;
  logic [1:0][42:0] y_part_q;
  logic [42:0] constant_part_q;
  logic sending_q, last_q;
  logic [1:0] sent_value_q;
  logic [2:0] sent_part_q;
  logic [3:0] sent_ext_q;
  tile_beat_t beat;

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < 3; i++) point_part_q[i] <= part(point_q2[2-i], part_q);
    y_part_q <= {part(yr_i, part_q), part(ya_i, part_q)};
    constant_part_q <= part(ext_constant(ext_e'(ext_q)), part_q);
    {sent_value_q, sent_part_q, sent_ext_q, last_q} <= {value_q, part_q, ext_q, last};
  end

  always_comb begin
    beat.burst = burst_q;
    beat.last = last_q;
    beat.ctx = ctx_q;
    beat.load.upper = sent_part_q >= 3'd3;
    beat.load.third = 2'(sent_part_q >= 3'd3 ? sent_part_q - 3'd3 : sent_part_q);
    // y + x and y - x change places if the point is negative.
    unique case (burst_q)
      BurstJob: begin
        beat.load.ext  = sent_value_q[0] ? ExtYr : ExtYa;
        beat.load.data = y_part_q[sent_value_q[0]];
      end
      BurstPoint: begin
        beat.load.ext  = sent_value_q[1] ? ExtGT2d : (sent_value_q[0] != neg_q ? ExtGYm : ExtGYp);
        beat.load.data = point_part_q[sent_value_q];
      end
      default: begin
        beat.load.ext  = sent_ext_q;
        beat.load.data = constant_part_q;
      end
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sending_q <= 1'b0;
      beat_valid_o <= '0;
    end else begin
      sending_q <= state_q == StSend;
      beat_valid_o <= sending_q ? to_q : '0;
    end
  end

  always_ff @(posedge clk_i) beat_o <= beat;

endmodule
