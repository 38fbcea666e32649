// SPDX-License-Identifier: Apache-2.0
//
// Add/subtract unit before a multiplier: sum = X + Y and diff = X - Y + K, without reduction,
// where X = x or 2x, Y = y or 2y, and K is a multiple of p that keeps the difference positive.
//
// Ranges:    sum is exact if X + Y < 2^W. diff is exact, and congruent to X - Y modulo p, if
//            Y <= K + X and X - Y + K < 2^W; sufficient: Y <= K and X < 2^W - K. For the default
//            (W = 258, K = 4p = 2^257 - 76): Y <= 2^257 - 76 and X <= 2^257 + 75. Both hold for x,
//            y up to sums of two results of pm_mulmod (2^256 + 2^139), and for the double of one
//            product; the double of such a sum is too large for Y. Nothing checks the ranges.
// Latency:   0 (combinational), constant time. Two carry chains.
// Source:    Xue et al. 2022, J. Commun. 43(3), section 3.2 and tables 2 and 3 (additions without
//            modular reduction).

module pm_addsub #(
    parameter int unsigned W = 258,  // bits of operands and results
    parameter logic [W-1:0] K = W'((258'd1 << 257) - 258'd76)  // multiple of p added to diff
) (
    input  logic [W-1:0] x_i,        // first operand
    input  logic [W-1:0] y_i,        // second operand
    input  logic         shift_x_i,  // 1: use 2x
    input  logic         shift_y_i,  // 1: use 2y
    output logic [W-1:0] sum_o,      // X + Y
    output logic [W-1:0] diff_o      // X - Y + K
);

  if (W < 2) begin : gen_bad_width
    $fatal(1, "pm_addsub: W must be at least 2");
  end

  logic [W-1:0] x, y;
  assign x = shift_x_i ? {x_i[W-2:0], 1'b0} : x_i;
  assign y = shift_y_i ? {y_i[W-2:0], 1'b0} : y_i;

  assign sum_o = x + y;

  // X - Y + K = X + ~Y + (K + 1). A carry-save row with a constant operand is two gates a bit, and
  // leaves one carry chain.
  localparam logic [W-1:0] K1 = K + 1'b1;
  logic [W-1:0] s;
  logic [W-2:0] c;
  assign s = x ^ ~y ^ K1;
  assign c = (x[W-2:0] & ~y[W-2:0]) | (K1[W-2:0] & (x[W-2:0] | ~y[W-2:0]));
  assign diff_o = s + {c, 1'b0};

endmodule
