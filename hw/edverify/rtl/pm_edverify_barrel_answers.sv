// SPDX-License-Identifier: Apache-2.0
//
// Results of many contexts: offers them one at a time to the transmitter, each until it is taken.
// Results of batches, which have no context any more, go first; of the contexts whose result is due
// the one with the highest number. Headers of jobs, which no longer change, are kept here, in a
// memory.
//
// Handshake: header_we_i stores the header of context header_ctx_i, at least a cycle before that is
//           due. due_i[c] says that the result of context c is final; it stays, with answers_i[c],
//           until taken_o (pulse) says that the result of context result_ctx_o is taken, and is 0
//           from the next cycle on. batch_* is a valid/ready channel.
// Timing:   a result is offered in the cycle after it is due, if none is on offer.
//           cycles_o counts from the cycle after the header beat (1) to the first cycle in which
//           the result is offered; time_i is the clock of header.since.
// Reset:    asynchronous, active low: nothing is offered.

module pm_edverify_barrel_answers
  import pm_edverify_pkg::*;
  import pm_edverify_batch_pkg::*;
  import pm_edverify_barrel_pkg::*;
#(
    parameter int unsigned NumContexts = 12,  // contexts, 2 to 32
    localparam int unsigned CtxBits = $clog2(NumContexts)
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic [31:0] time_i,  // cycles
    // contexts
    input logic header_we_i,  // a job begins
    input logic [CtxBits-1:0] header_ctx_i,  // in this context
    input header_t header_i,  // its header
    input logic [NumContexts-1:0] due_i,  // the answer is final
    input answer_t [NumContexts-1:0] answers_i,  // the answer
    output logic offered_o,  // that of result_ctx_o is on offer
    output logic taken_o,  // pulse: it is taken
    // batches
    input logic batch_valid_i,  // an answer of verify_batch
    output logic batch_ready_o,  // it is taken over
    input header_t batch_header_i,  // whose it is
    input reason_e batch_reason_i,  // its reason
    // transmitter
    output logic result_valid_o,  // an answer is offered
    input logic result_ready_i,  // it is taken
    output logic [CtxBits-1:0] result_ctx_o,  // its context
    output logic [7:0] op_o,  // its operation
    output logic [31:0] tag_o,  // its tag
    output logic [7:0] rule_o,  // its rule set
    output reason_e reason_o,  // its reason
    output logic zero_o,  // its result is zero
    output logic [31:0] cycles_o  // cycles from header to answer
);

  logic has_due, offer, valid_q, batch_q, free;
  logic [CtxBits-1:0] due_ctx, ctx_q;
  reason_e reason_q;
  logic [31:0] since;
  header_t headers[NumContexts];
  header_t header;  // of the context that may be offered

  always_ff @(posedge clk_i) if (header_we_i) headers[header_ctx_i] <= header_i;

  assign header = headers[due_ctx];

  assign free   = !valid_q || result_ready_i;

  always_comb begin
    has_due = 1'b0;
    due_ctx = '0;
    for (int unsigned c = 0; c < NumContexts; c++) begin
      if (due_i[c]) begin
        has_due = 1'b1;
        due_ctx = CtxBits'(c);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (free) begin
      tag_o <= batch_valid_i ? batch_header_i.tag : header.tag;
      rule_o <= batch_valid_i ? batch_header_i.rule : header.rule;
      reason_q <= batch_reason_i;
    end
  end

  assign offer = batch_valid_i || (has_due && !(taken_o && due_ctx == ctx_q));
  assign since = batch_valid_i ? batch_header_i.since : header.since;
  assign batch_ready_o = free;
  assign op_o = batch_q ? OpcodeVerifyBatch : answers_i[ctx_q].op;
  assign reason_o = batch_q ? reason_q : answers_i[ctx_q].reason;
  assign zero_o = !batch_q && answers_i[ctx_q].zero;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q  <= 1'b0;
      batch_q  <= 1'b0;
      ctx_q    <= '0;
      cycles_o <= '0;
    end else if (free) begin
      valid_q  <= offer;
      batch_q  <= batch_valid_i;
      ctx_q    <= due_ctx;
      cycles_o <= time_i - since + 32'd1;
    end
  end

  assign result_valid_o = valid_q;
  assign result_ctx_o = ctx_q;
  assign offered_o = valid_q && !batch_q;
  assign taken_o = offered_o && result_ready_i;

endmodule
