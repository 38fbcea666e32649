// SPDX-License-Identifier: Apache-2.0
//
// Last step of the reduction modulo p = 2^N - C: r in [0, 2p) -> r mod p in [0, p), and whether it
// is zero.
//
// r >= p exactly when r + C >= 2^N, and then r - p = r + C - 2^N: one addition of a constant, whose
// bit N selects. p itself becomes 0. The printed algorithm keeps T' when T' - p <= 0 and so leaves
// p in place of 0; every comparison of field elements would then have two zeros.
//
// Ranges:    r < 2p; larger values give no defined result.
// Latency:   0 (combinational), constant time.
// Source:    Xue et al. 2022, J. Commun. 43(3), alg. 7, round 3 (steps 5 to 7), corrected as above.

module pm_canon #(
    parameter int unsigned N = 255,  // bits of the modulus
    parameter int unsigned C = 19    // p = 2^N - C, odd
) (
    input  logic [  N:0] r_i,    // value in [0, 2p)
    output logic [N-1:0] r_o,    // value in [0, p)
    output logic         zero_o  // 1 if r_i = 0 mod p, that is r_i = 0 or r_i = p
);

  localparam logic [N:0] P = {1'b1, {N{1'b0}}} - (N + 1)'(C);

  if (N < 32 && (C >> N) != 0) begin : gen_bad_range
    $fatal(1, "pm_canon: C must be below 2^N");
  end
  if (C % 2 == 0) begin : gen_bad_parity
    $fatal(1, "pm_canon: C must be odd");
  end

  logic [N:0] t;
  assign t      = r_i + (N + 1)'(C);
  assign r_o    = t[N] ? t[N-1:0] : r_i[N-1:0];
  assign zero_o = (r_i == '0) || (r_i == P);

endmodule
