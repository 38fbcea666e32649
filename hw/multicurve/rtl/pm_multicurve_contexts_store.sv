// SPDX-License-Identifier: Apache-2.0
//
// Numbers of a job in configuration `contexts` of `multicurve`, as digits: scalar and coordinates,
// for a job that has to be run again; then those of the result.
//
// With shift_i a digit comes in behind the others and the oldest one leaves. digit_o is that which
// is the oldest of the latest 21, 16 or 14: of three numbers of 7 digits, or of two of 8 or 7.
// Reset:    none. Constant time: yes.
module pm_multicurve_contexts_store #(
    parameter  int unsigned Digit  = 39,  // bits of a digit
    localparam int unsigned Digits = 21
) (
    input logic clk_i,  // clock
    input logic shift_i,  // pulse: a digit
    input logic [Digit-1:0] digit_i,  // the digit
    input logic three_i,  // the oldest of three numbers
    input logic long_i,  // else of two of 8 digits, not 7
    output logic [Digit-1:0] digit_o  // it
);

  logic [Digits-1:0][Digit-1:0] digits_q;

  always_ff @(posedge clk_i) begin
    if (shift_i) digits_q <= {digit_i, digits_q[Digits-1:1]};
  end

  assign digit_o = three_i ? digits_q[0] : long_i ? digits_q[Digits-16] : digits_q[Digits-14];

endmodule
