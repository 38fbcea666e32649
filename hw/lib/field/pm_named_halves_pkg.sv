// SPDX-License-Identifier: Apache-2.0
//
// Sizes of pm_named_halves: those of its arrays, and those of its primes, 2^521 - 1 (P521) and
// 2^448 - 2^224 - 1 (X448).
package pm_named_halves_pkg;

  import pm_named_prime_pkg::*;

  // Arrays.
  localparam int unsigned Digit = 32;
  localparam int unsigned Half = 272;  // bits of an array
  localparam int unsigned Lanes = 4;
  localparam int unsigned LaneBits = Half / Lanes + Digit;  // of a product in a lane
  localparam int unsigned Width = 2 * Half;
  localparam int unsigned RowBits = Half + Digit;  // of the sum of an array
  localparam int unsigned SumBits = 288;  // of half a sum, signed

  // Primes: bits of the lower half of a factor (h); bits of a number that times 2^h does not leave
  // p; cycles of the second phase; digits of the lower half, and cycles of the first phase.
  localparam int unsigned P521Half = 261;
  localparam int unsigned P521Stay = 260;
  localparam int unsigned P521Second = 32'(NamedSecond[NamedP521]);
  localparam int unsigned P521Digits = 32'(NamedSteps[NamedP521]) - P521Second;
  localparam int unsigned X448Half = 224;
  localparam int unsigned X448Stay = 224;
  localparam int unsigned X448Second = 32'(NamedSecond[NamedX448]);
  localparam int unsigned X448Digits = 32'(NamedSteps[NamedX448]) - X448Second;

  // Bits of the digits that are collected of a product.
  localparam int unsigned LowBits = P521Digits * Digit;

  // Where a cycle lies in a product.
  typedef struct packed {
    logic first;  // its first cycle
    logic second;  // in the second phase, which makes M
    logic ends_first;  // the last cycle of the first phase, which makes L and H
    logic begins_second;  // the first cycle of the second phase
    logic folds;  // what is carried out of p comes back: from the third cycle of that phase on
  } phase_t;

  // What is known of L, H and M: as left by the cycle before, and the sums of this one.
  typedef struct packed {
    logic [Half-1:0]    high_a;   // of the sum of an array, what is above the collected digits
    logic [Half-1:0]    high_b;
    logic [LowBits-1:0] low_1;    // digits of V; then those of M that array a makes
    logic [LowBits-1:0] low_2;    // digits of U (X448) or H (P521); then those of M of array b
    logic               v_carry;  // out of the digits of V
    logic               u_carry;  // out of the digits of U
    logic [RowBits-1:0] sum_a;    // sums of the arrays in this cycle
    logic [RowBits-1:0] sum_b;
  } products_t;

endpackage
