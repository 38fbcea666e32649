// SPDX-License-Identifier: Apache-2.0
//
// Digit scan of a context of pm_multicurve_contexts: signed digits of a scalar from the highest on,
// or bits of an exponent from the lowest on.
//
// Signed digits: the width-2 form of the mutual opposite form, made of three bits at a time:
//            k_(i-1) - k_i where that is 0; else two digits, 0 1, 1 0, 0 -1 or -1 0. As few are not
//            0 as in the non-adjacent form. The first one is 1: the sum begins with it.
// Operation: what the program does next: nothing (the scalar is 0), a doubling, with an addition
//            where the digit is not 0, the end; or a step of the power, by a bit, or its end. The
//            addition is an operation of its own with exact_i, and for the digit behind the first
//            one, where the sum is the point itself. step_i goes to the next one.
// Index:     of the operation that was begun: whether it takes the sum with the other sign. The
//            program adds the point for every digit, so that its sum has the sign of the latest one
//            that was not 0. From the end on, until there is another scalar, the sign of the sum.
// Again:     the bits go round, so that with again_i the digits of the scalar come once more.
// Handshake: digits of the number, lowest first, with digit_valid_i; the last one is that of
//            digit_last_i. ready_o falls with the first one, or with again_i (pulse, behind
//            ScanEnd), and rises when the first operation is known, at most Bits cycles after the
//            last one. op_o is right 4 cycles after step_i.
// Reset:     control. Constant time: NO, scalars are public.
// Source:    Okeya, Schmidt-Samoa, Spahn, Takagi 2004, CRYPTO.

module pm_multicurve_contexts_scan
  import pm_multicurve_contexts_pkg::*;
#(
    parameter int unsigned Digit = 45,  // bits of a digit
    parameter int unsigned Digits = 8,  // of a number
    localparam int unsigned Bits = Digit * Digits,
    localparam int unsigned CountBits = $clog2(Bits + 1)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic digit_valid_i,  // of a number
    input logic [$clog2(Digits)-1:0] digit_index_i,
    input logic digit_last_i,
    input logic exponent_i,  // it is an exponent; else a scalar below 2^(Bits - 2)
    input logic [Digit-1:0] digit_i,
    input logic [CountBits-1:0] exponent_bits_i,
    input logic exact_i,
    input logic again_i,
    input logic step_i,  // pulse: the operation is begun
    output logic ready_o,  // there is one
    output scan_op_e op_o,
    output logic index_o
);

  logic [Bits-1:0] bits_q;  // the next ones are the highest
  logic [Digit-1:0] digit;
  logic [CountBits-1:0] left_q;  // digits that are left
  logic [1:0] shifts_q;  // shifts to be done
  logic exponent_q, search_q, nothing_q;
  logic held_q, held_nonzero_q;  // the second digit of a pair
  logic add_q;  // the present digit is still to be added
  logic negative_q;  // sign of the present pair
  logic first_q;  // the sum is the point
  logic sign_q;  // of the sum
  logic shift;

  for (genvar i = 0; i < int'(Digit); i++) begin : gen_digit
    assign digit[i] = exponent_i ? digit_i[Digit-1-i] : digit_i[i];
  end

  // ---- window -----------------------------------------------------------------------------------

  logic [2:0] window;
  logic zero, late;  // 0; the second one of the pair is not 0

  assign window = bits_q[Bits-1-:3];
  assign zero   = window[2] == window[1];
  assign late   = window[0] != window[1];

  logic nonzero, negative, apart;  // the next digit, or the one to be added

  assign nonzero  = held_q ? held_nonzero_q : !zero && !late;
  assign negative = held_q || add_q ? negative_q : window[2];
  assign apart    = exact_i || first_q;

  // ---- operation --------------------------------------------------------------------------------

  always_comb begin
    if (exponent_q) begin
      if (left_q == '0) op_o = ScanPowerEnd;
      else op_o = bits_q[Bits-1] ? ScanPowerOne : ScanPowerZero;
    end else if (nothing_q) op_o = ScanNothing;
    else if (add_q) op_o = ScanAdd;
    else if (left_q == '0) op_o = ScanEnd;
    else op_o = nonzero && !apart ? ScanDoubleAdd : ScanDouble;
  end

  assign shift = (search_q && zero && left_q != '0) || shifts_q != '0;

  always_ff @(posedge clk_i) begin
    for (int unsigned j = 0; j < Digits; j++) begin
      if (digit_valid_i && (exponent_i ? 32'(digit_index_i) == Digits - 1 - j
                                       : 32'(digit_index_i) == j)) begin
        bits_q[Digit*j+:Digit] <= digit;
      end else if (digit_valid_i && digit_index_i == '0 && !exponent_i && j == Digits - 1) begin
        bits_q[Digit*j+:Digit] <= '0;
      end else if (shift) begin
        bits_q[Digit*j+:Digit] <= {bits_q[Digit*j+:Digit-1], bits_q[(j==0?Bits : Digit*j)-1]};
      end
    end
  end

  // ---- sign -------------------------------------------------------------------------------------

  always_ff @(posedge clk_i) begin
    if (again_i || (digit_valid_i && !exponent_i)) sign_q <= 1'b0;
    else if (step_i) begin
      unique case (op_o)
        ScanDouble: index_o <= 1'b0;
        ScanAdd, ScanDoubleAdd: begin
          index_o <= negative != sign_q;
          sign_q  <= negative;
        end
        ScanEnd: index_o <= sign_q;
        default: ;
      endcase
    end
  end

  // ---- control ----------------------------------------------------------------------------------

  logic search_end;
  assign search_end = search_q && (!zero || left_q == '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {search_q, ready_o} <= '0;
    end else begin
      if (digit_valid_i) ready_o <= digit_last_i && exponent_i;
      else if (again_i) ready_o <= 1'b0;
      else if (search_end) ready_o <= 1'b1;
      search_q <= (digit_valid_i && digit_last_i && !exponent_i) || again_i ||
          (search_q && !search_end);
    end
  end

  always_ff @(posedge clk_i) begin
    if (shifts_q != '0) shifts_q <= shifts_q - 2'd1;
    if (digit_valid_i || again_i) begin
      exponent_q <= digit_valid_i && exponent_i;
      left_q <= digit_valid_i && exponent_i ? exponent_bits_i : CountBits'(Bits - 1);
      {shifts_q, nothing_q, held_q, add_q} <= '0;
    end else if (search_q && !search_end) begin
      left_q <= left_q - CountBits'(1);
    end else if (search_end) begin
      // The first digit, here or behind a 0, is the sum's beginning.
      nothing_q <= zero;
      held_q <= !late;
      held_nonzero_q <= 1'b0;
      first_q <= late;
      left_q <= left_q - (late ? CountBits'(1) : CountBits'(0));
      shifts_q <= 2'd2;
    end else if (step_i && exponent_q) begin
      left_q   <= left_q - CountBits'(1);
      shifts_q <= 2'd1;
    end else if (step_i && add_q) begin
      add_q <= 1'b0;
    end else if (step_i && left_q != '0) begin
      left_q  <= left_q - CountBits'(1);
      first_q <= 1'b0;
      add_q   <= nonzero && apart;
      held_q  <= !held_q && !zero;
      if (!held_q) begin
        held_nonzero_q <= late;
        negative_q <= window[2];
        // Behind the last digit nothing is left to be shifted.
        shifts_q <= zero || left_q == CountBits'(1) ? 2'd1 : 2'd2;
      end
    end
  end

endmodule
