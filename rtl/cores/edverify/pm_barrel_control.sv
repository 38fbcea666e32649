// SPDX-License-Identifier: Apache-2.0
//
// Job control of several contexts: gives each received job a context, hands its digest to the unit that
// halves scalars, and gives every job exactly one answer, in the order in which jobs end.
//
// A job gets a context when one is free, and the engine starts in it as soon as S, R and A are there. The
// receiver is released when the packet has ended and the digest was handed over, so that the next job
// arrives while this one is verified. An answer is due when the verdict is known, the packet has ended
// well formed and the context's operation list is complete (so that nothing of the job is under way when
// the context is used again). A malformed packet is answered when it has ended; a soft reset answers all
// jobs, in whatever state, with `aborted`.
//
// Timing:   cycles_o counts from the cycle after the header beat (1) to the first cycle in which the
//           answer is offered.
// Reset:    asynchronous, active low.

module pm_barrel_control
  import pm_ed_pkg::*;
#(
    parameter int unsigned NumContexts = 12,  // contexts of all engines, 2 to 64
    parameter int unsigned Engines = 1,  // engines that take turns in the contexts
    localparam int unsigned CtxBits = $clog2(NumContexts)
) (
    input  logic                      clk_i,            // clock
    input  logic                      rst_ni,           // asynchronous reset, active low
    input  logic                      soft_reset_i,     // pulse: answer every job with `aborted`
    output logic                      reset_done_o,     // pulse: nothing of before it is left
    output logic                      busy_o,           // a context has a job
    // receiver
    input  logic                      job_start_i,      // pulse: header accepted
    input  logic                      job_open_i,       // the receiver has a job
    input  logic                      job_valid_i,      // S, R, A are complete, or it is malformed
    input  logic                      job_end_i,        // its packet has ended
    input  logic                      job_malformed_i,  // it is malformed
    input  logic    [            7:0] job_rule_i,       // its rule set
    input  logic    [           31:0] job_tag_i,        // its tag
    output logic                      job_discard_o,    // its message is not needed any more
    output logic                      job_done_o,       // pulse: it is taken over
    // engine
    output logic    [NumContexts-1:0] engine_start_o,   // pulse: begin
    output logic    [NumContexts-1:0] engine_clear_o,   // pulse: abandon
    input  logic    [NumContexts-1:0] engine_finish_i,  // pulse: verdict of this context
    input  reason_e [    Engines-1:0] engine_reason_i,  // the verdict of each engine
    input  logic    [NumContexts-1:0] list_ready_i,     // operation lists that are complete
    // scalars
    output logic                      half_clear_o,     // pulse: abandon what is under way
    input  logic                      digest_valid_i,   // the digest of the receiver's job is there
    output logic                      half_valid_o,     // it is offered
    input  logic                      half_ready_i,     // it is taken
    output logic    [    CtxBits-1:0] half_ctx_o,       // context of the receiver's job
    // transmitter
    output logic                      result_valid_o,   // an answer is offered
    input  logic                      result_ready_i,   // it is taken
    output logic    [           31:0] tag_o,            // its tag
    output logic    [            7:0] rule_o,           // its rule set
    output reason_e                   reason_o,         // its reason
    output logic    [           31:0] cycles_o          // cycles from header to answer
);

  if (NumContexts < 2 || NumContexts > 64) begin : g_refuse_contexts
    $fatal(1, "pm_barrel_control: NumContexts must be 2 to 64");
  end
  if (NumContexts % Engines != 0) begin : g_refuse_engines
    $fatal(1, "pm_barrel_control: every engine must have as many contexts");
  end

  typedef struct packed {
    logic        used;      // has a job
    logic        received;  // its packet has ended well formed, its digest was handed over
    logic        decided;   // reason is final, apart from a malformed packet
    logic        dropped;   // malformed or aborted: nothing more is to come
    reason_e     reason;
    logic [7:0]  rule;
    logic [31:0] tag;
    logic [31:0] since;     // time of its header
  } context_t;

  context_t [NumContexts-1:0] contexts_q, contexts_d;
  logic [31:0] time_q, header_q;
  logic placed_q, started_q, abort_q;  // of the receiver's job
  logic [CtxBits-1:0] rx_ctx_q, free_ctx, due_ctx, out_ctx_q;
  logic has_free, place, start, hand_over, malformed, has_due, out_valid_q, answered, resetting_q;

  // ---- the receiver's job -----------------------------------------------------------------------

  always_comb begin
    has_free = 1'b0;
    free_ctx = '0;
    for (int unsigned c = NumContexts; c >= 1; c--) begin
      if (!contexts_q[c-1].used) begin
        has_free = 1'b1;
        free_ctx = CtxBits'(c - 1);
      end
    end
  end

  assign place = job_open_i && !placed_q && has_free;
  assign start = placed_q && !started_q && !abort_q && job_valid_i && !job_malformed_i;
  assign malformed = placed_q && job_end_i && job_malformed_i;
  assign half_valid_o = placed_q && started_q && job_end_i && !job_malformed_i && digest_valid_i;
  assign half_ctx_o = rx_ctx_q;
  assign hand_over = half_valid_o && half_ready_i;
  assign job_done_o = hand_over || malformed || (placed_q && (soft_reset_i || abort_q));
  assign job_discard_o = 1'b0;  // a message is hashed to its end: the next job waits for no verdict
  assign half_clear_o = soft_reset_i;

  always_comb begin
    engine_start_o = '0;
    engine_start_o[rx_ctx_q] = start;
    engine_clear_o = {NumContexts{soft_reset_i}};
    if (malformed) engine_clear_o[rx_ctx_q] = 1'b1;
  end

  // ---- answers ------------------------------------------------------------------------------------

  always_comb begin
    has_due = 1'b0;
    due_ctx = '0;
    for (int unsigned c = 0; c < NumContexts; c++) begin
      if (contexts_q[c].used && (contexts_q[c].dropped ||
          (contexts_q[c].decided && contexts_q[c].received && list_ready_i[c]))) begin
        has_due = 1'b1;
        due_ctx = CtxBits'(c);
      end
    end
  end

  assign result_valid_o = out_valid_q;
  assign answered = out_valid_q && result_ready_i;
  assign tag_o = contexts_q[out_ctx_q].tag;
  assign rule_o = contexts_q[out_ctx_q].rule;
  assign reason_o = contexts_q[out_ctx_q].reason;

  always_comb begin
    busy_o = 1'b0;
    for (int unsigned c = 0; c < NumContexts; c++) busy_o |= contexts_q[c].used;
  end

  // ---- state --------------------------------------------------------------------------------------

  always_comb begin
    contexts_d = contexts_q;
    if (place) begin
      contexts_d[free_ctx] = '{
          used: 1'b1,
          received: 1'b0,
          decided: 1'b0,
          dropped: 1'b0,
          reason: ReasonOk,
          rule: job_rule_i,
          tag: job_tag_i,
          since: header_q
      };
    end
    for (int unsigned c = 0; c < NumContexts; c++) begin
      if (engine_finish_i[c]) begin
        contexts_d[c].decided = 1'b1;
        contexts_d[c].reason  = engine_reason_i[c%Engines];
      end
    end
    if (hand_over) contexts_d[rx_ctx_q].received = 1'b1;
    if (malformed) begin
      contexts_d[rx_ctx_q].dropped = 1'b1;
      contexts_d[rx_ctx_q].reason  = ReasonMalformedJob;
    end
    for (int unsigned c = 0; c < NumContexts; c++) begin
      // An answer on offer must not change any more.
      if ((soft_reset_i || (abort_q && placed_q && rx_ctx_q == CtxBits'(c))) && contexts_d[c].used &&
          !(out_valid_q && out_ctx_q == CtxBits'(c)) && !contexts_q[c].dropped) begin
        contexts_d[c].dropped = 1'b1;
        contexts_d[c].reason  = ReasonAborted;
      end
    end
    if (answered) contexts_d[out_ctx_q].used = 1'b0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      contexts_q <= '0;
      time_q <= '0;
      header_q <= '0;
      {placed_q, started_q, abort_q, resetting_q, reset_done_o, out_valid_q} <= '0;
      {rx_ctx_q, out_ctx_q} <= '0;
      cycles_o <= '0;
    end else begin
      contexts_q <= contexts_d;
      time_q <= time_q + 32'd1;
      if (job_start_i) header_q <= time_q;
      if (place) rx_ctx_q <= free_ctx;
      placed_q <= (placed_q || place) && !job_done_o;
      started_q <= (started_q || start) && !job_done_o;
      // A job that has no context yet is aborted when it gets one.
      abort_q <= (abort_q || (soft_reset_i && !placed_q && (job_open_i || job_start_i))) && !job_done_o;
      if (!out_valid_q || result_ready_i) begin
        out_valid_q <= has_due && !(answered && due_ctx == out_ctx_q);
        out_ctx_q <= due_ctx;
        cycles_o <= time_q - contexts_q[due_ctx].since + 32'd1;
      end
      resetting_q  <= (resetting_q || soft_reset_i) && (busy_o || abort_q || soft_reset_i);
      reset_done_o <= resetting_q && !busy_o && !abort_q && !soft_reset_i;
    end
  end

endmodule
