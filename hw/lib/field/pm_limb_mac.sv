// SPDX-License-Identifier: Apache-2.0
//
// One column of pm_limb_unit: multiplier and accumulator, meant for one DSP slice (DSP48E1: 25 x 18
// signed, so 24 x 17 unsigned, and 48 bits of sum).
//
// Computes:  the sum of the products a_i b_i of the cycles since first_i, in two steps: a product
//            enters the sum one cycle after its factors were there, and first_i goes with that
//            cycle.
// Ranges:    the sum is exact while it stays below 2^ProductBits.
// Latency:   2 cycles from factors to p_o; one product a cycle.
// Handshake: none. clear_i makes both registers 0.
// Reset:     none (data only; a DSP slice has no asynchronous one). Constant time.
//
// Both registers are scalars of this module: Yosys packs only such registers into a slice.

module pm_limb_mac
  import pm_limb_pkg::*;
(
    input logic clk_i,
    input logic clear_i,  // both registers become 0
    input logic first_i,  // the sum begins with the product of the last cycle's factors
    input logic [WrappedBits-1:0] a_i,  // first factor
    input logic [LimbBits-1:0] b_i,  // second factor
    output logic [ProductBits-1:0] p_o  // sum
);

  logic [WrappedBits+LimbBits-1:0] m_q;
  logic [ProductBits-1:0] p_q;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      m_q <= '0;
      p_q <= '0;
    end else begin
      m_q <= (WrappedBits + LimbBits)'(a_i) * (WrappedBits + LimbBits)'(b_i);
      p_q <= (first_i ? '0 : p_q) + ProductBits'(m_q);
    end
  end

  assign p_o = p_q;

endmodule
