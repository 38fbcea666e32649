// SPDX-License-Identifier: Apache-2.0
//
// What is known of the job of each context, from its placement until its result is taken.
//
// Handshake: place_i (pulse) gives context place_ctx_i, which is free, a job. Of the receiver's
//           job, in context rx_ctx_i, rx_i says what becomes of it. Of context c: seeded_i[c] says
//           that its scalars are there, finish_i[c] that its program ends with verdict_i,
//           completed_i[c] that nothing but its program is waited for any more, left_i[c] that its
//           result is taken, or its job given to a batch: it is free in the next cycle.
//           start_seeded_i: the program of context start_ctx_i starts, whose scalars are there. All
//           are pulses. offered_i[c] (level): the result of context c is on offer and must not
//           change. soft_reset_i (pulse) aborts all other jobs; one that is placed in the same
//           cycle is aborted by rx_i in the next.
// Timing:   contexts_o is what was known at the end of the last cycle.
// Reset:    asynchronous, active low: all contexts are free.

module pm_edverify_barrel_contexts
  import pm_edverify_pkg::*;
  import pm_edverify_batch_pkg::*;
  import pm_edverify_barrel_pkg::*;
#(
    parameter int unsigned NumContexts = 12,  // contexts, at least 2
    localparam int unsigned CtxBits = $clog2(NumContexts)
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic soft_reset_i,  // abort all jobs
    input logic place_i,  // a job begins
    input logic [CtxBits-1:0] place_ctx_i,  // in this context
    input placement_t place_job_i,  // the job
    input logic [CtxBits-1:0] rx_ctx_i,  // context of the receiver's job
    input rx_event_t rx_i,  // what becomes of it
    input logic [NumContexts-1:0] seeded_i,  // scalars are there
    input logic start_seeded_i,  // a program for them starts
    input logic [CtxBits-1:0] start_ctx_i,  // in this context
    input logic [NumContexts-1:0] finish_i,  // the program ends
    input verdict_t verdict_i,  // with this verdict
    input logic [NumContexts-1:0] completed_i,  // all but the program has ended
    input logic [NumContexts-1:0] offered_i,  // the result is on offer
    input logic [NumContexts-1:0] left_i,  // free again
    output context_t [NumContexts-1:0] contexts_o  // the contexts
);

  context_t [NumContexts-1:0] contexts_q, contexts_d;

  function automatic context_state_e after_program(context_state_e state);
    unique case (state)
      CtxPending: return CtxDecided;
      CtxRunning: return CtxDone;
      default: return state;
    endcase
  endfunction

  function automatic context_state_e after_rest(context_state_e state);
    unique case (state)
      CtxPending: return CtxRunning;
      CtxDecided: return CtxDone;
      default: return state;
    endcase
  endfunction

  // Of several events in a cycle the later ones here prevail.
  always_comb begin
    contexts_d = contexts_q;
    if (place_i) begin
      contexts_d[place_ctx_i] = '{
          state: CtxPending,
          answer: '{op: place_job_i.op, reason: ReasonOk, zero: 1'b0},
          cached: 1'b0,
          slot: place_job_i.slot,
          batch: place_job_i.batch
      };
    end
    if (rx_i.begins) contexts_d[rx_ctx_i].cached = rx_i.cached;
    if (start_seeded_i) begin
      contexts_d[start_ctx_i].state =
          contexts_q[start_ctx_i].answer.op == OpcodeSign ? CtxPending : CtxRunning;
    end
    for (int unsigned c = 0; c < NumContexts; c++) begin
      if (finish_i[c] && contexts_q[c].state != CtxDropped) begin
        contexts_d[c].state = after_program(contexts_d[c].state);
        contexts_d[c].answer.reason = verdict_i.reason;
        contexts_d[c].answer.zero = verdict_i.zero;
      end
      if (completed_i[c]) contexts_d[c].state = after_rest(contexts_d[c].state);
      if (seeded_i[c]) contexts_d[c].state = CtxSeeded;
    end
    if (rx_i.malformed || rx_i.too_long) begin
      contexts_d[rx_ctx_i].state = CtxDropped;
      contexts_d[rx_ctx_i].answer.reason =
          rx_i.malformed ? ReasonMalformedJob : ReasonMessageTooLong;
    end
    for (int unsigned c = 0; c < NumContexts; c++) begin
      if ((soft_reset_i || (rx_i.aborted && rx_ctx_i == CtxBits'(c))) &&
          !(contexts_q[c].state inside {CtxFree, CtxDropped}) && !offered_i[c]) begin
        contexts_d[c].state = contexts_q[c].batch == BatchSum ? CtxFree : CtxDropped;
        contexts_d[c].answer.reason = ReasonAborted;
      end
      if (soft_reset_i) contexts_d[c].batch = BatchNone;  // its batch is no more
      if (left_i[c]) contexts_d[c].state = CtxFree;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) contexts_q <= '0;
    else contexts_q <= contexts_d;
  end

  assign contexts_o = contexts_q;

endmodule
