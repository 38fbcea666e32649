// SPDX-License-Identifier: Apache-2.0
//
// The receiver's job, from its header until other units have what they need of it: gets a context
// when one is free, is handed to the units that its operation wants, and releases the receiver.
//
//   verify   (verify_cached, verify_batch alike) start_verify_o as soon as S, R and A are there, of
//            verify_cached when it is known whether the slot keeps A; the digest is handed over
//            when the packet has ended, to the scalar unit or, of a batch, to its record.
//   x25519   k goes to the context's secret scalars with start_x25519_o.
//   load_key start_load_o when the packet has ended and no program uses the slot.
//   keygen, sign  phase 1 of the sign server.
// A malformed packet ends with malformed_o, a message that is too long with too_long_o. A soft
// reset releases the receiver at once; a job without a context is released when it gets one, and
// abort_o says that it is to be aborted.
//
// Handshake: placed_o says that the job has context ctx_o; place_o (pulse) that it gets context
//           free_ctx_o, to be in used_i from the next cycle on.
// Reset:    asynchronous, active low.

module pm_edverify_barrel_intake
  import pm_edverify_pkg::*;
#(
    parameter int unsigned NumContexts = 12,  // contexts, 2 to 32
    parameter bit SecretOps = 1'b1,  // x25519, keygen and sign are built in
    parameter bit CachedKeys = 1'b0,  // load_key and verify_cached are built in
    parameter bit Batches = 1'b0,  // verify_batch is more than verify
    localparam int unsigned CtxBits = $clog2(NumContexts)
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic soft_reset_i,  // pulse: every job is aborted
    // receiver
    input logic job_start_i,  // pulse: header accepted
    input logic job_open_i,  // the receiver has a job
    input logic job_valid_i,  // operands are complete, or it is malformed
    input logic job_end_i,  // its packet has ended
    input logic job_malformed_i,  // it is malformed
    input logic [7:0] job_op_i,  // its operation
    input logic [7:0] job_rule_i,  // its rule set
    output logic job_done_o,  // pulse: it is taken over
    // contexts
    input logic [NumContexts-1:0] used_i,  // have a job
    output logic free_o,  // there is a free one
    output logic [CtxBits-1:0] free_ctx_o,  // this one
    output logic place_o,  // pulse: the job gets it
    output logic placed_o,  // the job has a context
    output logic [CtxBits-1:0] ctx_o,  // that context
    output logic abort_o,  // the job is to be aborted
    output logic malformed_o,  // pulse: it ends malformed
    output logic too_long_o,  // pulse: it ends with a message too long
    output logic complete_o,  // pulse: nothing but its program is waited for
    // engine
    input logic block_i,  // another job starts in this cycle
    input logic slot_used_i,  // a program uses the slot of its key
    // the slot keeps its key, two cycles after job_valid_i, but not in the cycle after replay_i
    input logic key_hit_i,
    output logic hit_o,  // it uses a cached key
    output logic start_verify_o,  // pulse: begin
    output logic start_x25519_o,
    output logic start_load_o,
    // digests
    input logic digest_valid_i,  // that of the job is there
    output logic half_valid_o,  // it is offered to the scalar unit
    input logic half_ready_i,  // it is taken
    // secret scalars
    output logic walk_we_o,  // write k
    input logic walk_ready_i,  // it is written in this cycle
    // sign server
    input logic msg_too_long_i,  // the newest message does not fit
    output logic msg_drop_o,  // pulse: forget it, unless phase 1 has it
    output logic phase1_valid_o,  // scalars are wanted
    input logic phase1_ready_i,  // it is taken
    output logic phase1_taken_o,  // pulse: both
    output logic is_sign_o,  // it is a signature
    // batches; not looked at without them
    /* verilator lint_off UNUSEDSIGNAL */
    input logic seeded_i,  // multipliers can be made
    input logic room_i,  // there is a place in a batch
    input logic hold_i,  // no context for new jobs
    input logic prepared_i,  // the job's context prepares it for a batch
    input logic replay_i,  // the operands of engine and scalar unit are others
    /* verilator lint_on UNUSEDSIGNAL */
    output logic batched_o,  // the job is for a batch
    output logic record_o  // pulse: its digest is taken, for a batch
);

  logic abort_q, started_q;
  logic is_verify, is_x25519, is_load, is_cached, live, ended, hand_over;
  logic [1:0] looked_q;

  // ---- a context --------------------------------------------------------------------------------

  always_comb begin
    free_o = 1'b0;
    free_ctx_o = '0;
    for (int unsigned c = NumContexts; c >= 1; c--) begin
      if (!used_i[c-1]) begin
        free_o = 1'b1;
        free_ctx_o = CtxBits'(c - 1);
      end
    end
  end

  assign batched_o = Batches && job_op_i == OpcodeVerifyBatch && rule_flags(
      job_rule_i
  ).cofactored && seeded_i && !abort_q && !soft_reset_i;
  assign place_o = job_open_i && !placed_o && free_o && !hold_i && (!batched_o || room_i);

  // ---- what it wants ----------------------------------------------------------------------------

  assign is_load = CachedKeys && job_op_i == OpcodeLoadKey;
  assign is_verify = SecretOps ? opcode_has_rule(job_op_i) : !is_load;
  assign is_x25519 = SecretOps && job_op_i == OpcodeX25519;
  assign is_sign_o = SecretOps && job_op_i == OpcodeSign;
  assign is_cached = CachedKeys && job_op_i == OpcodeVerifyCached;
  assign live = placed_o && !abort_q && !soft_reset_i && !job_malformed_i;
  assign ended = live && job_end_i;
  assign malformed_o = placed_o && job_end_i && job_malformed_i;

  assign hit_o = is_cached && key_hit_i;
  assign start_verify_o = live && is_verify && !started_q && job_valid_i &&
      (!is_cached || looked_q[1]) &&
      !block_i;
  assign record_o = ended && prepared_i && started_q && digest_valid_i;
  assign half_valid_o = ended && is_verify && started_q && digest_valid_i && !prepared_i &&
      !replay_i;
  assign hand_over = (half_valid_o && half_ready_i) || record_o;

  assign walk_we_o = ended && is_x25519;
  assign start_x25519_o = walk_we_o && walk_ready_i;

  assign start_load_o = ended && is_load && !slot_used_i && !block_i;

  assign too_long_o = ended && is_sign_o && msg_too_long_i;
  assign phase1_valid_o = SecretOps && ended && !is_verify && !is_x25519 && !is_load && !too_long_o;
  assign phase1_taken_o = phase1_valid_o && phase1_ready_i;
  assign msg_drop_o = malformed_o || too_long_o || (placed_o && abort_q);

  assign complete_o = hand_over || start_x25519_o || start_load_o || (phase1_taken_o && !is_sign_o);
  assign job_done_o = hand_over || start_x25519_o || start_load_o || phase1_taken_o ||
      malformed_o || too_long_o || (placed_o && (soft_reset_i || abort_q));
  assign abort_o = abort_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {placed_o, started_q, abort_q} <= '0;
      ctx_o <= '0;
      looked_q <= '0;
    end else begin
      if (place_o) ctx_o <= free_ctx_o;
      placed_o <= (placed_o || place_o) && !job_done_o;
      // Whether a slot keeps the key is known two cycles after the key; in the cycle of a replay
      // the key of the latter is looked up.
      looked_q <= job_valid_i && !job_done_o ? {looked_q[0] && !replay_i, 1'b1} : '0;
      started_q <= (started_q || start_verify_o) && !job_done_o;
      // A job that has no context yet is aborted when it gets one.
      abort_q <= (abort_q || (soft_reset_i && !placed_o && (job_open_i || job_start_i))) &&
          !job_done_o;
    end
  end

endmodule
