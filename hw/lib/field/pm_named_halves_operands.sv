// SPDX-License-Identifier: Apache-2.0
//
// Operands of the two arrays of pm_named_halves.
//
// Computes: in the first phase array a multiplies y0 by the digits of x0, array b y1 by those of
//           x1; meanwhile the digits of x0 + x1 are formed, and y0 + y1 in the last cycle. In the
//           second phase both multiply y0 + y1 by digits of x0 + x1, a by the lower ones.
// Operands: x_i is x in the first cycle, and goes down by a digit in each, with x_top_o on top. So
//           the digits of x0 pass at bit 0 and those of x1 at bit h. When the second phase begins,
//           all digits of x0 + x1 are in x_i, but for the highest bit, which comes in next.
// Latency:  0 (combinational), but for the carry of x0 + x1, which is a register. wipe_i clears
//           that, enable_i lets it move.
// Reset:    none. Constant time: yes.
module pm_named_halves_operands
  import pm_named_halves_pkg::*;
(
    input  logic               clk_i,      // clock
    input  logic               wipe_i,     // clear the register
    input  logic               enable_i,   // a cycle of a product
    input  logic               x448_i,     // 2^448 - 2^224 - 1, not 2^521 - 1
    input  phase_t             phase_i,    // where the cycle lies
    input  logic   [Width-1:0] x_i,        // factor, as above
    input  logic   [Width-1:0] y_i,        // factor; y_sum_o in the second phase
    output logic   [Digit-1:0] x_top_o,    // digit of x0 + x1
    output logic   [ Half-1:0] y_sum_o,    // y0 + y1, in the first phase
    output logic   [ Half-1:0] half_a_o,   // to array a
    output logic   [ Half-1:0] half_b_o,   // to array b
    output logic   [Digit-1:0] digit_a_o,
    output logic   [Digit-1:0] digit_b_o
);

  // Where the lowest digit of x0 + x1 is in the second phase.
  localparam int unsigned P521Sum = Width - P521Digits * Digit;
  localparam int unsigned X448Sum = Width - X448Digits * Digit;
  // Bits of the highest digit of x0 of P521; the others belong to x1.
  localparam int unsigned Rest = P521Half - (P521Digits - 1) * Digit;

  logic [Digit-1:0] x_low, x_high;
  logic x_carry, x_carry_q;
  logic [Half-1:0] y_low, y_high;

  // In the last cycle of the first phase x0 ends before the digit does, and x1 before the first
  // digit that came in on top.
  always_comb begin
    x_low  = x_i[Digit-1:0];
    x_high = x448_i ? x_i[X448Half+:Digit] : x_i[P521Half+:Digit];
    if (phase_i.ends_first && !x448_i) begin
      x_low[Digit-1:Rest]   = '0;
      x_high[Digit-1-:Rest] = '0;
    end
  end

  assign {x_carry, x_top_o} = (phase_i.second ? '0 : {1'b0, x_low} + {1'b0, x_high})
      + (Digit + 1)'(x_carry_q && !phase_i.first);

  always_ff @(posedge clk_i) begin
    if (wipe_i) x_carry_q <= '0;
    else if (enable_i) x_carry_q <= x_carry;
  end

  always_comb begin
    y_low = y_i[Half-1:0];
    if (x448_i) y_low[Half-1:X448Half] = '0;
    else y_low[Half-1:P521Half] = '0;
  end

  assign y_high  = x448_i ? Half'(y_i >> X448Half) : Half'(y_i >> P521Half);
  assign y_sum_o = y_low + y_high;

  always_comb begin
    if (!phase_i.second) begin
      {half_a_o, digit_a_o} = {y_low, x_low};
      {half_b_o, digit_b_o} = {y_high, x_high};
    end else begin
      half_a_o = y_i[Half-1:0];
      half_b_o = y_i[Half-1:0];
      digit_a_o = x448_i ? x_i[X448Sum+:Digit] : x_i[P521Sum+:Digit];
      digit_b_o = x448_i ? x_i[X448Sum+X448Second*Digit+:Digit]
          : x_i[P521Sum+P521Second*Digit+:Digit];
    end
  end

  logic unused;
  assign unused = ^{x_i, phase_i};

endmodule
