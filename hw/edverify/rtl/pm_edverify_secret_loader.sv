// SPDX-License-Identifier: Apache-2.0
//
// Loads the registers of the tile for secrets: constants after reset, u of a job, and multiples of
// G and 2^127 G, whose table is here, or zeros in their place.
//
// Handshake: ask_valid_i (pulse) asks for a point for a context, which has no other one on its way;
//           point_done_o (pulse) says that it is loaded. u_valid_i offers u of a context until
//           u_ready_o (pulse) says that it is. load_* as pm_edverify_secret_tile. clear_i (pulse)
//           forgets what was asked for; u_valid_i must be 0 in the next cycle.
// Timing:   a value takes six cycles, and those in which the tile stores each of its halves. All
//           outputs are registers.
// Secrets:  a point that was asked for is behind the digit of a scalar; points of later ones, or
//           zeros, replace it.
// Reset:    asynchronous, active low: constants are loaded first.
// Constant time: YES: a table in a memory of one cycle, and the same cycles for every point.

module pm_edverify_secret_loader
  import pm_scalar_pkg::*;
  import pm_edverify_secret_tile_ucode_pkg::*;
  import pm_edverify_tile_pkg::tile_load_t;
#(
    parameter  int unsigned NumContexts = 7,                   // 2 to 7
    localparam int unsigned CtxBits     = $clog2(NumContexts)
) (
    input  logic                            clk_i,          // clock
    input  logic                            rst_ni,         // asynchronous reset, active low
    input  logic                            clear_i,        // pulse: forget what was asked for
    // points
    input  logic                            ask_valid_i,    // pulse: a point is wanted
    input  logic          [    CtxBits-1:0] ask_ctx_i,      // by this context
    input  logic                            ask_zero_i,     // zeros
    /* verilator lint_off UNUSEDSIGNAL */
    input  secret_digit_t                   ask_i,          // this one; of no ladder
    /* verilator lint_on UNUSEDSIGNAL */
    output logic          [NumContexts-1:0] point_done_o,   // pulse: it is loaded
    // u
    input  logic                            u_valid_i,
    output logic                            u_ready_o,      // pulse: it is loaded
    input  logic          [    CtxBits-1:0] u_ctx_i,
    input  logic          [          254:0] u_i,
    // tile
    output logic                            load_valid_o,   // third of a half of a value
    input  logic                            load_ready_i,
    input  logic                            load_stored_i,
    output logic          [    CtxBits-1:0] load_ctx_o,
    output tile_load_t                      load_o
);

  localparam int unsigned ConstantExts = 3;

  typedef enum logic [2:0] {
    StPick,
    StRead,   // the table is read
    StSend,
    StClose,  // the tile stores the last half
    StRest    // u_valid_i is behind
  } state_e;

  typedef enum logic [1:0] {
    BurstConstant,
    BurstPoint,
    BurstU
  } burst_e;

  typedef struct packed {
    logic [CtxBits-1:0] ctx;
    logic               zero;
    logic               second;
    logic               neg;
    logic [7:0]         idx;
  } ask_t;

  state_e state_q;
  burst_e burst_q;
  logic constants_q;  // constants are still to be loaded
  logic [3:0] ext_q;  // the next one
  logic [1:0] count_q;  // cycles of reading
  logic ask_valid, ask_taken, move, last, dropping;
  /* verilator lint_off UNUSEDSIGNAL */
  logic ask_room;  // there is a point for each context
  logic [3:0] ask_usage;
  /* verilator lint_on UNUSEDSIGNAL */
  ask_t ask, ask_q;
  logic [1:0] value_q;  // value of the burst
  logic [2:0] part_q;  // 43 bits of it
  logic [1:0] sent_q;  // stages that hold one: read, chosen

  pm_fifo #(
      .Width($bits(ask_t)),
      .Depth(8),
      .Wipe (1'b1)
  ) u_asks (
      .clk_i,
      .rst_ni,
      .valid_i(ask_valid_i),
      .ready_o(ask_room),
      .data_i ({ask_ctx_i, ask_zero_i, ask_i.kind, ask_i.neg, ask_i.idx}),
      .valid_o(ask_valid),
      .ready_i(ask_taken),
      .data_o (ask),
      .usage_o(ask_usage)
  );

  // ---- sequence ---------------------------------------------------------------------------------

  logic [3:0] drop_q;  // cycles in which what was asked for before clear_i is dropped

  assign dropping = drop_q != '0;
  assign ask_taken = dropping || (state_q == StPick && !constants_q);
  assign last = part_q == 3'd5 && (burst_q != BurstPoint || value_q == 2'd2);
  assign move = !load_valid_o || load_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StPick;
      constants_q <= 1'b1;
      {ext_q, count_q, value_q, part_q, sent_q, load_valid_o, drop_q} <= '0;
      {point_done_o, u_ready_o} <= '0;
    end else if (clear_i) begin
      state_q <= StPick;
      drop_q <= '1;
      {count_q, value_q, part_q, sent_q, load_valid_o, point_done_o, u_ready_o} <= '0;
    end else begin
      if (dropping) drop_q <= drop_q - 4'd1;
      {point_done_o, u_ready_o} <= '0;
      unique case (state_q)
        StPick: begin
          {value_q, part_q, count_q} <= '0;
          if (constants_q || (ask_valid && !dropping) || u_valid_i) state_q <= StRead;
        end
        StRead: begin
          count_q <= count_q + 2'd1;
          if (count_q == 2'd2) state_q <= StSend;
        end
        StSend: begin
          if (move) begin
            part_q <= part_q == 3'd5 ? '0 : part_q + 3'd1;
            if (part_q == 3'd5) value_q <= value_q + 2'd1;
            if (last) state_q <= StClose;
          end
        end
        StClose: begin
          if (sent_q == '0 && !load_valid_o && load_stored_i) begin
            state_q <= StRest;
            unique case (burst_q)
              BurstPoint: point_done_o[ask_q.ctx] <= 1'b1;
              BurstU: u_ready_o <= 1'b1;
              default: begin
                ext_q <= ext_q + 4'd1;
                constants_q <= 32'(ext_q) != ConstantExts - 1;
              end
            endcase
          end
        end
        default: begin
          count_q <= count_q + 2'd1;
          if (count_q == '1) state_q <= StPick;
        end
      endcase
      if (move) begin
        sent_q <= {sent_q[0], state_q == StSend};
        load_valid_o <= sent_q[1];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StPick) begin
      ask_q   <= ask;
      burst_q <= constants_q ? BurstConstant : ask_valid && !dropping ? BurstPoint : BurstU;
    end
  end

  // ---- values -----------------------------------------------------------------------------------
  // The part of each value is chosen, then the value.

  logic [764:0] table_point;
  logic [2:0][254:0] point_q;
  logic [2:0][42:0] point_part_q;
  logic [42:0] u_part_q, constant_part_q;
  logic [1:0] value2_q;
  logic [2:0] part2_q;
  tile_load_t load_d, load_q;

  function automatic logic [42:0] part(logic [254:0] value, logic [2:0] number);
    logic [257:0] padded;
    padded = 258'(value);
    return padded[43*number+:43];
  endfunction

  pm_edverify_gtable #(
      .Points(512)
  ) u_table (
      .clk_i,
      .addr_i({ask_q.second, ask_q.idx}),
      .data_o(table_point)
  );

  always_ff @(posedge clk_i) if (state_q == StRead) point_q <= table_point;

  always_comb begin
    load_d.upper = part2_q >= 3'd3;
    load_d.third = 2'(part2_q >= 3'd3 ? part2_q - 3'd3 : part2_q);
    // y + x and y - x change places if the point is negative.
    unique case (burst_q)
      BurstPoint: begin
        load_d.ext  = value2_q[1] ? ExtGT2d : (value2_q[0] != ask_q.neg ? ExtGYm : ExtGYp);
        load_d.data = ask_q.zero ? '0 : point_part_q[value2_q];
      end
      BurstU: begin
        load_d.ext  = ExtU;
        load_d.data = u_part_q;
      end
      default: begin
        load_d.ext  = ext_q;
        load_d.data = constant_part_q;
      end
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (move) begin
      for (int unsigned i = 0; i < 3; i++) point_part_q[i] <= part(point_q[2-i], part_q);
      u_part_q <= part(u_i, part_q);
      constant_part_q <= part(ext_constant(ext_e'(ext_q)), part_q);
      {value2_q, part2_q} <= {value_q, part_q};
      load_q <= load_d;
      load_o <= load_q;
    end
  end

  always_ff @(posedge clk_i) begin
    unique case (burst_q)
      BurstPoint: load_ctx_o <= ask_q.ctx;
      BurstU: load_ctx_o <= u_ctx_i;
      default: load_ctx_o <= '0;
    endcase
  end

endmodule
