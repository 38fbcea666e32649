// SPDX-License-Identifier: Apache-2.0
//
// Add/subtract unit of pm_addsub with segmented carry chains: sum = x + y and diff = x - y + K,
// without reduction, each a pm_select_add. Operands that are to be doubled come doubled.
//
// Ranges:    as in pm_addsub: sum is exact if x + y < 2^W, diff if y <= K + x and x - y + K < 2^W.
// Latency:   pm_field_pkg::select_add_latency(W, Segment) cycles with en_i = 1. One butterfly per
//            cycle.
// Handshake: none; en_i = 0 freezes every register.
// Reset:     none (data only). Constant time.

module pm_addsub_select #(
    parameter int unsigned W = 258,  // bits of operands and results
    parameter logic [W-1:0] K = W'((258'd1 << 257) - 258'd76),  // multiple of p added to diff
    parameter int unsigned Segment = 43  // bits of a carry chain
) (
    input  logic         clk_i,
    input  logic         en_i,   // clock enable of all registers
    input  logic [W-1:0] x_i,    // first operand
    input  logic [W-1:0] y_i,    // second operand
    output logic [W-1:0] sum_o,  // x + y
    output logic [W-1:0] diff_o  // x - y + K
);

  // x - y + K = x + ~y + (K + 1): a carry-save row with a constant operand, then one chain.
  localparam logic [W-1:0] K1 = K + 1'b1;
  logic [W-1:0] s;
  logic [W-2:0] c;
  assign s = x_i ^ ~y_i ^ K1;
  assign c = (x_i[W-2:0] & ~y_i[W-2:0]) | (K1[W-2:0] & (x_i[W-2:0] | ~y_i[W-2:0]));

  logic [W:0] sum, diff;
  logic unused;
  assign unused = sum[W] || diff[W];
  assign sum_o  = sum[W-1:0];
  assign diff_o = diff[W-1:0];

  pm_select_add #(
      .W      (W),
      .Segment(Segment)
  ) u_sum (
      .clk_i,
      .en_i,
      .a_i    (x_i),
      .b_i    (y_i),
      .carry_i(1'b0),
      .s_o    (sum)
  );
  pm_select_add #(
      .W      (W),
      .Segment(Segment)
  ) u_diff (
      .clk_i,
      .en_i,
      .a_i    (s),
      .b_i    ({c, 1'b0}),
      .carry_i(1'b0),
      .s_o    (diff)
  );

endmodule
