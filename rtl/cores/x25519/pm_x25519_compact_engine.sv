// SPDX-License-Identifier: Apache-2.0
//
// X25519 engine of the compact forms: microcode (ucode/x25519/compact.pmu) on the butterfly datapath with one
// Karatsuba multiplier of 27 or 9 leaves, whose products start 3 or 9 cycles apart, and the inverter in fixed
// time beside it.
//
// Computes: X25519 of RFC 7748, section 5: k is clamped, bit 255 of u is ignored, u >= p is taken modulo p. The
//           result is canonical; result_zero_o says that it is 0.
// Contexts: with one, words are issued cycle by cycle as scheduled. With several a job has every
//           (Contexts Interval)-th cycle to itself, so that its words find all that the word before made, and
//           no two products meet; jobs start far enough apart that each finds the inverter free. Context c takes
//           the jobs c, c + Contexts, ...
// Latency:  from the accept of a job to result_valid_o, Leaves 27 and 9: 10,237 and 23,016 cycles with one
//           context; 35,058 with five contexts of 27 leaves. The same for every job, whatever is in it and
//           beside it.
// Interval: that, and until the result is taken and the registers are wiped (34 to 37 turns of the context),
//           whichever is later; of several contexts divided by their number.
// Handshake: job_valid_i/job_ready_o, result_valid_o/result_ready_i; with several contexts job_ready_o is 1 only
//           in the cycles in which a context may start. Results come in the order of the jobs and hold until
//           taken. clear_i (pulse) drops every job and result.
// Secrets:  no time depends on k, u or what is made of them. Behind each job, after clear_i and after reset,
//           words wipe the registers of the context while job_ready_o is 0: then k, u and the banks mul and sum
//           are 0, the bank diff has the constant 4p, and products of 0 have gone through the multiplier. The
//           result is 0 again when it has been taken.
// Reset:    asynchronous, active low.
// Source:   Montgomery's ladder as in RFC 7748, section 5; the units are those of `edverify`.

module pm_x25519_compact_engine
  import pm_ucode_pkg::*;
  import pm_x25519_pkg::*;
  import pm_x25519_compact27_ucode_pkg::*;
#(
    parameter int unsigned Leaves = 27,  // products of at most 18 bits in the multiplier: 27 or 9
    parameter int unsigned Contexts = 1    // jobs at a time: 1, or as many as fill the pipeline (4 to 10; 2, 3)
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic clear_i,  // drops every job, wipes every secret
    input logic job_valid_i,  // a job is offered
    output logic job_ready_o,  // it is taken
    input logic [255:0] job_k_i,  // scalar: 32 bytes as a little-endian number
    input logic [255:0] job_u_i,  // u-coordinate, the same
    output logic result_valid_o,  // the oldest job is done
    input logic result_ready_i,  // its result is taken
    output logic [255:0] result_o,  // u-coordinate, in [0, p)
    output logic result_zero_o,  // it is 0
    output logic refused_o,  // it is none: the guard of the sequencer stopped the program
    output logic busy_o  // a job is inside
);

  localparam int unsigned Interval = 81 / Leaves;
  localparam int unsigned CtxBits = Contexts > 1 ? $clog2(Contexts) : 1;
  localparam int unsigned Round = Contexts * Interval;  // cycles from a turn of a context to its next
  localparam int unsigned Spacing = pm_datapath_pkg::spacing(0, 1'b1, 0, Interval);
  localparam int unsigned Last = Contexts - 1;
  localparam int unsigned SlotBits = $clog2(Round);
  localparam int unsigned AddrBits = RomAddrBits;

  // From the start of the inverter to the word that stores the result: at most five turns, and its time.
  localparam int unsigned Apart = Contexts > 1 ? 511 + 6 * Round : 0;
  localparam int unsigned ApartBits = $clog2(Apart + 2);

  // A context has a turn every Round cycles, and begins two cycles before its turn. Turns of wiping: one for a
  // product of before, one for each register, and until the last is written.
  localparam int unsigned Registers = 1 << RegisterBits;
  localparam int unsigned WipeTurns = 2 + Registers + (Spacing - 1) / Round;
  localparam int unsigned WipeBits = $clog2(WipeTurns + 1);

  if (Leaves != 27 && Leaves != 9) begin : g_refuse_leaves
    $fatal(1, "pm_x25519_compact_engine: Leaves must be 27 or 9");
  end
  if (Contexts < 1 || (Contexts > 1 && (Round < Spacing || Round > 32))) begin : g_refuse_contexts
    $fatal(
        1, "pm_x25519_compact_engine: Contexts must be 1, or 4 to 10 with 27 Leaves, 2 or 3 with 9"
    );
  end

  // ---- turns ------------------------------------------------------------------------------------

  logic [SlotBits-1:0] slot_q;
  logic [Contexts-1:0] begins, turn;  // a job of the context may begin; a word of it may be issued

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) slot_q <= '0;
    else slot_q <= slot_q == SlotBits'(Round - 1) ? '0 : slot_q + 1'b1;
  end

  always_comb begin
    for (int unsigned c = 0; c < Contexts; c++) begin
      begins[c] = Contexts == 1 || slot_q == SlotBits'(c * Interval);
      turn[c]   = slot_q == SlotBits'((c * Interval + 2) % Round);
    end
  end

  // ---- jobs -------------------------------------------------------------------------------------

  // What a context knows of its job; all 0 without one.
  typedef struct packed {
    logic running;  // its program runs
    logic full;  // its result waits
    logic [255:0] k;  // next digit in bit 254, the one before in bit 255
    logic [254:0] u;
    logic [254:0] result;
    logic zero;  // the result is 0
    logic refused;  // there is none: the guard of the sequencer stopped the program
  } job_t;

  job_t [Contexts-1:0] job_q;
  logic [Contexts-1:0] running, full, wiping, start, finish_ctx;
  logic [Contexts-1:0][WipeBits-1:0] wipe_q;  // turns of wiping that are left
  logic [CtxBits-1:0] in_q, out_q;  // contexts of the next job and of the next result
  logic [ApartBits-1:0] apart_q;
  logic accept, take;

  function automatic logic [CtxBits-1:0] following(logic [CtxBits-1:0] c);
    return c == CtxBits'(Last) ? '0 : c + 1'b1;
  endfunction

  assign job_ready_o = !running[in_q] && !full[in_q] && !wiping[in_q] && apart_q == '0 &&
      begins[in_q] && !clear_i;
  assign accept = job_valid_i && job_ready_o;
  assign result_valid_o = full[out_q];
  assign result_o = {1'b0, job_q[out_q].result};
  assign result_zero_o = job_q[out_q].zero;
  assign refused_o = job_q[out_q].refused;
  assign take = result_valid_o && result_ready_i;
  assign busy_o = running != '0 || full != '0;

  for (genvar c = 0; c < int'(Contexts); c++) begin : g_state
    assign running[c] = job_q[c].running;
    assign full[c] = job_q[c].full;
    assign wiping[c] = wipe_q[c] != '0;
    assign start[c] = accept && in_q == CtxBits'(c);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {in_q, out_q, apart_q} <= '0;
    end else if (clear_i) begin
      {in_q, out_q, apart_q} <= '0;
    end else begin
      if (accept) in_q <= following(in_q);
      if (take) out_q <= following(out_q);
      if (accept) apart_q <= ApartBits'(Apart);
      else if (apart_q != '0) apart_q <= apart_q - 1'b1;
    end
  end

  // ---- sequencer and datapath -------------------------------------------------------------------

  word_t rom_word, seq_word, wipe_word, word;
  logic seq_valid, unit_start, finish, violation;
  logic [CtxBits-1:0] seq_ctx, ctx, wipe_ctx, unit_ctx_q;
  logic [AddrBits-1:0] rom_addr;
  logic [ArgBits-1:0] arg;
  logic [(1 << ConditionBits)-1:0] conditions;
  logic [Contexts-1:0] idle;
  logic [Contexts-1:0][3:0] zero;
  logic [254:0] ext, inverse;
  logic [257:0] operand;
  logic inverter_ready, inverter_valid, mul_issue;
  logic start_digit, start_inverter_q, start_result_q, index;

  if (Contexts > 1) begin : g_contexts_rom
    pm_x25519_contexts_rom u_rom (
        .clk_i,
        .addr_i(rom_addr),
        .data_o(rom_word)
    );
  end else if (Leaves == 27) begin : g_compact27_rom
    pm_x25519_compact27_rom u_rom (
        .clk_i,
        .addr_i(rom_addr),
        .data_o(rom_word)
    );
  end else begin : g_compact9_rom
    pm_x25519_compact9_rom u_rom (
        .clk_i,
        .addr_i(rom_addr),
        .data_o(rom_word)
    );
  end

  logic [CtxBits-1:0] next_ctx;
  logic dispatch;

  pm_sequencer #(
      .NumContexts(Contexts),
      .AddrBits   (AddrBits),
      .MinSpacing (Contexts > 1 ? Round : 1),
      .PublicConditions(PublicConditions)
  ) u_sequencer (
      .clk_i,
      .rst_ni,
      .start_i(start),
      .clear_i({Contexts{clear_i}}),
      .secret_i('1),
      .idle_o(idle),
      .rom_addr_o(rom_addr),
      .rom_word_i(rom_word),
      .valid_o(seq_valid),
      .ctx_o(seq_ctx),
      .next_ctx_o(next_ctx),
      .word_o(seq_word),
      .hold_i(1'b0),
      .conditions_i(conditions),
      .dispatch_addr_i('0),
      .unit_start_o(unit_start),
      .dispatch_o(dispatch),
      .finish_o(finish),
      .violation_o(violation),
      .arg_o(arg)
  );

  // A register of each bank is overwritten by a word of zeros. Its turn is one in which the sequencer has
  // none for the context, which does not run.
  logic wipe;
  logic [RegisterBits-1:0] wipe_register;

  always_comb begin
    wipe = 1'b0;
    wipe_ctx = '0;
    wipe_register = '0;
    for (int unsigned c = 0; c < Contexts; c++) begin
      if (turn[c] && wipe_q[c] < WipeBits'(WipeTurns) &&
          wipe_q[c] >= WipeBits'(WipeTurns - Registers)) begin
        wipe = 1'b1;
        wipe_ctx = CtxBits'(c);
        wipe_register = RegisterBits'(WipeTurns - 1 - 32'(wipe_q[c]));
      end
    end
  end

  localparam port_t ZeroPort = '{indexed: 1'b0, bank: BankExt, number: '0};

  always_comb begin
    wipe_word = '0;
    wipe_word.ext = ExtZero;
    {wipe_word.mul_en, wipe_word.mul_canon, wipe_word.sum_we, wipe_word.diff_we} = '1;
    {wipe_word.ra, wipe_word.rb, wipe_word.rx, wipe_word.ry} = {4{ZeroPort}};
    wipe_word.mul_rd = wipe_register;
    wipe_word.sum_rd = wipe_register;
    wipe_word.diff_rd = wipe_register;
  end

  assign word  = wipe ? wipe_word : seq_word;
  assign ctx   = wipe ? wipe_ctx : seq_ctx;
  assign index = job_q[seq_ctx].k[255] != job_q[seq_ctx].k[254];

  logic [Contexts-1:0] odd;
  logic flag_zero, flag_odd, share_ready, share_part_valid;
  logic [257:0] share_h, share_l;

  pm_butterfly_datapath #(
      .NumContexts(Contexts),
      .IndexBits  (1),
      .SumReg     (1'b1),
      .ScaleStages(4),
      .Interval   (Interval)
  ) u_datapath (
      .clk_i,
      .rst_ni,
      .turn_i(1'b1),
      .word_i(word),
      .ctx_i(ctx),
      .index_i(index),
      .neg_i(1'b0),
      .ext_i(ext),
      .operand_o(operand),
      .zero_o(zero),
      .odd_o(odd),
      .flag_ctx_i('0),
      .flag_zero_o(flag_zero),
      .flag_odd_o(flag_odd),
      .share_valid_i(1'b0),
      .share_ready_o(share_ready),
      .share_a_i('0),
      .share_b_i('0),
      .share_part_valid_o(share_part_valid),
      .share_h_o(share_h),
      .share_l_o(share_l),
      .mul_issue_o(mul_issue)
  );

  always_comb begin
    unique case (ext_e'(word.ext))
      ExtU: ext = job_q[seq_ctx].u;
      ExtInv: ext = inverse;
      default: ext = ext_constant(ext_e'(word.ext));
    endcase
  end

  always_comb begin
    conditions = '0;
    conditions[CondAlways] = 1'b1;
    conditions[CondInverterDone] = inverter_valid;
  end

  // ---- side units -------------------------------------------------------------------------------
  // Operands come one cycle after their word.

  assign start_digit = unit_start && arg == UnitDigit;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      start_inverter_q <= 1'b0;
      start_result_q <= 1'b0;
      unit_ctx_q <= '0;
    end else begin
      start_inverter_q <= unit_start && arg == UnitInverter;
      start_result_q <= unit_start && arg == UnitResult;
      unit_ctx_q <= seq_ctx;
    end
  end

  pm_inverter #(
      .FixedTime(1'b1)
  ) u_inverter (
      .clk_i,
      .rst_ni,
      .clear_i,
      .valid_i(start_inverter_q),
      .ready_o(inverter_ready),
      .a_i    (operand[255:0]),
      .valid_o(inverter_valid),
      .ready_i(start_result_q),
      .inv_o  (inverse)
  );

  for (genvar c = 0; c < int'(Contexts); c++) begin : g_context
    logic own_result;

    assign finish_ctx[c] = (finish || violation) && seq_ctx == CtxBits'(c);
    assign own_result = start_result_q && unit_ctx_q == CtxBits'(c);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) wipe_q[c] <= WipeBits'(WipeTurns);
      else if (clear_i || finish_ctx[c]) wipe_q[c] <= WipeBits'(WipeTurns);
      else if (turn[c] && wiping[c]) wipe_q[c] <= wipe_q[c] - 1'b1;
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        job_q[c] <= '0;
      end else if (clear_i) begin
        job_q[c] <= '0;
      end else begin
        if (start[c]) begin
          job_q[c].running <= 1'b1;
          job_q[c].k <= pm_x25519_clamp(job_k_i);
          job_q[c].u <= job_u_i[254:0];
        end else if (finish_ctx[c]) begin
          job_q[c].running <= 1'b0;
          job_q[c].full <= 1'b1;
          job_q[c].refused <= violation;
          job_q[c].k <= '0;
          job_q[c].u <= '0;
        end else if (start_digit && seq_ctx == CtxBits'(c)) begin
          job_q[c].k <= job_q[c].k << 1;
        end
        if (own_result) begin
          job_q[c].result <= operand[254:0];
          job_q[c].zero   <= zero[c][0];
        end else if (take && out_q == CtxBits'(c)) begin
          job_q[c].full <= 1'b0;
          job_q[c].result <= '0;
          job_q[c].zero <= 1'b0;
          job_q[c].refused <= 1'b0;
        end
      end
    end
  end

  logic unused;
  assign unused = ^{idle, next_ctx, dispatch, odd, flag_zero, flag_odd, share_ready,
                    share_part_valid, share_h, share_l, mul_issue, operand[257:256], job_u_i[255]};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
    end else begin
      assert (!start_inverter_q || inverter_ready || clear_i);
      assert (!start_result_q || inverter_valid);
      assert (!(wipe && seq_valid));
      assert ((running & idle) == '0);
    end
  end

endmodule
