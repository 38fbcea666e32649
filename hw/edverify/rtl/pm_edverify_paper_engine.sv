// SPDX-License-Identifier: Apache-2.0
//
// Verification engine of `edverify`, configurations `paper` and `hardened`: the control with its
// microcode, the butterfly datapath, and the table of the base point.
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
  import pm_edverify_pkg::*;
  import pm_datapath_pkg::*;
  import pm_edverify_lockstep_pkg::*;
#(
    // window of the base point; the ROM table has 2^(w-2) rows
    parameter int unsigned WindowG = 10,
    parameter int unsigned WindowA = 5,  // window of the key; the program's table has 2^(w-2) rows
    parameter bit Hardened = 1'b0  // 1: the program of `hardened`
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
    output logic                mul_issue_o,     // a product is started in this cycle
    input  logic                operands_i,      // A and R are complete, for issue_o alone
    output issue_t              issue_o          // what the datapath gets, and its products
);

  if (WindowG != 10 || WindowA != 5) begin : g_refuse_windows
    $fatal(1, "pm_edverify_paper_engine: table and program are made for the windows 10 and 5");
  end

  // ---- control ----------------------------------------------------------------------------------

  word_t word;
  logic [WindowG-3:0] g_idx;
  logic [WindowA-3:0] a_idx;
  logic [0:0][3:0] zero;
  logic [0:0] odd;
  logic [254:0] ext;

  pm_edverify_paper_control #(
      .WindowG (WindowG),
      .WindowA (WindowA),
      .Hardened(Hardened)
  ) u_control (
      .clk_i,
      .rst_ni,
      .start_i,
      .clear_i,
      .idle_o,
      .flags_i,
      .s_i,
      .r_i,
      .a_i,
      .digest_valid_i,
      .digest_ready_o,
      .digest_i,
      .finish_o,
      .reason_o,
      .word_o (word),
      .a_idx_o(a_idx),
      .g_idx_o(g_idx),
      .zero_i (zero[0]),
      .odd_i  (odd[0])
  );

  // ---- datapath ---------------------------------------------------------------------------------

  logic unused_share_ready, unused_part_valid;  // no side unit shares the multiplier
  logic [257:0] unused_operand, unused_part_h, unused_part_l;  // none takes an operand
  logic unused_flag_zero, unused_flag_odd;  // conditions are those of the only context
  product_watch_t watch;

  pm_butterfly_datapath #(
      .NumContexts(1),
      .IndexBits  (WindowA - 2)
  ) u_datapath (
      .clk_i,
      .rst_ni,
      .word_i(word),
      .ctx_i('0),
      .index_i(a_idx),
      .neg_i(1'b0),
      .ext_i(ext),
      .operand_o(unused_operand),
      .zero_o(zero),
      .odd_o(odd),
      .flag_ctx_i('0),
      .flag_zero_o(unused_flag_zero),
      .flag_odd_o(unused_flag_odd),
      .watch_o(watch),
      .share_valid_i(1'b0),
      .share_ready_o(unused_share_ready),
      .share_a_i('0),
      .share_b_i('0),
      .share_part_valid_o(unused_part_valid),
      .share_h_o(unused_part_h),
      .share_l_o(unused_part_l),
      .mul_issue_o
  );

  assign issue_o = '{
          word: word,
          a_idx: a_idx,
          g_idx: g_idx,
          operands: operands_i,
          a: a_i,
          r: r_i,
          written: watch
      };

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

endmodule
