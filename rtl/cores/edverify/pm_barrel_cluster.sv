// SPDX-License-Identifier: Apache-2.0
//
// One or several pm_barrel_engine and what they share: the scalar unit, which a verification uses for some
// 800 of the 2,100 cycles that it costs its engine, the sign server, the hash, and the words of results.
//
// Contexts are numbered through all engines, which take turns: context c is context c / Engines of
// engine c mod Engines, so that the lowest free context finds the engine with the least to do. Products
// for the scalars of a verification go to the multiplier of its engine, those for signatures to engine 0.
// Handshake: as pm_barrel_engine and pm_sign_server, for each context; rx_hash_* is the stream of
//           R || A || M of the verification in context job_ctx_i, which is not begun before
//           job_placed_i; half_valid_i/half_ready_o hand S and the digest over, list_ready_o[c] says that
//           the operation list is complete. A context whose digest was handed over must not be started
//           again before that. clear_shared_i abandons what scalar unit and sign server are doing.
// Reset:    asynchronous, active low: idle.
// Constant time: verification NO, it is public; the other operations YES for a given length of the
//           message, apart from the waiting for each other.

module pm_barrel_cluster
  import pm_scalar_pkg::*;
  import pm_ed_pkg::*;
  import pm_batch_pkg::*;
#(
    parameter int unsigned NumContexts = 12,  // contexts of all engines, a multiple of Engines
    parameter int unsigned Engines = 1,  // engines, at least 1
    parameter bit Scheduled = 1'b0,  // of the engines; 1: configuration `latency`, for verification alone
    parameter bit SecretOps = !Scheduled,  // x25519, keygen and sign are built in; not if Scheduled
    parameter int unsigned MessageBytes = 16384,  // memory of messages to be signed
    parameter int unsigned Segment = 0,  // bits of a carry chain of the datapaths; 0: not cut
    parameter int unsigned Leaves = 81,  // of a multiplier: 81, 27 or 9
    parameter int unsigned Keys = 0,  // slots of kept keys, a power of two; 0: none; of one engine
    localparam int unsigned SlotBits = Keys > 1 ? $clog2(Keys) : 1,
    parameter int unsigned Batch = 0,  // signatures of a batch, a power of two; 0: none; of one engine
    parameter int unsigned BatchSlots = 0,  // batches under way
    localparam int unsigned PlaceBits = Batch > 0 ? $clog2(Batch) + $clog2(BatchSlots) : 1,
    localparam int unsigned CtxBits = $clog2(NumContexts)
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    // jobs
    input logic [NumContexts-1:0] start_i,  // pulse: begin a job in this context
    input logic [7:0] op_i,  // its operation
    input batch_e batch_i,  // what it does for a batch
    input logic [PlaceBits-1:0] batch_place_i,  // at this place, or for the slot of it
    input logic [NumContexts-1:0] clear_i,  // pulse: abandon its job
    input logic job_placed_i,  // the receiver's job has a context
    input logic [CtxBits-1:0] job_ctx_i,  // that context
    input rule_flags_t flags_i,  // what its rule set asks for
    input logic [255:0] s_i,  // S, byte 0 in bits 7:0
    input logic [255:0] r_i,  // R, k
    input logic [255:0] a_i,  // public key, u, d
    input logic [SlotBits-1:0] slot_i,  // slot of its key
    output logic key_hit_o,  // the slot keeps a_i, two cycles later
    output logic [NumContexts-1:0] finish_o,  // pulse: the job of this context ends
    output reason_e [Engines-1:0] reason_o,  // with the verdict of its engine
    output logic [Engines-1:0] zero_o,  // and a result that is zero
    output logic [Engines-1:0] mul_issue_o,  // products started in this cycle
    // hash: R || A || M of the receiver's job, and the unit
    input logic rx_hash_clear_i,  // pulse: forget what was hashed
    input logic rx_hash_valid_i,  // a beat is offered
    output logic rx_hash_ready_o,  // it is taken
    input logic [63:0] rx_hash_data_i,  // bytes
    input logic [7:0] rx_hash_keep_i,  // bytes that count
    input logic rx_hash_last_i,  // last beat
    output logic rx_digest_valid_o,  // the digest is there
    output logic hash_clear_o,  // pm_sha512
    output logic hash_valid_o,
    input logic hash_ready_i,
    output logic [63:0] hash_data_o,
    output logic [7:0] hash_keep_o,
    output logic hash_last_o,
    input logic digest_valid_i,
    output logic digest_ready_o,
    input logic [511:0] digest_i,
    // scalars of verifications
    input logic clear_shared_i,  // pulse: abandon what is under way
    input logic half_valid_i,  // S and digest of the receiver's job
    output logic half_ready_o,  // they are taken
    input logic half_spread_i,  // its job uses a kept key
    output logic [NumContexts-1:0] list_ready_o,  // the operation list is complete
    // batches
    input logic record_i,  // pulse: the digest of the receiver's job is taken for its batch
    input logic seeded_i,  // multipliers can be made
    input logic [255:0] seed_i,  // from this
    output logic z_valid_o,  // a multiplier is there
    output logic [127:0] z_o,  // the multiplier
    input logic z_take_i,  // pulse: it has been used
    input logic batch_scalar_valid_i,  // a job for the scalar unit
    output logic batch_scalar_ready_o,  // it is taken
    input scalar_op_e batch_scalar_op_i,  // the job
    input logic [253:0] batch_scalar_a_i,  // its operands
    input logic [253:0] batch_scalar_r_i,
    input logic [511:0] batch_scalar_digest_i,
    input logic [CtxBits-1:0] batch_scalar_ctx_i,  // context, of a Halve
    output logic total_valid_o,  // pulse: result of a Gather
    output logic [511:0] total_o,  // the result
    output logic digits_done_o,  // pulse: all digits were pushed
    input logic digits_i,  // level: digits are for the lists of batches
    input logic [PlaceBits-1:0] digits_place_i,  // of this place
    // secret scalars
    input logic walk_we_i,  // write k of the receiver's job
    output logic walk_ready_o,  // it is written in this cycle
    input logic [NumContexts-1:0] walk_zero_i,  // pulse: wipe the scalars of this context
    // messages and signatures
    input logic msg_valid_i,  // a beat of a message is offered
    output logic msg_ready_o,  // it is taken
    input logic [63:0] msg_data_i,  // bytes
    input logic [7:0] msg_keep_i,  // bytes that count
    input logic msg_last_i,  // last beat
    input logic msg_drop_i,  // pulse: forget it
    output logic msg_too_long_o,  // level: it does not fit
    input logic phase1_valid_i,  // scalars of the receiver's job
    output logic phase1_ready_o,  // taken
    input logic phase1_sign_i,  // sign; otherwise generate a key
    output logic [NumContexts-1:0] phase1_done_o,  // pulse: scalars of this context are there
    input logic phase2_valid_i,  // S is wanted
    output logic phase2_ready_o,  // its operands are taken
    input logic [CtxBits-1:0] phase2_ctx_i,  // of this context
    output logic [NumContexts-1:0] phase2_done_o,  // pulse: S of this context is there
    // words of results
    input logic [CtxBits-1:0] send_ctx_i,  // context whose result is sent
    input logic [1:0] send_index_i,  // the word that is wanted
    output logic [255:0] send_word_o  // one cycle later
);

  localparam int unsigned PerEngine = NumContexts / Engines;
  localparam int unsigned LocalBits = $clog2(PerEngine);
  // Registers between the parts, where chains are cut for the clock.
  localparam int unsigned Staged = 32'(Segment > 0);
  // The more engines wait for the scalars, the less may these wait for a free cycle of a multiplier; and a
  // verification with a kept key takes its engine less time.
  localparam int unsigned Patience = Keys > 0 ? 63 : Engines == 1 ? 255 : 15;

  if (Engines < 1 || PerEngine * Engines != NumContexts) begin : g_refuse_engines
    $fatal(1, "pm_barrel_cluster: every engine must have as many contexts");
  end

  if (Keys != 0 && Engines != 1) begin : g_refuse_keys
    $fatal(1, "pm_barrel_cluster: kept keys are of one engine");
  end

  function automatic logic [LocalBits-1:0] local_ctx(logic [CtxBits-1:0] ctx);
    return LocalBits'(32'(ctx) / Engines);
  endfunction

  function automatic logic [NumContexts-1:0] one_context(logic valid, logic [CtxBits-1:0] ctx);
    return NumContexts'(valid) << ctx;
  endfunction

  if (pm_datapath_pkg::part_latency(Segment, 81 / Leaves) > 15) begin : g_refuse_segment
    $fatal(1, "pm_barrel_cluster: half products must come within the 15 cycles the scalars drain");
  end

  // ---- start of a job, a cycle later with stages: its operands hold so long ------------------------

  logic [NumContexts-1:0] start, clear;
  logic [7:0] op;

  pm_delay #(
      .Width(2 * NumContexts + 8),
      .Depth(Staged)
  ) u_start (
      .clk_i,
      .rst_ni,
      .data_i({start_i, clear_i, op_i}),
      .data_o({start, clear, op})
  );

  // ---- scalars ----------------------------------------------------------------------------------

  logic scalar_result_valid, half_now, take_half, server_scalar_valid, server_scalar_ready;
  scalar_op_e server_scalar_op;
  logic [252:0] scalar_result;
  logic [253:0] server_scalar_a, server_scalar_r;
  logic [511:0] server_digest;
  logic [257:0] mul_a, mul_b;
  logic mul_patient, batch_push_valid;
  logic [Engines-1:0] mul_valid_of, mul_ready_of, part_valid_of, push_ready_of, batch_push_ready_of;
  logic [Engines-1:0][257:0] part_h_of, part_l_of;
  logic [Engines-1:0] list_valid, list_done;
  logic [CtxBits-1:0] list_ctx;
  list_entry_t list_entry;

  if (Batch > 0 && (SecretOps || Engines > 1)) begin : g_refuse_batch
    $fatal(1, "pm_barrel_cluster: batches want one engine, and no operations on secrets");
  end

  pm_scalar_share #(
      .NumContexts(NumContexts),
      .Engines(Engines),
      .Staged(Staged == 1),
      .Spread(Keys != 0),
      .Turns(Batch > 0)
  ) u_scalars (
      .clk_i,
      .rst_ni,
      .clear_i(clear_shared_i),
      .half_valid_i,
      .half_ready_o,
      .half_spread_i,
      .half_s_i(s_i[252:0]),
      .half_ctx_i(job_ctx_i),
      .half_now_o(half_now),
      .other_valid_i(server_scalar_valid),
      .other_ready_o(server_scalar_ready),
      .other_op_i(server_scalar_op),
      .other_a_i(server_scalar_a),
      .other_r_i(server_scalar_r),
      .other_ctx_i(batch_scalar_ctx_i),
      .result_valid_o(scalar_result_valid),
      .result_o(scalar_result),
      .total_o,
      .done_o(digits_done_o),
      .digest_i(server_digest),
      .mul_valid_o(mul_valid_of),
      .mul_patient_o(mul_patient),
      .mul_ready_i(mul_ready_of),
      .mul_a_o(mul_a),
      .mul_b_o(mul_b),
      .part_valid_i(part_valid_of),
      .part_h_i(part_h_of),
      .part_l_i(part_l_of),
      .list_valid_o(list_valid),
      .list_done_o(list_done),
      .list_ready_i(push_ready_of),
      .list_ctx_o(list_ctx),
      .list_entry_o(list_entry),
      .digits_i,
      .batch_valid_o(batch_push_valid),
      .batch_ready_i(|batch_push_ready_of)
  );

  // The receiver and its rival wait on the same hash, which shows its digest to one of them.
  assign take_half = half_now && half_ready_o;
  assign batch_scalar_ready_o = server_scalar_ready;
  assign total_valid_o = scalar_result_valid;

  // ---- hash and signatures ------------------------------------------------------------------------

  logic server_walk_we, walk_we, walk_slot, walk_rslot, phase1_done, phase2_done;
  logic [CtxBits-1:0] server_walk_ctx, walk_ctx, walk_rctx, phase1_done_ctx, phase2_done_ctx;
  logic [255:0] server_walk_data, walk_data, walk_rdata, sign_a, sign_r, phase2_s;
  logic server_walk_slot;

  pm_hash_share #(
      .NumContexts(NumContexts),
      .SecretOps(SecretOps),
      .Batches(Batch > 0),
      .Staged(Staged == 1),
      .MessageBytes(MessageBytes)
  ) u_hash (
      .clk_i,
      .rst_ni,
      .clear_i(clear_shared_i),
      .job_placed_i,
      .job_ctx_i,
      .rx_hash_clear_i,
      .rx_hash_valid_i,
      .rx_hash_ready_o,
      .rx_hash_data_i,
      .rx_hash_keep_i,
      .rx_hash_last_i,
      .rx_digest_valid_o,
      .rx_digest_ready_i(take_half || record_i),
      .hash_clear_o,
      .hash_valid_o,
      .hash_ready_i,
      .hash_data_o,
      .hash_keep_o,
      .hash_last_o,
      .digest_valid_i,
      .digest_ready_o,
      .digest_i,
      .seeded_i,
      .seed_i,
      .z_valid_o,
      .z_o,
      .z_take_i,
      .msg_valid_i,
      .msg_ready_o,
      .msg_data_i,
      .msg_keep_i,
      .msg_last_i,
      .msg_drop_i,
      .msg_too_long_o,
      .phase1_valid_i,
      .phase1_ready_o,
      .phase1_sign_i,
      .phase1_d_i(a_i),
      .phase1_done_o(phase1_done),
      .phase1_done_ctx_o(phase1_done_ctx),
      .phase2_valid_i,
      .phase2_ready_o,
      .phase2_ctx_i,
      .phase2_a_i(sign_a),
      .phase2_r_i(sign_r),
      .phase2_done_o(phase2_done),
      .phase2_done_ctx_o(phase2_done_ctx),
      .phase2_s_o(phase2_s),
      .walk_we_o(server_walk_we),
      .walk_ctx_o(server_walk_ctx),
      .walk_slot_o(server_walk_slot),
      .walk_data_o(server_walk_data),
      .walk_rctx_o(walk_rctx),
      .walk_rslot_o(walk_rslot),
      .walk_rdata_i(walk_rdata),
      .batch_scalar_valid_i,
      .batch_scalar_op_i,
      .batch_scalar_a_i,
      .batch_scalar_r_i,
      .batch_scalar_digest_i,
      .half_now_i(half_now),
      .scalar_valid_o(server_scalar_valid),
      .scalar_ready_i(server_scalar_ready),
      .scalar_op_o(server_scalar_op),
      .scalar_a_o(server_scalar_a),
      .scalar_r_o(server_scalar_r),
      .scalar_digest_o(server_digest),
      .scalar_result_valid_i(scalar_result_valid),
      .scalar_result_i(scalar_result)
  );

  assign phase1_done_o = one_context(phase1_done, phase1_done_ctx);
  assign phase2_done_o = one_context(phase2_done, phase2_done_ctx);

  // The server writes first. k is clamped (RFC 7748, section 5).
  assign walk_ready_o = !server_walk_we;
  assign walk_we = server_walk_we || walk_we_i;
  assign walk_ctx = server_walk_we ? server_walk_ctx : job_ctx_i;
  assign walk_slot = server_walk_we && server_walk_slot;
  assign walk_data = server_walk_we ? server_walk_data : {2'b01, r_i[253:3], 3'b000};

  // ---- engines ----------------------------------------------------------------------------------

  logic [Engines-1:0] out_valid, out_slot, key_hit;
  logic [Engines-1:0][LocalBits-1:0] out_ctx;
  logic [Engines-1:0][255:0] out_data, walk_rdata_of, sign_a_of, sign_r_of, send_word_of;
  logic [CtxBits-1:0] walk_rctx_q, send_ctx_q;

  assign key_hit_o = |key_hit;

  for (genvar e = 0; e < int'(Engines); e++) begin : g_engine
    logic [PerEngine-1:0] engine_start, engine_clear, list_ready, walk_zero;
    logic [LocalBits-1:0] finish_ctx;
    logic finish;

    for (genvar c = 0; c < int'(PerEngine); c++) begin : g_context
      assign engine_start[c] = start[c*Engines+e];
      assign engine_clear[c] = clear[c*Engines+e];
      assign walk_zero[c] = walk_zero_i[c*Engines+e];
      assign list_ready_o[c*Engines+e] = list_ready[c];
      assign finish_o[c*Engines+e] = finish && finish_ctx == LocalBits'(c);
    end

    pm_barrel_engine #(
        .NumContexts(PerEngine),
        .Scheduled(Scheduled),
        .SecretOps(SecretOps),
        .Segment(Segment),
        .Leaves(Leaves),
        .Patience(Patience),
        .Keys(Keys),
        .Batch(Batch),
        .BatchSlots(BatchSlots)
    ) u_engine (
        .clk_i,
        .rst_ni,
        .start_i(engine_start),
        .op_i(op),
        .batch_i,
        .batch_place_i,
        .clear_i(engine_clear),
        .slot_i,
        .key_hit_o(key_hit[e]),
        .flags_i,
        .s_i,
        .r_i,
        .a_i,
        .push_valid_i(list_valid[e]),
        .push_ready_o(push_ready_of[e]),
        .push_ctx_i(local_ctx(list_ctx)),
        .push_entry_i(list_entry),
        .list_done_i(list_done[e]),
        .list_ready_o(list_ready),
        .batch_forget_i(clear_shared_i),
        .batch_push_valid_i(batch_push_valid),
        .batch_push_ready_o(batch_push_ready_of[e]),
        .batch_push_place_i(digits_place_i),
        .share_valid_i(mul_valid_of[e]),
        .share_patient_i(mul_patient),
        .share_ready_o(mul_ready_of[e]),
        .share_a_i(mul_a),
        .share_b_i(mul_b),
        .share_done_o(part_valid_of[e]),
        .share_h_o(part_h_of[e]),
        .share_l_o(part_l_of[e]),
        .walk_we_i(walk_we && 32'(walk_ctx) % Engines == e),
        .walk_ctx_i(local_ctx(walk_ctx)),
        .walk_slot_i(walk_slot),
        .walk_data_i(walk_data),
        .walk_rctx_i(local_ctx(walk_rctx)),
        .walk_rslot_i(walk_rslot),
        .walk_rdata_o(walk_rdata_of[e]),
        .walk_zero_i(walk_zero),
        .out_valid_o(out_valid[e]),
        .out_ctx_o(out_ctx[e]),
        .out_slot_o(out_slot[e]),
        .out_data_o(out_data[e]),
        .finish_o(finish),
        .finish_ctx_o(finish_ctx),
        .reason_o(reason_o[e]),
        .zero_o(zero_o[e]),
        .mul_issue_o(mul_issue_o[e])
    );

    if (SecretOps) begin : g_words
      pm_result_words #(
          .NumContexts(PerEngine)
      ) u_words (
          .clk_i,
          .point_we_i(out_valid[e]),
          .point_ctx_i(out_ctx[e]),
          .point_slot_i(out_slot[e]),
          .point_i(out_data[e]),
          .s_we_i(phase2_done && 32'(phase2_done_ctx) % Engines == e),
          .s_ctx_i(local_ctx(phase2_done_ctx)),
          .s_i(phase2_s),
          .sign_ctx_i(local_ctx(phase2_ctx_i)),
          .sign_a_o(sign_a_of[e]),
          .sign_r_o(sign_r_of[e]),
          .send_ctx_i(local_ctx(send_ctx_i)),
          .send_index_i,
          .send_word_o(send_word_of[e])
      );
    end else begin : g_no_words
      logic unused;
      assign unused = ^{out_valid[e], out_slot[e], out_ctx[e], out_data[e], send_index_i, phase2_s};
      assign {sign_a_of[e], sign_r_of[e], send_word_of[e]} = '0;
    end
  end

  // Words of the engine that was asked.
  always_ff @(posedge clk_i) begin
    walk_rctx_q <= walk_rctx;
    send_ctx_q  <= send_ctx_i;
  end

  always_comb begin
    {walk_rdata, sign_a, sign_r, send_word_o} = '0;
    for (int unsigned e = 0; e < Engines; e++) begin
      if (32'(walk_rctx_q) % Engines == e) walk_rdata |= walk_rdata_of[e];
      if (32'(phase2_ctx_i) % Engines == e) {sign_a, sign_r} |= {sign_a_of[e], sign_r_of[e]};
      if (32'(send_ctx_q) % Engines == e) send_word_o |= send_word_of[e];
    end
  end

endmodule
