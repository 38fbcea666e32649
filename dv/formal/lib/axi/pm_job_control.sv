// SPDX-License-Identifier: Apache-2.0
//
// Claim: given the levels of a job as pm_edverify_rx is proved to give them, and an engine that
// gives a verdict only between its start and its clear, pm_job_control gives every job exactly one
// result; the result is the one that its header promises and does not change while it is offered;
// after a soft reset it is offered at once; a job that has ended and has no result has the engine
// at work.

module pm_job_control_formal (
    input logic       clk_i,
    input logic       rst_ni,
    input logic       soft_reset_i,
    input logic       job_start_i,
    input logic       job_open_i,
    input logic       job_valid_i,
    input logic       job_end_i,
    input logic       job_refused_i,
    input logic [7:0] refusal_i,
    input logic       engine_finish_i,
    input logic [7:0] engine_reason_i,
    input logic       result_ready_i
);

  logic reset_done, idle, decided, job_done, engine_start, engine_clear, result_valid;
  logic [ 7:0] reason;
  logic [31:0] cycles;

  localparam logic [7:0] Aborted = 8'd42;

  pm_job_control #(
      .Aborted(Aborted)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .soft_reset_i,
      .reset_done_o(reset_done),
      .job_start_i,
      .job_open_i,
      .job_valid_i,
      .job_end_i,
      .job_refused_i,
      .refusal_i,
      .job_done_o(job_done),
      .idle_o(idle),
      .decided_o(decided),
      .engine_start_o(engine_start),
      .engine_clear_o(engine_clear),
      .engine_finish_i,
      .engine_reason_i,
      .result_valid_o(result_valid),
      .result_ready_i,
      .reason_o(reason),
      .cycles_o(cycles)
  );

  logic open_ok, start_ok, order_ok, level_ok;

  pm_job_contract u_contract (
      .clk_i,
      .rst_ni,
      .job_start_i,
      .job_open_i,
      .job_valid_i,
      .job_end_i,
      .job_refused_i,
      .job_done_i(job_done),
      .open_o(open_ok),
      .start_o(start_ok),
      .order_o(order_ok),
      .level_o(level_ok)
  );

  // The job as seen from outside.
  logic owed_q;  // an answer is owed
  logic running_q;  // the engine works
  logic ended_q;  // the engine has given its verdict on this job
  logic aborted_q;  // a soft reset met the job before its answer was offered
  logic resetting_q;  // a soft reset met the job, whose answer has not been taken
  logic reset_pending_q;  // a soft reset has not been reported as done
  logic begun_q;  // the engine was started for this job
  logic [7:0] verdict_q;
  logic [31:0] age_q;  // cycles since the header beat, up to the first offer
  logic taken;
  assign taken = result_valid && result_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {owed_q, running_q, ended_q, aborted_q, resetting_q, reset_pending_q, begun_q} <= '0;
      age_q <= '0;
    end else begin
      owed_q <= job_start_i || (owed_q && !taken);
      running_q <= (engine_start || running_q) && !engine_finish_i && !engine_clear;
      begun_q <= (engine_start || begun_q) && !taken;
      ended_q <= (engine_finish_i || ended_q) && !taken;
      aborted_q <= (aborted_q || (soft_reset_i && owed_q && !result_valid)) && !taken;
      resetting_q <= (resetting_q || (soft_reset_i && owed_q)) && !taken;
      reset_pending_q <= soft_reset_i || (reset_pending_q && !reset_done);
      if (job_start_i) age_q <= 32'd1;
      else if (!result_valid) age_q <= age_q + 32'd1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (engine_finish_i) verdict_q <= engine_reason_i;
  end

  // An answer that was not taken in the cycle before.
  logic refused_q;
  logic [7:0] reason_q, refusal_q;
  logic [31:0] cycles_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) refused_q <= 1'b0;
    else refused_q <= result_valid && !result_ready_i;
  end
  always_ff @(posedge clk_i) {reason_q, refusal_q, cycles_q} <= {reason, refusal_i, cycles};

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  always_comb begin
    a_reset : assume (started_q || !rst_ni);
    a_open : assume (open_ok);
    a_start : assume (start_ok);
    a_order : assume (order_ok);
    a_level : assume (level_ok);
    a_refusal : assume (!refused_q || refusal_i == refusal_q);
    a_engine : assume (!engine_finish_i || (running_q && !engine_clear));

    // For the induction step.
    i_owed : assert (owed_q == u_contract.open_q);
    i_state : assert (u_dut.state_q == {ended_q, running_q} && !(ended_q && running_q));
    i_aborted : assert (u_dut.aborted_q == aborted_q && (!aborted_q || owed_q));
    if (ended_q) begin
      i_verdict : assert (u_dut.verdict_q == verdict_q);
    end
    i_begun : assert (begun_q == (running_q || ended_q) && (!begun_q || owed_q));
    i_resetting : assert (u_dut.resetting_q == resetting_q && (!resetting_q || owed_q));
    i_reset : assert (!reset_pending_q || reset_done || resetting_q);
    i_age : assert (cycles == age_q);
    i_offered : assert (refused_q == u_dut.offered_q);

    // One answer for each job, and none without one.
    if (result_valid) begin
      p_answer_is_owed : assert (owed_q);
    end
    p_done_is_the_answer : assert (job_done == taken);
    // The right answer.
    if (result_valid && aborted_q) begin
      p_aborted : assert (reason == Aborted);
    end
    if (result_valid && !aborted_q) begin
      p_only_at_the_end : assert (job_end_i && (job_refused_i || ended_q));
      p_reason : assert (reason == (job_refused_i ? refusal_i : verdict_q));
    end
    if (result_valid && !refused_q) begin
      p_cycles : assert (cycles == age_q);
    end
    if (refused_q) begin
      p_stable : assert (result_valid && reason == reason_q && cycles == cycles_q);
    end
    // Progress.
    if (aborted_q) begin
      p_abort_at_once : assert (result_valid);
    end
    if (job_end_i && !result_valid) begin
      p_engine_at_work : assert (running_q || engine_start);
    end
    // The engine: one start for a job, never while it works; it is stopped with the answer.
    if (engine_start) begin
      p_start_once : assert (owed_q && !begun_q && !running_q && job_valid_i && !job_refused_i);
    end
    if (running_q) begin
      p_engine_has_a_job : assert (owed_q);
    end
    // Every soft reset is reported: at once if there is no job, otherwise when its answer is taken.
    if (reset_pending_q && !reset_done) begin
      p_reset_pending : assert (resetting_q);
    end
    if (reset_done) begin
      p_reset_done : assert (!resetting_q);
    end
    // What receiver and core see of the engine.
    p_decided : assert (decided == ended_q);
    p_idle : assert (idle == !begun_q);
  end

endmodule
