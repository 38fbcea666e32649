// SPDX-License-Identifier: Apache-2.0
//
// Weak reduction modulo p = 2^N - C of a Karatsuba triple, without forming the 2W-bit product.
//
// With m = W/2 the triple stands for V = 2^W H + 2^m (M - H - L) + L, that is H = a1 b1, L = a0 b0,
// M = (a1 + a0)(b1 + b0) for two operands of W bits.
//   round 1: T = C 2^(W-N) H + 2^m (M - H - L) + L      (2^W = C 2^(W-N) mod p)
//   round 2: r = C floor(T / 2^N) + (T mod 2^N)         (2^N = C mod p)
// r = V mod p up to one p: r <= 2^N - 1 + C floor(T_max / 2^N) < 2p, where
// T_max = (2^m - 1)^2 (C 2^(W-N) + 2^(m+1) + 1) belongs to two operands of W ones. For
// p = 2^255 - 19, W = 258: r <= 2^255 - 1 + 19 (2^133 + 1191) < 2^255 + 2^138. The same functions
// (pm_field_pkg) reject every parameter set for which r < 2p does not follow.
//
// Ranges:    H, L, M of any two operands below 2^W.
// Latency:   Stages cycles with en_i = 1; one reduction per cycle. 2: after round 1 and after
//            round 2. 3: one more between the sums and the final addition of round 1. 4: one more
//            between the product by C and the addition of round 2.
// Handshake: none; en_i = 0 freezes every register.
// Reset:     none (data only). Constant time.
// Source:    Xue et al. 2022, J. Commun. 43(3), alg. 7, rounds 1 and 2 (round 3 is pm_canon).

module pm_fold #(
    parameter int unsigned N      = 255,  // bits of the modulus
    parameter int unsigned C      = 19,   // p = 2^N - C, odd
    parameter int unsigned W      = 258,  // bits of the operands of the product, even, >= N
    parameter int unsigned Stages = 2     // register stages, 2 to 4
) (
    input  logic         clk_i,
    input  logic         en_i,   // clock enable of all registers
    input  logic [W-1:0] h_i,    // H, product of the high halves
    input  logic [W+1:0] m_i,    // M, product of the sums of the halves
    input  logic [W-1:0] l_i,    // L, product of the low halves
    output logic [  N:0] r_o     // weakly reduced result, below 2p
);

  localparam int unsigned Half = W / 2;
  localparam int unsigned TW = 3 * Half + 2;  // bits of T
  localparam int unsigned CW = $clog2(C + 1);  // bits of C
  localparam int unsigned HW = W + CW;  // bits of C H
  localparam int unsigned QW = TW - N + CW;  // bits of C floor(T / 2^N)

  if (Stages < 2 || Stages > 4) begin : gen_bad_stages
    $fatal(1, "pm_fold: Stages must be 2, 3 or 4");
  end
  if (!pm_field_pkg::fold_legal(N, pm_field_pkg::wide_t'(C), W)) begin : gen_bad_modulus
    $fatal(1, "pm_fold: N, C, W do not bring every product below 2p in two rounds");
  end

  // Products by the constant are sums of shifts: a `*` would be turned into DSP slices.
  function automatic logic [HW-1:0] mul_c_h(logic [W-1:0] v);
    logic [HW-1:0] s = '0;
    for (int unsigned i = 0; i < CW; i++) if (C[i]) s = s + (HW'(v) << i);
    return s;
  endfunction

  function automatic logic [QW-1:0] mul_c_q(logic [TW-N-1:0] v);
    logic [QW-1:0] s = '0;
    for (int unsigned i = 0; i < CW; i++) if (C[i]) s = s + (QW'(v) << i);
    return s;
  endfunction

  // Round 1.
  logic [HW-1:0] ch_d, ch;
  logic [W+1:0] x_d, x;  // M - H - L = a1 b0 + a0 b1
  logic [W-1:0] l;
  logic [TW-1:0] t_d, t_q;

  assign ch_d = mul_c_h(h_i);
  assign x_d  = m_i - (W + 2)'(h_i) - (W + 2)'(l_i);

  if (Stages >= 3) begin : gen_mid_reg
    always_ff @(posedge clk_i)
      if (en_i) begin
        ch <= ch_d;
        x  <= x_d;
        l  <= l_i;
      end
  end else begin : gen_mid_wire
    assign ch = ch_d;
    assign x  = x_d;
    assign l  = l_i;
  end

  assign t_d = (TW'(ch) << (W - N)) + (TW'(x) << Half) + TW'(l);
  always_ff @(posedge clk_i) if (en_i) t_q <= t_d;

  // Round 2.
  logic [QW-1:0] cq_d, cq;
  logic [N-1:0] tl;
  logic [  N:0] r_q;

  assign cq_d = mul_c_q(t_q[TW-1:N]);

  if (Stages == 4) begin : gen_high_reg
    always_ff @(posedge clk_i)
      if (en_i) begin
        cq <= cq_d;
        tl <= t_q[N-1:0];
      end
  end else begin : gen_high_wire
    assign cq = cq_d;
    assign tl = t_q[N-1:0];
  end

  always_ff @(posedge clk_i) if (en_i) r_q <= (N + 1)'(cq) + (N + 1)'(tl);
  assign r_o = r_q;

endmodule
