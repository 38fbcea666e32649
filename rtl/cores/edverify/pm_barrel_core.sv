// SPDX-License-Identifier: Apache-2.0
//
// Core of `edverify` for many jobs at a time, configurations `throughput`, `latency` and `bulk`, without buses: job
// control and the engines with what they share. A receiver in front of it shows a job at a time, a SHA-512
// unit stands beside it, a transmitter takes the answers, in the order in which jobs end.
//
// Handshake: job_*, rx_hash_* and msg_* as pm_ed_rx gives them; job_done_o (pulse) releases the receiver. hash_* and
//           digest_* as pm_sha512. An answer is valid and holds until result_ready_i; payload_o is the word
//           payload_index_i of its payload, one cycle later.
// Timing:   cycles_o counts from the cycle after the header beat (1) to the first cycle in which the
//           answer is offered.
// Reset:    asynchronous, active low: no jobs. A soft reset answers every job with `aborted`.
// Constant time: verification NO, it is public; the other operations YES for a given length of the
//           message, apart from the waiting for other jobs.

module pm_barrel_core
  import pm_ed_pkg::*;
#(
    parameter int unsigned Contexts = 12,  // of an engine, 2 to 32
    parameter int unsigned Engines = 1,  // engines, each with its multiplier
    parameter bit Scheduled = 1'b0,  // 1: `latency`, for verification alone
    parameter bit SecretOps = !Scheduled,  // x25519, keygen and sign are built in
    parameter int unsigned Segment = 0,  // bits of a carry chain of the datapath; 0: not cut
    parameter int unsigned Leaves = 81,  // of a multiplier: 81, 27 or 9
    parameter int unsigned Keys = 0,  // slots of prepared keys, a power of two; 0: none
    parameter int unsigned Batch = 0,  // signatures of a batch, a power of two; 0: none
    parameter int unsigned BatchSlots = 0,  // batches under way
    parameter int unsigned MessageBytes = 16384,  // memory of messages to be signed, a power of two
    localparam int unsigned SlotBits = Keys > 1 ? $clog2(Keys) : 1
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic soft_reset_i,  // pulse: answer every job with `aborted`
    output logic reset_done_o,  // pulse: nothing of before it is left
    output logic busy_o,  // a job is under way
    output logic [Engines-1:0] mul_issue_o,  // products started in this cycle
    input logic seeded_i,  // level: the seed is complete
    input logic [255:0] seed_i,  // seed of the multipliers of batches
    // receiver
    input logic stream_i,  // a beat waits for it
    input logic job_start_i,  // pulse: header accepted
    input logic job_open_i,  // it has a job
    input logic job_valid_i,  // operands are complete, or it is malformed
    input logic job_end_i,  // its packet has ended
    input logic job_malformed_i,  // it is malformed
    input logic [7:0] job_op_i,  // its operation
    input logic [7:0] job_rule_i,  // its rule set
    input logic [31:0] job_tag_i,  // its tag
    input logic [SlotBits-1:0] job_slot_i,  // slot of its key
    input logic [255:0] job_s_i,  // S, byte 0 in bits 7:0
    input logic [255:0] job_r_i,  // R, k
    input logic [255:0] job_a_i,  // public key, u, d
    output logic job_done_o,  // pulse: it is taken over
    // R || A || M of a verification
    input logic rx_hash_clear_i,  // pulse: forget what was hashed
    input logic rx_hash_valid_i,  // a beat is offered
    output logic rx_hash_ready_o,  // it is taken
    input logic [63:0] rx_hash_data_i,  // bytes
    input logic [7:0] rx_hash_keep_i,  // bytes that count
    input logic rx_hash_last_i,  // last beat
    // message to be signed
    input logic msg_valid_i,  // a beat is offered
    output logic msg_ready_o,  // it is taken
    input logic [63:0] msg_data_i,  // bytes
    input logic [7:0] msg_keep_i,  // bytes that count
    input logic msg_last_i,  // last beat
    input logic msg_drop_i,  // pulse: forget it
    // hash
    output logic hash_clear_o,  // pulse: forget what was hashed
    output logic hash_valid_o,  // a beat is offered
    input logic hash_ready_i,  // it is taken
    output logic [63:0] hash_data_o,  // bytes
    output logic [7:0] hash_keep_o,  // bytes that count
    output logic hash_last_o,  // last beat
    input logic digest_valid_i,  // the digest is there
    output logic digest_ready_o,  // it is taken
    input logic [511:0] digest_i,  // the digest
    // answers
    output logic result_valid_o,  // an answer is offered
    input logic result_ready_i,  // it is taken
    output logic [31:0] tag_o,  // its tag
    output logic [7:0] rule_o,  // its rule set
    output reason_e reason_o,  // its reason
    output logic all_zero_o,  // the result of x25519 is zero
    output logic [31:0] cycles_o,  // cycles from header to answer
    output logic [1:0] payload_words_o,  // words of its payload, with reason ok
    input logic [1:0] payload_index_i,  // the word that is wanted
    output logic [255:0] payload_o  // one cycle later
);

  localparam int unsigned NumContexts = Contexts * Engines;
  localparam int unsigned CtxBits = $clog2(NumContexts);

  logic [NumContexts-1:0] engine_start, engine_clear, engine_finish, list_ready, walk_zero;
  logic [NumContexts-1:0] phase1_done, phase2_done;
  logic [CtxBits-1:0] job_ctx, phase2_ctx, result_ctx;
  logic [7:0] engine_op, result_op;
  logic job_placed, rx_digest_valid, clear_shared, half_valid, half_ready, walk_we, walk_ready;
  logic control_drop, msg_too_long, phase1_valid, phase1_ready, phase2_valid, phase2_ready, zero;
  logic [Engines-1:0] engine_zero;
  reason_e [Engines-1:0] engine_reason;
  logic loading, key_hit, half_spread;

  localparam int unsigned PlaceBits = Batch > 0 ? $clog2(Batch) + $clog2(BatchSlots) : 1;

  pm_batch_pkg::batch_e engine_batch;
  pm_batch_pkg::signature_t replayed;
  pm_scalar_pkg::scalar_op_e scalar_op;
  logic
      record, replay, scalar_valid, scalar_ready, total_valid, digits_done, digits, z_valid, z_take;
  logic [PlaceBits-1:0] engine_place, digits_place;
  logic [CtxBits-1:0] scalar_ctx;
  logic [127:0] z;
  logic [253:0] scalar_a, scalar_r;
  logic [511:0] scalar_digest, total;

  // A key to be loaded is decoded strictly.
  assign loading = job_op_i == OpcodeLoadKey;

  // What a program begins with: the receiver's job, or a signature of a batch.
  logic [7:0] start_rule;
  logic [255:0] start_s, start_r, start_a;

  always_comb begin
    {start_rule, start_s, start_r, start_a} = {job_rule_i, job_s_i, job_r_i, job_a_i};
    if (loading) start_rule = RuleRfc8032Cofactored;
    if (replay) begin
      {start_rule, start_s, start_r, start_a} = {
        replayed.header.rule, replayed.s, replayed.r, replayed.a
      };
    end
  end

  pm_barrel_control #(
      .NumContexts(NumContexts),
      .Engines(Engines),
      .SecretOps(SecretOps),
      .Staged(Segment > 0),
      .Keys(Keys),
      .Batch(Batch),
      .BatchSlots(BatchSlots)
  ) u_control (
      .clk_i,
      .rst_ni,
      .soft_reset_i,
      .reset_done_o,
      .busy_o,
      .job_start_i,
      .job_open_i,
      .job_valid_i,
      .job_end_i,
      .job_malformed_i,
      .job_op_i,
      .job_rule_i,
      .job_tag_i,
      .job_slot_i,
      .job_done_o,
      .job_placed_o(job_placed),
      .job_ctx_o(job_ctx),
      .engine_start_o(engine_start),
      .engine_op_o(engine_op),
      .engine_clear_o(engine_clear),
      .engine_finish_i(engine_finish),
      .engine_reason_i(engine_reason),
      .engine_zero_i(engine_zero),
      .key_hit_i(key_hit),
      .list_ready_i(list_ready),
      .clear_shared_o(clear_shared),
      .digest_valid_i(rx_digest_valid),
      .half_valid_o(half_valid),
      .half_spread_o(half_spread),
      .half_ready_i(half_ready),
      .walk_we_o(walk_we),
      .walk_ready_i(walk_ready),
      .walk_zero_o(walk_zero),
      .msg_too_long_i(msg_too_long),
      .msg_drop_o(control_drop),
      .phase1_valid_o(phase1_valid),
      .phase1_ready_i(phase1_ready),
      .phase1_done_i(phase1_done),
      .phase2_valid_o(phase2_valid),
      .phase2_ready_i(phase2_ready),
      .phase2_ctx_o(phase2_ctx),
      .phase2_done_i(phase2_done),
      .stream_i,
      .seeded_i,
      .job_s_i,
      .job_r_i,
      .job_a_i,
      .digest_i,
      .record_o(record),
      .engine_batch_o(engine_batch),
      .engine_place_o(engine_place),
      .replay_o(replay),
      .replay_signature_o(replayed),
      .scalar_valid_o(scalar_valid),
      .scalar_ready_i(scalar_ready),
      .scalar_op_o(scalar_op),
      .scalar_a_o(scalar_a),
      .scalar_r_o(scalar_r),
      .scalar_digest_o(scalar_digest),
      .scalar_ctx_o(scalar_ctx),
      .total_valid_i(total_valid),
      .total_i(total),
      .digits_done_i(digits_done),
      .digits_o(digits),
      .digits_place_o(digits_place),
      .z_valid_i(z_valid),
      .z_i(z),
      .z_take_o(z_take),
      .result_valid_o,
      .result_ready_i,
      .result_ctx_o(result_ctx),
      .op_o(result_op),
      .tag_o,
      .rule_o,
      .reason_o,
      .zero_o(zero),
      .cycles_o
  );

  pm_barrel_cluster #(
      .NumContexts (NumContexts),
      .Engines     (Engines),
      .Scheduled   (Scheduled),
      .SecretOps   (SecretOps),
      .Segment     (Segment),
      .Leaves      (Leaves),
      .Keys        (Keys),
      .MessageBytes(MessageBytes),
      .Batch       (Batch),
      .BatchSlots  (BatchSlots)
  ) u_cluster (
      .clk_i,
      .rst_ni,
      .start_i(engine_start),
      .op_i(engine_op),
      .batch_i(engine_batch),
      .batch_place_i(engine_place),
      .clear_i(engine_clear),
      .job_placed_i(job_placed),
      .job_ctx_i(job_ctx),
      .flags_i(rule_flags(start_rule)),
      .s_i(start_s),
      .r_i(start_r),
      .a_i(start_a),
      .slot_i(job_slot_i),
      .key_hit_o(key_hit),
      .finish_o(engine_finish),
      .reason_o(engine_reason),
      .zero_o(engine_zero),
      .mul_issue_o,
      .rx_hash_clear_i,
      .rx_hash_valid_i,
      .rx_hash_ready_o,
      .rx_hash_data_i,
      .rx_hash_keep_i,
      .rx_hash_last_i,
      .rx_digest_valid_o(rx_digest_valid),
      .hash_clear_o,
      .hash_valid_o,
      .hash_ready_i,
      .hash_data_o,
      .hash_keep_o,
      .hash_last_o,
      .digest_valid_i,
      .digest_ready_o,
      .digest_i,
      .clear_shared_i(clear_shared),
      .half_valid_i(half_valid),
      .half_ready_o(half_ready),
      .half_spread_i(half_spread),
      .list_ready_o(list_ready),
      .record_i(record),
      .seeded_i,
      .seed_i,
      .z_valid_o(z_valid),
      .z_o(z),
      .z_take_i(z_take),
      .batch_scalar_valid_i(scalar_valid),
      .batch_scalar_ready_o(scalar_ready),
      .batch_scalar_op_i(scalar_op),
      .batch_scalar_a_i(scalar_a),
      .batch_scalar_r_i(scalar_r),
      .batch_scalar_digest_i(scalar_digest),
      .batch_scalar_ctx_i(scalar_ctx),
      .total_valid_o(total_valid),
      .total_o(total),
      .digits_done_o(digits_done),
      .digits_i(digits),
      .digits_place_i(digits_place),
      .walk_we_i(walk_we),
      .walk_ready_o(walk_ready),
      .walk_zero_i(walk_zero),
      .msg_valid_i,
      .msg_ready_o,
      .msg_data_i,
      .msg_keep_i,
      .msg_last_i,
      .msg_drop_i(msg_drop_i || control_drop),
      .msg_too_long_o(msg_too_long),
      .phase1_valid_i(phase1_valid),
      .phase1_ready_o(phase1_ready),
      .phase1_sign_i(job_op_i == OpcodeSign),
      .phase1_done_o(phase1_done),
      .phase2_valid_i(phase2_valid),
      .phase2_ready_o(phase2_ready),
      .phase2_ctx_i(phase2_ctx),
      .phase2_done_o(phase2_done),
      .send_ctx_i(result_ctx),
      .send_index_i(payload_index_i),
      .send_word_o(payload_o)
  );

  assign payload_words_o = SecretOps ? opcode_payload(result_op) : '0;
  assign all_zero_o = zero && result_op == OpcodeX25519;

endmodule
