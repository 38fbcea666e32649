// SPDX-License-Identifier: Apache-2.0
//
// X25519 engine of the compact form: microcode (hw/x25519/ucode/compact.pmu) on the butterfly
// datapath with one Karatsuba multiplier of 27 base multipliers, whose products start 3 cycles
// apart, and the inverter in fixed time beside it. One job at a time.
//
// Computes: X25519 of RFC 7748, section 5: k is clamped, bit 255 of u is ignored, u >= p is taken
//           modulo p. The result is canonical; result_zero_o says that it is 0.
// Latency:  from the accept of a job to result_valid_o: 10,237 cycles, the same for every job,
//           whatever is in it.
// Interval: that, and until the result is taken and the registers are wiped (37 times the cycles
//           between products), whichever is later.
// Handshake: job_valid_i/job_ready_o, result_valid_o/result_ready_i; a result holds until taken.
//           clear_i (pulse) drops the job or the result.
// Secrets:  no time depends on k, u or what is made of them. Behind each job, after clear_i and
//           after reset, words wipe the registers while job_ready_o is 0: then k, u and the banks
//           mul and sum are 0, the bank diff has the constant 4p, and products of 0 have gone
//           through the multiplier. The result is 0 again when it has been taken.
// Reset:    asynchronous, active low.
// Source:   Montgomery's ladder as in RFC 7748, section 5; the units are those of `edverify`.

module pm_x25519_compact_engine
  import pm_ucode_pkg::*;
  import pm_x25519_pkg::*;
  import pm_x25519_compact27_ucode_pkg::*;
(
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic clear_i,  // drops the job, wipes every secret
    input logic job_valid_i,  // a job is offered
    output logic job_ready_o,  // it is taken
    input logic [255:0] job_k_i,  // scalar: 32 bytes as a little-endian number
    input logic [255:0] job_u_i,  // u-coordinate, the same
    output logic result_valid_o,  // the job is done
    input logic result_ready_i,  // its result is taken
    output logic [255:0] result_o,  // u-coordinate, in [0, p)
    output logic result_zero_o,  // it is 0
    output logic refused_o,  // it is none: the guard of the sequencer stopped the program
    output logic busy_o  // a job is inside
);

  localparam int unsigned Interval = 3;  // cycles from one product to the next
  localparam int unsigned Spacing = pm_datapath_pkg::spacing(0, 1'b1, Interval);

  // Words of wiping are Interval cycles apart. Turns: one for a product of before, one for each
  // register, and until the last is written.
  localparam int unsigned Registers = 1 << RegisterBits;
  localparam int unsigned WipeTurns = 2 + Registers + (Spacing - 1) / Interval;
  localparam int unsigned WipeBits = $clog2(WipeTurns + 1);
  localparam int unsigned SlotBits = $clog2(Interval);

  // ---- job --------------------------------------------------------------------------------------

  // All 0 without a job.
  typedef struct packed {
    logic running;  // its program runs
    logic full;  // its result waits
    logic [255:0] k;  // next digit in bit 254, the one before in bit 255
    logic [254:0] u;
    logic [254:0] result;
    logic zero;  // the result is 0
    logic refused;  // there is none: the guard of the sequencer stopped the program
  } job_t;

  job_t job_q;
  logic wiping, accept, take, step_digit, ends;
  logic start_inverter_q, start_result_q;
  logic [257:0] operand;
  logic [  3:0] zero;

  assign job_ready_o = !busy_o && !wiping && !clear_i;
  assign accept = job_valid_i && job_ready_o;
  assign result_valid_o = job_q.full;
  assign result_o = {1'b0, job_q.result};
  assign result_zero_o = job_q.zero;
  assign refused_o = job_q.refused;
  assign take = result_valid_o && result_ready_i;
  assign busy_o = job_q.running || job_q.full;

  logic finish, violation;
  assign ends = finish || violation;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      job_q <= '0;
    end else if (clear_i) begin
      job_q <= '0;
    end else begin
      if (accept) begin
        job_q.running <= 1'b1;
        job_q.k <= pm_x25519_clamp(job_k_i);
        job_q.u <= job_u_i[254:0];
      end else if (ends) begin
        job_q.running <= 1'b0;
        job_q.full <= 1'b1;
        job_q.refused <= violation;
        job_q.k <= '0;
        job_q.u <= '0;
      end else if (step_digit) begin
        job_q.k <= job_q.k << 1;
      end
      if (start_result_q) begin
        job_q.result <= operand[254:0];
        job_q.zero   <= zero[0];
      end else if (take) begin
        job_q.full <= 1'b0;
        job_q.result <= '0;
        job_q.zero <= 1'b0;
        job_q.refused <= 1'b0;
      end
    end
  end

  // ---- program ----------------------------------------------------------------------------------

  word_t rom_word, seq_word;
  logic seq_valid, unit_start, idle;
  logic [RomAddrBits-1:0] rom_addr;
  logic [ArgBits-1:0] arg;
  logic [(1 << ConditionBits)-1:0] conditions;
  logic inverter_ready, inverter_valid;
  logic unused_seq_ctx, unused_next_ctx, unused_dispatch;

  pm_x25519_compact27_rom u_rom (
      .clk_i,
      .addr_i(rom_addr),
      .data_o(rom_word)
  );

  always_comb begin
    conditions = '0;
    conditions[CondAlways] = 1'b1;
    conditions[CondInverterDone] = inverter_valid;
  end

  pm_sequencer #(
      .AddrBits(RomAddrBits),
      .PublicConditions(PublicConditions)
  ) u_sequencer (
      .clk_i,
      .rst_ni,
      .start_i(accept),
      .clear_i,
      .secret_i(1'b1),
      .idle_o(idle),
      .rom_addr_o(rom_addr),
      .rom_word_i(rom_word),
      .valid_o(seq_valid),
      .ctx_o(unused_seq_ctx),
      .next_ctx_o(unused_next_ctx),
      .word_o(seq_word),
      .hold_i(1'b0),
      .conditions_i(conditions),
      .dispatch_addr_i('0),
      .unit_start_o(unit_start),
      .dispatch_o(unused_dispatch),
      .finish_o(finish),
      .violation_o(violation),
      .arg_o(arg)
  );

  // ---- wiping -----------------------------------------------------------------------------------
  // A register of each bank is overwritten by a word of zeros, while the sequencer has none.

  logic [SlotBits-1:0] slot_q;
  logic [WipeBits-1:0] wipe_q;  // turns of wiping that are left
  logic turn, wipe;
  logic [RegisterBits-1:0] wipe_register;
  word_t wipe_word;

  assign wiping = wipe_q != '0;
  assign turn = slot_q == SlotBits'(2);
  assign wipe = turn && wipe_q < WipeBits'(WipeTurns) && wipe_q >= WipeBits'(WipeTurns - Registers);
  assign wipe_register = RegisterBits'(WipeTurns - 1 - 32'(wipe_q));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      slot_q <= '0;
      wipe_q <= WipeBits'(WipeTurns);
    end else begin
      slot_q <= slot_q == SlotBits'(Interval - 1) ? '0 : slot_q + 1'b1;
      if (clear_i || ends) wipe_q <= WipeBits'(WipeTurns);
      else if (turn && wiping) wipe_q <= wipe_q - 1'b1;
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

  // ---- datapath ---------------------------------------------------------------------------------

  word_t word;
  logic  index;
  logic [254:0] ext, inverse;
  logic unused_odd, unused_flag_zero, unused_flag_odd, unused_share_ready, unused_share_valid;
  logic unused_issue;
  pm_datapath_pkg::product_watch_t unused_watch;
  logic [257:0] unused_share_h, unused_share_l;

  assign word  = wipe ? wipe_word : seq_word;
  assign index = job_q.k[255] != job_q.k[254];

  pm_butterfly_datapath #(
      .NumContexts(1),
      .IndexBits  (1),
      .SumReg     (1'b1),
      .ScaleStages(4),
      .Interval   (Interval)
  ) u_datapath (
      .clk_i,
      .rst_ni,
      .turn_i(1'b1),
      .word_i(word),
      .ctx_i('0),
      .index_i(index),
      .neg_i(1'b0),
      .ext_i(ext),
      .operand_o(operand),
      .zero_o(zero),
      .odd_o(unused_odd),
      .flag_ctx_i('0),
      .flag_zero_o(unused_flag_zero),
      .flag_odd_o(unused_flag_odd),
      .watch_o(unused_watch),
      .share_valid_i(1'b0),
      .share_ready_o(unused_share_ready),
      .share_a_i('0),
      .share_b_i('0),
      .share_part_valid_o(unused_share_valid),
      .share_h_o(unused_share_h),
      .share_l_o(unused_share_l),
      .mul_issue_o(unused_issue)
  );

  always_comb begin
    unique case (ext_e'(word.ext))
      ExtU: ext = job_q.u;
      ExtInv: ext = inverse;
      default: ext = ext_constant(ext_e'(word.ext));
    endcase
  end

  // ---- side units -------------------------------------------------------------------------------
  // Operands come one cycle after their word.

  assign step_digit = unit_start && arg == UnitDigit;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      start_inverter_q <= 1'b0;
      start_result_q   <= 1'b0;
    end else begin
      start_inverter_q <= unit_start && arg == UnitInverter;
      start_result_q   <= unit_start && arg == UnitResult;
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

  logic unused;
  assign unused = ^{operand[257:256], zero[3:1], job_u_i[255]};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
    end else begin
      assert (!start_inverter_q || inverter_ready || clear_i);
      assert (!start_result_q || inverter_valid);
      assert (!(wipe && seq_valid));
      assert (!(job_q.running && idle));
    end
  end

endmodule
