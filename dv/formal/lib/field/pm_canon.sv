// SPDX-License-Identifier: Apache-2.0
//
// Claim: for every r < 2p, pm_canon gives r mod p (below p, congruent to r) and whether it is zero.

module pm_canon_formal #(
    parameter int unsigned N = 255,
    parameter int unsigned C = 19
) (
    input logic [N:0] r_i
);

  localparam logic [N:0] P = {1'b1, {N{1'b0}}} - (N + 1)'(C);

  logic [N-1:0] r;
  logic zero;

  pm_canon #(
      .N(N),
      .C(C)
  ) u_dut (
      .r_i,
      .r_o(r),
      .zero_o(zero)
  );

  always_comb begin
    a_range : assume ((N + 2)'(r_i) < {P, 1'b0});
    p_below : assert ((N + 1)'(r) < P);
    p_congruent : assert ((N + 1)'(r) == r_i || (N + 1)'(r) + P == r_i);
    p_zero : assert (zero == (r == '0));
  end

endmodule
