// SPDX-License-Identifier: Apache-2.0
//
// The number that a signature of `multicurve` is made of: the leftmost bits of a digest, or a
// number as it is, which a program takes from its lowest digits on; then the first scalar of a
// verification.
//
// Computes: number_o = value_i / 2^excess_i, rounded down, after load_i; next_i drops digits_i
//           further digits of 32 bits, that is, as many as the multiplier takes of a first factor.
//           more_o says whether, of 544 bits, there are digits left behind the present ones. put_i
//           replaces the number.
// Timing:   ready_o rises in the cycle after load_i or next_i that follows a step for each 32 bits
//           to be dropped and one for each bit of the rest; number_o is not to be read before.
// Handshake: next_i and put_i only while ready_o.
// Reset:    none; load_i begins. wipe_i sets the number to 0.
// Constant time: the cycles depend on excess_i and digits_i, not on the number.
// Source:   SEC 1, 4.1.3, step 5 (leftmost bits).
module pm_multicurve_signed_number #(
    localparam int unsigned Width = 544,
    localparam int unsigned Digit = 32,
    localparam int unsigned MaxDigits = Width / Digit
) (
    input  logic             clk_i,        // clock
    input  logic             wipe_i,       // pulse: clear
    input  logic             load_i,       // pulse: begin with value_i
    input  logic [Width-1:0] value_i,      // number
    input  logic [     10:0] excess_i,     // bits that it has too many
    input  logic             next_i,       // pulse: go on with the next digits
    input  logic [      4:0] digits_i,     // how many are taken at a time
    input  logic             put_i,        // pulse: take put_value_i
    input  logic [Width-1:0] put_value_i,
    output logic [Width-1:0] number_o,     // what is left
    output logic             ready_o,      // it is there
    output logic             more_o        // digits are left
);

  logic [Width-1:0] number_q;
  logic [10:0] drop_q;  // bits to be dropped
  logic [4:0] left_q;  // digits, with the present ones

  always_ff @(posedge clk_i) begin
    if (wipe_i) number_q <= '0;
    else if (load_i) number_q <= value_i;
    else if (put_i) number_q <= put_value_i;
    else if (drop_q >= 11'(Digit)) number_q <= number_q >> Digit;
    else if (drop_q != '0) number_q <= number_q >> 1;
  end

  always_ff @(posedge clk_i) begin
    if (load_i) drop_q <= excess_i;
    else if (next_i) drop_q <= {1'b0, digits_i, 5'd0};
    else if (drop_q >= 11'(Digit)) drop_q <= drop_q - 11'(Digit);
    else if (drop_q != '0) drop_q <= drop_q - 11'd1;
    if (load_i) left_q <= 5'(MaxDigits);
    else if (next_i) left_q <= left_q > digits_i ? left_q - digits_i : '0;
  end

  assign number_o = number_q;
  assign ready_o  = drop_q == '0;
  assign more_o   = left_q != '0;

endmodule
