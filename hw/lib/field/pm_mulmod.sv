// SPDX-License-Identifier: Apache-2.0
//
// Modular multiplier: r = a b mod p up to one p, p = 2^N - C. Three pm_karatsuba of W/2 + 1 bits
// (high halves, low halves, sums of halves), then pm_fold: 3^(Levels+1) leaves.
//
// Ranges:    any a, b below 2^W, so that sums and differences of results enter unreduced.
//            r < 2p; exactly r <= pm_field_pkg::fold_r_max(N, C, W), which for the default is
//            below 2^255 + 2^138. pm_canon gives the representative in [0, p).
// Latency:   part_latency() cycles to the taps, mulmod_latency() to r (pm_field_pkg); default 4
//            and 6. One product per cycle. The operands reach the first register through the
//            pre-additions, so an adder before the unit shares the first cycle.
// Handshake: valid/ready on both sides. The whole pipeline stands still while valid_o = 1 and
//            ready_i = 0; ready_o = !valid_o || ready_i is combinational. A result holds until
//            taken.
// Taps:      H = a1 b1 and L = a0 b0 of the same operands, for units that share the multiplier
//            (with a = {t, t}: H = t b1, L = t b0). part_valid_o, part_h_o and part_l_o move only
//            in cycles with ready_o = 1; take them in such a cycle. The product still runs through
//            the reduction and must be taken there as well.
// Reset:     clears the valid bits only. Constant time.
// Source:    Xue et al. 2022, J. Commun. 43(3), section 3.2, fig. 3, alg. 7.

module pm_mulmod #(
    parameter int unsigned N          = 255,    // bits of the modulus
    parameter int unsigned C          = 19,     // p = 2^N - C, odd
    parameter int unsigned W          = 258,    // bits of the operands, even, at least N
    parameter int unsigned Levels     = 3,      // Karatsuba steps below the outermost one
    parameter int unsigned OpReg      = 0,      // 1: register after the sums of halves
    parameter int unsigned PreMask    = 0,      // as in pm_karatsuba
    parameter int unsigned InReg      = 1,      // as in pm_karatsuba
    parameter int unsigned MulReg     = 1,      // as in pm_karatsuba
    parameter int unsigned RecMask    = 'b110,  // as in pm_karatsuba
    parameter int unsigned FoldStages = 2       // as Stages of pm_fold
) (
    input  logic         clk_i,
    input  logic         rst_ni,        // asynchronous reset, active low
    input  logic         valid_i,       // operands are present
    output logic         ready_o,       // operands are taken in this cycle if valid_i
    input  logic [W-1:0] a_i,           // first factor
    input  logic [W-1:0] b_i,           // second factor
    output logic         valid_o,       // result is present
    input  logic         ready_i,       // result is taken in this cycle if valid_o
    output logic [  N:0] r_o,           // a b mod p, weakly reduced
    output logic         part_valid_o,  // taps belong to accepted operands
    output logic [W-1:0] part_h_o,      // product of the high halves
    output logic [W-1:0] part_l_o       // product of the low halves
);

  localparam int unsigned Half = W / 2;
  localparam int unsigned PartLatency = pm_field_pkg::part_latency(
      Levels, OpReg, PreMask, InReg, MulReg, RecMask
  );
  localparam int unsigned Latency = PartLatency + FoldStages;

  if (OpReg > 1) begin : gen_bad_op_reg
    $fatal(1, "pm_mulmod: OpReg must be 0 or 1");
  end
  if (PartLatency < 1) begin : gen_bad_latency
    $fatal(1, "pm_mulmod: the multiplier needs at least one register stage");
  end
  if (W % 2 != 0) begin : gen_bad_width
    $fatal(1, "pm_mulmod: W must be even");
  end

  logic en;
  assign en = !valid_o || ready_i;
  assign ready_o = en;

  // Valid bits; bit i belongs to the registers of stage i + 1.
  logic [Latency-1:0] valid_q;
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) valid_q <= '0;
    else if (en) valid_q <= {valid_q[Latency-2:0], valid_i};
  assign valid_o = valid_q[Latency-1];
  assign part_valid_o = valid_q[PartLatency-1];

  // Halves and their sums, each Half + 1 bits.
  logic [Half:0] a1_d, a0_d, as_d, b1_d, b0_d, bs_d;
  assign a1_d = {1'b0, a_i[W-1:Half]};
  assign a0_d = {1'b0, a_i[Half-1:0]};
  assign b1_d = {1'b0, b_i[W-1:Half]};
  assign b0_d = {1'b0, b_i[Half-1:0]};
  assign as_d = a1_d + a0_d;
  assign bs_d = b1_d + b0_d;

  logic [W+1:0] h, l, m;

  logic [Half:0] a1, a0, as, b1, b0, bs;

  if (OpReg != 0) begin : gen_op_reg
    always_ff @(posedge clk_i)
      if (en) begin
        {a1, a0, as} <= {a1_d, a0_d, as_d};
        {b1, b0, bs} <= {b1_d, b0_d, bs_d};
      end
  end else begin : gen_op_wire
    assign {a1, a0, as} = {a1_d, a0_d, as_d};
    assign {b1, b0, bs} = {b1_d, b0_d, bs_d};
  end

  pm_karatsuba #(
      .W      (Half + 1),
      .Levels (Levels),
      .PreMask(PreMask),
      .InReg  (InReg),
      .MulReg (MulReg),
      .RecMask(RecMask)
  ) u_mul_h (
      .clk_i,
      .en_i(en),
      .a_i (a1),
      .b_i (b1),
      .p_o (h)
  );

  pm_karatsuba #(
      .W      (Half + 1),
      .Levels (Levels),
      .PreMask(PreMask),
      .InReg  (InReg),
      .MulReg (MulReg),
      .RecMask(RecMask)
  ) u_mul_l (
      .clk_i,
      .en_i(en),
      .a_i (a0),
      .b_i (b0),
      .p_o (l)
  );

  pm_karatsuba #(
      .W      (Half + 1),
      .Levels (Levels),
      .PreMask(PreMask),
      .InReg  (InReg),
      .MulReg (MulReg),
      .RecMask(RecMask)
  ) u_mul_m (
      .clk_i,
      .en_i(en),
      .a_i (as),
      .b_i (bs),
      .p_o (m)
  );

  assign part_h_o = h[W-1:0];
  assign part_l_o = l[W-1:0];

  // The halves have W/2 bits, so the two top bits of these products are 0.
  logic unused;
  assign unused = ^{h[W+1:W], l[W+1:W]};

  pm_fold #(
      .N     (N),
      .C     (C),
      .W     (W),
      .Stages(FoldStages)
  ) u_fold (
      .clk_i,
      .en_i(en),
      .h_i (part_h_o),
      .m_i (m),
      .l_i (part_l_o),
      .r_o (r_o)
  );

endmodule
