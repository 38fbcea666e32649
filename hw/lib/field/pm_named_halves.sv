// SPDX-License-Identifier: Apache-2.0
//
// Montgomery product of 2^521 - 1 or 2^448 - 2^224 - 1 by one step of Karatsuba's method. The two
// product arrays of Half by Digit bits, and the registers of the operands and of the sum, belong to
// the user, pm_mont_mul_packed.
//
// Computes:  x y R^-1 mod p, with R = 2^(64 d) of pm_named_prime_pkg. With h = 261 or 224, x = x0 +
//            2^h x1, y = y0 + 2^h y1, L = x0 y0, H = x1 y1, M = (x0 + x1)(y0 + y1), V = L + H,
//            U = V + L, and modulo p:
//              2^521 - 1:          (V + H - 2^h V + 2^h M) 2^-55    (R = 2^55)
//              2^448 - 2^224 - 1:  V + U - 2^h U + (2^h - 1) M      (R = 2^h + 1)
// Ranges:    x below R and 2^(2 Half); y in [0, p). The result lies in [0, p).
// Schedule:  left_i counts the cycles down to 1. In the first phase array a makes L and array b
//            makes H, a digit a cycle; in the second one, the last NamedSecond cycles, both make M,
//            a with its lower digits, b with the others (pm_named_halves_operands,
//            pm_named_halves_products). Meanwhile the sum is formed (pm_named_halves_sum).
// Operands:  x_i is x, and in each cycle goes down by a digit, with x_top_o, a digit of x0 + x1, on
//            top. y_i is y, after the cycle of y_change_o y_sum_o.
// Latency:   14 and 11 cycles, that of the user; outputs are combinational.
// Reset:     none; wipe_i clears the registers, enable_i lets them move. Constant time.
// Source:    Karatsuba and Ofman 1962; for 2^448 - 2^224 - 1 Hamburg 2015, ePrint 2015/625, without
//            R. The schedule on two arrays is this design's.

module pm_named_halves
  import pm_named_prime_pkg::*;
  import pm_named_halves_pkg::*;
(
    input logic clk_i,  // clock
    input logic wipe_i,  // clear registers
    input logic enable_i,  // a cycle of a product
    input logic first_i,  // its first one
    input logic [4:0] left_i,  // cycles left, with this one
    input named_e named_i,  // NamedP521 or NamedX448
    input logic [Width-1:0] x_i,  // factor, shifted down by a digit each cycle, with x_top_o on top
    input logic [Width-1:0] y_i,  // factor, then y_sum_o instead of its lower part
    output logic [Digit-1:0] x_top_o,  // digit of x0 + x1
    output logic y_change_o,  // y_sum_o is wanted from the next cycle on
    output logic [Half-1:0] y_sum_o,  // y0 + y1
    output logic [Half-1:0] half_a_o,  // to array a
    output logic [Half-1:0] half_b_o,  // to array b
    output logic [Digit-1:0] digit_a_o,
    output logic [Digit-1:0] digit_b_o,
    input logic [Lanes-1:0][LaneBits-1:0] product_a_i,  // from the arrays, lane by lane
    input logic [Lanes-1:0][LaneBits-1:0] product_b_i,
    input logic signed [SumBits-1:0] lower_i,  // lower_o, upper_o of the cycle before
    input logic signed [SumBits-1:0] upper_i,
    output logic signed [SumBits-1:0] lower_o,  // the sum so far: lower + 2^h upper
    output logic signed [SumBits-1:0] upper_o,
    output logic [Width-1:0] r_o  // in the last cycle, the product
);

  logic x448;
  logic [4:0] seconds;
  phase_t phase;
  products_t products;

  assign x448 = named_i == NamedX448;
  assign seconds = NamedSecond[named_i];
  assign phase = '{
          first: first_i,
          second: left_i <= seconds,
          ends_first: left_i == seconds + 5'd1,
          begins_second: left_i == seconds,
          folds: left_i <= seconds - 5'd2
      };
  assign y_change_o = phase.ends_first;

  pm_named_halves_operands u_operands (
      .clk_i,
      .wipe_i,
      .enable_i,
      .x448_i (x448),
      .phase_i(phase),
      .x_i,
      .y_i,
      .x_top_o,
      .y_sum_o,
      .half_a_o,
      .half_b_o,
      .digit_a_o,
      .digit_b_o
  );

  pm_named_halves_products u_products (
      .clk_i,
      .wipe_i,
      .enable_i,
      .x448_i(x448),
      .phase_i(phase),
      .product_a_i,
      .product_b_i,
      .products_o(products)
  );

  pm_named_halves_sum u_sum (
      .x448_i(x448),
      .phase_i(phase),
      .products_i(products),
      .lower_i,
      .upper_i,
      .lower_o,
      .upper_o,
      .r_o
  );

endmodule
