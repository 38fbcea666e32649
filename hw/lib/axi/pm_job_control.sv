// SPDX-License-Identifier: Apache-2.0
//
// Job control of a core that works on one job at a time: starts the engine on each received job and
// gives every job exactly one result.
//
// A result is offered when the engine has its verdict and the packet has ended (a late malformed
// beat is still seen), when the packet of a rejected job has ended, or at once after a soft reset,
// with reason Aborted, in whatever state the job is.
//
// Handshake: open from the cycle after job_start_i until job_done_o. job_valid_i and job_end_i stay
//           once they are 1, and so does job_refused_i, which does not rise after the end; it may
//           depend on idle_o. refusal_i keeps its value while a rejected job has ended. The engine
//           finishes only between its start and its clear.
// Timing:   cycles_o counts from the cycle after the header beat (1) to the first cycle in which
//           the result is offered.
// Reset:    asynchronous, active low.
module pm_job_control #(
    parameter logic [7:0] Aborted = 8'd10  // reason of a job that a soft reset met
) (
    input  logic        clk_i,            // clock
    input  logic        rst_ni,           // asynchronous reset, active low
    input  logic        soft_reset_i,     // pulse: answer the job with Aborted
    output logic        reset_done_o,     // pulse: nothing of before the soft reset is left
    // receiver
    input  logic        job_start_i,      // pulse: header accepted
    input  logic        job_open_i,       // a job is not answered yet
    input  logic        job_valid_i,      // the engine may start, unless the job is refused
    input  logic        job_end_i,        // the packet has ended
    input  logic        job_refused_i,    // the job is not for the engine
    input  logic [ 7:0] refusal_i,        // reason of a refused job
    output logic        job_done_o,       // pulse: answered
    // engine
    output logic        idle_o,           // the engine has no job
    output logic        decided_o,        // the engine has ended; a verdict is there
    output logic        engine_start_o,   // pulse: begin
    output logic        engine_clear_o,   // pulse: abandon
    input  logic        engine_finish_i,  // pulse: verdict
    input  logic [ 7:0] engine_reason_i,  // the verdict
    // transmitter
    output logic        result_valid_o,   // an answer is offered
    input  logic        result_ready_i,   // it is taken
    output logic [ 7:0] reason_o,         // its reason
    output logic [31:0] cycles_o          // cycles from header to answer
);

  typedef enum logic [1:0] {
    StIdle,    // the engine has no job
    StRun,     // the engine works
    StVerdict  // the engine has ended
  } state_e;

  state_e state_d, state_q;
  logic [7:0] verdict_q;
  logic aborted_q, resetting_q, offered_q;
  logic [31:0] cycles_q;

  assign engine_start_o = idle_o && job_valid_i && !job_refused_i && !aborted_q;
  assign result_valid_o = job_open_i && (aborted_q || (job_end_i && (job_refused_i || decided_o)));
  assign job_done_o = result_valid_o && result_ready_i;
  assign idle_o = state_q == StIdle;
  assign decided_o = state_q == StVerdict;
  assign engine_clear_o = job_done_o;
  assign cycles_o = cycles_q;

  always_comb begin
    if (aborted_q) reason_o = Aborted;
    else reason_o = job_refused_i ? refusal_i : verdict_q;
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
      verdict_q <= '0;
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
