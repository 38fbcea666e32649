// SPDX-License-Identifier: Apache-2.0
//
// Product of a wide number and a digit for standard cells, in place of the module of the same name
// in hw/lib/field: pm_digit_mac without addends.
//
// Ranges:    any a, d; the product is exact. Tile is not looked at.
// Latency:   0 (combinational). Constant time.

module pm_digit_mul #(
    parameter int unsigned Width = 272,  // bits of a
    parameter int unsigned Digit = 32,  // bits of d, at least 2
    parameter int unsigned Tile = 0  // of the other form
) (
    input  logic [      Width-1:0] a_i,  // factors
    input  logic [      Digit-1:0] d_i,
    output logic [Width+Digit-1:0] p_o   // product
);

  logic unused_top;

  pm_digit_mac #(
      .Width(Width),
      .Digit(Digit),
      .Tile (Tile)
  ) u_mac (
      .a_i,
      .d_i,
      .c0_i('0),
      .c1_i('0),
      .p_o ({unused_top, p_o})
  );

endmodule
