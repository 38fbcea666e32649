// SPDX-License-Identifier: Apache-2.0
//
// Sum or difference of two numbers whose bits from Low on come a cycle after the others: one carry
// chain for each of the two parts.
//
//   s = x + y + carry, or x - y - 1 + carry with Subtract, modulo 2^W; carry_o is bit W of
//   x + y + carry, or of x + ~y + carry: then 1 means that nothing is borrowed.
//
// Latency:   1 cycle from each part of the terms to that of the sum, with its enable; carry_o with
//            the upper part. carry_i belongs to the lower part.
// Handshake: none; an enable of 0 freezes its part.
// Reset:     none (data only). Constant time.

module pm_half_add #(
    parameter int unsigned W = 129,  // bits of terms and sum
    parameter int unsigned Low = 65,  // bits of the lower part
    parameter bit Subtract = 1'b0  // 1: y is subtracted
) (
    input  logic         clk_i,    // clock
    input  logic         low_i,    // enable of the lower part
    input  logic         high_i,   // enable of the upper part
    input  logic [W-1:0] x_i,      // terms
    input  logic [W-1:0] y_i,
    input  logic         carry_i,  // carry into the lower part
    output logic [W-1:0] s_o,      // sum
    output logic         carry_o   // carry out of the upper part
);

  localparam int unsigned High = W - Low;

  logic [Low+1:0] low;
  logic [High+1:0] high;
  logic carry_q;

  // The carry enters as bit 0 of the operands: one chain in every technology.
  if (Subtract) begin : g_subtract
    assign low  = {1'b1, x_i[Low-1:0], carry_i} - {1'b0, y_i[Low-1:0], 1'b1};
    assign high = {1'b1, x_i[W-1:Low], carry_q} - {1'b0, y_i[W-1:Low], 1'b1};
  end else begin : g_add
    assign low  = {1'b0, x_i[Low-1:0], 1'b1} + {1'b0, y_i[Low-1:0], carry_i};
    assign high = {1'b0, x_i[W-1:Low], 1'b1} + {1'b0, y_i[W-1:Low], carry_q};
  end

  logic unused;
  assign unused = low[0] || high[0];

  always_ff @(posedge clk_i) begin
    if (low_i) {carry_q, s_o[Low-1:0]} <= low[Low+1:1];
    if (high_i) {carry_o, s_o[W-1:Low]} <= high[High+1:1];
  end

endmodule
