// SPDX-License-Identifier: Apache-2.0
//
// Product by a small constant modulo p = 2^N - C, weakly reduced, or another operand as it is: for
// scale_i = 1 r = Factor x modulo p, else r = y.
//
// The constant is a sum of signed powers of two (non-adjacent form), x is cut into limbs of Limb
// bits, and the products of the limbs overlap only in the bits of the constant: E holds their lower
// Limb bits side by side, O what lies above, so that Factor x = E + O. What lies at N and above, h,
// comes back times C into the lowest limb of O, which is empty: r = E mod 2^N + O mod 2^N + C h,
// one long addition.
//
// Ranges:    x, y < 2^W. Scaled, r < 2^N + 2^(Limb floor((N - 1) / Limb) + bits of Factor); for the
//            defaults r < 2^255 + 2^209. Parameters for which C h does not fit a limb are rejected.
// Latency:   Stages cycles: after the products of the limbs and each half of the constant (4 only),
//            the products of the limbs, C h (3 and 4), and the sum. One product per cycle.
// Handshake: none. Reset: none (data only). Constant time.
// Source:    RFC 7748, section 5 (the constant); for the reduction Xue et al. 2022, alg. 7, one
//            round.

module pm_scale #(
    parameter int unsigned N      = 255,     // bits of the modulus
    parameter int unsigned C      = 19,      // p = 2^N - C
    parameter int unsigned W      = 258,     // bits of the operands, more than N
    parameter int unsigned Factor = 121666,  // the constant, below 2^24
    parameter int unsigned Limb   = 64,      // bits of a limb
    parameter int unsigned Stages = 4        // register stages, 2 to 4
) (
    input  logic         clk_i,
    input  logic         scale_i,  // 1: Factor x, 0: y
    input  logic [W-1:0] x_i,      // what is multiplied
    input  logic [W-1:0] y_i,      // what passes
    output logic [W-1:0] r_o       // result
);

  localparam int unsigned FB = $clog2(Factor + 1);  // bits of the constant
  localparam int unsigned Limbs = (W + Limb - 1) / Limb;
  localparam int unsigned PW = Limb + FB;  // bits of a limb's product
  localparam int unsigned TW = W + FB;  // bits of the product
  localparam int unsigned HW = TW - N + 1;  // bits of h
  localparam int unsigned CW = $clog2(C + 1);

  // Non-adjacent form of the constant.
  localparam int unsigned Plus = (32'(3 * Factor) & ~Factor) >> 1;
  localparam int unsigned Minus = (Factor & ~32'(3 * Factor)) >> 1;
  localparam int unsigned Middle = FB / 2;

  if (Stages < 2 || Stages > 4) begin : gen_bad_stages
    $fatal(1, "pm_scale: Stages must be 2, 3 or 4");
  end
  if (Factor < 1 || FB > 24 || W <= N || Limb <= FB || HW + CW > Limb) begin : gen_bad_size
    $fatal(1, "pm_scale: Factor, W, Limb and C do not fit together");
  end

  // Terms of the product of a limb from one bit of the constant to another, modulo 2^PW.
  function automatic logic [PW-1:0] terms(logic [Limb-1:0] v, int unsigned from, int unsigned to);
    logic [PW-1:0] s = '0;
    for (int unsigned i = from; i < to; i++) begin
      if (Plus[i]) s = s + (PW'(v) << i);
      if (Minus[i]) s = s - (PW'(v) << i);
    end
    return s;
  endfunction

  // Limbs of the product; of y they are y itself.
  logic [Limbs*Limb-1:0] x, y;
  logic [Limbs-1:0][PW-1:0] low_d, low, high_d, high, limbs_q;
  logic scale, scale_q;

  assign x = (Limbs * Limb)'(x_i);
  assign y = (Limbs * Limb)'(y_i);

  always_comb begin
    for (int unsigned i = 0; i < Limbs; i++) begin
      low_d[i]  = scale_i ? terms(x[i*Limb+:Limb], 0, Middle) : PW'(y[i*Limb+:Limb]);
      high_d[i] = scale_i ? terms(x[i*Limb+:Limb], Middle, FB + 1) : '0;
    end
  end

  if (Stages == 4) begin : gen_terms_reg
    always_ff @(posedge clk_i) begin
      low   <= low_d;
      high  <= high_d;
      scale <= scale_i;
    end
  end else begin : gen_terms_wire
    assign low   = low_d;
    assign high  = high_d;
    assign scale = scale_i;
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Limbs; i++) limbs_q[i] <= low[i] + high[i];
    scale_q <= scale;
  end

  // E, O and h.
  logic [(Limbs+1)*Limb-1:0] e, o;
  logic [HW-1:0] h;
  logic [W-1:0] e_d, o_d, e_r, o_r;
  logic unused;

  always_comb begin
    e = '0;
    o = '0;
    for (int unsigned i = 0; i < Limbs; i++) begin
      e[i*Limb+:Limb]   = limbs_q[i][Limb-1:0];
      o[(i+1)*Limb+:FB] = limbs_q[i][PW-1:Limb];
    end
    h   = HW'(e[TW-1:N]) + HW'(o[TW-1:N]);
    e_d = scale_q ? W'(e[N-1:0]) : e[W-1:0];
    o_d = '0;
    if (scale_q) begin
      o_d = W'(o[N-1:0]);
      // As a sum of shifts: a product would take a multiplier of the FPGA.
      for (int unsigned i = 0; i < CW; i++) if (C[i]) o_d[Limb-1:0] += Limb'(h) << i;
    end
  end

  assign unused = ^{e[(Limbs+1)*Limb-1:TW], o[(Limbs+1)*Limb-1:TW], o[Limb-1:0]};

  if (Stages >= 3) begin : gen_high_reg
    always_ff @(posedge clk_i) begin
      e_r <= e_d;
      o_r <= o_d;
    end
  end else begin : gen_high_wire
    assign e_r = e_d;
    assign o_r = o_d;
  end

  always_ff @(posedge clk_i) r_o <= e_r + o_r;

endmodule
