// SPDX-License-Identifier: Apache-2.0
//
// Claim: with X = x or 2x and Y = y or 2y as integers below 2^W, pm_addsub gives X + Y and X - Y +
//        K
// modulo 2^W for K = 4p, p = 2^255 - 19; and X - Y + K is in [0, 2^W), so exact and congruent to
// X - Y modulo p, in the range that its header calls sufficient.

module pm_addsub_formal #(
    parameter int unsigned W = 258
) (
    input logic [W-1:0] x_i,
    input logic [W-1:0] y_i,
    input logic         shift_x_i,
    input logic         shift_y_i
);

  localparam logic [W-1:0] P = (W'(1) << 255) - W'(19);

  logic [W-1:0] sum, diff;

  pm_addsub #(
      .W(W)
  ) u_dut (
      .x_i,
      .y_i,
      .shift_x_i,
      .shift_y_i,
      .sum_o (sum),
      .diff_o(diff)
  );

  // Integers: two bits more hold every sum, and a difference with its sign.
  logic [W+1:0] x, y, exact_sum, exact_diff;
  assign x = (W + 2)'(x_i) << shift_x_i;
  assign y = (W + 2)'(y_i) << shift_y_i;
  assign exact_sum = x + y;
  assign exact_diff = x - y + (W + 2)'(u_dut.K);

  always_comb begin
    // The operands themselves must fit, as the header says.
    a_fits : assume (x[W+1:W] == '0 && y[W+1:W] == '0);
    // Modulo 2^W; so the integer itself when the upper bits are zero.
    p_constant : assert (u_dut.K == 4 * P);
    p_sum : assert (sum == exact_sum[W-1:0]);
    p_diff : assert (diff == exact_diff[W-1:0]);
    // The ranges of the header: sufficient for the conditions above.
    if (y <= (W + 2)'(u_dut.K) && x <= ((W + 2)'(1) << 257) + (W + 2)'(75)) begin
      p_range : assert (exact_diff[W+1:W] == '0);
    end
  end

endmodule
