// SPDX-License-Identifier: Apache-2.0
//
// A tile: X25519 engine with 27 base multipliers on a datapath of half width (pm_half_datapath),
// for a clock at which it routes. It runs hw/x25519/ucode/tile.pmu for NumContexts jobs at once.
//
// Computes: X25519 of RFC 7748, section 5: k is clamped, bit 255 of u is ignored, u >= p is taken
//           modulo p. The result is canonical; result_zero_o says that it is 0.
// Latency:  from the accept of a job to result_valid_o, alone: 20,481 cycles. With others at work a
//           job takes longer, by their number and times alone: a job that is alone when its ladder
//           begins takes shorter steps of more microinstructions.
// Interval: from result to result where jobs wait: docs/x25519.md.
// Handshake: job_valid_i with its operands holds until job_ready_o, which comes when they are
//           written into the registers of a context. Results come in the order of the jobs; one
//           holds until taken. clear_i (pulse) drops every job and result.
// Secrets:  no time depends on k, u or what is made of them. The registers of a context are
//           overwritten with 0 before it takes another job, and all of them after clear_i and after
//           reset. The inverter holds constants when its result is stored, or its job is gone. The
//           result is 0 again when it was taken.
// Reset:    asynchronous, active low.
// Source:   Montgomery's ladder as in RFC 7748, section 5; the inverse by pm_skew_inverter.

module pm_x25519_tile
  import pm_ucode_pkg::*;
  import pm_x25519_tile_pkg::*;
  import pm_x25519_tile_ucode_pkg::*;
#(
    parameter  int unsigned NumContexts = 5,                   // jobs at work, 2 to 7
    localparam int unsigned CtxBits     = $clog2(NumContexts)
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic clear_i,  // drops every job, wipes every secret
    input logic job_valid_i,  // a job is offered
    output logic job_ready_o,  // it is taken
    input logic [255:0] job_k_i,  // scalar: 32 bytes as a little-endian number
    input logic [255:0] job_u_i,  // u-coordinate, the same
    output logic result_valid_o,  // the eldest job is done
    input logic result_ready_i,  // its result is taken
    output logic [255:0] result_o,  // u-coordinate, in [0, p)
    output logic result_zero_o,  // it is 0
    output logic refused_o,  // it is none: the guard of the sequencer stopped the program
    output logic busy_o  // a job is inside
);

  if (NumContexts < 2 || NumContexts > 7) begin : g_refuse_contexts
    $fatal(1, "pm_x25519_tile: NumContexts must be 2 to 7");
  end

  // ---- time -------------------------------------------------------------------------------------
  // turn_q[i]: words are issued i cycles from now, modulo 3; they are picked four cycles before.
  // The first job begins a turn, so that its time does not depend on when it comes.

  logic [2:0] turn_q;
  logic accept;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) turn_q <= 3'b001;
    else if (busy_o || accept) turn_q <= {turn_q[0], turn_q[2:1]};
    else turn_q <= 3'b001;
  end

  // ---- contexts ---------------------------------------------------------------------------------
  // Jobs pass the contexts in turn: put_q takes the next one, the result of take_q is the next, and
  // clean_q is the next to be wiped.

  logic clear_q, wiped;
  logic gone, gone_q;  // a result is taken; a cycle later its context is given up
  logic [CtxBits-1:0] put_q, take_q, clean_q;
  logic [CtxBits:0] inside_q, dirty_q, taken_q;  // contexts with a job, to be wiped, and both
  logic [NumContexts-1:0] refused_q;

  function automatic logic [CtxBits-1:0] following(logic [CtxBits-1:0] ctx);
    return 32'(ctx) == NumContexts - 1 ? '0 : ctx + CtxBits'(1);
  endfunction

  assign accept = job_valid_i && job_ready_o;
  assign gone   = result_valid_o && result_ready_i;
  assign busy_o = inside_q != (CtxBits + 1)'(gone_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      clear_q <= 1'b1;
      gone_q <= 1'b0;
      {put_q, take_q, clean_q, inside_q, dirty_q, taken_q} <= '0;
    end else begin
      clear_q <= clear_i;
      gone_q  <= gone && !clear_i;
      if (clear_i) begin
        {put_q, take_q, clean_q, inside_q, dirty_q, taken_q} <= '0;
      end else begin
        if (accept) put_q <= following(put_q);
        if (gone_q) take_q <= following(take_q);
        if (wiped) clean_q <= following(clean_q);
        inside_q <= inside_q + (CtxBits + 1)'(accept) - (CtxBits + 1)'(gone_q);
        dirty_q  <= dirty_q + (CtxBits + 1)'(gone_q) - (CtxBits + 1)'(wiped);
        taken_q  <= taken_q + (CtxBits + 1)'(accept) - (CtxBits + 1)'(wiped);
      end
    end
  end

  // ---- microinstructions ------------------------------------------------------------------------

  word_t word, rom_word;
  logic [RomAddrBits-1:0] rom_addr;
  logic [CtxBits-1:0] ctx, next_ctx, end_ctx;
  logic [2**ConditionBits-1:0] conditions;
  logic [NumContexts-1:0] start_q;
  logic unit_start, violation, room_q, alone_q;
  logic [ArgBits-1:0] arg;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [NumContexts-1:0] idle;
  logic word_valid, dispatch, finish;
  logic [ArgBits-1:0] end_arg;
  /* verilator lint_on UNUSEDSIGNAL */

  pm_x25519_tile_rom u_rom (
      .clk_i,
      .addr_i(rom_addr),
      .data_o(rom_word)
  );

  pm_barrel_sequencer #(
      .NumContexts(NumContexts),
      .AddrBits(RomAddrBits),
      .MinSpacing(6),
      .Turn(3),
      .Pairs(1'b1),
      .PublicConditions(PublicConditions)
  ) u_sequencer (
      .clk_i,
      .rst_ni,
      .start_i(start_q),
      .start_addr_i(EntryTile),
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
      .stall_i('0),
      .conditions_i(conditions),
      .dispatch_addr_i('0),
      .unit_start_o(unit_start),
      .dispatch_o(dispatch),
      .arg_o(arg),
      .finish_o(finish),
      .violation_o(violation),
      .end_ctx_o(end_ctx),
      .end_arg_o(end_arg)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      start_q   <= '0;
      refused_q <= '0;
    end else begin
      for (int unsigned c = 0; c < NumContexts; c++) begin
        start_q[c] <= accept && put_q == CtxBits'(c);
        if (clear_i || clear_q || (gone_q && take_q == CtxBits'(c))) refused_q[c] <= 1'b0;
        else if (violation && end_ctx == CtxBits'(c)) refused_q[c] <= 1'b1;
      end
    end
  end

  // The inverter goes to the contexts in turn: invert_q has it, or is the next. A job that leaves
  // without an inverse was refused; then the turn is its own.
  logic [CtxBits-1:0] invert_q;
  logic [NumContexts-1:0] inverted_q;  // contexts with an inverse
  logic inverter_q, inverse_q, invert_start, inverter_free, inverse_valid, inverse_stored;
  logic skip, skip_q, drop_q, inverse_valid_q;
  logic [255:0] inverse;
  logic [128:0] operand;

  assign invert_start = unit_start && arg == UnitInverter;
  assign skip = gone && !inverted_q[take_q] && !inverse_stored;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      invert_q <= '0;
      inverted_q <= '0;
      inverter_q <= 1'b0;
      inverse_q <= 1'b0;
      skip_q <= 1'b0;
      drop_q <= 1'b1;
      inverse_valid_q <= 1'b0;
    end else begin
      skip_q <= skip && !clear_i;
      drop_q <= skip || clear_i;
      inverse_valid_q <= inverse_valid && !inverse_stored && !skip && !drop_q && !clear_i;
      if (clear_i) invert_q <= '0;
      else if (inverse_stored || skip_q) invert_q <= following(invert_q);
      for (int unsigned c = 0; c < NumContexts; c++) begin
        if (clear_i || (gone_q && take_q == CtxBits'(c))) inverted_q[c] <= 1'b0;
        else if (inverse_stored && invert_q == CtxBits'(c)) inverted_q[c] <= 1'b1;
      end
      inverter_q <= next_ctx == invert_q && inverter_free;
      inverse_q  <= inverted_q[next_ctx];
    end
  end

  pm_x25519_tile_inverse u_inverse (
      .clk_i,
      .rst_ni,
      .start_i  (invert_start),
      .drop_i   (drop_q),
      .operand_i(operand),
      .free_o   (inverter_free),
      .valid_o  (inverse_valid),
      .inverse_o(inverse),
      .taken_i  (inverse_stored)
  );

  // A result is made when its job is the eldest and there is no other.
  logic result_start, making_q, collected, collected_zero;
  logic [254:0] collected_result;

  assign result_start = unit_start && arg == UnitResult;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      making_q <= 1'b0;
      room_q   <= 1'b0;
      alone_q  <= 1'b0;
    end else begin
      making_q <= !clear_i && !clear_q && !gone_q && (making_q || result_start);
      room_q   <= next_ctx == take_q && !making_q;
      alone_q  <= inside_q == (CtxBits + 1)'(1);
    end
  end

  always_comb begin
    conditions = '0;
    conditions[CondAlways] = 1'b1;
    conditions[CondRoom] = room_q;
    conditions[CondInverter] = inverter_q;
    conditions[CondInverse] = inverse_q;
    conditions[CondAlone] = alone_q;
  end

  pm_x25519_tile_result u_result (
      .clk_i,
      .rst_ni,
      .start_i  (result_start),
      .take_i   (gone_q || clear_i || clear_q),
      .operand_i(operand),
      .valid_o  (collected),
      .result_o (collected_result),
      .zero_o   (collected_zero)
  );

  // Not in the cycle after a result was wiped.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) refused_o <= 1'b0;
    else refused_o <= refused_q[take_q] && !gone_q && !clear_i && !clear_q;
  end

  assign result_valid_o = (collected || refused_o) && !gone_q;
  assign result_o = {1'b0, collected_result};
  assign result_zero_o = collected_zero;

  // ---- scalars and registers --------------------------------------------------------------------

  logic [CtxBits-1:0] write_ctx;
  logic scalar_we, forget, index;
  logic [ 3:0] scalar_part;
  logic [15:0] scalar_data;
  logic load_valid, load_ready, load_upper;
  logic [AddrBits-1:0] load_addr;
  logic [128:0] load_data;

  pm_x25519_tile_store #(
      .NumContexts(NumContexts)
  ) u_store (
      .clk_i,
      .rst_ni,
      .clear_i,
      .turn_i          (turn_q[1] || !busy_o),
      .job_valid_i,
      .job_ready_o,
      .job_k_i,
      .job_u_i         (job_u_i[254:0]),
      .room_i          (32'(taken_q) != NumContexts),
      .put_i           (put_q),
      .gone_i          (gone_q),
      .inverse_valid_i (inverse_valid_q),
      .inverse_ctx_i   (invert_q),
      .inverse_i       (inverse),
      .inverse_stored_o(inverse_stored),
      .wipe_i          (dirty_q != '0),
      .clean_i         (clean_q),
      .wiped_o         (wiped),
      .ctx_o           (write_ctx),
      .scalar_we_o     (scalar_we),
      .scalar_part_o   (scalar_part),
      .scalar_data_o   (scalar_data),
      .forget_o        (forget),
      .load_valid_o    (load_valid),
      .load_ready_i    (load_ready),
      .load_addr_o     (load_addr),
      .load_upper_o    (load_upper),
      .load_data_o     (load_data)
  );

  pm_x25519_tile_digits #(
      .NumContexts(NumContexts)
  ) u_digits (
      .clk_i,
      .rst_ni,
      .write_i     (scalar_we),
      .write_ctx_i (write_ctx),
      .write_part_i(scalar_part),
      .write_data_i(scalar_data),
      .wipe_i      (forget),
      .begin_i     (|start_q),
      .ctx_i       (write_ctx),
      .step_i      (unit_start && arg == UnitDigit),
      .step_ctx_i  (ctx),
      .next_ctx_i  (next_ctx),
      .index_o     (index)
  );

  // ---- datapath ---------------------------------------------------------------------------------

  logic unused_zero, unused_odd, unused;

  assign unused = job_u_i[255];

  pm_half_datapath #(
      .NumContexts(NumContexts),
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
      .index_i(index),
      .neg_i(1'b0),
      .operand_o(operand),
      .load_valid_i(load_valid),
      .load_ready_o(load_ready),
      .load_addr_i(load_addr),
      .load_upper_i(load_upper),
      .load_data_i(load_data),
      .flag_ctx_i('0),
      .flag_zero_o(unused_zero),
      .flag_odd_o(unused_odd)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
    end else begin
      assert (inside_q + dirty_q == taken_q);
      assert (!result_start || (ctx == take_q && !making_q));
      assert (!invert_start || ctx == invert_q);
      assert (!skip_q || take_q == invert_q);
    end
  end

endmodule
