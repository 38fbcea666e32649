// SPDX-License-Identifier: Apache-2.0
//
// Sum x + y and difference x - y + 4p, p = 2^255 - 19, a half of 129 bits at a time, without
// reduction: the values of pm_addsub.
//
// The upper half comes two cycles after the lower one; of each half, bits from 65 on come a cycle
// after the others.
//
// Ranges:   those of pm_addsub.
// Latency:  1 cycle. lower_i says that a lower half comes (its lower bits).
// Reset:    none (data only). Constant time.

module pm_half_butterfly (
    input  logic         clk_i,    // clock
    input  logic         lower_i,  // x and y begin
    input  logic [128:0] x_i,      // operands
    input  logic [128:0] y_i,
    output logic [128:0] sum_o,    // x + y
    output logic [128:0] diff_o    // x - y + 4p
);

  logic lower_q;  // upper bits of a lower half come
  logic sum_carry, diff_carry, row_q, row_top_q;

  always_ff @(posedge clk_i) lower_q <= lower_i;

  pm_half_add u_sum (
      .clk_i,
      .low_i  (1'b1),
      .high_i (1'b1),
      .x_i,
      .y_i,
      .carry_i(sum_carry && !lower_i),
      .s_o    (sum_o),
      .carry_o(sum_carry)
  );

  // x - y + 4p = x + ~y + 1 + 4p: a row of carry-save adders with a constant, then one chain. Of
  // 4p = 2^257 - 76 the lower half is 2^129 - 76, the upper one 2^128 - 1.
  logic [128:0] k, s, c;

  assign k = {lower_q, {121{1'b1}}, lower_i ? 7'd52 : 7'd127};
  assign s = x_i ^ ~y_i ^ k;
  assign c = (x_i & ~y_i) | (k & (x_i | ~y_i));

  always_ff @(posedge clk_i) {row_top_q, row_q} <= {c[128], c[64]};

  pm_half_add u_diff (
      .clk_i,
      .low_i  (1'b1),
      .high_i (1'b1),
      .x_i    (s),
      .y_i    ({c[127:65], row_q, c[63:0], row_top_q && !lower_i}),
      .carry_i(diff_carry || lower_i),
      .s_o    (diff_o),
      .carry_o(diff_carry)
  );

endmodule
