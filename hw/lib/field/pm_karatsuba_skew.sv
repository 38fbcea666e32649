// SPDX-License-Identifier: Apache-2.0
//
// Recursive Karatsuba multiplier with segmented carry chains: p = a b, unsigned, W x W -> 2W bits,
// the same steps and leaves as pm_karatsuba. The product is skewed (pm_field_pkg), so that a step's
// two additions cost one or two cycles whatever their width.
//
// Ranges:    any a, b. With Levels > 1 a half must fit one segment: sums of halves take a cycle.
// Latency:   pm_field_pkg::karatsuba_skew_latency(WMin, WMax, Levels, Segment) cycles with en_i = 1
//            to segment 0 of the product. One product per cycle.
// Handshake: none; en_i = 0 freezes every register.
// Reset:     none (data only). Constant time.
// Source:    Xue et al. 2022, J. Commun. 43(3), eq. (5) and section 3.2; the registers are not
//            theirs.

module pm_karatsuba_skew #(
    parameter int unsigned W = 130,  // bits of each operand, at least 2^Levels
    parameter int unsigned Levels = 3,  // Karatsuba steps; 0: one multiplier
    parameter int unsigned Segment = 65,  // bits of a carry chain
    parameter int unsigned WMin = W,  // widths of the multipliers whose latency this one shares
    parameter int unsigned WMax = W
) (
    input  logic           clk_i,
    input  logic           en_i,   // clock enable of all registers
    input  logic [  W-1:0] a_i,    // first factor
    input  logic [  W-1:0] b_i,    // second factor
    output logic [2*W-1:0] p_o     // skewed product
);

  if (Levels > 16 || (W >> Levels) == 0) begin : gen_bad_levels
    $fatal(1, "pm_karatsuba_skew: W must be at least 2^Levels");
  end
  if (W < WMin || W > WMax) begin : gen_bad_widths
    $fatal(1, "pm_karatsuba_skew: W must be from WMin to WMax");
  end

  if (Levels > 1 && pm_field_pkg::segments((WMax + 1) / 2, Segment) > 1) begin : gen_bad_segment
    $fatal(1, "pm_karatsuba_skew: a half must fit one segment");
  end

  if (Levels == 0) begin : gen_leaf
    logic [2*W-1:0] straight;
    pm_mul_leaf #(
        .Width (W),
        .Signed(1'b0),
        .InReg (1),
        .OutReg(2)
    ) u_leaf (
        .clk_i,
        .en_i,
        .a_i,
        .b_i,
        .p_o(straight)
    );
    pm_reskew #(
        .W         (2 * W),
        .OutSegment(Segment)
    ) u_skew (
        .clk_i,
        .en_i,
        .d_i(straight),
        .d_o(p_o)
    );
  end else begin : gen_step
    localparam int unsigned K = (W + 1) / 2;  // bits of the low half
    localparam int unsigned J = W - K;  // bits of the high half, K or K - 1
    localparam int unsigned XW = 2 * K + 2;  // bits of the middle term
    localparam int unsigned Cost = pm_field_pkg::recombine_latency(WMin, WMax, Segment);

    logic [K-1:0] a0, b0;
    logic [J-1:0] a1, b1;
    logic [K:0] am, bm;  // factors of the middle product
    logic [2*J-1:0] h;
    logic [2*K-1:0] l;
    logic [XW-1:0] m, h_x, l_x, x;

    // Factors. The subtraction of the last step goes straight to the input registers of the leaf.
    if (Levels == 1) begin : gen_last
      logic [XW-1:0] straight;
      assign {a1, a0} = a_i;
      assign {b1, b0} = b_i;
      assign am = (K + 1)'(a1) - (K + 1)'(a0);
      assign bm = (K + 1)'(b0) - (K + 1)'(b1);
      pm_mul_leaf #(
          .Width (K + 1),
          .Signed(1'b1),
          .InReg (1),
          .OutReg(2)
      ) u_mid (
          .clk_i,
          .en_i,
          .a_i(am),
          .b_i(bm),
          .p_o(straight)
      );
      pm_reskew #(
          .W         (XW),
          .OutSegment(Segment)
      ) u_skew (
          .clk_i,
          .en_i,
          .d_i(straight),
          .d_o(m)
      );
    end else begin : gen_add
      always_ff @(posedge clk_i)
        if (en_i) begin
          {a1, a0, b1, b0} <= {a_i, b_i};
          am <= (K + 1)'(a_i[W-1:K]) + (K + 1)'(a_i[K-1:0]);
          bm <= (K + 1)'(b_i[W-1:K]) + (K + 1)'(b_i[K-1:0]);
        end

      pm_karatsuba_skew #(
          .W      (K + 1),
          .Levels (Levels - 1),
          .Segment(Segment),
          .WMin   (WMin / 2),
          .WMax   ((WMax + 1) / 2 + 1)
      ) u_mid (
          .clk_i,
          .en_i,
          .a_i(am),
          .b_i(bm),
          .p_o(m)
      );
    end

    pm_karatsuba_skew #(
        .W      (J),
        .Levels (Levels - 1),
        .Segment(Segment),
        .WMin   (WMin / 2),
        .WMax   ((WMax + 1) / 2 + 1)
    ) u_high (
        .clk_i,
        .en_i,
        .a_i(a1),
        .b_i(b1),
        .p_o(h)
    );

    pm_karatsuba_skew #(
        .W      (K),
        .Levels (Levels - 1),
        .Segment(Segment),
        .WMin   (WMin / 2),
        .WMax   ((WMax + 1) / 2 + 1)
    ) u_low (
        .clk_i,
        .en_i,
        .a_i(a0),
        .b_i(b0),
        .p_o(l)
    );

    // Middle term, modulo 2^(2K+2), which absorbs the sign of the last step; it is below 2^(W+1).
    pm_reskew #(
        .W         (2 * J),
        .InSegment (Segment),
        .OutW      (XW),
        .OutSegment(Segment)
    ) u_h_x (
        .clk_i,
        .en_i,
        .d_i(h),
        .d_o(h_x[2*J-1:0])
    );
    pm_reskew #(
        .W         (2 * K),
        .InSegment (Segment),
        .OutW      (XW),
        .OutSegment(Segment)
    ) u_l_x (
        .clk_i,
        .en_i,
        .d_i(l),
        .d_o(l_x[2*K-1:0])
    );
    assign h_x[XW-1:2*J] = '0;
    assign l_x[XW-1:2*K] = '0;

    pm_segment_add #(
        .W      (XW),
        .Segment(Segment),
        .Terms  (3),
        .Negate (Levels == 1 ? 3'b000 : 3'b110)
    ) u_middle (
        .clk_i,
        .en_i,
        .terms_i({h_x, l_x, m}),
        .s_o    (x)
    );

    logic unused;
    assign unused = ^x[XW-1:W+1];

    // The low K bits of L are final; everything above takes one addition.
    logic [2*W-1:0] hl, xs;
    pm_reskew #(
        .W         (2 * J),
        .InSegment (Segment),
        .OutW      (2 * W),
        .OutSegment(Segment),
        .OutShift  (2 * K),
        .Lead      (int'(Cost) - 1)
    ) u_h_p (
        .clk_i,
        .en_i,
        .d_i(h),
        .d_o(hl[2*W-1:2*K])
    );
    pm_reskew #(
        .W         (2 * K),
        .InSegment (Segment),
        .OutW      (2 * W),
        .OutSegment(Segment),
        .Lead      (int'(Cost) - 1)
    ) u_l_p (
        .clk_i,
        .en_i,
        .d_i(l),
        .d_o(hl[2*K-1:0])
    );
    pm_reskew #(
        .W         (W + 1),
        .InW       (XW),
        .InSegment (Segment),
        .OutW      (2 * W),
        .OutSegment(Segment),
        .OutShift  (K),
        .Lead      (int'(Cost) - 2)
    ) u_x_p (
        .clk_i,
        .en_i,
        .d_i(x[W:0]),
        .d_o(xs[K+W:K])
    );
    assign xs[K-1:0] = '0;
    if (2 * W > K + W + 1) begin : gen_top
      assign xs[2*W-1:K+W+1] = '0;
    end

    pm_segment_add #(
        .W      (2 * W),
        .Segment(Segment),
        .Low    (K)
    ) u_product (
        .clk_i,
        .en_i,
        .terms_i({xs, hl}),
        .s_o    (p_o)
    );
  end

endmodule
