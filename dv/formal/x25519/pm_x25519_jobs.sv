// SPDX-License-Identifier: Apache-2.0
//
// Claim: pm_x25519_jobs has one result for every job, in order, with tag, rule, cycles and reason:
//        Aborted if a soft reset met it before its result, else Malformed, else what the engine
//        says, whose result is taken for this job and no other one. The engine has as many jobs as
//        live ones wait. Results hold until taken; `reset_done_o` comes when nothing is left of
//        what the soft reset met.
//
// queue_q: jobs that the receiver has given and that wait, the oldest first, with the
// one whose result is new in this cycle.

module pm_x25519_jobs_formal
  import pm_edverify_pkg::*;
#(
    parameter int unsigned Depth = 4
) (
    input logic         clk_i,
    input logic         rst_ni,
    input logic         soft_reset_i,
    input logic         job_start_i,
    input logic         job_open_i,
    input logic         job_end_i,
    input logic         job_malformed_i,
    input logic [ 31:0] job_tag_i,
    input logic [  7:0] job_rule_i,
    input logic         engine_ready_i,
    input logic         result_valid_i,
    input logic [255:0] result_i,
    input logic         result_zero_i,
    input logic         result_refused_i,
    input logic         answer_ready_i
);

  localparam int unsigned Most = Depth + 2;

  typedef struct packed {
    logic        doomed;
    logic        refused;
    logic [7:0]  rule;
    logic [31:0] tag;
    logic [31:0] start;
  } entry_t;

  logic reset_done, busy, job_done, engine_clear, engine_valid, result_ready, answer_valid;
  logic [31:0] tag, cycles;
  logic [7:0] rule;
  logic all_zero;
  logic [255:0] payload;
  reason_e reason;

  pm_x25519_jobs #(
      .Depth(Depth)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .soft_reset_i,
      .reset_done_o(reset_done),
      .busy_o(busy),
      .job_start_i,
      .job_open_i,
      .job_end_i,
      .job_malformed_i,
      .job_tag_i,
      .job_rule_i,
      .job_done_o(job_done),
      .engine_clear_o(engine_clear),
      .engine_valid_o(engine_valid),
      .engine_ready_i,
      .result_valid_i,
      .result_ready_o(result_ready),
      .result_i,
      .result_zero_i,
      .result_refused_i,
      .answer_valid_o(answer_valid),
      .answer_ready_i,
      .tag_o(tag),
      .rule_o(rule),
      .reason_o(reason),
      .all_zero_o(all_zero),
      .cycles_o(cycles),
      .payload_o(payload)
  );

  entry_t [Most-1:0] queue_q, queue_d;
  logic [3:0] count_q, count_d;
  logic [4:0] engine_q, live;  // jobs of the engine; those that wait for a result
  logic held_q, fresh, open_q, aborting_q, given_q, taken_q, zero_q, refused_q;
  logic waited_q, end_q, malformed_q;
  logic [31:0] now_q, start_q, tag_q;
  logic [7:0] rule_q;
  logic [255:0] result_q;
  logic [328+$bits(reason_e):0] answer_q;
  logic any_doomed;

  assign fresh = answer_valid && !held_q;

  always_comb begin
    queue_d = queue_q;
    count_d = count_q;
    if (soft_reset_i) begin
      for (int unsigned i = 0; i < Most; i++) begin
        if (!(fresh && i == 0)) queue_d[i].doomed = 1'b1;
      end
    end
    if (fresh) begin
      queue_d = queue_d >> $bits(entry_t);
      count_d = count_d - 4'd1;
    end
    if (job_done) begin
      for (int unsigned i = 0; i < Most; i++) begin
        if (count_d == 4'(i)) begin
          queue_d[i] = '{
              doomed: aborting_q || soft_reset_i,
              refused: job_malformed_i,
              rule: job_rule_i,
              tag: job_tag_i,
              start: start_q
          };
        end
      end
      count_d = count_d + 4'd1;
    end
  end

  always_comb begin
    live = 5'(job_done && !aborting_q && !job_malformed_i);
    any_doomed = job_done && aborting_q;
    for (int unsigned i = 0; i < Most; i++) begin
      if (4'(i) < count_q && !(fresh && i == 0)) begin
        live = live + 5'(!queue_q[i].doomed && !queue_q[i].refused);
        if (queue_q[i].doomed) any_doomed = 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {held_q, open_q, aborting_q, given_q, taken_q, waited_q} <= '0;
      queue_q <= '0;
      count_q <= '0;
      engine_q <= '0;
      now_q <= '0;
      start_q <= '0;
    end else begin
      queue_q  <= queue_d;
      count_q  <= count_d;
      held_q   <= answer_valid && !answer_ready_i;
      open_q   <= job_start_i || (open_q && !job_done);
      waited_q <= job_open_i && !job_done;
      given_q  <= engine_valid && engine_ready_i;
      taken_q  <= result_valid_i && result_ready;
      if (job_done) aborting_q <= 1'b0;
      else if (soft_reset_i) aborting_q <= job_open_i;
      if (soft_reset_i) engine_q <= '0;
      else begin
        engine_q <= engine_q + 5'(engine_valid && engine_ready_i) -
            5'(result_valid_i && result_ready);
      end
      now_q <= now_q + 32'd1;
      if (job_start_i) start_q <= now_q;
    end
  end

  always_ff @(posedge clk_i) begin
    {end_q, malformed_q, tag_q, rule_q} <= {job_end_i, job_malformed_i, job_tag_i, job_rule_i};
    {result_q, zero_q, refused_q} <= {result_i, result_zero_i, result_refused_i};
    answer_q <= {tag, rule, reason, all_zero, cycles, payload};
  end

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic engine_job;  // of the new result
  assign engine_job = !queue_q[0].doomed && !queue_q[0].refused;

  always_comb begin
    a_reset : assume (started_q || !rst_ni);
    // The receiver.
    a_open : assume (!rst_ni || job_open_i == open_q);
    a_start : assume (!(job_start_i && job_open_i));
    a_end : assume (!job_end_i || job_open_i);
    if (rst_ni && waited_q) begin
      a_tag : assume ({tag_q, rule_q} == {job_tag_i, job_rule_i});
      a_level : assume (!end_q || (job_end_i && job_malformed_i == malformed_q));
    end
    // The engine.
    a_result : assume (!result_valid_i || engine_q != '0);

    if (rst_ni) begin
      p_clear : assert (engine_clear == soft_reset_i);
      if (job_done) begin
        p_done :
        assert (open_q && (given_q || aborting_q || (job_end_i && job_malformed_i)) &&
                (!given_q || (job_end_i && !job_malformed_i)));
      end
      p_given : assert (!given_q || (job_done && !aborting_q));
      p_live : assert (engine_q == live);
      if (fresh) begin
        p_owed : assert (count_q != '0);
        p_order : assert (tag == queue_q[0].tag && rule == queue_q[0].rule);
        p_cycles : assert (cycles == now_q - queue_q[0].start);
        p_reason :
        assert (reason == (queue_q[0].doomed ? ReasonAborted :
                           queue_q[0].refused ? ReasonMalformedJob :
                           refused_q ? ReasonSecretRefused : ReasonOk));
        p_result : assert (payload == (engine_job && !refused_q ? result_q : '0));
        if (engine_job) begin
          p_zero : assert (all_zero == (zero_q && !refused_q));
        end
      end
      p_taken : assert (taken_q == (fresh && engine_job));
      if (held_q) begin
        p_hold :
        assert (answer_valid && answer_q == {tag, rule, reason, all_zero, cycles, payload});
      end
      p_wiped : assert (answer_valid || payload == '0);
      p_busy : assert (busy == (job_done || count_q != '0 || answer_valid));
      if (reset_done) begin
        p_reset_done :
        assert (!any_doomed && !aborting_q && !(answer_valid && reason == ReasonAborted));
      end

      // For the induction step.
      i_count :
      assert (count_q == 4'(fresh) + 4'(u_dut.head_valid_q) + 4'(u_dut.usage) &&
              32'(u_dut.usage) <= Depth);
      i_room : assert (32'(u_dut.usage) + 32'(job_done) <= Depth);
      i_room_q : assert (!u_dut.room_q || 32'(u_dut.usage) < Depth);
      i_now : assert (u_dut.now_q == now_q && u_dut.start_q == start_q);
      i_aborting : assert (u_dut.aborting_q == (aborting_q && !job_done));
      if (aborting_q && !job_done) begin
        i_all : assert (32'(u_dut.doomed_q) == 32'(u_dut.usage) + 32'(u_dut.head_valid_q));
      end
      i_aborts : assert (!aborting_q || open_q);
      i_head : assert (u_dut.head_valid_q || u_dut.usage == '0 || u_dut.head_free);
      i_waited : assert (!waited_q || open_q);
      i_ready :
      assert (!u_dut.ready_q || (u_dut.head_valid_q && !u_dut.doomed && !u_dut.head_q.refused &&
                                 !answer_valid));
      i_doomed :
      assert (32'(u_dut.doomed_q) <= 32'(u_dut.usage) + 32'(u_dut.head_valid_q) + 32'(job_done));
      if (u_dut.head_valid_q) begin
        i_head_is :
        assert ({u_dut.head_q.refused, u_dut.head_q.rule, u_dut.head_q.tag, u_dut.head_q.start} ==
                {queue_q[fresh].refused, queue_q[fresh].rule, queue_q[fresh].tag,
                 queue_q[fresh].start});
      end
      i_done_doomed :
      assert (!job_done ||
              aborting_q == (32'(u_dut.doomed_q) ==
                             32'(u_dut.usage) + 32'(u_dut.head_valid_q) + 32'd1));
      i_resetting :
      assert (u_dut.resetting_q || !(any_doomed || aborting_q || u_dut.answer_aborted));
    end
  end

  for (genvar i = 0; i < Most; i++) begin : gen_entry
    always_comb begin
      if (rst_ni && i < 32'(count_q) - 32'(fresh)) begin
        i_doomed_at : assert (queue_q[3'(i+32'(fresh))].doomed == (i < 32'(u_dut.doomed_q)));
      end
      if (rst_ni && i < 32'(u_dut.usage)) begin
        i_memory :
        assert (u_dut.u_tickets.mem_q[2'(u_dut.u_tickets.read_q+3'(i))] ==
                73'(queue_q[3'(i+32'(fresh)+32'(u_dut.head_valid_q))]));
      end
    end
  end

endmodule
