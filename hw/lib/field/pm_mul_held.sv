// SPDX-License-Identifier: Apache-2.0
//
// Base multiplier with a factor that stays: p = a b, unsigned, with registers of its own for both
// factors and the product, meant for one DSP slice. What drives b needs no register that holds it.
//
// Ranges:    any a, b; the product is exact.
// Latency:   2 cycles from a_i to p_o; one product a cycle.
// Handshake: load_i takes b_i, for the a_i of the same cycle and all behind it. Reset: none (data
//            only). Constant time.

module pm_mul_held #(
    parameter int unsigned Width = 18  // bits of each operand
) (
    input  logic               clk_i,
    input  logic               load_i,  // b_i is taken
    input  logic [  Width-1:0] a_i,     // first factor
    input  logic [  Width-1:0] b_i,     // second factor, which stays
    output logic [2*Width-1:0] p_o      // product
);

  logic [Width-1:0] a_q, b_q;
  logic [2*Width-1:0] p_q;

  always_ff @(posedge clk_i) begin
    a_q <= a_i;
    if (load_i) b_q <= b_i;
    p_q <= (2 * Width)'(a_q) * (2 * Width)'(b_q);
  end

  assign p_o = p_q;

endmodule
