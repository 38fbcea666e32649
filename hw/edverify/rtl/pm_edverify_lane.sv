// SPDX-License-Identifier: Apache-2.0
//
// Second lane of `edverify`, configuration `hardened`: all units from the job stream to the result
// stream once more, but for the arithmetic modulo p. It works in lock-step with the first lane,
// which has the datapath, and shares no register with it (pm_edverify_lockstep compares them).
//
// Computes: what pm_edverify computes with Hardened; the flags of canonical products are those that
//           the datapath gives, taken where this lane's own microinstructions want
//           them.
// Handshake: as pm_edverify; a beat is offered to both lanes in the same cycle.
// Latency:  that of the first lane, cycle by cycle.
// Reset:    asynchronous, active low, drops everything. Constant time: NO, all is public.

module pm_edverify_lane
  import pm_edverify_pkg::*;
  import pm_edverify_lockstep_pkg::*;
#(
    parameter int unsigned InDepth = 32  // beats that wait before the receiver, a power of two
) (
    input logic clk_i,  // clock
    input logic rst_ni, // asynchronous reset, active low

    // jobs
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic [63:0] s_axis_tdata,
    input  logic [ 7:0] s_axis_tkeep,
    input  logic        s_axis_tlast,

    input logic soft_reset_i,  // pulse: answer the job with aborted

    // datapath of the first lane
    input  logic   zero_i,  // flags of the product that it writes
    input  logic   odd_i,
    output issue_t issue_o, // what this lane would have it do

    // results
    output beat_t beat_o,
    input  logic  ready_i
);

  localparam int unsigned ProductLatency = pm_datapath_pkg::product_latency();

  logic in_valid, in_ready, in_last;
  logic [63:0] in_data;
  logic [7:0] in_keep;
  logic [$clog2(InDepth):0] unused_usage;

  pm_fifo #(
      .Width(73),
      .Depth(InDepth)
  ) u_in_fifo (
      .clk_i,
      .rst_ni,
      .valid_i(s_axis_tvalid),
      .ready_o(s_axis_tready),
      .data_i ({s_axis_tlast, s_axis_tkeep, s_axis_tdata}),
      .valid_o(in_valid),
      .ready_i(in_ready),
      .data_o ({in_last, in_keep, in_data}),
      .usage_o(unused_usage)
  );

  logic job_start, job_open, job_valid, job_ended, job_malformed, job_discard, job_done;
  logic [7:0] job_rule, unused_op, unused_msg_keep;
  logic [31:0] job_tag;
  logic [15:0] unused_slot;
  logic [255:0] job_s, job_r, job_a;
  logic hash_clear, hash_valid, hash_ready, hash_last, digest_valid, digest_ready;
  logic [63:0] hash_data, unused_msg_data;
  logic [  7:0] hash_keep;
  logic [511:0] digest;
  logic unused_secret, unused_msg_drop, unused_msg_valid, unused_msg_last, unused_busy;

  pm_edverify_rx u_rx (
      .clk_i,
      .rst_ni,
      .s_axis_tvalid(in_valid),
      .s_axis_tready(in_ready),
      .s_axis_tdata(in_data),
      .s_axis_tkeep(in_keep),
      .s_axis_tlast(in_last),
      .job_start_o(job_start),
      .job_open_o(job_open),
      .job_valid_o(job_valid),
      .job_end_o(job_ended),
      .job_malformed_o(job_malformed),
      .job_op_o(unused_op),
      .job_secret_o(unused_secret),
      .job_rule_o(job_rule),
      .job_tag_o(job_tag),
      .job_slot_o(unused_slot),
      .job_s_o(job_s),
      .job_r_o(job_r),
      .job_a_o(job_a),
      .job_discard_i(job_discard),
      .job_done_i(job_done),
      .hash_clear_o(hash_clear),
      .hash_valid_o(hash_valid),
      .hash_ready_i(hash_ready),
      .hash_data_o(hash_data),
      .hash_keep_o(hash_keep),
      .hash_last_o(hash_last),
      .msg_drop_o(unused_msg_drop),
      .msg_valid_o(unused_msg_valid),
      .msg_ready_i(1'b1),
      .msg_data_o(unused_msg_data),
      .msg_keep_o(unused_msg_keep),
      .msg_last_o(unused_msg_last),
      .busy_o(unused_busy)
  );

  pm_sha512 #(
      .Slow(1'b1)
  ) u_sha512 (
      .clk_i,
      .rst_ni,
      .clear_i (hash_clear),
      .valid_i (hash_valid),
      .ready_o (hash_ready),
      .data_i  (hash_data),
      .keep_i  (hash_keep),
      .last_i  (hash_last),
      .valid_o (digest_valid),
      .ready_i (digest_ready),
      .digest_o(digest)
  );

  logic engine_start, engine_clear, engine_finish, result_valid, result_ready;
  logic [7:0] result_reason;
  logic [31:0] cycles;
  reason_e engine_reason;
  logic unused_reset_done, unused_job_idle, unused_engine_idle;

  pm_job_control #(
      .Aborted(ReasonAborted)
  ) u_control (
      .clk_i,
      .rst_ni,
      .soft_reset_i,
      .reset_done_o(unused_reset_done),
      .job_start_i(job_start),
      .job_open_i(job_open),
      .job_valid_i(job_valid),
      .job_end_i(job_ended),
      .job_refused_i(job_malformed),
      .refusal_i(ReasonMalformedJob),
      .job_done_o(job_done),
      .idle_o(unused_job_idle),
      .decided_o(job_discard),
      .engine_start_o(engine_start),
      .engine_clear_o(engine_clear),
      .engine_finish_i(engine_finish),
      .engine_reason_i(engine_reason),
      .result_valid_o(result_valid),
      .result_ready_i(result_ready),
      .reason_o(result_reason),
      .cycles_o(cycles)
  );

  // ---- control of the datapath ------------------------------------------------------------------

  pm_ucode_pkg::word_t word;
  logic [2:0] a_idx;
  logic [7:0] g_idx;
  logic [3:0] zero_q;
  logic odd_q;

  pm_edverify_paper_control #(
      .Hardened(1'b1)
  ) u_engine (
      .clk_i,
      .rst_ni,
      .start_i(engine_start),
      .clear_i(engine_clear),
      .idle_o(unused_engine_idle),
      .flags_i(rule_flags(job_rule)),
      .s_i(job_s),
      .r_i(job_r),
      .a_i(job_a),
      .digest_valid_i(digest_valid),
      .digest_ready_o(digest_ready),
      .digest_i(digest),
      .finish_o(engine_finish),
      .reason_o(engine_reason),
      .word_o(word),
      .a_idx_o(a_idx),
      .g_idx_o(g_idx),
      .zero_i(zero_q),
      .odd_i(odd_q)
  );

  // The products that this lane's microinstructions order.
  logic write, canon;
  logic [pm_ucode_pkg::RegisterBits-1:0] number;

  pm_delay #(
      .Width(2 + pm_ucode_pkg::RegisterBits),
      .Depth(ProductLatency)
  ) u_products (
      .clk_i,
      .rst_ni,
      .data_i({word.mul_en, word.mul_canon, word.mul_rd}),
      .data_o({write, canon, number})
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      zero_q <= '0;
      odd_q  <= 1'b0;
    end else if (write && canon) begin
      zero_q <= {zero_q[2:0], zero_i};
      odd_q  <= odd_i;
    end
  end

  assign issue_o = '{
          word: word,
          a_idx: a_idx,
          g_idx: g_idx,
          operands: job_valid,
          a: job_a,
          r: job_r,
          written: '{write: write, canon: canon, number: number, zero: zero_i, odd: odd_i}
      };

  // ---- answer -----------------------------------------------------------------------------------

  logic tx_valid, tx_last;
  logic [63:0] tx_data;
  logic [ 1:0] unused_payload_index;
  logic [ 7:0] unused_keep;

  pm_edverify_tx u_tx (
      .clk_i,
      .rst_ni,
      .result_valid_i(result_valid),
      .result_ready_o(result_ready),
      .tag_i(job_tag),
      .rule_i(job_rule),
      .reason_i(reason_e'(result_reason)),
      .all_zero_i(1'b0),
      .cycles_i(cycles),
      .payload_words_i('0),
      .payload_index_o(unused_payload_index),
      .payload_i('0),
      .m_axis_tvalid(tx_valid),
      .m_axis_tready(ready_i),
      .m_axis_tdata(tx_data),
      .m_axis_tkeep(unused_keep),
      .m_axis_tlast(tx_last)
  );

  assign beat_o = '{valid: tx_valid, last: tx_last, data: tx_data};

endmodule
