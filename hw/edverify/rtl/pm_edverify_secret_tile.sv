// SPDX-License-Identifier: Apache-2.0
//
// A tile for operations on secrets: X25519 and multiples of G with 27 base multipliers on a
// datapath of half width (pm_half_datapath), for a clock at which it routes. It runs
// hw/edverify/ucode/x25519_tile.pmu and fixed_base_tile.pmu for NumContexts jobs at once, and
// nothing else: a tile that verifies (pm_edverify_tile) never has a secret in its registers.
//
// Computes: X25519 of RFC 7748, section 5, of the clamped scalar in slot 0 and of u; or the
//           encodings (RFC 8032, section 5.1.2) of s G for the scalar s < L in slot 0 and, with
//           two_i, for that in slot 1; without, the first one comes twice.
// Handshake: load_valid_i, load_ready_o: thirds of halves of external values, of context load_ctx_i
//           or, if they are constants, of all. A half is stored some cycles after its last third;
//           start_i and point_done_i must wait until load_stored_o is 1. Constants are to be
//           loaded once after reset, u and the slots of a context before its start_i (pulse, while
//           it is idle). point_valid_o (pulse) asks for the values g_yp, g_ym, g_t2d of the point
//           point_o for context point_ctx_o, which waits, or for zeros: load them, of a negative
//           point with g_yp and g_ym exchanged, then pulse point_done_i, for one context in a
//           cycle. finish_o (pulse) ends the job of finish_ctx_o; with refused_o it has no result.
//           soft_reset_i (pulse) abandons all jobs, results and points that were asked for: none
//           of these may be done later. While wiping_o is 1, from the cycle after it on, nothing
//           may be started, but zeros are asked for.
// Latency:  alone, from start_i to finish_o, with what is asked for loaded at once: X25519 45,009
//           cycles, one scalar 25,092, two 40,243. With others at work a job takes longer, by their
//           number and times alone.
// Timing:   all ports but those of the slots are registers, or go to registers at once.
// Secrets:  a program ends by overwriting what it wrote, then zeros are asked for in place of the
//           last point; a soft reset does the same in every context, and overwrites the slots.
//           After a job they are overwritten by slot_zero_i alone; after refused_o a soft reset is
//           needed.
// Reset:    asynchronous, active low: idle. Registers keep what they held: wipe them.
// Constant time: YES; the guard of the sequencer ends a program that would not be.

module pm_edverify_secret_tile
  import pm_ucode_pkg::*;
  import pm_edverify_secret_tile_ucode_pkg::*;
  import pm_scalar_pkg::*;
  import pm_edverify_tile_pkg::tile_load_t;
#(
    parameter  int unsigned NumContexts = 7,                   // contexts, 2 to 7
    localparam int unsigned CtxBits     = $clog2(NumContexts)
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic soft_reset_i,  // pulse: abandon all jobs, wipe
    output logic wiping_o,  // level: registers are not wiped yet
    // jobs
    input logic [NumContexts-1:0] start_i,  // pulse: begin a job in this context
    input logic ladder_i,  // with start_i: X25519, else multiples of G
    input logic two_i,  // with start_i: of two scalars
    output logic finish_o,  // pulse: a job ends
    output logic [CtxBits-1:0] finish_ctx_o,  // its context
    output logic refused_o,  // the guard stopped it
    // slots of scalars (pm_secret_walk)
    input logic slot_we_i,
    input logic [CtxBits-1:0] slot_ctx_i,
    input logic slot_i,
    input logic [255:0] slot_data_i,
    input logic [CtxBits-1:0] slot_rctx_i,  // to be read
    input logic slot_ri,
    output logic [255:0] slot_rdata_o,  // a cycle later
    input logic [NumContexts-1:0] slot_zero_i,  // pulse: overwrite both slots
    // external values
    input logic load_valid_i,  // third of half an external value
    output logic load_ready_o,  // it is taken
    output logic load_stored_o,  // all that was whole is stored
    input logic [CtxBits-1:0] load_ctx_i,  // of this context
    input tile_load_t load_i,
    output logic point_valid_o,  // pulse: a point of G, or zeros, are wanted
    output logic [CtxBits-1:0] point_ctx_o,  // by this context
    output logic point_zero_o,  // zeros
    output secret_digit_t point_o,  // this multiple of the base `kind`
    input logic [NumContexts-1:0] point_done_i,  // pulse: they are loaded
    // results
    output logic result_valid_o,  // a result is there
    input logic result_ready_i,  // it is taken
    output logic [CtxBits-1:0] result_ctx_o,  // of this context
    output logic result_slot_o,  // 0: u, or the first point; 1: the second
    output logic [255:0] result_o,  // byte 0 in bits 7:0
    output logic mul_issue_o  // pulse: a product was started
);

  // Registers of a context: 8 of bank sum, 8 of diff, 20 of mul, and external values of its own.
  localparam int unsigned Stride = 40;
  localparam int unsigned DiffBase = 8;
  localparam int unsigned MulBase = 16;
  localparam int unsigned ExtBase = 36;
  localparam int unsigned ConstantExts = 3;
  localparam int unsigned AddrBits = 9;
  // From a word that goes to the next digit, or a start, until that digit is there and all words
  // before it have read the point that it replaces.
  localparam int unsigned PointWait = 16;

  if (NumContexts < 2 || NumContexts > 7) begin : g_refuse_contexts
    $fatal(1, "pm_edverify_secret_tile: NumContexts must be 2 to 7");
  end

  // ---- time -------------------------------------------------------------------------------------
  // turn_q[i]: words are issued i cycles from now, modulo 3; they are picked four cycles before.

  logic [2:0] turn_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) turn_q <= 3'b001;
    else turn_q <= {turn_q[0], turn_q[2:1]};
  end

  // ---- loads ------------------------------------------------------------------------------------

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

  // ---- jobs -------------------------------------------------------------------------------------
  // A program that ends asks for zeros; its job ends when they are there.

  typedef logic [NumContexts-1:0] contexts_t;

  contexts_t start_q, wipe_start, done_q;
  contexts_t comb_q;  // multiples of G
  contexts_t two_q;  // of two scalars
  contexts_t ended_q;  // the program has ended, zeros are to come
  contexts_t refused_q;
  contexts_t finished;
  logic clear_q, ladder_q, two_now_q;
  logic end_valid, violation, wiping;
  logic [CtxBits-1:0] end_ctx, finished_ctx;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {start_q, clear_q, done_q} <= '0;
    else begin
      start_q <= start_i;
      clear_q <= soft_reset_i;
      done_q  <= point_done_i;
    end
  end

  always_ff @(posedge clk_i) {ladder_q, two_now_q} <= {ladder_i, two_i};

  pm_edverify_barrel_wipe #(
      .NumContexts(NumContexts)
  ) u_wipe (
      .clk_i,
      .rst_ni,
      .soft_reset_i(clear_q),
      .finish_i(finished),
      .start_o(wipe_start),
      .wiping_o(wiping)
  );

  assign finished = ended_q & done_q;

  always_comb begin
    finished_ctx = '0;
    for (int unsigned c = 0; c < NumContexts; c++) if (finished[c]) finished_ctx = CtxBits'(c);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {ended_q, refused_q, comb_q, two_q, finish_o} <= '0;
    else begin
      for (int unsigned c = 0; c < NumContexts; c++) begin
        if (clear_q) {ended_q[c], refused_q[c]} <= '0;
        else if ((end_valid || violation) && end_ctx == CtxBits'(c)) begin
          {ended_q[c], refused_q[c]} <= {1'b1, violation};
        end else if (finished[c]) {ended_q[c], refused_q[c]} <= '0;
        if (start_q[c]) {comb_q[c], two_q[c]} <= {!ladder_q, two_now_q};
        else if (wipe_start[c]) {comb_q[c], two_q[c]} <= '0;
      end
      finish_o <= finished != '0 && !wiping_o;
    end
  end

  always_ff @(posedge clk_i) begin
    finish_ctx_o <= finished_ctx;
    refused_o <= refused_q[finished_ctx];
  end

  assign wiping_o = wiping || clear_q;

  // ---- microinstructions ------------------------------------------------------------------------

  word_t word, rom_word;
  logic [RomAddrBits-1:0] rom_addr, start_addr;
  logic [CtxBits-1:0] ctx, next_ctx;
  contexts_t stall_q, more;
  logic [2**ConditionBits-1:0] conditions;
  logic more_q, pair_q, unit_start;
  logic [ArgBits-1:0] arg;
  /* verilator lint_off UNUSEDSIGNAL */
  contexts_t idle;
  logic word_valid, dispatch;
  logic [ArgBits-1:0] end_arg;
  /* verilator lint_on UNUSEDSIGNAL */

  pm_edverify_secret_tile_rom u_rom (
      .clk_i,
      .addr_i(rom_addr),
      .data_o(rom_word)
  );

  assign start_addr = wipe_start != '0 ? pm_edverify_secret_tile_wipe_pkg::EntryWipe :
      ladder_q ? EntryX25519 : EntryFixedBase;

  pm_barrel_sequencer #(
      .NumContexts(NumContexts),
      .AddrBits(RomAddrBits),
      .MinSpacing(6),
      .Turn(3),
      .PublicConditions(PublicConditions)
  ) u_sequencer (
      .clk_i,
      .rst_ni,
      .start_i(start_q | wipe_start),
      .start_addr_i(start_addr),
      .clear_i({NumContexts{clear_q}}),
      .secret_i('1),
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
      .dispatch_addr_i('0),
      .unit_start_o(unit_start),
      .dispatch_o(dispatch),
      .arg_o(arg),
      .finish_o(end_valid),
      .violation_o(violation),
      .end_ctx_o(end_ctx),
      .end_arg_o(end_arg)
  );

  always_ff @(posedge clk_i) {more_q, pair_q} <= {more[next_ctx], two_q[next_ctx]};

  always_comb begin
    conditions = '0;
    conditions[CondAlways] = 1'b1;
    conditions[CondMoreScalars] = more_q;
    conditions[CondTwoScalars] = pair_q;
  end

  // ---- digits and points of G -------------------------------------------------------------------
  // A context gets no word until the values of its point are there.

  secret_digit_t [NumContexts-1:0] digits;
  logic step_q;  // the word of the cycle before goes to the next digit
  logic [CtxBits-1:0] step_ctx_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) step_q <= 1'b0;
    else step_q <= unit_start && arg == UnitDigit;
  end

  always_ff @(posedge clk_i) step_ctx_q <= ctx;

  pm_secret_walk #(
      .NumContexts(NumContexts)
  ) u_walk (
      .clk_i,
      .rst_ni,
      .we_i(slot_we_i),
      .wctx_i(slot_ctx_i),
      .wslot_i(slot_i),
      .wdata_i(slot_data_i),
      .rctx_i(slot_rctx_i),
      .rslot_i(slot_ri),
      .rdata_o(slot_rdata_o),
      .zero_i(slot_zero_i | {NumContexts{clear_q}}),
      .init_i(start_q),
      .ladder_i(ladder_q),
      .two_i(two_now_q),
      .step_i(step_q),
      .ctx_i(step_ctx_q),
      .current_o(digits),
      .more_o(more)
  );

  // What asks, and stalls its context: a step or start of multiples of G, or the end of a program.
  contexts_t starts, steps, waits_q, ask, ask_q, zeros_q, ask_zeros_q;
  contexts_t [PointWait:1] later_q;  // what asked so many cycles ago

  assign starts = start_q & {NumContexts{!ladder_q}};
  assign steps  = (contexts_t'(step_q) << step_ctx_q) & comb_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) later_q <= '0;
    else later_q <= clear_q ? '0 : {later_q[PointWait-1:2], later_q[1] | steps, starts};
  end

  assign ask = waits_q & (~waits_q + NumContexts'(1));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {stall_q, waits_q, zeros_q, ask_q, point_valid_o} <= '0;
    else begin
      ask_q <= clear_q ? '0 : ask;
      point_valid_o <= ask_q != '0 && !clear_q;
      for (int unsigned c = 0; c < NumContexts; c++) begin
        if (clear_q) {stall_q[c], waits_q[c], zeros_q[c]} <= '0;
        else begin
          if (starts[c] || steps[c]) stall_q[c] <= 1'b1;
          else if (done_q[c]) stall_q[c] <= 1'b0;
          if (ask[c]) {waits_q[c], zeros_q[c]} <= '0;
          if (later_q[PointWait][c]) waits_q[c] <= 1'b1;
          if ((end_valid || violation) && end_ctx == CtxBits'(c)) begin
            {waits_q[c], zeros_q[c]} <= '1;
          end
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    ask_zeros_q <= zeros_q;
    point_zero_o <= |(ask_q & ask_zeros_q);
    point_o <= '0;
    for (int unsigned c = 0; c < NumContexts; c++) begin
      if (ask_q[c]) begin
        point_ctx_o <= CtxBits'(c);
        if (!ask_zeros_q[c]) point_o <= digits[c];
      end
    end
  end

  // ---- datapath ---------------------------------------------------------------------------------

  logic odd, result_start;
  logic [128:0] operand;
  /* verilator lint_off UNUSEDSIGNAL */
  logic zero;
  /* verilator lint_on UNUSEDSIGNAL */

  always_ff @(posedge clk_i) mul_issue_o <= turn_q[0] && word.mul_en;

  pm_half_datapath #(
      .NumContexts(NumContexts),
      .Bypass(1'b0),
      .IndexBits(1),
      .AddrBits(AddrBits),
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
      .index_i(digits[ctx].swap),
      .neg_i(digits[ctx].neg),
      .operand_o(operand),
      .load_valid_i(load_valid),
      .load_ready_o(load_taken),
      .load_addr_i(load_addr),
      .load_upper_i(load_upper),
      .load_data_i(load_data),
      .flag_ctx_i(next_ctx),
      .flag_zero_o(zero),
      .flag_odd_o(odd)
  );

  assign result_start = unit_start && arg inside {UnitResultU, UnitResultA, UnitResultR};

  pm_edverify_secret_results #(
      .CtxBits(CtxBits)
  ) u_results (
      .clk_i,
      .rst_ni,
      .clear_i  (clear_q),
      .start_i  (result_start),
      .ctx_i    (ctx),
      .slot_i   (arg == UnitResultR),
      .odd_i    (odd && arg != UnitResultU),
      .operand_i(operand),
      .valid_o  (result_valid_o),
      .ready_i  (result_ready_i),
      .ctx_o    (result_ctx_o),
      .slot_o   (result_slot_o),
      .data_o   (result_o)
  );

endmodule
