// SPDX-License-Identifier: Apache-2.0
//
// End of the skewed reduction modulo p = 2^N - C: gives r in [0, 2p) as it is, or r mod p in [0,
// p), no longer skewed, and whether r is zero modulo p. As in pm_canon, r >= p exactly when bit N
// of r + C is 1.
//
// Ranges:    r < 2p, with r + C beside it, both skewed as numbers of N + 1 bits.
// Latency:   pm_field_pkg::segments(N + 1, Segment) cycles with en_i = 1 from segment 0. One per
//            cycle.
// Handshake: none; en_i = 0 freezes every register.
// Reset:     none (data only). Constant time.
// Source:    Xue et al. 2022, J. Commun. 43(3), alg. 7, round 3, corrected as in pm_canon.

module pm_canon_skew #(
    parameter int unsigned N       = 255,  // bits of the modulus
    parameter int unsigned C       = 19,   // p = 2^N - C, odd
    parameter int unsigned Segment = 65    // bits of a carry chain
) (
    input  logic       clk_i,
    input  logic       en_i,      // clock enable of all registers
    input  logic       canon_i,   // with the last segment: reduce to [0, p)
    input  logic [N:0] r_i,       // skewed value in [0, 2p)
    input  logic [N:0] r_plus_i,  // skewed r + C
    output logic [N:0] r_o,       // r or r mod p
    output logic       zero_o     // r = 0 mod p
);

  localparam int unsigned Segments = pm_field_pkg::segments(N + 1, Segment);
  localparam logic [N:0] P = {1'b1, {N{1'b0}}} - (N + 1)'(C);

  logic [N:0] r, r_plus, r_q;
  logic [Segments-1:0] is_zero, is_p;
  logic zero_q;

  pm_reskew #(
      .W        (N + 1),
      .InSegment(Segment),
      .Lead     (int'(Segments) - 1)
  ) u_r (
      .clk_i,
      .en_i,
      .d_i(r_i),
      .d_o(r)
  );
  pm_reskew #(
      .W        (N + 1),
      .InSegment(Segment),
      .Lead     (int'(Segments) - 1)
  ) u_r_plus (
      .clk_i,
      .en_i,
      .d_i(r_plus_i),
      .d_o(r_plus)
  );

  // Each segment is compared as it comes.
  for (genvar i = 0; i < Segments; i++) begin : gen_segment
    localparam int unsigned From = i * Segment;
    localparam int unsigned To = i == Segments - 1 ? N + 1 : (i + 1) * Segment;
    pm_reskew #(
        .W   (2),
        .Lead(int'(Segments) - 1 - i)
    ) u_flags (
        .clk_i,
        .en_i,
        .d_i({r_i[To-1:From] == '0, r_i[To-1:From] == P[To-1:From]}),
        .d_o({is_zero[i], is_p[i]})
    );
  end

  always_ff @(posedge clk_i)
    if (en_i) begin
      r_q <= canon_i && r_plus[N] ? {1'b0, r_plus[N-1:0]} : r;
      zero_q <= (&is_zero) || (&is_p);
    end

  assign r_o = r_q;
  assign zero_o = zero_q;

endmodule
