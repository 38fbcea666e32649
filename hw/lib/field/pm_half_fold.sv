// SPDX-License-Identifier: Apache-2.0
//
// Weak reduction modulo p = 2^255 - 19 of the three half products of a Karatsuba step that come one
// after another: r = a b mod p, with a = a1 2^129 + a0, b = b1 2^129 + b0.
//
// With L = a0 b0, H = a1 b1, M = (a0 + a1)(b0 + b1) and X = M - L - H, each in two halves of 129
// bits, and 2^258 = 152:
//   lo = L0 + 152 (H0 + X1),  hi = L1 + X0 + 152 H1,  a b = lo + 2^129 hi mod p
//   r  = (lo + 19 floor(hi / 2^126)) + 2^129 (hi mod 2^126),  since 2^255 = 19.
// All of them are positive; lo < 2^140, so that r < 2^255 + 2^140.
//
// Halves are skewed: bits from 65 on of a half come a cycle after the others; the upper half of a
// number comes two cycles after the lower one. Each addition so is a chain of 65 to 75 bits, used
// once for every half product.
//
// Latency:   phase_i[i]: i cycles, modulo 3, after the first bits of an L; L, H, M come two cycles
//            apart, the next L three cycles after that. 12 cycles to the lower half of r, 14 to the
//            upper, 17 to the flags, which stand for three cycles.
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
  logic [3:0][128:0] l0_q;  // L0, 1, 4, 7 and 10 cycles after it came
  logic [1:0][128:0] h0_q;  // H0
  logic [128:0] l1_q;  // L1

  always_ff @(posedge clk_i) begin
    if (phase_i[0]) begin
      for (int unsigned i = 0; i < 4; i++) l0_q[i][64:0] <= i == 0 ? p0[64:0] : l0_q[i-1][64:0];
    end
    if (phase_i[1]) begin
      for (int unsigned i = 0; i < 4; i++) begin
        l0_q[i][128:65] <= i == 0 ? p0[128:65] : l0_q[i-1][128:65];
      end
    end
    if (phase_i[2]) begin
      h0_q[0][64:0] <= p0[64:0];
      h0_q[1][64:0] <= h0_q[0][64:0];
      l1_q[64:0] <= p1[64:0];
    end
    if (phase_i[0]) begin
      h0_q[0][128:65] <= p0[128:65];
      h0_q[1][128:65] <= h0_q[0][128:65];
      l1_q[128:65] <= p1[128:65];
    end
  end

  // ---- X = M - (L + H), its upper half after its lower one ------------------------------------

  logic [128:0] hl0, x0;
  logic [130:0] hl1, x1;
  logic hl_carry, x_carry;
  /* verilator lint_off UNUSEDSIGNAL */
  logic hl_top, x_top;
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
  ) u_x0 (
      .clk_i,
      .low_i  (phase_i[1]),
      .high_i (phase_i[2]),
      .x_i    (p0),
      .y_i    (hl0),
      .carry_i(1'b1),
      .s_o    (x0),
      .carry_o(x_carry)
  );

  pm_half_add #(
      .W(131),
      .Subtract(1'b1)
  ) u_x1 (
      .clk_i,
      .low_i  (phase_i[0]),
      .high_i (phase_i[1]),
      .x_i    (p1),
      .y_i    (hl1),
      .carry_i(x_carry),
      .s_o    (x1),
      .carry_o(x_top)
  );

  // ---- H0 + X1 and L1 + X0 --------------------------------------------------------------------

  logic [130:0] u;
  logic [129:0] w;
  /* verilator lint_off UNUSEDSIGNAL */
  logic u_top, w_top;
  /* verilator lint_on UNUSEDSIGNAL */

  pm_half_add #(
      .W(131)
  ) u_u (
      .clk_i,
      .low_i  (phase_i[1]),
      .high_i (phase_i[2]),
      .x_i    (x1),
      .y_i    (131'(h0_q[1])),
      .carry_i(1'b0),
      .s_o    (u),
      .carry_o(u_top)
  );

  pm_half_add #(
      .W(130)
  ) u_w (
      .clk_i,
      .low_i  (phase_i[2]),
      .high_i (phase_i[0]),
      .x_i    (130'(x0)),
      .y_i    (130'(l1_q)),
      .carry_i(1'b0),
      .s_o    (w),
      .carry_o(w_top)
  );

  // ---- 19 z for z = H1 and z = H0 + X1, one pipeline for both ---------------------------------

  logic [130:0] z_q;
  logic z_top_q;  // bit 64 of a cycle ago
  logic [3:0] z_tops_q;  // bits 64:61 of two cycles ago
  logic [132:0] z3;
  logic [135:0] z19;
  logic [130:0] z_late_q;
  /* verilator lint_off UNUSEDSIGNAL */
  logic z3_top, z19_top;
  /* verilator lint_on UNUSEDSIGNAL */

  always_ff @(posedge clk_i) begin
    z_q[64:0] <= phase_i[1] ? p1[64:0] : u[64:0];
    z_q[130:65] <= phase_i[2] ? p1[130:65] : u[130:65];
    z_top_q <= z_q[64];
    z_late_q <= z_q;
    z_tops_q <= z_late_q[64:61];
  end

  pm_half_add #(
      .W(133)
  ) u_z3 (
      .clk_i,
      .low_i  (1'b1),
      .high_i (1'b1),
      .x_i    (133'(z_q)),
      .y_i    ({1'b0, z_q[130:65], z_top_q, z_q[63:0], 1'b0}),
      .carry_i(1'b0),
      .s_o    (z3),
      .carry_o(z3_top)
  );

  pm_half_add #(
      .W(136)
  ) u_z19 (
      .clk_i,
      .low_i  (1'b1),
      .high_i (1'b1),
      .x_i    (136'(z3)),
      .y_i    ({1'b0, z_late_q[130:65], z_tops_q, z_late_q[60:0], 4'd0}),
      .carry_i(1'b0),
      .s_o    (z19),
      .carry_o(z19_top)
  );

  // 152 z: its lowest three bits are 0, and bits 64:62 of 19 z belong to the upper part.
  logic [  2:0] z19_tops_q;
  logic [138:0] z152;

  always_ff @(posedge clk_i) z19_tops_q <= z19[64:62];
  assign z152 = {z19[135:65], z19_tops_q, z19[61:0], 3'd0};

  // ---- hi, and what lo gets of it -------------------------------------------------------------

  logic [136:0] hi;
  logic [ 64:0] hi_low_q;  // as long as the upper part of lo takes
  logic [ 60:0] hi_high_q;
  logic [ 15:0] t19_q;
  logic [129:0] l0_t;
  logic [138:0] lo;
  /* verilator lint_off UNUSEDSIGNAL */
  logic hi_top, l0_top, lo_top, r_top;
  /* verilator lint_on UNUSEDSIGNAL */

  pm_half_add #(
      .W(137)
  ) u_hi (
      .clk_i,
      .low_i  (phase_i[1]),
      .high_i (phase_i[2]),
      .x_i    (137'(w)),
      .y_i    (z152[136:0]),
      .carry_i(1'b0),
      .s_o    (hi),
      .carry_o(hi_top)
  );

  // Of floor(hi / 2^126), 11 bits. A `*` would be turned into DSP slices.
  always_ff @(posedge clk_i) begin
    if (phase_i[0]) t19_q <= 16'(hi[136:126]) + (16'(hi[136:126]) << 1) + (16'(hi[136:126]) << 4);
    if (phase_i[1]) hi_low_q <= hi[64:0];
    if (phase_i[2]) hi_high_q <= hi[125:65];
  end

  pm_half_add #(
      .W(130)
  ) u_l0_t (
      .clk_i,
      .low_i  (phase_i[1]),
      .high_i (phase_i[2]),
      .x_i    (130'(l0_q[3])),
      .y_i    (130'(t19_q)),
      .carry_i(1'b0),
      .s_o    (l0_t),
      .carry_o(l0_top)
  );

  pm_half_add #(
      .W(139)
  ) u_lo (
      .clk_i,
      .low_i  (phase_i[2]),
      .high_i (phase_i[0]),
      .x_i    (139'(l0_t)),
      .y_i    (z152),
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
  logic odd;

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
      zero_o <= (part_q[2].zero && hi_o[126:65] == '0) ||
          (part_q[2].p && !hi_o[126] && &hi_o[125:65]);
      odd_o <= odd ^ (hi_o[126] || (part_q[2].ge && &hi_o[125:65]));
    end
  end

endmodule
