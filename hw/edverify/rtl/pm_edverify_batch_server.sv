// SPDX-License-Identifier: Apache-2.0
//
// Batches of signatures (docs/edverify-batch.md): gives each signature a place in a batch, takes it
// in when its points are prepared, has the batch summed, and returns results for its members, or
// has them verified individually.
//
// A batch has a slot. Its life:
//   open      contexts that prepare signatures get places; those rejected leave again, the others
//             join: their record is kept, z k mod L and z become digits, z S is added to the total
//             of the batch.
//   closed    all places are given away, or no signature is under way and more_i is 0. When nobody
//             is left to join, the total becomes digits too.
//   ready     waits for a context.
//   summing   a context computes the sum.
//   returning results: the sum is the identity: every member is valid.
//   replaying it is not: every member is verified individually in a context, from its record.
//   aborting  after a soft reset: every member that has no result yet gets `aborted`.
//
// Handshake: room_o says that place_i (pulse) may take a place for context place_ctx_i;
//           join_valid_i with join_ready_o, or leave_i (pulse), gives it back. Internal jobs start
//           in a free context, free_i and free_ctx_i, with the pulse sum_start_o or replay_start_o;
//           hold_o asks to keep free contexts for them; replay_listed_o (pulse) says that the
//           scalar unit has the scalars of context replay_ctx_o. answer_* is a valid/ready channel.
//           clear_i (pulse) is the soft reset: it ends what contexts and scalar unit do for
//           batches.
// Timing:   one step at a time: first sums, then results, joins, replays.
// Reset:    asynchronous, active low: no batches.
// Constant time: NO. Public data only, but for z, which decides nothing that anybody could choose.

module pm_edverify_batch_server
  import pm_edverify_pkg::*;
  import pm_scalar_pkg::*;
  import pm_edverify_batch_pkg::*;
#(
    parameter int unsigned NumContexts = 12,  // contexts, at least 2
    parameter int unsigned Slots = 10,  // batches under way, at least 2
    parameter int unsigned Members = 64,  // signatures of a batch, a power of two, at least 2
    localparam int unsigned CtxBits = $clog2(NumContexts),
    localparam int unsigned SlotBits = $clog2(Slots),
    localparam int unsigned MemberBits = $clog2(Members),
    localparam int unsigned PlaceBits = SlotBits + MemberBits
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic clear_i,  // pulse: soft reset
    output logic busy_o,  // there are batches
    // contexts that prepare
    output logic room_o,  // there is a place
    input logic place_i,  // pulse: it is taken
    input logic [CtxBits-1:0] place_ctx_i,  // for this context
    output logic [PlaceBits-1:0] place_o,  // the place of job_ctx_i
    input logic [CtxBits-1:0] job_ctx_i,  // context of the receiver's job
    input logic record_i,  // pulse: its digest is there
    input record_t record_data_i,  // with the rest of its record
    input logic leave_i,  // pulse: a signature is no member
    input logic [CtxBits-1:0] leave_ctx_i,  // that of this context
    input logic join_valid_i,  // a signature is prepared
    output logic join_ready_o,  // it is taken over
    input logic [CtxBits-1:0] join_ctx_i,  // that of this context
    input logic more_i,  // more signatures may come before long
    // contexts that sum and verify
    output logic hold_o,  // no context for new jobs
    input logic free_i,  // there is a free one
    input logic [CtxBits-1:0] free_ctx_i,  // this one
    output logic sum_start_o,  // pulse: it sums
    output logic [SlotBits-1:0] sum_slot_o,  // the batch of this slot
    input logic sum_done_i,  // pulse: a sum is known
    input logic [CtxBits-1:0] sum_ctx_i,  // that of this context
    input logic sum_ok_i,  // it is the identity
    output logic replay_start_o,  // pulse: it verifies
    output signature_t replay_signature_o,  // this signature
    output logic replay_listed_o,  // pulse: its scalars are under way
    output logic [CtxBits-1:0] replay_ctx_o,  // those of this context
    // answers
    output logic answer_valid_o,  // an answer
    input logic answer_ready_i,  // it is taken
    output header_t answer_header_o,  // whose it is
    output reason_e answer_reason_o,  // ok or aborted
    // multipliers
    input logic z_valid_i,  // a multiplier is there
    input logic [127:0] z_i,  // the multiplier
    output logic z_take_o,  // pulse: it has been used
    // scalar unit
    output logic scalar_valid_o,  // a job
    input logic scalar_ready_i,  // it is taken
    output scalar_op_e scalar_op_o,  // Weigh, Gather, Split, Halve
    output logic [253:0] scalar_a_o,  // z, or S
    output logic [253:0] scalar_r_o,  // S
    output logic [511:0] scalar_digest_o,  // digest or total
    input logic total_valid_i,  // pulse: result of Gather
    input logic [511:0] total_i,  // the result
    input logic digits_done_i,  // pulse: all digits were pushed
    output logic digits_o,  // level: digits are for the lists of batches
    output logic [PlaceBits-1:0] digits_place_o  // of this place
);

  localparam int unsigned CountBits = MemberBits + 1;

  typedef enum logic [2:0] {
    SlotFree,
    SlotOpen,
    SlotClosed,
    SlotReady,
    SlotSumming,
    SlotAnswering,
    SlotReplaying,
    SlotAborting
  } slot_e;

  typedef enum logic [3:0] {
    StIdle,
    StWeigh,   // z and digest to the scalar unit
    StDigits,  // its digits go to the lists
    StGather,  // z, S and total to the scalar unit
    StTotal,   // the new total comes
    StSplit,   // total to the scalar unit
    StSplits,  // its digits go to the lists
    StMember,  // a record is read for an answer or a replay
    StAnswer,  // the answer is offered
    StHalve    // S and digest of a replay to the scalar unit
  } state_e;

  state_e state_q, state_d;
  slot_e [Slots-1:0] slot_q, slot_d;
  logic [Slots-1:0][CountBits-1:0] given_q, pending_q, done_q;  // places given, to join, dealt with
  logic [Slots-1:0] fresh_q;  // there is no total yet
  logic [NumContexts-1:0][PlaceBits-1:0] place_q;
  logic [NumContexts-1:0][SlotBits-1:0] sum_slot_q;
  logic [PlaceBits-1:0] at_q, at_d;
  logic [SlotBits-1:0] at_slot;
  logic open_valid_q;
  logic [SlotBits-1:0] open_q;
  logic [511:0] totals_q[Slots];

  assign at_slot = at_q[PlaceBits-1:MemberBits];

  // ---- places -----------------------------------------------------------------------------------

  logic has_free_slot, full, close_early;
  logic [SlotBits-1:0] free_slot, place_slot;
  logic [PlaceBits-1:0] new_place;

  always_comb begin
    has_free_slot = 1'b0;
    free_slot = '0;
    for (int unsigned s = 0; s < Slots; s++) begin
      if (slot_q[s] == SlotFree) begin
        has_free_slot = 1'b1;
        free_slot = SlotBits'(s);
      end
    end
  end

  assign room_o = open_valid_q || has_free_slot;
  assign place_slot = open_valid_q ? open_q : free_slot;
  assign new_place = {place_slot, open_valid_q ? given_q[open_q][MemberBits-1:0] : MemberBits'(0)};
  assign full = open_valid_q && given_q[open_q] == CountBits'(Members - 1);
  assign close_early = open_valid_q && pending_q[open_q] == '0 && !more_i && !place_i;
  assign place_o = place_q[job_ctx_i];

  // ---- records ----------------------------------------------------------------------------------

  record_t record;
  logic member, join_taken;

  pm_edverify_batch_records #(
      .Places(Slots * Members)
  ) u_records (
      .clk_i,
      .clear_i(place_i),
      .clear_place_i(new_place),
      .join_i(join_taken),
      .join_place_i(place_q[join_ctx_i]),
      .we_i(record_i),
      .wplace_i(place_o),
      .wrecord_i(record_data_i),
      .place_i(at_d),
      .record_o(record),
      .member_o(member)
  );

  // ---- what is to be done -----------------------------------------------------------------------

  logic [Slots-1:0] is_closed, is_ready, is_replaying, is_answering;
  logic [SlotBits-1:0] closed_slot, ready_slot, replay_slot, answer_slot, deal_slot;
  logic answers, replays;

  always_comb begin
    {closed_slot, ready_slot, replay_slot, answer_slot} = '0;
    for (int unsigned s = 0; s < Slots; s++) begin
      is_closed[s] = slot_q[s] == SlotClosed && pending_q[s] == '0;
      is_ready[s] = slot_q[s] == SlotReady;
      is_replaying[s] = slot_q[s] == SlotReplaying;
      is_answering[s] = slot_q[s] == SlotAnswering || slot_q[s] == SlotAborting;
      if (is_closed[s]) closed_slot = SlotBits'(s);
      if (is_ready[s]) ready_slot = SlotBits'(s);
      if (is_replaying[s]) replay_slot = SlotBits'(s);
      if (is_answering[s]) answer_slot = SlotBits'(s);
    end
  end

  assign hold_o = |is_ready || |is_replaying;
  // Those that joined wait here until their digits are made, so that their contexts need not.
  logic [PlaceBits-1:0] queue_q[2**CtxBits];
  logic [CtxBits:0] queue_in_q, queue_out_q;
  logic queued, unqueued;

  assign queued = queue_in_q != queue_out_q;
  assign join_ready_o = !place_i && !clear_i && queue_in_q != (queue_out_q ^ {1'b1, CtxBits'(0)});
  assign join_taken = join_valid_i && join_ready_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {queue_in_q, queue_out_q} <= '0;
    else if (clear_i) {queue_in_q, queue_out_q} <= '0;
    else begin
      queue_in_q  <= queue_in_q + (CtxBits + 1)'(join_taken);
      queue_out_q <= queue_out_q + (CtxBits + 1)'(unqueued);
    end
  end

  always_ff @(posedge clk_i)
    if (join_taken)
      queue_q[queue_in_q[CtxBits-1:0]] <= place_q[join_ctx_i];
  assign deal_slot = |is_answering ? answer_slot : replay_slot;

  // ---- sequence ---------------------------------------------------------------------------------

  logic idle, split, dealt, ended, answered, replayed, halved, totaled;

  // Sums begin as soon as they can, so that the batches do not keep step; then what frees a slot;
  // joins; and at the end what costs most.
  assign idle = state_q == StIdle && !clear_i;
  assign sum_start_o = idle && |is_ready && free_i;
  assign sum_slot_o = ready_slot;
  assign split = idle && !sum_start_o && |is_closed;
  assign answers = idle && !sum_start_o && !split && |is_answering;
  assign unqueued = idle && !sum_start_o && !split && !answers && queued;
  assign replays = idle && !sum_start_o && !split && !answers && !queued && |is_replaying && free_i;
  assign dealt = answers || replays;
  assign ended = done_q[deal_slot] == given_q[deal_slot];  // the whole batch has been dealt with
  assign replayed = state_q == StMember && member && slot_q[at_slot] == SlotReplaying && !clear_i;
  assign answered = answer_valid_o && answer_ready_i;
  assign halved = state_q == StHalve && scalar_ready_i && !clear_i;
  assign totaled = state_q == StTotal && total_valid_i && !clear_i;

  always_comb begin
    state_d = state_q;
    at_d = at_q;
    unique case (state_q)
      StIdle: begin
        if (unqueued) begin
          state_d = StWeigh;
          at_d = queue_q[queue_out_q[CtxBits-1:0]];
        end else if (split) begin
          if (!fresh_q[closed_slot]) state_d = StSplit;
          at_d = {closed_slot, MemberBits'(0)};
        end else if (dealt && !ended) begin
          state_d = StMember;
          at_d = {deal_slot, done_q[deal_slot][MemberBits-1:0]};
        end
      end
      StWeigh:  if (scalar_valid_o && scalar_ready_i) state_d = StDigits;
      StDigits: if (digits_done_i) state_d = StGather;
      StGather: if (scalar_ready_i) state_d = StTotal;
      StTotal:  if (total_valid_i) state_d = StIdle;
      StSplit:  if (scalar_ready_i) state_d = StSplits;
      StSplits: if (digits_done_i) state_d = StIdle;
      StMember: begin
        if (!member) state_d = StIdle;
        else state_d = slot_q[at_slot] == SlotReplaying ? StHalve : StAnswer;
      end
      StAnswer: if (answer_ready_i) state_d = StIdle;
      StHalve:  if (scalar_ready_i) state_d = StIdle;
      default:  state_d = StIdle;
    endcase
    if (clear_i) state_d = StIdle;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= StIdle;
    else state_q <= state_d;
  end

  always_ff @(posedge clk_i) begin
    at_q <= at_d;
    if (place_i) place_q[place_ctx_i] <= new_place;
    if (sum_start_o) sum_slot_q[free_ctx_i] <= ready_slot;
    if (replayed) replay_ctx_o <= free_ctx_i;
    if (totaled) totals_q[at_slot] <= total_i;
  end

  // ---- slots ------------------------------------------------------------------------------------

  always_comb begin
    slot_d = slot_q;
    if (place_i) slot_d[place_slot] = full ? SlotClosed : SlotOpen;
    if (close_early) slot_d[open_q] = SlotClosed;
    if (split && fresh_q[closed_slot]) slot_d[closed_slot] = SlotFree;
    if (state_q == StSplits && digits_done_i) slot_d[at_slot] = SlotReady;
    if (sum_start_o) slot_d[ready_slot] = SlotSumming;
    if (sum_done_i) slot_d[sum_slot_q[sum_ctx_i]] = sum_ok_i ? SlotAnswering : SlotReplaying;
    if (dealt && ended) slot_d[deal_slot] = SlotFree;
    if (clear_i) begin
      for (int unsigned s = 0; s < Slots; s++) if (slot_d[s] != SlotFree) slot_d[s] = SlotAborting;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      slot_q <= {Slots{SlotFree}};
      {open_valid_q, open_q} <= '0;
    end else begin
      slot_q <= slot_d;
      if (place_i) {open_valid_q, open_q} <= {!full, place_slot};
      if (close_early || clear_i) open_valid_q <= 1'b0;
    end
  end

  for (genvar s = 0; s < int'(Slots); s++) begin : g_slot
    logic begun, placed, left, joined, passed;

    assign placed = place_i && place_slot == SlotBits'(s);
    assign begun = placed && !open_valid_q;
    assign left = leave_i && place_q[leave_ctx_i][PlaceBits-1:MemberBits] == SlotBits'(s);
    assign joined = totaled && at_slot == SlotBits'(s);
    assign passed = at_slot == SlotBits'(s) &&
        (answered || replayed || (state_q == StMember && !member));

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        given_q[s] <= '0;
        pending_q[s] <= '0;
        done_q[s] <= '0;
        fresh_q[s] <= 1'b1;
      end else begin
        given_q[s] <= (begun ? '0 : given_q[s]) + CountBits'(placed);
        pending_q[s] <= clear_i ? '0 : pending_q[s] + CountBits'(placed)
            - CountBits'(left) - CountBits'(joined);
        done_q[s] <= begun ? '0 : done_q[s] + CountBits'(passed);
        fresh_q[s] <= (fresh_q[s] || begun) && !joined;
      end
    end
  end

  // ---- scalars and answers ----------------------------------------------------------------------

  assign scalar_valid_o = !clear_i && ((state_q == StWeigh && z_valid_i) ||
                                       state_q inside {StGather, StSplit, StHalve});
  assign scalar_a_o = state_q == StHalve ? {1'b0, record.signature.s[252:0]} : 254'(z_i);
  assign scalar_r_o = record.signature.s[253:0];
  assign z_take_o = totaled;
  assign digits_o = state_q inside {StDigits, StSplits};
  assign digits_place_o = at_q;

  always_comb begin
    unique case (state_q)
      StWeigh:  scalar_op_o = ScalarWeigh;
      StGather: scalar_op_o = ScalarGather;
      StSplit:  scalar_op_o = ScalarSplit;
      default:  scalar_op_o = ScalarHalve;
    endcase
    scalar_digest_o = record.digest;
    if (state_q == StSplit) scalar_digest_o = totals_q[at_slot];
    if (state_q == StGather) scalar_digest_o = fresh_q[at_slot] ? '0 : totals_q[at_slot];
  end

  assign answer_valid_o = state_q == StAnswer && !clear_i;
  assign answer_header_o = record.signature.header;
  assign answer_reason_o = slot_q[at_slot] == SlotAborting ? ReasonAborted : ReasonOk;
  assign replay_start_o = replayed;
  assign replay_signature_o = record.signature;
  assign replay_listed_o = halved;

  always_comb begin
    busy_o = 1'b0;
    for (int unsigned s = 0; s < Slots; s++) busy_o |= slot_q[s] != SlotFree;
  end

endmodule
