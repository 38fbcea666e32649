// SPDX-License-Identifier: Apache-2.0
//
// Width-w non-adjacent form, right to left, a position a cycle and without a copy of the scalar:
// the digits of pm_naf_recoder, in little logic.
//
// The unit holds the w bits of the scalar from its position on. A carry bit stands for "add 1 to
// what is left": there is a digit where the lowest bit differs from the carry. It is the w bits
// with the lowest taken as 1, modulo 2^w; a set top bit makes it negative and sets the carry. Then
// the bits take the value of the carry, so that the next w - 1 positions have no digit.
//
// Operands:  scalar_i at most 2^(Bits-1) + 2^(Bits-1-Window), as every number below L is with 253
//            Bits: then no digit stands at position Bits, where the least such number is
//            2^Bits - (2^(w-1) - 1) (2^(Bits-w) + 2^(Bits-2w) + ...).
// Latency:   Bits + 1 cycles from acceptance to done_o, 254 for 253 Bits, with digit_ready_i
//            always 1.
// Handshake: valid_i/ready_o for the scalar, which must not change from acceptance to done_o;
//            digit_valid_o/digit_ready_i for each digit. done_o is a level: 1 from the end of the
//            scalar until the next one is accepted, clear_i or reset. clear_i abandons the scalar.
// Reset:     asynchronous, active low: idle, done_o = 0.
// Constant time: the digits are not hidden; the time does not depend on the scalar.
// Source:    Xue et al. 2022, J. Commun. 43(3), algorithm 5 steps 1 and 3 (table 5: 254 cycles).

module pm_naf_bits #(
    parameter int unsigned Bits   = 253,  // bits of the scalar, at most 254
    parameter int unsigned Window = 5     // w, 3 to 32
) (
    input  logic              clk_i,          // clock
    input  logic              rst_ni,         // asynchronous reset, active low
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

  if (Window < 3 || Window > 32 || Bits <= Window || Bits > 254) begin : gen_check
    $fatal(1, "pm_naf_bits: Window must lie between 3 and 32, and Bits above it, up to 254.");
  end

  localparam logic [7:0] Last = 8'(Bits - 1);

  logic [255:0] scalar;
  logic [Window-1:0] near_q;
  logic [7:0] pos_q, next_q;  // of near_q, and of the bit above it
  logic carry_q, busy_q, done_q;
  logic is_digit, negative, step, next_bit;

  assign scalar = 256'(scalar_i);
  // Behind the scalar next_q may pass 255 and begin again.
  assign next_bit = scalar[next_q] && next_q > pos_q;
  assign is_digit = near_q[0] ^ carry_q;
  assign negative = near_q[Window-1];
  assign step = busy_q && (!is_digit || digit_ready_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      done_q <= 1'b0;
    end else if (clear_i) begin
      busy_q <= 1'b0;
      done_q <= 1'b0;
    end else if (ready_o) begin
      busy_q <= valid_i;
      done_q <= done_q && !valid_i;
    end else if (step && pos_q == Last) begin
      busy_q <= 1'b0;
      done_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!busy_q) begin
      near_q  <= scalar_i[Window-1:0];
      pos_q   <= '0;
      next_q  <= 8'(Window);
      carry_q <= 1'b0;
    end else if (step) begin
      near_q <= {next_bit, is_digit ? {(Window - 1) {negative}} : near_q[Window-1:1]};
      pos_q  <= pos_q + 8'd1;
      next_q <= next_q + 8'd1;
      if (is_digit) carry_q <= negative;
    end
  end

  assign ready_o       = !busy_q;
  assign done_o        = done_q;
  assign digit_valid_o = busy_q && is_digit;
  assign digit_pos_o   = pos_q;
  assign digit_neg_o   = negative;
  // d mod 2^w = 2m + 1; a negative digit is 2m + 1 - 2^w, whose index is the complement of m.
  assign digit_idx_o   = near_q[Window-2:1] ^ {(Window - 2) {negative}};

endmodule
