// SPDX-License-Identifier: Apache-2.0
//
// Recursive Karatsuba multiplier: p = a b, unsigned, W x W -> 2W bits, 3^Levels base
// multiplications.
//
// With k = ceil(W/2), a = a1 2^k + a0 and b = b1 2^k + b0:
//   p = 2^(2k) H + 2^k X + L,  H = a1 b1, L = a0 b0, X = a1 b0 + a0 b1.
// Upper steps are additive, X = (a1 + a0)(b1 + b0) - H - L (k+1 bits a factor). The innermost step
// is subtractive, X = (a1 - a0)(b0 - b1) + H + L: its factors are k+1 bits *signed*, so that k = 17
// still fits one 25 x 18 signed DSP slice. W = 130, Levels = 3: 130 -> 65, 66 -> 32..34 -> 16..18,
// 27 base multipliers, 27 slices.
//
// Ranges:    any a, b.
// Latency:   pm_field_pkg::karatsuba_latency(Levels, PreMask, InReg, MulReg, RecMask) cycles with
//            en_i = 1: one for every mask bit below Levels, plus InReg + MulReg.
//            Default 4: base multiplier inputs, base multiplier outputs, after the middle and after
//            the outer recombination; no register before the pre-additions. One product per cycle.
// Handshake: none; en_i = 0 freezes every register.
// Reset:     none (data only). Constant time.
// Source:    Xue et al. 2022, J. Commun. 43(3), eq. (5) and section 3.2 (130 x 130 in 4 cycles).

module pm_karatsuba #(
    parameter int unsigned W = 130,  // bits of each operand, at least 2^Levels
    parameter int unsigned Levels = 3,  // Karatsuba steps; 0: one plain multiplier
    parameter int unsigned PreMask = 0,  // bit i: register after the pre-additions of step i
    parameter int unsigned InReg = 1,  // registers at the leaf inputs, 0 to 2
    parameter int unsigned MulReg = 1,  // registers at the leaf outputs, 0 to 2
    parameter int unsigned RecMask = 'b110  // bit i: register after the recombination of step i
) (
    input  logic           clk_i,
    input  logic           en_i,   // clock enable of all registers
    input  logic [  W-1:0] a_i,    // first factor
    input  logic [  W-1:0] b_i,    // second factor
    output logic [2*W-1:0] p_o     // product
);

  if (W < 1) begin : gen_bad_width
    $fatal(1, "pm_karatsuba: W must be at least 1");
  end
  if (Levels > 16 || (W >> Levels) == 0) begin : gen_bad_levels
    $fatal(1, "pm_karatsuba: W must be at least 2^Levels");
  end

  if (Levels == 0) begin : gen_leaf
    pm_mul_leaf #(
        .Width (W),
        .Signed(1'b0),
        .InReg (InReg),
        .OutReg(MulReg)
    ) u_leaf (
        .clk_i,
        .en_i,
        .a_i,
        .b_i,
        .p_o
    );
  end else begin : gen_step
    localparam int unsigned K = (W + 1) / 2;  // bits of the low half
    localparam int unsigned J = W - K;  // bits of the high half, K or K - 1

    logic [K-1:0] a0_d, b0_d;
    logic [J-1:0] a1_d, b1_d;
    logic [K:0] am_d, bm_d;  // factors of the middle product

    assign {a1_d, a0_d} = a_i;
    assign {b1_d, b0_d} = b_i;
    if (Levels == 1) begin : gen_sub
      assign am_d = (K + 1)'(a1_d) - (K + 1)'(a0_d);
      assign bm_d = (K + 1)'(b0_d) - (K + 1)'(b1_d);
    end else begin : gen_add
      assign am_d = (K + 1)'(a1_d) + (K + 1)'(a0_d);
      assign bm_d = (K + 1)'(b1_d) + (K + 1)'(b0_d);
    end

    logic [2*J-1:0] h;
    logic [2*K-1:0] l;
    logic [2*K+1:0] m;

    // Computed modulo 2^(2K+2), which absorbs the sign of the last step; X < 2^(W+1).
    logic [2*K+1:0] x;
    logic unused;
    assign unused = ^x[2*K+1:W+1];

    logic [K-1:0] a0, b0;
    logic [J-1:0] a1, b1;
    logic [K:0] am, bm;

    if (PreMask[Levels-1]) begin : gen_pre_reg
      always_ff @(posedge clk_i)
        if (en_i) begin
          {a1, a0, am} <= {a1_d, a0_d, am_d};
          {b1, b0, bm} <= {b1_d, b0_d, bm_d};
        end
    end else begin : gen_pre_wire
      assign {a1, a0, am} = {a1_d, a0_d, am_d};
      assign {b1, b0, bm} = {b1_d, b0_d, bm_d};
    end

    pm_karatsuba #(
        .W      (J),
        .Levels (Levels - 1),
        .PreMask(PreMask),
        .InReg  (InReg),
        .MulReg (MulReg),
        .RecMask(RecMask)
    ) u_high (
        .clk_i,
        .en_i,
        .a_i(a1),
        .b_i(b1),
        .p_o(h)
    );

    pm_karatsuba #(
        .W      (K),
        .Levels (Levels - 1),
        .PreMask(PreMask),
        .InReg  (InReg),
        .MulReg (MulReg),
        .RecMask(RecMask)
    ) u_low (
        .clk_i,
        .en_i,
        .a_i(a0),
        .b_i(b0),
        .p_o(l)
    );

    if (Levels == 1) begin : gen_mid_leaf
      pm_mul_leaf #(
          .Width (K + 1),
          .Signed(1'b1),
          .InReg (InReg),
          .OutReg(MulReg)
      ) u_mid (
          .clk_i,
          .en_i,
          .a_i(am),
          .b_i(bm),
          .p_o(m)
      );
      assign x = m + (2 * K + 2)'(h) + (2 * K + 2)'(l);
    end else begin : gen_mid
      pm_karatsuba #(
          .W      (K + 1),
          .Levels (Levels - 1),
          .PreMask(PreMask),
          .InReg  (InReg),
          .MulReg (MulReg),
          .RecMask(RecMask)
      ) u_mid (
          .clk_i,
          .en_i,
          .a_i(am),
          .b_i(bm),
          .p_o(m)
      );
      assign x = m - (2 * K + 2)'(h) - (2 * K + 2)'(l);
    end

    // The low K bits of L are final; everything above takes one addition.
    logic [2*W-1:0] p_d;
    assign p_d = {(2 * W - K)'({h, l[2*K-1:K]}) + (2 * W - K)'(x[W:0]), l[K-1:0]};

    if (RecMask[Levels-1]) begin : gen_rec_reg
      logic [2*W-1:0] p_q;
      always_ff @(posedge clk_i) if (en_i) p_q <= p_d;
      assign p_o = p_q;
    end else begin : gen_rec_wire
      assign p_o = p_d;
    end
  end

endmodule
