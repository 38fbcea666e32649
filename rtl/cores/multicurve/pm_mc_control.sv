// SPDX-License-Identifier: Apache-2.0
//
// Job control of `multicurve`: starts the engine on each received job and gives every job exactly one answer.
//
// An answer is offered when the engine has ended, when the packet of a job has ended that the engine never
// sees (malformed, or no curve of the form that it needs), or at once after a soft reset, with reason
// `aborted`, in whatever state the job is.
//
// Timing:   cycles_o counts from the cycle after the header beat (1) to the first cycle in which the
//           answer is offered.
// Reset:    asynchronous, active low.

module pm_mc_control
  import pm_mc_pkg::*;
(
    input  logic              clk_i,            // clock
    input  logic              rst_ni,           // asynchronous reset, active low
    input  logic              soft_reset_i,     // pulse: answer the job with `aborted`
    output logic              reset_done_o,     // pulse: nothing of before the soft reset is left
    // receiver
    input  logic              job_start_i,      // pulse: header accepted
    input  logic              job_open_i,       // a job is not answered yet
    input  logic              job_end_i,        // the packet has ended
    input  logic              job_malformed_i,  // it is malformed
    input  logic       [ 7:0] job_op_i,         // operation
    output logic              job_done_o,       // pulse: answered
    // engine
    input  mc_form_e          form_i,           // form of the loaded curve
    output logic              engine_start_o,   // pulse: begin
    output logic              engine_clear_o,   // pulse: abandon
    input  logic              engine_finish_i,  // pulse: end
    input  mc_reason_e        engine_reason_i,  // the verdict
    // transmitter
    output logic              result_valid_o,   // an answer is offered
    input  logic              result_ready_i,   // it is taken
    output mc_reason_e        reason_o,         // its reason
    output logic       [31:0] cycles_o          // cycles from header to answer
);

  typedef enum logic [1:0] {
    StIdle,    // the engine has no job
    StRun,     // the engine works
    StVerdict  // the engine has ended
  } state_e;

  state_e state_d, state_q;
  mc_reason_e verdict_q;
  logic aborted_q, resetting_q, offered_q, refused, no_curve;
  logic [31:0] cycles_q;

  // A load_curve job changes the form while it runs, so it must not be looked at then.
  assign no_curve = state_q == StIdle && opcode_form(
      job_op_i
  ) != CurveNone && opcode_form(
      job_op_i
  ) != form_i;
  assign refused = job_malformed_i || no_curve;
  assign engine_start_o = state_q == StIdle && job_end_i && !refused && !aborted_q;
  assign result_valid_o = job_open_i &&
      (aborted_q || (job_end_i && (refused || state_q == StVerdict)));
  assign job_done_o = result_valid_o && result_ready_i;
  assign engine_clear_o = job_done_o;
  assign cycles_o = cycles_q;

  always_comb begin
    if (aborted_q) reason_o = ReasonAborted;
    else if (job_malformed_i) reason_o = ReasonMalformedJob;
    else reason_o = no_curve ? ReasonNoCurve : verdict_q;
  end

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:  if (engine_start_o) state_d = StRun;
      StRun:   if (engine_finish_i) state_d = StVerdict;
      default: ;
    endcase
    if (job_done_o) state_d = StIdle;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= StIdle;
    else state_q <= state_d;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      aborted_q <= 1'b0;
      resetting_q <= 1'b0;
      offered_q <= 1'b0;
      reset_done_o <= 1'b0;
      cycles_q <= '0;
      verdict_q <= ReasonOk;
    end else begin
      // A job whose answer is already on offer keeps it; the answer must not change any more.
      if (soft_reset_i && job_open_i && !result_valid_o) aborted_q <= 1'b1;
      else if (job_done_o) aborted_q <= 1'b0;
      resetting_q <= (soft_reset_i || resetting_q) && job_open_i && !job_done_o;
      reset_done_o <= (soft_reset_i || resetting_q) && (!job_open_i || job_done_o);
      offered_q <= result_valid_o && !job_done_o;
      if (job_start_i) cycles_q <= 32'd1;
      else if (!result_valid_o) cycles_q <= cycles_q + 32'd1;
      if (engine_finish_i) verdict_q <= engine_reason_i;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
    end else begin
      assert (!offered_q || result_valid_o);
    end
  end

endmodule
