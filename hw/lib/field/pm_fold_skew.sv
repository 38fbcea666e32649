// SPDX-License-Identifier: Apache-2.0
//
// Weak reduction of a Karatsuba triple as in pm_fold, of skewed numbers with segmented carry
//   chains: round 1: T = C 2^(W-N) H + 2^m (M - H - L) + L
//   round 2: r = C floor(T / 2^N) + (T mod 2^N),  and beside it r + C, for pm_canon_skew.
//
// Ranges:    H, L, M of any two operands below 2^W, skewed as numbers of W + 2 bits; r < 2p as
//            proved by pm_field_pkg::fold_legal.
// Latency:   pm_field_pkg::fold_skew_latency(N, C, W, Segment) cycles with en_i = 1 from segment 0
//            to segment 0, skewed as a number of N + 1 bits. One reduction per cycle.
// Handshake: none; en_i = 0 freezes every register.
// Reset:     none (data only). Constant time.
// Source:    Xue et al. 2022, J. Commun. 43(3), alg. 7, rounds 1 and 2.

module pm_fold_skew #(
    parameter int unsigned N       = 255,  // bits of the modulus
    parameter int unsigned C       = 19,   // p = 2^N - C, odd, at most three ones
    parameter int unsigned W       = 258,  // bits of the operands of the product, even, >= N
    parameter int unsigned Segment = 65    // bits of a carry chain
) (
    input  logic         clk_i,
    input  logic         en_i,     // clock enable of all registers
    input  logic [W-1:0] h_i,      // H, product of the high halves
    input  logic [W+1:0] m_i,      // M, product of the sums of the halves
    input  logic [W-1:0] l_i,      // L, product of the low halves
    output logic [  N:0] r_o,      // weakly reduced result, below 2p
    output logic [  N:0] r_plus_o  // r + C
);

  localparam int unsigned Half = W / 2;
  localparam int unsigned TW = pm_field_pkg::fold_t_width(W);
  localparam int unsigned HW = W + $clog2(C + 1);  // bits of C H
  localparam int unsigned QW = TW - N + $clog2(C + 1);  // bits of C floor(T / 2^N)
  // Segment 0 of T is there after 2 cycles.
  localparam int HighLatency = int'(pm_field_pkg::fold_skew_high_latency(N, C, W, Segment));
  localparam int Latency = int'(pm_field_pkg::fold_skew_latency(N, C, W, Segment));

  if (!pm_field_pkg::fold_legal(N, pm_field_pkg::wide_t'(C), W)) begin : gen_bad_modulus
    $fatal(1, "pm_fold_skew: N, C, W do not bring every product below 2p in two rounds");
  end

  // Round 1.
  logic [HW-1:0] ch, ch_t;
  logic [W+1:0] x, x_t;  // M - H - L = a1 b0 + a0 b1
  logic [ W-1:0] l_t;
  logic [TW-1:0] t;

  pm_times_c_skew #(
      .W      (W),
      .C      (C),
      .Segment(Segment),
      .InW    (W + 2)
  ) u_c_h (
      .clk_i,
      .en_i,
      .v_i(h_i),
      .p_o(ch)
  );

  pm_segment_add #(
      .W      (W + 2),
      .Segment(Segment),
      .Terms  (3),
      .Negate (3'b110)
  ) u_middle (
      .clk_i,
      .en_i,
      .terms_i({{2'b00, h_i}, {2'b00, l_i}, m_i}),
      .s_o    (x)
  );

  pm_reskew #(
      .W         (HW),
      .InSegment (Segment),
      .OutW      (TW),
      .OutSegment(Segment),
      .OutShift  (W - N)
  ) u_ch_t (
      .clk_i,
      .en_i,
      .d_i(ch),
      .d_o(ch_t)
  );
  pm_reskew #(
      .W         (W + 2),
      .InSegment (Segment),
      .OutW      (TW),
      .OutSegment(Segment),
      .OutShift  (Half)
  ) u_x_t (
      .clk_i,
      .en_i,
      .d_i(x),
      .d_o(x_t)
  );
  pm_reskew #(
      .W         (W),
      .InW       (W + 2),
      .InSegment (Segment),
      .OutW      (TW),
      .OutSegment(Segment),
      .Lead      (1)
  ) u_l_t (
      .clk_i,
      .en_i,
      .d_i(l_i),
      .d_o(l_t)
  );

  pm_segment_add #(
      .W      (TW),
      .Segment(Segment),
      .Terms  (3)
  ) u_t (
      .clk_i,
      .en_i,
      .terms_i({TW'(ch_t) << (W - N), TW'(x_t) << Half, TW'(l_t)}),
      .s_o    (t)
  );

  // Round 2.
  logic [QW-1:0] cq, cq_r;
  logic [N-1:0] tl_r, tl_c;
  logic [N:0] tl_plus;

  pm_times_c_skew #(
      .W      (TW - N),
      .C      (C),
      .Segment(Segment),
      .InW    (TW),
      .InShift(N),
      .Lead   (HighLatency - 3)
  ) u_c_q (
      .clk_i,
      .en_i,
      .v_i(t[TW-1:N]),
      .p_o(cq)
  );

  pm_reskew #(
      .W         (QW),
      .InSegment (Segment),
      .OutW      (N + 1),
      .OutSegment(Segment),
      .Lead      (Latency - 1 - HighLatency)
  ) u_cq_r (
      .clk_i,
      .en_i,
      .d_i(cq),
      .d_o(cq_r)
  );
  pm_reskew #(
      .W         (N),
      .InW       (TW),
      .InSegment (Segment),
      .OutW      (N + 1),
      .OutSegment(Segment),
      .Lead      (Latency - 4)
  ) u_tl_c (
      .clk_i,
      .en_i,
      .d_i(t[N-1:0]),
      .d_o(tl_c)
  );
  pm_reskew #(
      .W   (N),
      .Lead(1)
  ) u_tl_r (
      .clk_i,
      .en_i,
      .d_i(tl_c),
      .d_o(tl_r)
  );

  pm_segment_add #(
      .W      (N + 1),
      .Segment(Segment)
  ) u_tl_plus (
      .clk_i,
      .en_i,
      .terms_i({(N + 1)'(C), {1'b0, tl_c}}),
      .s_o    (tl_plus)
  );
  pm_segment_add #(
      .W      (N + 1),
      .Segment(Segment)
  ) u_r (
      .clk_i,
      .en_i,
      .terms_i({(N + 1)'(cq_r), {1'b0, tl_r}}),
      .s_o    (r_o)
  );
  pm_segment_add #(
      .W      (N + 1),
      .Segment(Segment)
  ) u_r_plus (
      .clk_i,
      .en_i,
      .terms_i({(N + 1)'(cq_r), tl_plus}),
      .s_o    (r_plus_o)
  );

endmodule
