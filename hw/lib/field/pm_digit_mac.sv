// SPDX-License-Identifier: Apache-2.0
//
// Product of a wide number and a digit, and two addends: p = a d + c0 + c1, for one row of a
// digit-serial multiplier.
//
// Ranges:    any operands; the result is modulo 2^(Width + Digit + 1).
// Latency:   0 (combinational). Constant time.
// Form:      pm_digit_mul and sums; for standard cells there is another in syn/tech/cells.

module pm_digit_mac #(
    parameter int unsigned Width = 272,  // bits of a
    parameter int unsigned Digit = 32,  // bits of d, at least 2
    parameter int unsigned Tile = 0,  // of pm_digit_mul
    localparam int unsigned Bits = Width + Digit + 1
) (
    input  logic [Width-1:0] a_i,   // factors
    input  logic [Digit-1:0] d_i,
    input  logic [ Bits-1:0] c0_i,  // addends
    input  logic [ Bits-1:0] c1_i,
    output logic [ Bits-1:0] p_o    // their sum with the product
);

  logic [Bits-2:0] product;

  pm_digit_mul #(
      .Width(Width),
      .Digit(Digit),
      .Tile (Tile)
  ) u_product (
      .a_i,
      .d_i,
      .p_o(product)
  );

  assign p_o = Bits'(product) + (c0_i + c1_i);

endmodule
