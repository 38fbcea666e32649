// SPDX-License-Identifier: Apache-2.0
//
// Jobs of the X25519 core: gives those of the receiver to an engine that may take several before it
// returns the result of the first, and of every job exactly one, in the order of the jobs.
//
// A job of a malformed packet takes its place in that order and passes the engine by. After a soft
// reset the receiver's job and all jobs that wait for their results get reason Aborted, and the
// engine is cleared; a result that is on offer by then stays as it is.
//
// Handshake: the receiver is that of pm_edverify_rx. A job is its ticket once the engine has taken
//           it: the receiver is then free, its operands wiped. answer_* hold from answer_valid_o
//           until answer_ready_i, which may come in any cycle.
// Timing:   a job is given to the engine in the cycle in which job_end_i rises, if that is ready.
//           A result is on offer in the cycle after the engine's result. cycles_o counts from the
//           cycle after the header beat (1) to the first cycle in which the result is offered.
// Secrets:  the result is wiped when it was taken.
// Reset:    asynchronous, active low.
// Time depends on the packets and the engine's time alone.
module pm_x25519_jobs
  import pm_edverify_pkg::*;
#(
    parameter int unsigned Depth = 16  // jobs without answer, a power of two
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic soft_reset_i,  // pulse: answer all jobs with Aborted
    output logic reset_done_o,  // pulse: nothing of before the soft reset is left
    output logic busy_o,  // a job waits for its answer
    // receiver
    input logic job_start_i,  // pulse: header accepted
    input logic job_open_i,  // the receiver has a job
    input logic job_end_i,  // its packet has ended
    input logic job_malformed_i,  // and breaks the format
    input logic [31:0] job_tag_i,  // tag
    input logic [7:0] job_rule_i,  // rule byte
    output logic job_done_o,  // pulse: the receiver may forget the job
    // engine
    output logic engine_clear_o,  // pulse: abandon every job
    output logic engine_valid_o,  // the receiver's job is offered
    input logic engine_ready_i,  // it is taken
    input logic result_valid_i,  // a result is offered
    output logic result_ready_o,  // it is taken
    input logic [255:0] result_i,  // result
    input logic result_zero_i,  // it is 0
    input logic result_refused_i,  // it is none: control flow would have depended on a secret
    // transmitter
    output logic answer_valid_o,  // an answer is offered
    input logic answer_ready_i,  // it is taken
    output logic [31:0] tag_o,  // tag of its job
    output logic [7:0] rule_o,  // rule byte of its job
    output reason_e reason_o,  // reason
    output logic all_zero_o,  // the result is 0
    output logic [31:0] cycles_o,  // cycles from header to answer
    output logic [255:0] payload_o  // result
);

  typedef struct packed {
    logic        refused;  // a malformed packet
    logic [7:0]  rule;
    logic [31:0] tag;
    logic [31:0] start;    // cycle of the header
  } ticket_t;

  localparam int unsigned UsageBits = $clog2(Depth) + 1;

  ticket_t ticket, head;
  logic ticket_valid, ticket_ready, head_valid, head_ready;
  logic [UsageBits-1:0] waiting;
  logic [UsageBits-1:0] doomed_q;  // the first so many tickets are of jobs that a soft reset met
  logic aborting_q;  // the receiver's job is
  logic resetting_q;
  logic [31:0] now_q, start_q;
  logic finished, doomed, answer_free, answer_aborted;

  // ---- from the receiver to the engine ----
  assign engine_clear_o = soft_reset_i;
  assign engine_valid_o = job_end_i && !job_malformed_i && ticket_ready && !aborting_q &&
      !soft_reset_i;
  assign ticket_valid = !soft_reset_i &&
      (aborting_q || (job_end_i && (job_malformed_i || (engine_valid_o && engine_ready_i))));
  assign job_done_o = ticket_valid && ticket_ready;
  assign ticket = '{refused: job_malformed_i, rule: job_rule_i, tag: job_tag_i, start: start_q};

  pm_fifo #(
      .Width($bits(ticket_t)),
      .Depth(Depth)
  ) u_tickets (
      .clk_i,
      .rst_ni,
      .valid_i(ticket_valid),
      .ready_o(ticket_ready),
      .data_i (ticket),
      .valid_o(head_valid),
      .ready_i(head_ready),
      .data_o (head),
      .usage_o(waiting)
  );

  // ---- from the engine to the answer ----
  assign doomed = doomed_q != '0;
  assign answer_free = !answer_valid_o || answer_ready_i;
  assign result_ready_o = head_valid && !doomed && !head.refused && answer_free && !soft_reset_i;
  assign finished = doomed || head.refused || result_valid_i;
  assign head_ready = finished && answer_free && !soft_reset_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      now_q <= '0;
      start_q <= '0;
      doomed_q <= '0;
      aborting_q <= 1'b0;
      resetting_q <= 1'b0;
      reset_done_o <= 1'b0;
    end else begin
      now_q <= now_q + 32'd1;
      if (job_start_i) start_q <= now_q;
      if (soft_reset_i) begin
        doomed_q   <= waiting;
        aborting_q <= job_open_i;
      end else begin
        doomed_q <= doomed_q + UsageBits'(job_done_o && aborting_q)
            - UsageBits'(head_valid && head_ready && doomed);
        if (job_done_o) aborting_q <= 1'b0;
      end
      resetting_q  <= soft_reset_i || (resetting_q && (doomed || aborting_q || answer_aborted));
      reset_done_o <= !soft_reset_i && resetting_q && !(doomed || aborting_q || answer_aborted);
    end
  end

  assign answer_aborted = answer_valid_o && reason_o == ReasonAborted;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      answer_valid_o <= 1'b0;
      tag_o <= '0;
      rule_o <= '0;
      reason_o <= ReasonOk;
      all_zero_o <= 1'b0;
      cycles_o <= '0;
      payload_o <= '0;
    end else if (answer_free) begin
      answer_valid_o <= head_valid && head_ready;
      tag_o <= head.tag;
      rule_o <= head.rule;
      if (doomed) reason_o <= ReasonAborted;
      else if (head.refused) reason_o <= ReasonMalformedJob;
      else reason_o <= result_refused_i ? ReasonSecretRefused : ReasonOk;
      all_zero_o <= result_zero_i && !result_refused_i;
      cycles_o   <= now_q - head.start + 32'd1;
      payload_o  <= (result_valid_i && result_ready_o && !result_refused_i) ? result_i : '0;
    end
  end

  assign busy_o = head_valid || answer_valid_o;

endmodule
