// SPDX-License-Identifier: Apache-2.0
//
// The job of one context in configuration `contexts` of `multicurve`, from its header to its
// result. Behind the program of a new curve another one may follow, for the base point.
//
// Handshake: open_o from the cycle after header_i until taken_i, which takes the result while
//           offered_o. refused_i and refusal_i come with given_i. start_o begins a program, the
//           first one with fresh_o, a further one when more_i comes. After a soft reset left_o
//           holds until the job of before it has its result, and the context has ended its program.
// Reset:    asynchronous, active low: no job.
// Constant time: NO. Numbers are public.
module pm_multicurve_contexts_job
  import pm_multicurve_pkg::*;
  import pm_multicurve_contexts_jobs_pkg::*;
(
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic soft_reset_i,  // pulse: answer the job with `aborted`
    output logic left_o,  // something of before it is left
    // packet
    input logic header_i,  // pulse: its header
    input logic [31:0] tag_i,  // with it: tag
    input logic [7:0] op_i,  // operation
    input logic given_i,  // pulse: the packet has ended, and its numbers are in the context
    input logic refused_i,  // it is not for the engine
    input mc_reason_e refusal_i,  // for this reason
    output logic open_o,  // there is a job
    // context
    input logic idle_i,  // it has no program under way
    output logic start_o,  // pulse: one begins
    output logic fresh_o,  // pulse: for the first time
    input logic more_i,  // pulse: another one, if the job is still there
    input logic finish_i,  // pulse: a program ends
    input verdict_t verdict_i,  // with that
    output logic live_o,  // the program under way is one of the job
    // answer
    output logic offered_o,  // it is there
    output answer_t answer_o,  // it
    input logic taken_i  // pulse: it is taken
);

  logic given_q, refused_q, stale_q, resetting_q, infinity_q, reset_ends, ended;
  logic unused_done, unused_idle, unused_decided, unused_clear;
  mc_reason_e refusal_q;
  logic [7:0] op_q, reason;
  logic [31:0] tag_q;

  assign left_o  = resetting_q || stale_q;
  assign start_o = fresh_o || (more_i && open_o && !taken_i);
  assign ended   = finish_i && live_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {open_o, given_q, live_o, stale_q, resetting_q} <= '0;
    end else begin
      resetting_q <= soft_reset_i || (resetting_q && !reset_ends);
      stale_q <= !idle_i && (taken_i || stale_q);
      if (taken_i) {open_o, given_q, live_o} <= '0;
      else begin
        if (header_i) open_o <= 1'b1;
        if (given_i) given_q <= 1'b1;
        if (start_o) live_o <= 1'b1;
        else if (ended) live_o <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (header_i) begin
      tag_q <= tag_i;
      op_q  <= op_i;
    end
    if (given_i) begin
      refused_q <= refused_i;
      refusal_q <= refusal_i;
    end
    if (start_o) infinity_q <= 1'b0;
    else if (ended && verdict_i.infinity) infinity_q <= opcode_payload(op_q) != '0;
  end

  pm_job_control #(
      .Aborted(ReasonAborted)
  ) u_control (
      .clk_i,
      .rst_ni,
      .soft_reset_i,
      .reset_done_o(reset_ends),
      .job_start_i(header_i),
      .job_open_i(open_o),
      .job_valid_i(given_q),
      .job_end_i(given_q),
      .job_refused_i(refused_q),
      .refusal_i(refusal_q),
      .job_done_o(unused_done),
      .idle_o(unused_idle),
      .decided_o(unused_decided),
      .engine_start_o(fresh_o),
      .engine_clear_o(unused_clear),
      .engine_finish_i(ended && !verdict_i.check),
      .engine_reason_i(verdict_i.reason),
      .result_valid_o(offered_o),
      .result_ready_i(taken_i),
      .reason_o(reason),
      .cycles_o(answer_o.cycles)
  );

  assign answer_o.tag = tag_q;
  assign answer_o.op = op_q;
  assign answer_o.reason = mc_reason_e'(reason);
  assign answer_o.infinity = infinity_q;

endmodule
