// SPDX-License-Identifier: Apache-2.0
//
// What is known of the job of each context of the tile for secrets, from its placement until its
// result is sent: it runs, then, to sign, waits for S, then ends.
//
// Handshake: place_i, hand_i and drop_i (pulses) as pm_edverify_secret_intake, of context
//           rx_ctx_i. finish_i and word_i (pulses): a program ends, a word of its results comes, in
//           either order. phase2_valid_o and phase2_ctx_o request S for a context for one cycle,
//           those that wait in turn, until phase2_ready_i; phase2_done_i (pulse) says that it is
//           there. end_o holds with end_valid_o until end_taken_i (pulse); in the two cycles after
//           it the same may still be on offer. free_valid_i (pulse) says that the result of a
//           context is sent. soft_reset_i (pulse) ends what is under way with `aborted`.
// Timing:   phase2_* and end_* come from registers.
// Reset:    asynchronous, active low: no jobs.

module pm_edverify_secret_jobs
  import pm_edverify_pkg::*;
  import pm_edverify_tile_pkg::*;
#(
    parameter int unsigned NumContexts = 7  // 2 to 7
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic soft_reset_i,  // pulse
    output logic [NumContexts-1:0] free_o,  // no job
    output logic earlier_o,  // one of before the latest soft reset is left
    // receiver's job
    input logic [2:0] rx_ctx_i,  // its context
    input logic [2:0] op_i,  // its operation
    input logic place_i,
    input logic hand_i,
    input logic drop_i,
    input reason_e drop_reason_i,
    // programs
    input logic finish_i,  // a program ends
    input logic [2:0] finish_ctx_i,
    input logic refused_i,  // stopped by the guard
    input logic word_i,  // a word of its results
    input logic [2:0] word_ctx_i,
    input logic word_zero_i,  // it is zero
    input logic [2:0] asked_ctx_i,
    output logic [7:0] asked_op_o,  // operation of this context
    // S
    output logic phase2_valid_o,
    output logic [2:0] phase2_ctx_o,
    input logic phase2_ready_i,
    input logic phase2_done_i,
    input logic [2:0] phase2_done_ctx_i,
    // ends
    output logic [NumContexts-1:0] ended_o,  // pulse: nothing of the job is needed any more
    output logic end_valid_o,
    output tile_end_t end_o,
    input logic end_taken_i,
    // results
    input logic [2:0] result_ctx_i,  // the one that is sent
    output logic [7:0] result_op_o,
    output logic result_zero_o,  // its first word is zero
    input logic free_valid_i
);

  typedef enum logic [2:0] {
    CtxFree,
    CtxHeld,   // the receiver has the job
    CtxRuns,   // scalars or program are waited for
    CtxWants,  // S is to be made
    CtxSigns,  // S is made
    CtxEnds,   // to be reported
    CtxSent    // reported
  } state_e;

  typedef struct packed {
    state_e     state;
    logic [2:0] op;
    logic       finished;  // its program has ended
    logic       refused;   // .. by the guard
    logic [1:0] missing;   // words of its results that are to come
    reason_e    reason;
  } context_t;

  context_t [NumContexts-1:0] contexts_q, contexts_d;
  logic [NumContexts-1:0] old_q, ends_q;

  function automatic logic is(logic valid, logic [2:0] ctx, int unsigned c);
    return valid && 32'(ctx) == c;
  endfunction

  // Of several events in a cycle the later ones here prevail.
  always_comb begin
    contexts_d = contexts_q;
    for (int unsigned c = 0; c < NumContexts; c++) begin
      unique case (contexts_q[c].state)
        CtxHeld: begin
          {contexts_d[c].finished, contexts_d[c].refused} = '0;
          contexts_d[c].missing = contexts_q[c].op == OpcodeX25519[2:0] ? 2'd1 : 2'd2;
          contexts_d[c].reason = ReasonOk;
          if (is(hand_i, rx_ctx_i, c)) contexts_d[c].state = CtxRuns;
          if (is(drop_i, rx_ctx_i, c)) begin
            contexts_d[c].state  = CtxEnds;
            contexts_d[c].reason = drop_reason_i;
          end
        end
        CtxRuns: begin
          if (is(finish_i, finish_ctx_i, c)) begin
            {contexts_d[c].finished, contexts_d[c].refused} = {1'b1, refused_i};
            if (refused_i) contexts_d[c].reason = ReasonSecretRefused;
          end
          if (is(word_i, word_ctx_i, c)) contexts_d[c].missing = contexts_q[c].missing - 2'd1;
          if (contexts_q[c].refused) contexts_d[c].state = CtxEnds;
          else if (contexts_q[c].finished && contexts_q[c].missing == '0)
            contexts_d[c].state = contexts_q[c].op == OpcodeSign[2:0] ? CtxWants : CtxEnds;
        end
        CtxWants:
        if (is(phase2_valid_o && phase2_ready_i, phase2_ctx_o, c)) contexts_d[c].state = CtxSigns;
        CtxSigns: if (is(phase2_done_i, phase2_done_ctx_i, c)) contexts_d[c].state = CtxEnds;
        CtxEnds: if (is(end_valid_o && end_taken_i, end_o.ctx, c)) contexts_d[c].state = CtxSent;
        CtxSent: if (is(free_valid_i, result_ctx_i, c)) contexts_d[c].state = CtxFree;
        default: begin
          if (is(place_i, rx_ctx_i, c)) begin
            contexts_d[c].state = CtxHeld;
            contexts_d[c].op = op_i;
          end
        end
      endcase
      if (soft_reset_i && (contexts_q[c].state inside {CtxRuns, CtxWants, CtxSigns} ||
          (contexts_q[c].state == CtxHeld && is(
              hand_i, rx_ctx_i, c
          )))) begin
        contexts_d[c].state  = CtxEnds;
        contexts_d[c].reason = ReasonAborted;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) contexts_q <= '0;
    else contexts_q <= contexts_d;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {free_o, ends_q, ended_o, old_q} <= '0;
    else begin
      for (int unsigned c = 0; c < NumContexts; c++) begin
        free_o[c] <= contexts_q[c].state == CtxFree;
        ends_q[c] <= contexts_q[c].state == CtxEnds;
        ended_o[c] <= contexts_q[c].state == CtxEnds && !ends_q[c];
        old_q[c] <= contexts_q[c].state != CtxFree && (soft_reset_i || old_q[c] || (is(
            drop_i, rx_ctx_i, c
        ) && drop_reason_i == ReasonAborted));
      end
    end
  end

  assign earlier_o   = old_q != '0;
  assign asked_op_o  = 8'(contexts_q[asked_ctx_i].op);
  assign result_op_o = 8'(contexts_q[result_ctx_i].op);

  // Whether the last word of a context is zero, a cycle after the word.
  logic [NumContexts-1:0] zero_q;
  logic word_q, word_zero_q;
  logic [2:0] word_ctx_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {zero_q, word_q} <= '0;
    else begin
      word_q <= word_i;
      for (int unsigned c = 0; c < NumContexts; c++) begin
        if (is(word_q, word_ctx_q, c)) zero_q[c] <= word_zero_q;
      end
    end
  end

  always_ff @(posedge clk_i) {word_ctx_q, word_zero_q} <= {word_ctx_i, word_zero_i};

  assign result_zero_o = zero_q[result_ctx_i];

  // ---- S ----------------------------------------------------------------------------------------

  logic [2:0] scan_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {scan_q, phase2_valid_o, phase2_ctx_o} <= '0;
    else begin
      scan_q <= 32'(scan_q) == NumContexts - 1 ? '0 : scan_q + 3'd1;
      phase2_ctx_o <= scan_q;
      phase2_valid_o <= contexts_q[scan_q].state == CtxWants;
    end
  end

  // ---- ends -------------------------------------------------------------------------------------

  logic due;
  logic [2:0] due_ctx;

  always_comb begin
    due = 1'b0;
    due_ctx = '0;
    for (int unsigned c = 0; c < NumContexts; c++) begin
      if (contexts_q[c].state == CtxEnds) begin
        due = 1'b1;
        due_ctx = 3'(c);
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) end_valid_o <= 1'b0;
    else end_valid_o <= end_valid_o ? !end_taken_i : due;
  end

  always_ff @(posedge clk_i) begin
    if (!end_valid_o) end_o <= '{ctx: due_ctx, reason: contexts_q[due_ctx].reason};
  end

endmodule
