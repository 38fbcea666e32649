// SPDX-License-Identifier: Apache-2.0
//
// Products with a digit, and exact quotients by one, bit by bit: what configuration `contexts` of
// `multicurve` makes of the modulus p, and of results. A number comes and leaves as digits, lowest
// first; there is one adder, in three parts, and no multiplier.
//
// Computes: SerialDivide  the number / factor modulo 2^(Digit digits), factor odd: the quotient, if
//                         the factor divides the number; then clear_o says so. Of digits of ones,
//                         which are -1, the first one is -1 / factor.
//           SerialScale   1 + the number * factor
//           SerialHalve   2^Digit (the number - 3) / 2, of an odd number
//           top_o, the place of its highest 1.
// Ranges:   factor below 2^Digit; a product has one digit more than the number, which then ends
//           with a digit 0.
// Interval: start_i (pulse, when !busy_o) takes a digit, with first_i the lowest of a number. Of
//           every cycle with busy_o and step_i one bit comes at bit_o, lowest first, Digit of them;
//           with the last one last_o, and digit_o in the next cycle. mode_i and factor_i are those
//           of start_i.
// Reset:    asynchronous, active low: not busy. Constant time: yes, but that is the caller's.
module pm_multicurve_contexts_serial
  import pm_multicurve_contexts_pkg::*;
#(
    parameter int unsigned Digit = 45,  // bits of a digit
    parameter int unsigned Digits = 8,  // most digits of a number
    localparam int unsigned PlaceBits = $clog2(Digit * Digits)
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic start_i,  // pulse: a digit
    input logic first_i,  // with it: the lowest of a number
    input serial_mode_e mode_i,  // what is computed
    input logic [Digit-1:0] factor_i,  // factor
    input logic [Digit-1:0] digit_i,  // the digit
    input logic step_i,  // a bit may pass
    output logic busy_o,  // a digit is under way
    output logic last_o,  // level: its last bit passes with step_i
    output logic bit_o,  // level: the bit that passes
    output logic [Digit-1:0] digit_o,  // the digit of the result, until the next start_i
    output logic clear_o,  // nothing is left of the number
    output logic [PlaceBits-1:0] top_o  // place of the highest 1 of the number
);

  localparam int unsigned CountBits = $clog2(Digit);
  localparam int unsigned PartBits = (Digit + 4) / 3;
  localparam int unsigned SumBits = 3 * PartBits;

  typedef logic [SumBits-1:0] sum_t;

  // What is left of the bits that came, carry or borrow, modulo powers of two: three parts, and
  // carries into the upper ones. The bits that are to come, and behind them those of the result.
  logic [2:0][PartBits-1:0] part_q;
  logic [2:0] carry_q;  // 0 into the lowest one
  logic [2:0][PartBits:0] sum;
  sum_t addend, first_rest;
  logic [Digit-1:0] digit_q;
  logic [CountBits-1:0] count_q;
  logic [PlaceBits-1:0] place_q;
  logic take_q, odd_q, next_low, next_digit;
  serial_mode_e mode_q;
  sum_t addend_q;  // what a bit may add

  // A quotient's bit is that which makes the rest even. odd: the lowest bit, or that of the number,
  // is 1; where one alone is, the factor is subtracted: by its complement and 1; where both are,
  // there is a carry of 1. So the number's bit needs no adder of its own.
  // Both are known from the bit before on, as many bits read them.
  serial_mode_e next_mode;

  assign next_mode  = start_i ? mode_i : mode_q;
  assign next_digit = start_i ? digit_i[0] : digit_q[1];
  always_comb begin
    if (!start_i) next_low = sum[0][1];
    else next_low = first_i ? first_rest[0] : part_q[0][0];
  end

  always_ff @(posedge clk_i) begin
    if (start_i || (busy_o && step_i)) begin
      odd_q  <= next_mode == SerialDivide && (next_low || next_digit);
      take_q <= next_mode == SerialDivide ? next_low != next_digit : next_digit;
    end
  end

  assign addend = take_q ? addend_q : '0;
  always_comb begin
    for (int unsigned i = 0; i < 3; i++) begin
      sum[i] = (PartBits + 1)'(part_q[i]) + (PartBits + 1)'(addend[PartBits*i+:PartBits]) +
          (PartBits + 1)'(carry_q[i]);
    end
    sum[0] = (PartBits + 1)'({part_q[0][PartBits-1:1], part_q[0][0] || odd_q}) +
        (PartBits + 1)'(addend[PartBits-1:0]) + (PartBits + 1)'(odd_q);
  end
  assign bit_o = mode_q == SerialDivide ? take_q : sum[0][0];
  assign last_o = count_q == CountBits'(Digit - 1);
  assign digit_o = digit_q;
  // Upper parts can be less than 0, made 0 by carries.
  assign clear_o = part_q[0] == '0 && part_q[1] == {PartBits{carry_q[1]}} &&
      part_q[2] == -(PartBits'(carry_q[1]) + PartBits'(carry_q[2]));

  always_comb begin
    unique case (mode_i)
      SerialDivide: first_rest = '0;
      SerialScale: first_rest = sum_t'(1);
      default: first_rest = -(sum_t'(3) << (Digit - 1));
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) busy_o <= 1'b0;
    else if (start_i) busy_o <= 1'b1;
    else if (step_i && last_o) busy_o <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      mode_q <= mode_i;
      unique case (mode_i)
        SerialDivide: addend_q <= ~sum_t'(factor_i);
        SerialScale: addend_q <= sum_t'(factor_i);
        default: addend_q <= sum_t'(1) << (Digit - 1);
      endcase
      digit_q <= digit_i;
      count_q <= '0;
      if (first_i) begin
        place_q <= '0;
        top_o   <= '0;
        part_q  <= first_rest;
        carry_q <= '0;
      end
    end else if (busy_o && step_i) begin
      digit_q <= {bit_o, digit_q[Digit-1:1]};
      for (int unsigned i = 0; i < 2; i++) begin
        part_q[i]    <= {sum[i][PartBits] ^ sum[i+1][0], sum[i][PartBits-1:1]};
        carry_q[i+1] <= sum[i][PartBits] && sum[i+1][0];
      end
      part_q[2] <= {sum[2][PartBits-1], sum[2][PartBits-1:1]};
      count_q   <= count_q + CountBits'(1);
      place_q   <= place_q + PlaceBits'(1);
      if (digit_q[0]) top_o <= place_q;
    end
  end

endmodule
