// SPDX-License-Identifier: Apache-2.0
//
// Numbers of a job in configuration `contexts` of `multicurve`, as digits: scalar and coordinates,
// for a job that has to be run again; then those of the result.
//
// With a pulse a digit comes in behind the others and the oldest one leaves. The job has three
// numbers of Columns digits, the result two, or two of a digit more.
// Zero:     a coordinate that is 0 leaves the engine as k p, whose lowest digit has all bits 1:
//           suspect_o says that one of the result has such a digit.
// Reset:    none; start_i takes the suspicion away. Constant time: yes.
module pm_multicurve_contexts_store
  import pm_multicurve_contexts_jobs_pkg::*;
#(
    parameter int unsigned Digit   = 45,  // of pm_multicurve_contexts
    parameter int unsigned Columns = 7
) (
    input logic clk_i,  // clock
    input logic start_i,  // pulse: a program of the job begins
    input logic keep_i,  // pulse: a digit of the job
    input logic [Digit-1:0] keep_digit_i,  // it
    input logic result_i,  // pulse: a digit of the result
    input logic result_first_i,  // with it: the lowest one of a coordinate
    input logic [Digit-1:0] result_digit_i,  // it
    input logic round_i,  // pulse: the oldest one comes in again
    input logic long_i,  // a number of the result has a digit more
    output logic [Digit-1:0] kept_o,  // the oldest digit of three numbers
    output logic [Digit-1:0] digit_o,  // of the result
    output logic suspect_o  // a coordinate may be 0
);

  localparam int unsigned Count = 3 * Columns;

  logic [Count-1:0][Digit-1:0] digits_q;

  always_ff @(posedge clk_i) begin
    if (keep_i || result_i || round_i) begin
      digits_q <= {
        result_i ? result_digit_i : round_i ? digit_o : keep_digit_i, digits_q[Count-1:1]
      };
    end
    if (start_i) suspect_o <= 1'b0;
    else if (result_i && result_first_i && result_digit_i == '1) suspect_o <= 1'b1;
  end

  assign kept_o  = digits_q[0];
  assign digit_o = digits_q[Count-2*Columns-(long_i?2 : 0)];

endmodule
