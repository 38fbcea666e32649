// SPDX-License-Identifier: Apache-2.0
//
// Control of the verification engine of `edverify`, configuration `paper`: one context of microcode
// (hw/edverify/ucode/verify.pmu), the NAF recoders, the digit scan and the mod-L unit. The datapath
// is outside (pm_edverify_paper_engine); with Hardened there are two controls for it, and the
// program is that of `hardened` (hw/edverify/ucode/hardened.pmu).
//
// Computes: the microinstructions of a job, from its inputs and the flags of the datapath, and the
//           verdict.
// Handshake: as pm_edverify_paper_engine. word_o is zero in cycles without a microinstruction;
//           a_idx_o belongs to it, g_idx_o is a cycle ahead of it.
// Latency:  data dependent. Reset: asynchronous, active low: idle.
// Constant time: NO, everything here is public.
// Source:   Xue et al. 2022, J. Commun. 43(3), algorithms 5 and 6.

module pm_edverify_paper_control
  import pm_ucode_pkg::*;
  import pm_edverify_paper_ucode_pkg::*;
  import pm_scalar_pkg::*;
  import pm_edverify_pkg::*;
#(
    // window of the base point; the ROM table has 2^(w-2) rows
    parameter int unsigned WindowG = 10,
    parameter int unsigned WindowA = 5,  // window of the key; the program's table has 2^(w-2) rows
    parameter bit Hardened = 1'b0  // 1: the program of `hardened`
) (
    input  logic                      clk_i,           // clock
    input  logic                      rst_ni,          // asynchronous reset, active low
    input  logic                      start_i,         // pulse: begin
    input  logic                      clear_i,         // pulse: abandon
    output logic                      idle_o,          // no job
    input  rule_flags_t               flags_i,         // what the rule set asks for
    input  logic        [      255:0] s_i,             // S, byte 0 in bits 7:0
    input  logic        [      255:0] r_i,             // R
    input  logic        [      255:0] a_i,             // public key
    input  logic                      digest_valid_i,  // the digest is there
    output logic                      digest_ready_o,  // it is taken
    input  logic        [      511:0] digest_i,        // SHA-512(R || A || M)
    output logic                      finish_o,        // pulse: the job ends
    output reason_e                   reason_o,        // its verdict
    // datapath
    output word_t                     word_o,          // microinstruction
    output logic        [WindowA-3:0] a_idx_o,         // index of its table point of A
    output logic        [WindowG-3:0] g_idx_o,         // index of the next one of G
    input  logic        [        3:0] zero_i,          // flags of the latest canonical products
    input  logic                      odd_i
);

  if (WindowG != 10 || WindowA != 5) begin : g_refuse_windows
    $fatal(1, "pm_edverify_paper_control: table and program are made for the windows 10 and 5");
  end

  localparam logic [254:0] Prime = 255'((256'd1 << 255) - 256'd19);

  // The two machines have the same names, and the same numbers but for places in the ROM.
  localparam int unsigned AddrBits =
      Hardened ? pm_edverify_hardened_ucode_pkg::RomAddrBits : RomAddrBits;
  localparam logic [AddrBits-1:0] Double = AddrBits'(Hardened ?
      32'(pm_edverify_hardened_ucode_pkg::AtWalkDouble) : 32'(AtWalkDouble));
  localparam logic [AddrBits-1:0] AddG = AddrBits'(Hardened ?
      32'(pm_edverify_hardened_ucode_pkg::AtWalkAddG) : 32'(AtWalkAddG));
  localparam logic [AddrBits-1:0] SubG = AddrBits'(Hardened ?
      32'(pm_edverify_hardened_ucode_pkg::AtWalkSubG) : 32'(AtWalkSubG));
  localparam logic [AddrBits-1:0] AddA = AddrBits'(Hardened ?
      32'(pm_edverify_hardened_ucode_pkg::AtWalkAddA) : 32'(AtWalkAddA));
  localparam logic [AddrBits-1:0] SubA = AddrBits'(Hardened ?
      32'(pm_edverify_hardened_ucode_pkg::AtWalkSubA) : 32'(AtWalkSubA));
  localparam logic [AddrBits-1:0] Done = AddrBits'(Hardened ?
      32'(pm_edverify_hardened_ucode_pkg::AtWalkDone) : 32'(AtWalkDone));

  // ---- sequencer --------------------------------------------------------------------------------

  word_t rom_word;
  logic unit_start, dispatch, word_valid;
  logic [AddrBits-1:0] rom_addr, dispatch_addr;
  logic [ArgBits-1:0] arg;
  logic [(1 << ConditionBits)-1:0] conditions;
  logic unused_ctx, unused_next_ctx;  // there is one context
  logic unused_violation;  // nothing secret is here

  if (Hardened) begin : g_hardened
    pm_edverify_hardened_rom u_rom (
        .clk_i,
        .addr_i(rom_addr),
        .data_o(rom_word)
    );
  end else begin : g_paper
    pm_edverify_paper_rom u_rom (
        .clk_i,
        .addr_i(rom_addr),
        .data_o(rom_word)
    );
  end

  pm_sequencer #(
      .NumContexts(1),
      .AddrBits(AddrBits)
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
      .ctx_o(unused_ctx),
      .next_ctx_o(unused_next_ctx),
      .word_o,
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
  logic [WindowG-3:0] g_digit_idx;
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
      .g_idx_o,
      .a_idx_o
  );

  // Q = S*G - k*A: a positive digit of k subtracts.
  always_comb begin
    unique case (op)
      WalkDouble: dispatch_addr = Double;
      WalkAddG: dispatch_addr = op_neg ? SubG : AddG;
      WalkAddA: dispatch_addr = op_neg ? AddA : SubA;
      default: dispatch_addr = Done;
    endcase
  end

  // ---- conditions -------------------------------------------------------------------------------

  always_comb begin
    conditions = '0;
    conditions[CondAlways] = 1'b1;
    conditions[CondZero0] = zero_i[0];
    conditions[CondZero1] = zero_i[1];
    conditions[CondZero2] = zero_i[2];
    conditions[CondZero3] = zero_i[3];
    conditions[CondOddNeSignA] = odd_i != a_i[255];
    conditions[CondOddNeSignR] = odd_i != r_i[255];
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
