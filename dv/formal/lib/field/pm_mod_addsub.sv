// SPDX-License-Identifier: Apache-2.0
//
// Claim: for every p, a and b in the ranges of its header, pm_mod_addsub gives a number below p
//        that is
// a + b or a + b - p, or a - b or a - b + p; and says whether it is 0.
// 64 bits instead of 544: no bit is treated unlike its adjacent values, and 544 are too many for
// the solver.

module pm_mod_addsub_formal #(
    parameter int unsigned Width = 64
) (
    input logic [Width-1:0] p_i,
    input logic [Width-1:0] a_i,
    input logic [Width-1:0] b_i,
    input logic             sub_i
);

  logic [Width-1:0] r;
  logic zero;

  pm_mod_addsub #(
      .Width(Width)
  ) u_dut (
      .p_i,
      .a_i,
      .b_i,
      .sub_i,
      .r_o   (r),
      .zero_o(zero)
  );

  // Integers in two's complement: two bits more hold sums and differences with their sign.
  logic signed [Width+1:0] p, exact, result;
  assign p = signed'({2'b00, p_i});
  assign exact = sub_i ? signed'({2'b00, a_i}) - signed'({2'b00, b_i})
                       : signed'({2'b00, a_i}) + signed'({2'b00, b_i});
  assign result = signed'({2'b00, r});

  always_comb begin
    if (sub_i)
      a_difference :
      assume (exact >= -p && exact < p);
      else a_sum : assume (exact - p < p);
    p_below : assert (result < p);
    p_congruent : assert (result == exact || result == (sub_i ? exact + p : exact - p));
    p_zero : assert (zero == (r == '0));
  end

endmodule
