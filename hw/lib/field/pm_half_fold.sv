// SPDX-License-Identifier: Apache-2.0
//
// Weak reduction modulo p = 2^255 - 19 of the three half products of a Karatsuba step that come one
// after another: r = a b mod p, with a = a1 2^129 + a0, b = b1 2^129 + b0.
//
// With L = a0 b0, H = a1 b1 and M = (a0 + a1)(b0 + b1), each in two halves of 129 bits, and
// 2^258 = 152:
//   u 2^129 + w = M - L - H + L1 + 2^129 H0,  w < 2^129
//   lo = L0 + 152 u,  hi = w + 152 H1,  a b = lo + 2^129 hi mod p
//   r  = (lo + 19 floor(hi / 2^126)) + 2^129 (hi mod 2^126),  since 2^255 = 19.
// All of them are positive; lo < 2^140, so that r < 2^255 + 2^140.
//
// Halves are skewed: bits from 65 on of a half come a cycle after the others; the upper half of a
// number comes two cycles after the lower one. Each addition so is a chain of 65 to 75 bits, used
// once for every half product.
//
// Latency:   phase_i[i]: i cycles, modulo 3, after the first bits of an L; L, H, M come two cycles
//            apart, the next L three cycles after the first. 9 cycles to the lower half of r, 11 to
//            the upper one, each of which stands for three cycles; 17 to the flags, which do too.
// Ranges:    a0, a1, b0, b1 < 2^129.
// Reset:     none (data only). Constant time.

module pm_half_fold (
    input  logic         clk_i,    // clock
    input  logic [  2:0] phase_i,  // see above
    // product as pm_karatsuba_skew makes it with segments of 65 bits
    input  logic [259:0] p_i,
    output logic [128:0] lo_o,     // r mod 2^129
    output logic [126:0] hi_o,     // floor(r / 2^129)
    output logic         zero_o,   // r = 0 mod p
    output logic         odd_o     // r mod p is odd
);

  // ---- halves of the product ------------------------------------------------------------------

  logic [128:0] p0;
  logic [130:0] p1;
  logic early129_q, early194_q;  // come with the segment before theirs

  always_ff @(posedge clk_i) {early194_q, early129_q} <= {p_i[194], p_i[129]};

  assign p0 = p_i[128:0];
  assign p1 = {p_i[259:195], early194_q, p_i[193:130], early129_q};

  // ---- terms that wait ------------------------------------------------------------------------
  logic [2:0][128:0] l0_q;  // L0, 1, 4 and 7 cycles after it came
  logic [128:0] h0_q, l1_q, h1_q;  // H0, L1, H1

  always_ff @(posedge clk_i) begin
    if (phase_i[0]) begin
      for (int unsigned i = 0; i < 3; i++) l0_q[i][64:0] <= i == 0 ? p0[64:0] : l0_q[i-1][64:0];
    end
    if (phase_i[1]) begin
      for (int unsigned i = 0; i < 3; i++) begin
        l0_q[i][128:65] <= i == 0 ? p0[128:65] : l0_q[i-1][128:65];
      end
    end
    if (phase_i[2]) {h0_q[64:0], l1_q[64:0]} <= {p0[64:0], p1[64:0]};
    if (phase_i[0]) {h0_q[128:65], l1_q[128:65]} <= {p0[128:65], p1[128:65]};
    if (phase_i[1]) h1_q[64:0] <= p1[64:0];
    if (phase_i[2]) h1_q[128:65] <= p1[128:65];
  end

  // ---- u and w: M - V, V = L + H - (2^129 H0 + L1) ---------------------------------------------
  // V may be negative: modulo 2^260.

  logic [128:0] hl0, v0, w;
  logic [130:0] hl1, v1, u;
  logic hl_carry, v_carry, w_carry;
  /* verilator lint_off UNUSEDSIGNAL */
  logic hl_top, v_top, u_top;
  /* verilator lint_on UNUSEDSIGNAL */

  pm_half_add #(
      .W(129)
  ) u_hl0 (
      .clk_i,
      .low_i  (phase_i[2]),
      .high_i (phase_i[0]),
      .x_i    (p0),
      .y_i    (l0_q[0]),
      .carry_i(1'b0),
      .s_o    (hl0),
      .carry_o(hl_carry)
  );

  pm_half_add #(
      .W(131)
  ) u_hl1 (
      .clk_i,
      .low_i  (phase_i[1]),
      .high_i (phase_i[2]),
      .x_i    (p1),
      .y_i    (131'(l1_q)),
      .carry_i(hl_carry),
      .s_o    (hl1),
      .carry_o(hl_top)
  );

  pm_half_add #(
      .W(129),
      .Subtract(1'b1)
  ) u_v0 (
      .clk_i,
      .low_i  (phase_i[0]),
      .high_i (phase_i[1]),
      .x_i    (hl0),
      .y_i    (l1_q),
      .carry_i(1'b1),
      .s_o    (v0),
      .carry_o(v_carry)
  );

  pm_half_add #(
      .W(131),
      .Subtract(1'b1)
  ) u_v1 (
      .clk_i,
      .low_i  (phase_i[2]),
      .high_i (phase_i[0]),
      .x_i    (hl1),
      .y_i    (131'(h0_q)),
      .carry_i(v_carry),
      .s_o    (v1),
      .carry_o(v_top)
  );

  pm_half_add #(
      .W(129),
      .Subtract(1'b1)
  ) u_w (
      .clk_i,
      .low_i  (phase_i[1]),
      .high_i (phase_i[2]),
      .x_i    (p0),
      .y_i    (v0),
      .carry_i(1'b1),
      .s_o    (w),
      .carry_o(w_carry)
  );

  pm_half_add #(
      .W(131),
      .Subtract(1'b1)
  ) u_u (
      .clk_i,
      .low_i  (phase_i[0]),
      .high_i (phase_i[1]),
      .x_i    (p1),
      .y_i    (v1),
      .carry_i(w_carry),
      .s_o    (u),
      .carry_o(u_top)
  );

  // ---- hi: 152 H1 = 24 H1 + 128 H1 -------------------------------------------------------------
  // A part stands for three cycles, so that the next one may look at its highest bits.

  logic p1_top_q;  // bit 64 of p1 of a cycle ago
  logic [132:0] h3;
  logic [136:0] hi, hi_x, hi_y;
  logic [64:0] hi_low_q;  // as long as the upper part of lo takes
  logic [60:0] hi_high_q;
  logic [15:0] t19_q;
  /* verilator lint_off UNUSEDSIGNAL */
  logic h3_top, hi_top;
  logic [136:0] hi_s, hi_c;
  /* verilator lint_on UNUSEDSIGNAL */

  always_ff @(posedge clk_i) p1_top_q <= p1[64];

  pm_half_add #(
      .W(133)
  ) u_h3 (
      .clk_i,
      .low_i  (phase_i[1]),
      .high_i (phase_i[2]),
      .x_i    (133'(p1)),
      .y_i    ({1'b0, p1[130:65], p1_top_q, p1[63:0], 1'b0}),
      .carry_i(1'b0),
      .s_o    (h3),
      .carry_o(h3_top)
  );

  assign hi_x = {1'b0, h3, 3'd0};
  assign hi_y = {1'b0, h1_q, 7'd0};
  assign hi_s = 137'(w) ^ hi_x ^ hi_y;
  assign hi_c = (137'(w) & hi_x) | (137'(w) & hi_y) | (hi_x & hi_y);

  pm_half_add #(
      .W(137)
  ) u_hi (
      .clk_i,
      .low_i  (phase_i[2]),
      .high_i (phase_i[0]),
      .x_i    (hi_s),
      .y_i    ({hi_c[135:0], 1'b0}),
      .carry_i(1'b0),
      .s_o    (hi),
      .carry_o(hi_top)
  );

  // Of floor(hi / 2^126), 11 bits. A `*` would be turned into DSP slices.
  always_ff @(posedge clk_i) begin
    if (phase_i[1]) t19_q <= 16'(hi[136:126]) + (16'(hi[136:126]) << 1) + (16'(hi[136:126]) << 4);
    if (phase_i[2]) hi_low_q <= hi[64:0];
    if (phase_i[0]) hi_high_q <= hi[125:65];
  end

  // ---- lo: L0 + 128 u, and 24 u and 19 floor(hi / 2^126) ---------------------------------------

  logic [132:0] u3;
  logic [138:0] lu, lo, lo_x;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [138:0] lo_s, lo_c;
  logic u3_top, lu_top, lo_top, r_top;
  /* verilator lint_on UNUSEDSIGNAL */

  pm_half_add #(
      .W(133)
  ) u_u3 (
      .clk_i,
      .low_i  (phase_i[1]),
      .high_i (phase_i[2]),
      .x_i    (133'(u)),
      .y_i    ({1'b0, u, 1'b0}),
      .carry_i(1'b0),
      .s_o    (u3),
      .carry_o(u3_top)
  );

  pm_half_add #(
      .W(139)
  ) u_lu (
      .clk_i,
      .low_i  (phase_i[1]),
      .high_i (phase_i[2]),
      .x_i    (139'(l0_q[2])),
      .y_i    ({1'b0, u, 7'd0}),
      .carry_i(1'b0),
      .s_o    (lu),
      .carry_o(lu_top)
  );

  assign lo_x = {3'd0, u3, 3'd0};
  assign lo_s = lu ^ lo_x ^ 139'(t19_q);
  assign lo_c = (lu & lo_x) | (lu & 139'(t19_q)) | (lo_x & 139'(t19_q));

  pm_half_add #(
      .W(139)
  ) u_lo (
      .clk_i,
      .low_i  (phase_i[2]),
      .high_i (phase_i[0]),
      .x_i    (lo_s),
      .y_i    ({lo_c[137:0], 1'b0}),
      .carry_i(1'b0),
      .s_o    (lo),
      .carry_o(lo_top)
  );

  // ---- result ---------------------------------------------------------------------------------

  pm_half_add #(
      .W(127)
  ) u_r (
      .clk_i,
      .low_i  (phase_i[1]),
      .high_i (phase_i[2]),
      .x_i    (127'({hi_high_q, hi_low_q})),
      .y_i    (127'(lo[138:129])),
      .carry_i(1'b0),
      .s_o    (hi_o),
      .carry_o(r_top)
  );

  assign lo_o = lo[128:0];

  // ---- flags ----------------------------------------------------------------------------------
  // r is 0 mod p if it is 0 or p = 2^255 - 19, and not below p if it is at least that. Parts are
  // looked at as they come.

  typedef struct packed {
    logic odd;
    logic zero;  // all bits so far are 0
    logic p;     // are those of p
    logic ge;    // are at least those of p, whose bits from 5 on are all 1
  } part_t;

  part_t [2:0] part_q;
  logic odd, zero_q, odd_q;

  assign odd = part_q[2].odd;

  always_ff @(posedge clk_i) begin
    if (phase_i[0]) begin
      part_q[0] <= '{
          odd: lo[0],
          zero: lo[64:0] == '0,
          p: &lo[64:5] && lo[4:0] == 5'd13,
          ge: &lo[64:5] && lo[4:0] >= 5'd13
      };
    end
    if (phase_i[1]) begin
      part_q[1] <= part_q[0];
      part_q[1].zero <= part_q[0].zero && lo[128:65] == '0;
      part_q[1].p <= part_q[0].p && &lo[128:65];
      part_q[1].ge <= part_q[0].ge && &lo[128:65];
    end
    if (phase_i[2]) begin
      part_q[2] <= part_q[1];
      part_q[2].zero <= part_q[1].zero && hi_o[64:0] == '0;
      part_q[2].p <= part_q[1].p && &hi_o[64:0];
      part_q[2].ge <= part_q[1].ge && &hi_o[64:0];
    end
    if (phase_i[0]) begin
      zero_q <= (part_q[2].zero && hi_o[126:65] == '0) ||
          (part_q[2].p && !hi_o[126] && &hi_o[125:65]);
      odd_q <= odd ^ (hi_o[126] || (part_q[2].ge && &hi_o[125:65]));
      {zero_o, odd_o} <= {zero_q, odd_q};
    end
  end

endmodule
