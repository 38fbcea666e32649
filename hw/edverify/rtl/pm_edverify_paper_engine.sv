// SPDX-License-Identifier: Apache-2.0
//
// Verification engine of `edverify`, configuration `paper`: one context of microcode
// (hw/edverify/ucode/verify.pmu) on the butterfly datapath, with NAF recoders, digit scan, table
// of the base point and mod-L unit beside it.
//
// Computes: the verdict of one Ed25519 signature under the rule set whose flags are given, from the
//           received bytes of S, R and A and the digest of R || A || M.
// Handshake: start_i (pulse, when idle_o) begins a job; the job inputs must hold until finish_o, a
//           pulse with the reason code. digest_i may come at any time later; digest_ready_o takes
//           it, hundreds of cycles later; until then it must not change. clear_i abandons the job.
// Latency:  data dependent (about 7,170 cycles from start_i with the digest there in time).
// Reset:    asynchronous, active low: idle. Constant time: NO, everything here is public.
// Source:   Xue et al. 2022, J. Commun. 43(3), figures 1 to 4, algorithms 5, 6 and 8.

module pm_edverify_paper_engine
  import pm_ucode_pkg::*;
  import pm_edverify_paper_ucode_pkg::*;
  import pm_scalar_pkg::*;
  import pm_edverify_pkg::*;
#(
    // window of the base point; the ROM table has 2^(w-2) rows
    parameter int unsigned WindowG = 10,
    parameter int unsigned WindowA = 5    // window of the key; the program's table has 2^(w-2) rows
) (
    input  logic                clk_i,           // clock
    input  logic                rst_ni,          // asynchronous reset, active low
    input  logic                start_i,         // pulse: begin
    input  logic                clear_i,         // pulse: abandon
    output logic                idle_o,          // no job
    input  rule_flags_t         flags_i,         // what the rule set asks for
    input  logic        [255:0] s_i,             // S, byte 0 in bits 7:0
    input  logic        [255:0] r_i,             // R
    input  logic        [255:0] a_i,             // public key
    input  logic                digest_valid_i,  // the digest is there
    output logic                digest_ready_o,  // it is taken
    input  logic        [511:0] digest_i,        // SHA-512(R || A || M)
    output logic                finish_o,        // pulse: the job ends
    output reason_e             reason_o,        // its verdict
    output logic                mul_issue_o      // a product is started in this cycle
);

  if (WindowG != 10 || WindowA != 5) begin : g_refuse_windows
    $fatal(1, "pm_edverify_paper_engine: table and program are made for the windows 10 and 5");
  end

  localparam logic [254:0] Prime = 255'((256'd1 << 255) - 256'd19);

  // ---- sequencer and datapath -------------------------------------------------------------------

  word_t rom_word, word;
  logic unit_start, dispatch, word_valid, ctx;
  logic [RomAddrBits-1:0] rom_addr, dispatch_addr;
  logic [ArgBits-1:0] arg;
  logic [(1 << ConditionBits)-1:0] conditions;
  logic [254:0] ext;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [0:0] next_ctx;  // there is one context
  /* verilator lint_on UNUSEDSIGNAL */
  logic [WindowA-3:0] a_idx;
  logic [0:0][3:0] zero;
  logic [0:0] odd;

  pm_edverify_paper_rom u_rom (
      .clk_i,
      .addr_i(rom_addr),
      .data_o(rom_word)
  );

  logic unused_violation;  // nothing secret is here
  logic unused_share_ready, unused_part_valid;  // no side unit shares the multiplier
  logic [257:0] unused_operand, unused_part_h, unused_part_l;  // none takes an operand

  pm_sequencer #(
      .NumContexts(1),
      .AddrBits(RomAddrBits)
  ) u_sequencer (
      .clk_i,
      .rst_ni,
      .start_i,
      .clear_i,
      .secret_i(1'b0),
      .idle_o,
      .rom_addr_o(rom_addr),
      .rom_word_i(rom_word),
      .valid_o(word_valid),
      .ctx_o(ctx),
      .next_ctx_o(next_ctx),
      .word_o(word),
      .conditions_i(conditions),
      .hold_i(1'b0),
      .dispatch_addr_i(dispatch_addr),
      .unit_start_o(unit_start),
      .dispatch_o(dispatch),
      .finish_o,
      .violation_o(unused_violation),
      .arg_o(arg)
  );

  assign reason_o = reason_e'(arg[7:0]);

  // Conditions are those of the only context.
  logic flag_zero, flag_odd, unused_flags;
  assign unused_flags = flag_zero ^ flag_odd;

  pm_butterfly_datapath #(
      .NumContexts(1),
      .IndexBits  (WindowA - 2)
  ) u_datapath (
      .clk_i,
      .rst_ni,
      .turn_i(1'b1),
      .word_i(word),
      .ctx_i(ctx),
      .index_i(a_idx),
      .neg_i(1'b0),
      .ext_i(ext),
      .operand_o(unused_operand),
      .zero_o(zero),
      .odd_o(odd),
      .flag_ctx_i('0),
      .flag_zero_o(flag_zero),
      .flag_odd_o(flag_odd),
      .share_valid_i(1'b0),
      .share_ready_o(unused_share_ready),
      .share_a_i('0),
      .share_b_i('0),
      .share_part_valid_o(unused_part_valid),
      .share_h_o(unused_part_h),
      .share_l_o(unused_part_l),
      .mul_issue_o
  );

  // ---- side units -------------------------------------------------------------------------------

  logic start_naf_g, start_naf_a, start_modl, start_walk, clear;

  assign start_naf_g = unit_start && arg == UnitNafG;
  assign start_walk = unit_start && arg == UnitWalk;
  assign clear = clear_i || start_i;

  // The program waits for a side unit before it uses or restarts it, so that all are ready on
  // start.
  logic naf_g_ready, naf_a_ready, modl_ready, modl_valid;
  logic [252:0] k;

  // As soon as the digest is there it is reduced, and k recoded; both are read until that is done.
  pm_modl_bits u_modl (
      .clk_i,
      .rst_ni,
      .clear_i(clear),
      .valid_i(start_modl),
      .ready_o(modl_ready),
      .x_i(digest_i),
      .valid_o(modl_valid),
      .ready_i(1'b0),
      .r_o(k)
  );

  assign start_modl = digest_valid_i && modl_ready && !idle_o;
  assign digest_ready_o = modl_valid;

  logic g_valid, g_ready, g_neg, g_done, a_valid, a_ready, a_neg, a_done;
  logic [7:0] g_pos, a_pos;
  logic [WindowG-3:0] g_idx, g_digit_idx;
  logic [WindowA-3:0] a_digit_idx;
  walk_op_e op;
  logic op_neg;

  assign start_naf_a = modl_valid && naf_a_ready && !a_done;

  pm_naf_bits #(
      .Window(WindowG)
  ) u_naf_g (
      .clk_i,
      .rst_ni,
      .clear_i(clear),
      .valid_i(start_naf_g),
      .ready_o(naf_g_ready),
      .scalar_i(s_i[252:0]),
      .digit_valid_o(g_valid),
      .digit_ready_i(g_ready),
      .digit_pos_o(g_pos),
      .digit_neg_o(g_neg),
      .digit_idx_o(g_digit_idx),
      .done_o(g_done)
  );

  pm_naf_bits #(
      .Window(WindowA)
  ) u_naf_a (
      .clk_i,
      .rst_ni,
      .clear_i(clear),
      .valid_i(start_naf_a),
      .ready_o(naf_a_ready),
      .scalar_i(k),
      .digit_valid_o(a_valid),
      .digit_ready_i(a_ready),
      .digit_pos_o(a_pos),
      .digit_neg_o(a_neg),
      .digit_idx_o(a_digit_idx),
      .done_o(a_done)
  );

  pm_naf_walk #(
      .WG(WindowG),
      .WA(WindowA)
  ) u_walk (
      .clk_i,
      .rst_ni,
      .clear_i(clear),
      .g_valid_i(g_valid),
      .g_ready_o(g_ready),
      .g_pos_i(g_pos),
      .g_neg_i(g_neg),
      .g_idx_i(g_digit_idx),
      .a_valid_i(a_valid),
      .a_ready_o(a_ready),
      .a_pos_i(a_pos),
      .a_neg_i(a_neg),
      .a_idx_i(a_digit_idx),
      .init_i(start_walk),
      .op_o(op),
      .op_neg_o(op_neg),
      .step_i(dispatch),
      .g_idx_o(g_idx),
      .a_idx_o(a_idx)
  );

  // Q = S*G - k*A: a positive digit of k subtracts.
  always_comb begin
    unique case (op)
      WalkDouble: dispatch_addr = AtWalkDouble;
      WalkAddG: dispatch_addr = op_neg ? AtWalkSubG : AtWalkAddG;
      WalkAddA: dispatch_addr = op_neg ? AtWalkAddA : AtWalkSubA;
      default: dispatch_addr = AtWalkDone;
    endcase
  end

  // ---- external values --------------------------------------------------------------------------

  logic [764:0] g_entry;

  pm_edverify_gtable #(
      .Points(256)
  ) u_gtable (
      .clk_i,
      .addr_i(g_idx),
      .data_o(g_entry)
  );

  always_comb begin
    unique case (ext_e'(word.ext))
      ExtYa:   ext = a_i[254:0];
      ExtYr:   ext = r_i[254:0];
      ExtGYp:  ext = g_entry[764:510];
      ExtGYm:  ext = g_entry[509:255];
      ExtGT2d: ext = g_entry[254:0];
      default: ext = ext_constant(ext_e'(word.ext));
    endcase
  end

  // ---- conditions -------------------------------------------------------------------------------

  always_comb begin
    conditions = '0;
    conditions[CondAlways] = 1'b1;
    conditions[CondZero0] = zero[0][0];
    conditions[CondZero1] = zero[0][1];
    conditions[CondZero2] = zero[0][2];
    conditions[CondZero3] = zero[0][3];
    conditions[CondOddNeSignA] = odd[0] != a_i[255];
    conditions[CondOddNeSignR] = odd[0] != r_i[255];
    conditions[CondSGeL] = s_i >= 256'(L);
    conditions[CondYaGeP] = a_i[254:0] >= Prime;
    conditions[CondYrGeP] = r_i[254:0] >= Prime;
    conditions[CondStrictA] = flags_i.strict_a;
    conditions[CondDecodeR] = flags_i.decode_r;
    conditions[CondStrictR] = flags_i.strict_r;
    conditions[CondSmallA] = flags_i.small_a;
    conditions[CondSmallR] = flags_i.small_r;
    conditions[CondCofactored] = flags_i.cofactored;
    conditions[CondHashDone] = digest_valid_i || modl_valid;
    conditions[CondNafDone] = g_done && a_done;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
    end else begin
      assert (!start_naf_g || naf_g_ready);
      assert (!word_valid || !idle_o);
    end
  end

endmodule
