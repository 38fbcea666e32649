// SPDX-License-Identifier: Apache-2.0
//
// Scans the digits of one scalar: those of the binary NAF (0, 1, -1, no two adjacent digits other
// than 0) from the lowest on, for public scalars, or the bits from the highest on, a fixed number,
// for ladders.
//
// NAF:      no recoding. With h = 3 k the digit of weight 2^i is the difference of bits i+1 of h
//           and k. op_o says what the digit asks for, in a method that doubles P for each digit and
//           adds it to a sum Q, or subtracts it, where the digit is not 0. The first digit that is
//           not 0 makes Q = +-P (an operation of its own, then the doubling); the highest one,
//           always 1, is an addition without doubling; then nothing is left. step_i goes to the
//           next operation. A load with join_i goes on with the sum of the scalar before it, if
//           that had any digit.
// Bits:     restart_i begins with the highest of count_i bits, next_i goes to the next one. index_o
//           is the exclusive or of the bit and the one before (0 before the first), by which a
//           ladder exchanges its points; behind the last bit it is that bit, and more_o is 0.
//           begun_o says that there was a 1 before the bit before.
// Ranges:   count_i 1 to Width + 1; too_long_o says that the scalar has more bits.
// Timing:   all outputs are valid from the cycle after load_i or restart_i on, and follow a step in
//           the cycle after it. scalar_i and count_i must hold from load_i on.
// Reset:    not needed before load_i. clear_i wipes what is left of the digits.
// Constant time: bits YES, for a given count_i; NAF NO.
// Source:   Liu et al. 2023, Acta Electronica Sinica 51(6), section 3.2, for the method; the NAF
//           from 3k: IEEE 1363-2000, A.10.3.
module pm_digit_walk
  import pm_scalar_pkg::*;
#(
    parameter int unsigned Width = 544,  // bits of a scalar, at least 2
    localparam int unsigned CountBits = $clog2(Width + 3)
) (
    input logic clk_i,  // clock
    input logic clear_i,  // forget the digits
    input logic load_i,  // pulse: begin with the lowest NAF digit
    input logic join_i,  // with load_i: of a further scalar of the same sum
    input logic [Width-1:0] scalar_i,  // scalar
    input logic [CountBits-1:0] count_i,  // bits that it may have
    output logic too_long_o,  // it has more
    output digit_op_e op_o,  // NAF: what comes next
    output logic empty_o,  // NAF: the scalars are 0, there was no digit
    input logic step_i,  // pulse: it is begun
    input logic restart_i,  // pulse: begin with the highest bit
    input logic next_i,  // pulse: go to the next bit
    output logic index_o,  // bits: exchange at this bit
    output logic more_o,  // bits: the present bit is one of the scalar
    output logic begun_o  // bits: there was a 1 before the bit before the present one
);

  if (Width < 2) begin : gen_bad_width
    $fatal(1, "pm_digit_walk: Width must be at least 2.");
  end

  // ---- NAF --------------------------------------------------------------------------------------

  logic [Width:0] some_q, minus_q;  // digit is not 0; it is negative, if it is not 0
  logic begun_q, added_q;  // Q exists; the digit has been used, its doubling is to come
  logic [Width:0] half_triple;  // 3 k / 2, rounded down
  logic highest;

  assign half_triple = {1'b0, scalar_i} + (Width + 1)'(scalar_i >> 1);
  assign highest = some_q[Width:1] == '0;

  always_comb begin
    if (some_q == '0) op_o = DigitDone;
    else if (!some_q[0] || added_q) op_o = DigitZero;
    else if (!begun_q) op_o = minus_q[0] ? DigitSetMinus : DigitSet;
    else if (highest) op_o = DigitLast;
    else op_o = minus_q[0] ? DigitMinus : DigitPlus;
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      some_q  <= '0;
      minus_q <= '0;
    end else if (load_i) begin
      some_q  <= half_triple ^ (Width + 1)'(scalar_i >> 1);
      minus_q <= (Width + 1)'(scalar_i >> 1);
      begun_q <= begun_q && join_i;
      added_q <= 1'b0;
    end else if (step_i) begin
      begun_q <= begun_q || some_q[0];
      if (some_q[0] && !begun_q && !highest) begin
        added_q <= 1'b1;
      end else begin
        added_q <= 1'b0;
        some_q  <= some_q >> 1;
        minus_q <= minus_q >> 1;
      end
    end
  end

  assign empty_o = !begun_q && some_q == '0;

  // ---- bits -------------------------------------------------------------------------------------

  // Bit i lies at i + 1, behind the lowest one and before the highest one there are zeros.
  logic [(1<<CountBits)-1:0] padded;
  logic [CountBits-1:0] left_q;  // bits from the present one on

  assign padded = (1 << CountBits)'({scalar_i, 1'b0});
  assign too_long_o = (scalar_i & ({Width{1'b1}} << count_i)) != '0;

  always_ff @(posedge clk_i) begin
    if (restart_i) left_q <= count_i;
    else if (next_i && more_o) left_q <= left_q - CountBits'(1);
  end

  // Before the first bit lies a 0, whatever a scalar that is too long has there.
  logic upper;

  assign upper   = left_q != count_i && padded[left_q+CountBits'(1)];
  assign index_o = padded[left_q] ^ upper;
  assign more_o  = left_q != '0;

  always_ff @(posedge clk_i) begin
    if (clear_i || restart_i) begun_o <= 1'b0;
    else if (next_i && more_o) begun_o <= begun_o || upper;
  end

endmodule
