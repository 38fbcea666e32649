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
// Timing:   a job is given to the engine in the cycle in which job_end_i rises, if that is ready;
//           job_done_o comes in the next cycle. A result is on offer in the cycle after that of the
//           engine, but not in the two cycles after another one was taken. cycles_o counts from the
//           cycle after the header beat (1) to the first cycle in which the result is offered.
// Secrets:  the result is wiped when it was taken.
// Reset:    asynchronous, active low.
// Time depends on the packets and the engine's time alone.
module pm_x25519_jobs
  import pm_edverify_pkg::*;
#(
    parameter int unsigned Depth = 16  // one less than the jobs without answer, a power of two
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

  ticket_t ticket, oldest, head_q;
  logic ticket_ready, oldest_valid, head_valid_q, head_free, head_ready;
  logic aborts, give;  // the receiver's job gets a ticket
  logic room_q;  // there is a place for it
  logic ready_q;  // the eldest ticket waits for a result, which can be stored
  logic [UsageBits-1:0] usage;  // tickets behind the eldest
  logic [UsageBits-1:0] doomed_q;  // the first so many tickets are of jobs that a soft reset met
  logic aborting_q;  // the receiver's job is
  logic resetting_q;
  logic [31:0] now_q, start_q;
  logic doomed, keep, answer_aborted;

  // ---- from the receiver to the engine ----
  assign engine_clear_o = soft_reset_i;
  assign engine_valid_o = job_end_i && !job_malformed_i && room_q && !aborting_q && !job_done_o &&
      !soft_reset_i;
  assign aborts = aborting_q && room_q && !job_done_o && !soft_reset_i;
  assign give = aborts || (engine_valid_o && engine_ready_i) ||
      (job_end_i && job_malformed_i && room_q && !job_done_o && !soft_reset_i);
  // It is stored in the cycle of job_done_o, in which the receiver still shows the job.
  assign ticket = '{refused: job_malformed_i, rule: job_rule_i, tag: job_tag_i, start: start_q};

  pm_fifo #(
      .Width($bits(ticket_t)),
      .Depth(Depth)
  ) u_tickets (
      .clk_i,
      .rst_ni,
      .valid_i(job_done_o),
      .ready_o(ticket_ready),
      .data_i (ticket),
      .valid_o(oldest_valid),
      .ready_i(head_free),
      .data_o (oldest),
      .usage_o(usage)
  );

  // The eldest ticket comes out of a register.
  assign head_free = !head_valid_q || head_ready;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      room_q <= 1'b1;
      job_done_o <= 1'b0;
      head_valid_q <= 1'b0;
    end else begin
      room_q <= 32'(usage) + 32'(job_done_o) < Depth;
      job_done_o <= give;
      if (head_free) head_valid_q <= oldest_valid;
    end
  end

  always_ff @(posedge clk_i) if (head_free) head_q <= oldest;

  // ---- from the engine to the answer ----
  assign doomed = doomed_q != '0;
  assign result_ready_o = ready_q && !soft_reset_i;
  assign head_ready = (result_ready_o && result_valid_i) ||
      ((doomed || head_q.refused) && !answer_valid_o && !soft_reset_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) ready_q <= 1'b0;
    else begin
      ready_q <= head_valid_q && !doomed && !head_q.refused && !answer_valid_o && !head_ready &&
          !soft_reset_i;
    end
  end

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
        doomed_q   <= usage + UsageBits'(head_valid_q) + UsageBits'(job_done_o);
        aborting_q <= job_open_i && !job_done_o;
      end else begin
        doomed_q <= doomed_q + UsageBits'(aborts) -
            UsageBits'(head_valid_q && head_ready && doomed);
        if (aborts) aborting_q <= 1'b0;
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
    end else if (!answer_valid_o || answer_ready_i) begin
      answer_valid_o <= head_valid_q && head_ready;
      tag_o <= head_q.tag;
      rule_o <= head_q.rule;
      if (doomed) reason_o <= ReasonAborted;
      else if (head_q.refused) reason_o <= ReasonMalformedJob;
      else reason_o <= result_refused_i ? ReasonSecretRefused : ReasonOk;
      all_zero_o <= result_zero_i && !result_refused_i;
      cycles_o   <= now_q - head_q.start + 32'd1;
    end
  end

  assign keep = result_ready_o && result_valid_i && !result_refused_i;

  always_ff @(posedge clk_i) begin
    if (answer_valid_o ? answer_ready_i : !keep) payload_o <= '0;
    else if (!answer_valid_o) payload_o <= result_i;
  end

  assign busy_o = job_done_o || oldest_valid || head_valid_q || answer_valid_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
    end else begin
      assert (!job_done_o || ticket_ready);
    end
  end

endmodule
