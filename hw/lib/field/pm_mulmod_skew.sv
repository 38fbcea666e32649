// SPDX-License-Identifier: Apache-2.0
//
// Modular multiplier with segmented carry chains, for high clocks: r = a b mod p up to one p, p =
// 2^N - C, the steps of pm_mulmod, each addition cut after about Segment bits. The product, skewed
// (pm_field_pkg) from the first recombination on, is straightened behind the last addition; the
// register there also chooses the canonical representative, if it is wanted.
//
// Ranges:    as pm_mulmod: any a, b below 2^W; r < 2p, with canon_i r < p. C of at most three ones.
// Latency:   mulmod_skew_part_latency() cycles to the taps, mulmod_skew_latency() to r and zero
//            (pm_field_pkg). One product per cycle.
// Handshake: none; en_i = 0 freezes every register.
// Reset:     none (data only). Constant time.
// Source:    Xue et al. 2022, J. Commun. 43(3), section 3.2, fig. 3, alg. 7; the registers are not
//            theirs.

module pm_mulmod_skew #(
    parameter int unsigned N       = 255,  // bits of the modulus
    parameter int unsigned C       = 19,   // p = 2^N - C, odd
    parameter int unsigned W       = 258,  // bits of the operands, even, at least N
    parameter int unsigned Levels  = 3,    // Karatsuba steps below the outermost one, at least 2
    parameter int unsigned Segment = 65    // bits of a carry chain
) (
    input  logic         clk_i,
    input  logic         en_i,      // clock enable of all registers
    input  logic [W-1:0] a_i,       // first factor
    input  logic [W-1:0] b_i,       // second factor
    input  logic         canon_i,   // a cycle before the result: reduce it to [0, p)
    output logic [W-1:0] part_h_o,  // product of the high halves
    output logic [W-1:0] part_l_o,  // product of the low halves
    output logic [  N:0] r_o,       // a b mod p
    output logic         zero_o     // it is zero modulo p
);

  if (Levels < 2) begin : gen_bad_levels
    $fatal(1, "pm_mulmod_skew: Levels must be at least 2");
  end

  localparam int unsigned Half = W / 2;
  localparam int unsigned K = (Half + 2) / 2;  // low bits of the sums of halves
  localparam int unsigned Stages = pm_field_pkg::select_add_latency(K, Segment);
  localparam int unsigned Skew = pm_field_pkg::segments(W + 2, Segment) - 1;

  logic [Half-1:0] a1, a0, b1, b0;
  logic [W+1:0] h, l, m;

  pm_reskew #(
      .W   (2 * W),
      .Lead(int'(Stages))
  ) u_halves (
      .clk_i,
      .en_i,
      .d_i({a_i, b_i}),
      .d_o({a1, a0, b1, b0})
  );
  // Sums of halves, the upper part without the carry of the lower one, which pm_karatsuba_skew
  // adds.
  logic [1:0][Half-1:0] x1, x0;  // halves of a, b
  logic [1:0][Half:0] xs;
  logic [1:0] carry;

  assign x1 = {b_i[W-1:Half], a_i[W-1:Half]};
  assign x0 = {b_i[Half-1:0], a_i[Half-1:0]};

  for (genvar i = 0; i < 2; i++) begin : gen_sum
    pm_select_add #(
        .W      (K),
        .Segment(Segment)
    ) u_low (
        .clk_i,
        .en_i,
        .a_i    (x1[i][K-1:0]),
        .b_i    (x0[i][K-1:0]),
        .carry_i(1'b0),
        .s_o    ({carry[i], xs[i][K-1:0]})
    );
    pm_select_add #(
        .W      (Half - K),
        .Segment(Segment),
        .Stages (Stages)
    ) u_high (
        .clk_i,
        .en_i,
        .a_i    (x1[i][Half-1:K]),
        .b_i    (x0[i][Half-1:K]),
        .carry_i(1'b0),
        .s_o    (xs[i][Half:K])
    );
  end

  pm_karatsuba_skew #(
      .W      (Half + 1),
      .Levels (Levels),
      .Segment(Segment)
  ) u_mul_h (
      .clk_i,
      .en_i,
      .a_i({1'b0, a1}),
      .b_i({1'b0, b1}),
      .a_carry_i(1'b0),
      .b_carry_i(1'b0),
      .p_o(h)
  );
  pm_karatsuba_skew #(
      .W      (Half + 1),
      .Levels (Levels),
      .Segment(Segment)
  ) u_mul_l (
      .clk_i,
      .en_i,
      .a_i({1'b0, a0}),
      .b_i({1'b0, b0}),
      .a_carry_i(1'b0),
      .b_carry_i(1'b0),
      .p_o(l)
  );
  pm_karatsuba_skew #(
      .W      (Half + 1),
      .Levels (Levels),
      .Segment(Segment),
      .Pending(1'b1)
  ) u_mul_m (
      .clk_i,
      .en_i,
      .a_i(xs[0]),
      .b_i(xs[1]),
      .a_carry_i(carry[0]),
      .b_carry_i(carry[1]),
      .p_o(m)
  );

  // The halves have W/2 bits, so the two top bits of these products are 0.
  logic unused;
  assign unused = ^{h[W+1:W], l[W+1:W]};

  pm_reskew #(
      .W        (W),
      .InW      (W + 2),
      .InSegment(Segment),
      .Lead     (int'(Skew))
  ) u_part_h (
      .clk_i,
      .en_i,
      .d_i(h[W-1:0]),
      .d_o(part_h_o)
  );
  pm_reskew #(
      .W        (W),
      .InW      (W + 2),
      .InSegment(Segment),
      .Lead     (int'(Skew))
  ) u_part_l (
      .clk_i,
      .en_i,
      .d_i(l[W-1:0]),
      .d_o(part_l_o)
  );

  logic [N:0] r, r_plus;

  pm_fold_skew #(
      .N      (N),
      .C      (C),
      .W      (W),
      .Segment(Segment)
  ) u_fold (
      .clk_i,
      .en_i,
      .h_i     (h[W-1:0]),
      .m_i     (m),
      .l_i     (l[W-1:0]),
      .r_o     (r),
      .r_plus_o(r_plus)
  );
  pm_canon_skew #(
      .N      (N),
      .C      (C),
      .Segment(Segment)
  ) u_canon (
      .clk_i,
      .en_i,
      .canon_i,
      .r_i     (r),
      .r_plus_i(r_plus),
      .r_o,
      .zero_o
  );

endmodule
