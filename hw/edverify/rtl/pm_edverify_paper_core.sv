// SPDX-License-Identifier: Apache-2.0
//
// Core of `edverify` for one job at a time, configurations `paper` and `hardened`, without buses:
// job control and the engine. A receiver in front of it shows a job, a SHA-512 unit stands beside
// it, a transmitter takes the result.
//
// Handshake: rx_i and rx_o as pm_edverify_rx, hash_o and hash_i as pm_sha512, result_o as
//           pm_edverify_tx.
// Timing:   result_o.cycles counts from the cycle after the header beat (1) to the first cycle in
//           which the result is offered.
// Reset:    asynchronous, active low: no job. A soft reset ends a job with `aborted`.
// Constant time: NO. Verification handles public data.

module pm_edverify_paper_core
  import pm_edverify_pkg::*;
  import pm_edverify_core_pkg::*;
  import pm_edverify_lockstep_pkg::*;
#(
    parameter bit Hardened = 1'b0  // `hardened`
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic soft_reset_i,  // pulse: answer the job with `aborted`
    output logic reset_done_o,  // pulse: nothing of before it is left
    output logic busy_o,  // the engine is at work
    output logic mul_issue_o,  // a product is started
    input logic fault_i,  // level: the result is `fault_detected`
    // receiver; there is no message to be signed
    /* verilator lint_off UNUSEDSIGNAL */
    input from_rx_t rx_i,
    /* verilator lint_on UNUSEDSIGNAL */
    output to_rx_t rx_o,
    // hash
    output to_hash_t hash_o,
    input from_hash_t hash_i,
    // transmitter; no result has a payload
    output tx_result_t result_o,  // holds until taken
    input logic result_ready_i,  // it is taken
    // to be compared, with Hardened
    output issue_t issue_o
);

  logic start, clear, finish, idle, unused_idle;
  logic [7:0] reason;
  reason_e engine_reason;

  pm_job_control #(
      .Aborted(ReasonAborted)
  ) u_control (
      .clk_i,
      .rst_ni,
      .soft_reset_i,
      .reset_done_o,
      .job_start_i(rx_i.job.start),
      .job_open_i(rx_i.job.open),
      .job_valid_i(rx_i.job.valid),
      .job_end_i(rx_i.job.ended),
      .job_refused_i(rx_i.job.malformed),
      .refusal_i(ReasonMalformedJob),
      .job_done_o(rx_o.job_done),
      .idle_o(unused_idle),
      .decided_o(rx_o.discard),
      .engine_start_o(start),
      .engine_clear_o(clear),
      .engine_finish_i(finish),
      .engine_reason_i(engine_reason),
      .result_valid_o(result_o.valid),
      .result_ready_i,
      .reason_o(reason),
      .cycles_o(result_o.cycles)
  );

  pm_edverify_paper_engine #(
      .Hardened(Hardened)
  ) u_engine (
      .clk_i,
      .rst_ni,
      .start_i(start),
      .clear_i(clear),
      .idle_o(idle),
      .flags_i(rule_flags(rx_i.job.rule)),
      .s_i(rx_i.job.s),
      .r_i(rx_i.job.r),
      .a_i(rx_i.job.a),
      .digest_valid_i(hash_i.digest_valid),
      .digest_ready_o(hash_o.digest_ready),
      .digest_i(hash_i.digest),
      .finish_o(finish),
      .reason_o(engine_reason),
      .mul_issue_o,
      .operands_i(rx_i.job.valid),
      .issue_o
  );

  assign busy_o = !idle;

  // Nothing but verifications is hashed.
  assign hash_o.clear = rx_i.hash_clear;
  assign hash_o.beat = rx_i.hash;
  assign rx_o.hash_ready = hash_i.ready;
  assign rx_o.msg_ready = 1'b1;

  assign result_o.tag = rx_i.job.tag;
  assign result_o.rule = rx_i.job.rule;
  assign result_o.reason = fault_i ? ReasonFaultDetected : reason_e'(reason);
  assign result_o.all_zero = 1'b0;
  assign result_o.payload_words = '0;

endmodule
