// SPDX-License-Identifier: Apache-2.0
//
// Width-w non-adjacent form, right to left: scalar = sum of d * 2^pos over the digits sent, every d
// odd, |d| < 2^(w-1), positions ascending and at least w apart, the highest at most Bits.
//
// A carry bit stands for "add 1 to what is left", so that no wide subtraction is needed: a position
// is skipped while its bit equals the carry (up to 4 positions per cycle); otherwise the w bits
// from there on, with the lowest taken as 1, are the digit modulo 2^w, and a set top bit makes it
// negative and sets the carry. A digit moves on by w positions.
//
// Operands: any scalar_i < 2^Bits; 0 sends no digit.
// Latency: accept to done_o, with digit_ready_i always 1, is at most 88 cycles for Window = 5 and
// 67 for Window = 10 (Bits = 253); on scalars uniform below L the mean is 67.1 and 37.9. Interval:
// latency.
// Handshake: valid_i/ready_o for the scalar, digit_valid_o/digit_ready_i for each digit. done_o is
// a level: 1 from the end of the scalar until the next one is accepted, clear_i or reset. clear_i
// abandons the scalar. Reset: idle, done_o = 0.
// Constant time: NO. For public scalars only.
// Source: Xue et al. 2022, J. Commun. 43(3), algorithm 5 steps 1 and 3 (table 5: 254 cycles).

module pm_naf_recoder #(
    parameter int unsigned Bits   = 253,  // bits of the scalar, at most 254
    parameter int unsigned Window = 5     // w, 3 to 32
) (
    input  logic              clk_i,
    input  logic              rst_ni,
    input  logic              clear_i,        // abandon the scalar
    input  logic              valid_i,        // scalar_i is valid
    output logic              ready_o,        // idle
    input  logic [  Bits-1:0] scalar_i,       // scalar to recode
    output logic              digit_valid_o,  // a digit is offered
    input  logic              digit_ready_i,  // the digit is taken
    output logic [       7:0] digit_pos_o,    // its power of two
    output logic              digit_neg_o,    // 1: the digit is negative
    output logic [Window-3:0] digit_idx_o,    // (|d| - 1) / 2
    output logic              done_o          // all digits of the last scalar were taken
);

  if (Window < 3 || Window > 32 || Bits < Window || Bits > 254) begin : gen_check
    $fatal(1, "pm_naf_recoder: Window must lie between 3 and 32 and Bits between Window and 254.");
  end

  logic [Bits-1:0] rest_q, rest_d;  // scalar >> pos, without the carry
  logic [8:0] pos_q, pos_d;  // may pass Bits by up to Window once all digits are sent
  logic carry_q, carry_d;
  logic busy_q, busy_d;
  logic done_q, done_d;

  logic at_end, is_digit, negative;
  logic [2:0] skip;

  // Above the scalar only a carry makes a digit; it can stand at position Bits, not higher.
  assign at_end   = (pos_q >= 9'(Bits)) && !carry_q;
  assign is_digit = rest_q[0] ^ carry_q;
  assign negative = rest_q[Window-1];

  // Number of positions to skip, if this one is skipped at all.
  always_comb begin
    skip = 3'd4;
    for (int unsigned i = 3; i >= 1; i--) begin
      if (((i < Bits) ? rest_q[i%Bits] : 1'b0) != carry_q) skip = 3'(i);
    end
  end

  always_comb begin
    rest_d  = rest_q;
    pos_d   = pos_q;
    carry_d = carry_q;
    busy_d  = busy_q;
    done_d  = done_q;
    if (!busy_q) begin
      if (valid_i) begin
        rest_d  = scalar_i;
        pos_d   = '0;
        carry_d = 1'b0;
        busy_d  = 1'b1;
        done_d  = 1'b0;
      end
    end else if (at_end) begin
      busy_d = 1'b0;
      done_d = 1'b1;
    end else if (!is_digit) begin
      rest_d = rest_q >> skip;
      pos_d  = pos_q + 9'(skip);
    end else if (digit_ready_i) begin
      rest_d  = rest_q >> Window;
      carry_d = negative;
      pos_d   = pos_q + 9'(Window);
    end
    if (clear_i) begin
      busy_d = 1'b0;
      done_d = 1'b0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      done_q <= 1'b0;
    end else begin
      busy_q <= busy_d;
      done_q <= done_d;
    end
  end

  always_ff @(posedge clk_i) begin
    rest_q  <= rest_d;
    pos_q   <= pos_d;
    carry_q <= carry_d;
  end

  assign ready_o       = !busy_q;
  assign done_o        = done_q;
  assign digit_valid_o = busy_q && !at_end && is_digit;
  assign digit_pos_o   = pos_q[7:0];
  assign digit_neg_o   = negative;
  // d mod 2^w = 2m + 1; a negative digit is 2m + 1 - 2^w, whose index is the complement of m.
  assign digit_idx_o   = rest_q[Window-2:1] ^ {(Window - 2) {negative}};

endmodule
