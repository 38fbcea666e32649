// SPDX-License-Identifier: Apache-2.0
//
// What contexts do for batches: hands prepared signatures over to pm_edverify_batch_server, which
// gives contexts sums and replays, and tells it how sums end.
//
// A signature of a batch is prepared in a context; if it is not rejected there, it belongs to the
// server from then on, and the context is free. So is one that has summed a batch.
// Handshake: place_i, record_i, room_o, more_i, hold_o, sum_start_o, replay_*, answer_* as
//           pm_edverify_batch_server; answered_i (pulse) says that the result of context
//           answered_ctx_i is taken. prepared_o[c] (level): the signature in context c waits to be
//           handed over; left_o[c] (pulse): context c is free in the next cycle.
// Timing:   combinational from contexts_i and finish_i.
// Reset:    asynchronous, active low: no batches.
// Constant time: as pm_edverify_batch_server.

module pm_edverify_batch_contexts
  import pm_edverify_pkg::*;
  import pm_edverify_batch_pkg::*;
  import pm_edverify_barrel_pkg::*;
#(
    parameter int unsigned NumContexts = 12,  // contexts, at least 2
    parameter int unsigned Slots = 10,  // batches under way, at least 2
    parameter int unsigned Members = 64,  // signatures of a batch, a power of two, at least 2
    localparam int unsigned PlaceBits = $clog2(Slots) + $clog2(Members),
    localparam int unsigned CtxBits = $clog2(NumContexts)
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic soft_reset_i,  // pulse: abort all batches
    output logic busy_o,  // a batch is under way
    // contexts
    /* verilator lint_off UNUSEDSIGNAL */
    input context_t [NumContexts-1:0] contexts_i,  // the contexts
    /* verilator lint_on UNUSEDSIGNAL */
    input logic [NumContexts-1:0] finish_i,  // pulse: a program ends
    /* verilator lint_off UNUSEDSIGNAL */
    input verdict_t verdict_i,  // with this verdict
    /* verilator lint_on UNUSEDSIGNAL */
    input logic free_i,  // there is a free context
    input logic [CtxBits-1:0] free_ctx_i,  // this one
    output logic [NumContexts-1:0] prepared_o,  // waits to be handed over
    output logic [NumContexts-1:0] left_o,  // pulse: free again
    // the receiver's job
    input logic more_i,  // more signatures may come
    output logic room_o,  // there is a place in a batch
    input logic place_i,  // pulse: it is taken, for the free context
    input logic [CtxBits-1:0] rx_ctx_i,  // context of the receiver's job
    input logic record_i,  // pulse: its record is complete
    input record_t record_data_i,  // the record
    // jobs and answers
    input logic answered_i,  // pulse: a result is taken
    input logic [CtxBits-1:0] answered_ctx_i,  // of this context
    output logic hold_o,  // no context for new jobs
    output logic sum_start_o,  // pulse: a sum starts in the free context
    output logic replay_start_o,  // pulse: a replay starts there
    output signature_t replayed_o,  // of this signature
    output logic replay_listed_o,  // pulse: its scalars are with the scalar unit
    output logic [PlaceBits-1:0] place_o,  // place of a signature, or of a slot to sum
    output logic answer_valid_o,  // an answer of a batch
    input logic answer_ready_i,  // it is taken over
    output header_t answer_header_o,  // whose it is
    output reason_e answer_reason_o,  // its reason
    // scalar unit and multipliers
    output batch_request_t request_o,
    output logic [CtxBits-1:0] request_ctx_o,  // context of its job, if that is a Halve
    output logic [PlaceBits-1:0] digits_place_o,  // place whose digits are pushed
    input batch_status_t status_i
);

  localparam int unsigned SlotBits = $clog2(Slots);

  logic has_prepared, join_ready, sum_done, sum_ok;
  logic [CtxBits-1:0] join_ctx, sum_ctx;
  logic [ SlotBits-1:0] sum_slot;
  logic [PlaceBits-1:0] rx_place;

  always_comb begin
    join_ctx = '0;
    {sum_done, sum_ok, sum_ctx} = '0;
    for (int unsigned c = 0; c < NumContexts; c++) begin
      prepared_o[c] = contexts_i[c].state == CtxDone && contexts_i[c].batch == BatchPrepare &&
          contexts_i[c].answer.reason == ReasonOk;
      if (prepared_o[c]) join_ctx = CtxBits'(c);
      if (finish_i[c] && contexts_i[c].state != CtxFree && contexts_i[c].batch == BatchSum) begin
        sum_done = 1'b1;
        sum_ctx  = CtxBits'(c);
        sum_ok   = verdict_i.reason == ReasonOk;
      end
    end
  end

  always_comb begin
    left_o = '0;
    if (has_prepared && join_ready) left_o[join_ctx] = 1'b1;
    if (sum_done) left_o[sum_ctx] = 1'b1;
  end

  assign has_prepared = |prepared_o;
  assign place_o = sum_start_o ? {sum_slot, (PlaceBits - SlotBits)'(0)} : rx_place;

  pm_edverify_batch_server #(
      .NumContexts(NumContexts),
      .Slots(Slots),
      .Members(Members)
  ) u_server (
      .clk_i,
      .rst_ni,
      .clear_i(soft_reset_i),
      .busy_o,
      .room_o,
      .place_i,
      .place_ctx_i(free_ctx_i),
      .place_o(rx_place),
      .job_ctx_i(rx_ctx_i),
      .record_i,
      .record_data_i,
      .leave_i(answered_i && contexts_i[answered_ctx_i].batch == BatchPrepare),
      .leave_ctx_i(answered_ctx_i),
      .join_valid_i(has_prepared),
      .join_ready_o(join_ready),
      .join_ctx_i(join_ctx),
      .more_i,
      .hold_o,
      .free_i,
      .free_ctx_i,
      .sum_start_o,
      .sum_slot_o(sum_slot),
      .sum_done_i(sum_done),
      .sum_ctx_i(sum_ctx),
      .sum_ok_i(sum_ok),
      .replay_start_o,
      .replay_signature_o(replayed_o),
      .replay_listed_o,
      .replay_ctx_o(request_ctx_o),
      .answer_valid_o,
      .answer_ready_i,
      .answer_header_o,
      .answer_reason_o,
      .z_valid_i(status_i.z_valid),
      .z_i(status_i.z),
      .z_take_o(request_o.z_take),
      .scalar_valid_o(request_o.valid),
      .scalar_ready_i(status_i.ready),
      .scalar_op_o(request_o.job.op),
      .scalar_a_o(request_o.job.a),
      .scalar_r_o(request_o.job.r),
      .scalar_digest_o(request_o.job.digest),
      .total_valid_i(status_i.total_valid),
      .total_i(status_i.total),
      .digits_done_i(status_i.digits_done),
      .digits_o(request_o.digits),
      .digits_place_o
  );

endmodule
