// SPDX-License-Identifier: Apache-2.0
//
// A tile: the engine of Ed25519 verification with 27 base multipliers on a datapath of half width
// (pm_half_datapath), for a clock at which it routes. It runs halfsize.pmu and cached_tile.pmu of
// hw/edverify/ucode for NumContexts jobs at once.
//
// Computes: per context the verdict of a signature under the rule set whose flags are given, from y
//           of R and of the key, facts about the received bytes, and the recoded digit sequence of
//           its half-size scalars (pm_scalar_serial) or, with the tables of the key, of its scalars
//           (pm_split_serial); or these tables.
// Around it: tables of points, the scalar units, and whoever looks at the received bytes, may serve
//           several tiles.
// Handshake: load_valid_i, load_ready_o: thirds of halves of external values, of context load_ctx_i
//           or, if they are constants, of all. A half is stored some cycles after its last third,
//           when no microinstruction writes; start_i and point_done_i must wait until load_stored_o
//           says that it is. Constants are to be loaded once after reset,
//           ya and yr of a context before its start_i (pulse, while it is idle, of one context at
//           a time), which takes job_i.
//           list_i.entry is pushed with list_i.valid, lowest position first; list_i.done (pulse)
//           ends the list; list_ready_o[c] says that it is complete: a context must not be started
//           again before that. point_valid_o (pulse) asks for the values g_yp, g_ym, g_t2d, of a
//           key also g_z2, of the point point_o, whose context waits: load them, of a negative
//           point with g_yp and g_ym exchanged, then pulse point_done_i. put_o gives coordinates of
//           a key's points, table by table from the first odd multiple on, those of a point in any
//           order. finish_o (pulse) with finish_ctx_o and reason_o ends a job. clear_i[c] abandons
//           it: in the 16 cycles after it nothing may be loaded for the next job of c, and a point
//           that c asks for is not wanted.
// Throughput: a microinstruction every 3 cycles; a verification takes some 2,100 of them, with the
//           tables of its key 1,040.
// Timing:   all ports are registers, or go to registers at once.
// Reset:    asynchronous, active low: idle. Registers keep what they held.
// Constant time: NO. Verification handles public data.

module pm_edverify_tile
  import pm_ucode_pkg::*;
  import pm_edverify_tile_ucode_pkg::*;
  import pm_scalar_pkg::*;
  import pm_edverify_pkg::*;
  import pm_edverify_barrel_pkg::*;
  import pm_edverify_tile_pkg::*;
#(
    parameter  int unsigned NumContexts = 7,                   // contexts, 2 to 7
    localparam int unsigned CtxBits     = $clog2(NumContexts)
) (
    input  logic                         clk_i,          // clock
    input  logic                         rst_ni,         // asynchronous reset, active low
    input  logic       [NumContexts-1:0] start_i,        // pulse: begin a job in this context
    input  tile_job_t                    job_i,          // with start_i: this one
    input  logic       [NumContexts-1:0] clear_i,        // pulse: abandon its job
    input  logic                         load_valid_i,   // third of half an external value
    output logic                         load_ready_o,   // it is taken
    output logic                         load_stored_o,  // all that was whole is stored
    input  logic       [    CtxBits-1:0] load_ctx_i,     // of this context
    input  tile_load_t                   load_i,
    input  list_push_t                   list_i,         // entry of a digit sequence, or its end
    input  logic       [    CtxBits-1:0] list_ctx_i,     // of this context
    output logic       [NumContexts-1:0] list_ready_o,   // the sequence is complete
    output logic                         point_valid_o,  // pulse: a point is wanted
    output tile_ask_t                    point_o,        // this one
    input  logic       [NumContexts-1:0] point_done_i,   // pulse: its values are loaded
    output logic                         finish_o,       // pulse: a job ends
    output logic       [    CtxBits-1:0] finish_ctx_o,   // its context
    output reason_e                      reason_o,       // its verdict
    output tile_put_t                    put_o,          // coordinate of a key's point
    output logic                         mul_issue_o     // pulse: a product was started
);

  localparam int unsigned AddrBits = 9;  // of the registers
  // From the word that asks for a point until all words before it have read what that replaces.
  localparam int unsigned PointWait = 8;

  if (NumContexts < 2 || NumContexts > 7) begin : g_refuse_contexts
    $fatal(1, "pm_edverify_tile: NumContexts must be 2 to 7");
  end

  // ---- time -------------------------------------------------------------------------------------
  // turn_q[i]: words are issued i cycles from now, modulo 3; they are picked four cycles before.

  logic [2:0] turn_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) turn_q <= 3'b001;
    else turn_q <= {turn_q[0], turn_q[2:1]};
  end

  // ---- ports ------------------------------------------------------------------------------------

  logic [NumContexts-1:0] start_q, clear_q, done_q;
  tile_job_t job_q;
  list_push_t list_q;
  logic [CtxBits-1:0] list_ctx_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {start_q, clear_q, done_q, list_q} <= '0;
    end else begin
      {start_q, clear_q, done_q} <= {start_i, clear_i, point_done_i};
      list_q <= list_i;
    end
  end

  always_ff @(posedge clk_i) begin
    job_q <= job_i;
    list_ctx_q <= list_ctx_i;
  end

  logic load_valid, load_taken, load_upper;
  logic [AddrBits-1:0] load_addr;
  logic [128:0] load_data;

  pm_half_loads #(
      .NumContexts(NumContexts),
      .AddrBits(AddrBits),
      .Stride(Stride),
      .ExtBase(ExtBase),
      .ConstantExts(ConstantExts)
  ) u_loads (
      .clk_i,
      .rst_ni,
      .valid_i(load_valid_i),
      .ready_o(load_ready_o),
      .stored_o(load_stored_o),
      .ctx_i(load_ctx_i),
      .ext_i(load_i.ext),
      .upper_i(load_i.upper),
      .third_i(load_i.third),
      .data_i(load_i.data),
      .load_valid_o(load_valid),
      .load_ready_i(load_taken),
      .load_addr_o(load_addr),
      .load_upper_o(load_upper),
      .load_data_o(load_data)
  );

  // ---- microinstructions ------------------------------------------------------------------------

  word_t word, rom_word;
  logic [RomAddrBits-1:0] rom_addr, start_addr, dispatch_addr;
  logic [CtxBits-1:0] ctx, next_ctx;
  logic [NumContexts-1:0] stall_q;
  logic [2**ConditionBits-1:0] conditions;
  logic dispatch;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [NumContexts-1:0] idle;
  logic word_valid, violation;
  logic [ArgBits-1:0] end_arg;
  /* verilator lint_on UNUSEDSIGNAL */
  logic unit_start;
  logic [ArgBits-1:0] arg;

  pm_edverify_tile_rom u_rom (
      .clk_i,
      .addr_i(rom_addr),
      .data_o(rom_word)
  );

  pm_barrel_sequencer #(
      .NumContexts(NumContexts),
      .AddrBits(RomAddrBits),
      .MinSpacing(6),
      .Turn(3),
      .FlagTurns(FlagTurns)
  ) u_sequencer (
      .clk_i,
      .rst_ni,
      .start_i(start_q),
      .start_addr_i(start_addr),
      .clear_i(clear_q),
      .secret_i('0),
      .idle_o(idle),
      .rom_addr_o(rom_addr),
      .rom_word_i(rom_word),
      .valid_o(word_valid),
      .ctx_o(ctx),
      .next_ctx_o(next_ctx),
      .word_o(word),
      .hold_i(!turn_q[1]),
      .stall_i(stall_q),
      .conditions_i(conditions),
      .dispatch_addr_i(dispatch_addr),
      .unit_start_o(unit_start),
      .dispatch_o(dispatch),
      .arg_o(arg),
      .finish_o,
      .violation_o(violation),
      .end_ctx_o(finish_ctx_o),
      .end_arg_o(end_arg)
  );

  assign reason_o = reason_e'(end_arg[7:0]);

  always_comb begin
    unique case (job_q.op)
      TileCached: start_addr = EntryVerifyCached;
      TileLoad: start_addr = EntryLoadKey;
      default: start_addr = EntryVerify;
    endcase
  end

  // ---- jobs and digit sequences -----------------------------------------------------------------

  logic flag_zero, flag_odd, more_tables, cofactored, small_order, cached, adds, step;
  tile_op_e op;
  logic [SlotBits-1:0] slot;
  list_point_t point, current;
  /* verilator lint_off UNUSEDSIGNAL */
  logic list_push_ready;
  /* verilator lint_on UNUSEDSIGNAL */

  pm_edverify_tile_jobs #(
      .NumContexts(NumContexts)
  ) u_jobs (
      .clk_i,
      .start_i(start_q),
      .job_i(job_q),
      .next_ctx_i(next_ctx),
      .flag_zero_i(flag_zero),
      .flag_odd_i(flag_odd),
      .more_tables_i(more_tables),
      .op_o(op),
      .slot_o(slot),
      .cofactored_o(cofactored),
      .small_order_o(small_order),
      .conditions_o(conditions)
  );

  pm_edverify_barrel_lists #(
      .NumContexts(NumContexts),
      .Tile(1'b1),
      .AddrBits(RomAddrBits)
  ) u_lists (
      .clk_i,
      .rst_ni,
      .clear_i(start_q | clear_q),
      .push_valid_i(list_q.valid),
      .push_ready_o(list_push_ready),
      .push_ctx_i(list_ctx_q),
      .push_entry_i(list_q.entry),
      .done_i(list_q.done),
      .ready_o(list_ready_o),
      .next_ctx_i(next_ctx),
      .dispatch_i(dispatch),
      .cached_i(cached),
      .cofactored_i(cofactored),
      .small_order_i(small_order),
      .addr_o(dispatch_addr),
      .adds_o(adds),
      .step_o(step),
      .point_o(point),
      .current_o(current)
  );

  assign cached = op == TileCached;

  // ---- points -----------------------------------------------------------------------------------
  // A context asks for the point of its next addition as soon as the registers are free, or when it
  // goes on to it; there it gets no word until the values are there.

  logic ask, early, of_base;
  logic [NumContexts-1:0] asked_q, coming_q;  // asked early; values are not there
  tile_ask_t wanted;

  assign of_base = point.kind == ListG0 || point.kind == ListG1;
  assign early = unit_start && arg == ArgBits'(UnitAsk) && adds;
  assign ask = (early || (step && !asked_q[ctx])) && (of_base || cached);

  always_comb begin
    wanted.ctx = 3'(ctx);
    wanted.neg = point.neg;
    wanted.points = !cached ? TableBase : of_base ? TableSpread : TableKey;
    wanted.idx = of_base ? {point.kind == ListG1, point.idx} : {slot, point.idx[5:0]};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {asked_q, coming_q, stall_q} <= '0;
    else begin
      for (int unsigned c = 0; c < NumContexts; c++) begin
        if (clear_q[c] || start_q[c]) {asked_q[c], coming_q[c], stall_q[c]} <= '0;
        else begin
          if (done_q[c]) {coming_q[c], stall_q[c]} <= '0;
          if (ctx == CtxBits'(c)) begin
            if (early) asked_q[c] <= 1'b1;
            if (ask) coming_q[c] <= 1'b1;
            if (step) begin
              asked_q[c] <= 1'b0;
              stall_q[c] <= ask || (coming_q[c] && !done_q[c]);
            end
          end
        end
      end
    end
  end

  pm_delay #(
      .Width(1 + $bits(tile_ask_t)),
      .Depth(PointWait)
  ) u_ask (
      .clk_i,
      .rst_ni,
      .data_i({ask, wanted}),
      .data_o({point_valid_o, point_o})
  );

  // ---- datapath ---------------------------------------------------------------------------------

  always_ff @(posedge clk_i) mul_issue_o <= turn_q[0] && word.mul_en;

  logic [128:0] operand;

  pm_half_datapath #(
      .NumContexts(NumContexts),
      .Bypass(1'b0),
      .Stride(Stride),
      .SumBase(0),
      .DiffBase(DiffBase),
      .MulBase(MulBase),
      .ExtBase(ExtBase),
      .ConstantExts(ConstantExts)
  ) u_datapath (
      .clk_i,
      .rst_ni,
      .turn_i(turn_q[0]),
      .word_i(word),
      .ctx_i(ctx),
      .index_i({current.kind == ListR, current.idx[1:0]}),
      .neg_i(current.neg),
      .operand_o(operand),
      .load_valid_i(load_valid),
      .load_ready_o(load_taken),
      .load_addr_i(load_addr),
      .load_upper_i(load_upper),
      .load_data_i(load_data),
      .flag_ctx_i(next_ctx),
      .flag_zero_o(flag_zero),
      .flag_odd_o(flag_odd)
  );

  // ---- tables of a key --------------------------------------------------------------------------
  // A load has more tables to make until all coordinates of a key were put.

  localparam int unsigned Arrival = 6;  // cycles from a word to the first part of its operand
  localparam int unsigned CountBits = 8;  // of coordinates: four of 64 points

  logic put;
  tile_coord_e coord;
  tile_place_t place;
  logic [CountBits-1:0] count, count_q;  // coordinates that were put, modulo all of a key

  always_comb begin
    put   = unit_start;
    coord = CoordZ2;
    unique case (arg)
      ArgBits'(UnitPutYp): coord = CoordYp;
      ArgBits'(UnitPutYm): coord = CoordYm;
      ArgBits'(UnitPutT2d): coord = CoordT2d;
      ArgBits'(UnitPutZ2): coord = CoordZ2;
      default: put = 1'b0;
    endcase
  end

  pm_regbank #(
      .Width(CountBits),
      .AddrBits(CtxBits),
      .NumReads(1)
  ) u_counts (
      .clk_i,
      .we_i(put || (unit_start && arg == ArgBits'(UnitTables))),
      .waddr_i(ctx),
      .wdata_i(put ? count_q + 1'b1 : '0),
      .raddr_i(next_ctx),
      .rdata_o(count)
  );

  always_ff @(posedge clk_i) count_q <= count;

  assign more_tables = count_q != '0;

  pm_delay #(
      .Width($bits(tile_place_t)),
      .Depth(Arrival)
  ) u_put (
      .clk_i,
      .rst_ni,
      .data_i(place),
      .data_o(put_o.place)
  );

  assign place = '{
          valid: put,
          slot: slot,
          point: count_q[CountBits-1:2],
          coord: coord,
          last: &count_q
      };
  assign put_o.operand = operand;

endmodule
