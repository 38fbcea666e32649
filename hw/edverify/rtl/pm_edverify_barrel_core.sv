// SPDX-License-Identifier: Apache-2.0
//
// Core of `edverify` for many jobs at a time, configurations `throughput`, `latency` and `bulk`,
// without buses: job control, the engine, and what its contexts share. A receiver in front of it
// shows a job at a time, a SHA-512 unit stands beside it, a transmitter takes the results, in the
// order in which jobs end.
//
// Handshake: rx_i and rx_o as pm_edverify_rx, hash_o and hash_i as pm_sha512, result_o as
//           pm_edverify_tx.
// Timing:   result_o.cycles counts from the cycle after the header beat (1) to the first cycle in
//           which the result is offered.
// Reset:    asynchronous, active low: no jobs. A soft reset ends every job with `aborted`.
// Constant time: verification NO, it is public; the other operations YES for a given length of the
//           message, apart from the waiting for other jobs.

module pm_edverify_barrel_core
  import pm_scalar_pkg::*;
  import pm_edverify_pkg::*;
  import pm_edverify_core_pkg::*;
  import pm_edverify_batch_pkg::*;
  import pm_edverify_barrel_pkg::*;
#(
    parameter int unsigned NumContexts = 12,  // 2 to 32
    parameter bit Scheduled = 1'b0,  // 1: `latency`, for verification alone
    parameter bit SecretOps = !Scheduled,  // x25519, keygen and sign are built in
    parameter int unsigned Keys = 0,  // slots of prepared keys, a power of two; 0: none
    parameter int unsigned Batch = 0,  // signatures of a batch, a power of two; 0: none
    parameter int unsigned BatchSlots = 0,  // batches under way
    // memory of messages to be signed, a power of two
    parameter int unsigned MessageBytes = 16384
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic soft_reset_i,  // pulse: answer every job with `aborted`
    output logic reset_done_o,  // pulse: nothing of before it is left
    output logic busy_o,  // a job is under way
    output logic mul_issue_o,  // products started in this cycle
    input logic seeded_i,  // level: the seed is complete
    input logic [255:0] seed_i,  // seed of the multipliers of batches
    // receiver
    input logic stream_i,  // a beat waits for it
    input from_rx_t rx_i,
    output to_rx_t rx_o,
    // hash
    output to_hash_t hash_o,
    input from_hash_t hash_i,
    // transmitter
    output tx_result_t result_o,  // holds until taken
    input logic result_ready_i,  // it is taken
    input logic [1:0] payload_index_i,  // the word of its payload that is wanted
    output logic [255:0] payload_o  // a cycle later
);

  localparam int unsigned CtxBits = $clog2(NumContexts);
  localparam int unsigned PlaceBits = Batch > 0 ? $clog2(Batch) + $clog2(BatchSlots) : 1;
  // A verification with a cached key takes the engine less time: it waits less for its scalars.
  localparam int unsigned Patience = Keys > 0 ? 63 : 255;

  // ---- seed of batches --------------------------------------------------------------------------

  logic seed_good;

  if (Batch > 0) begin : g_seed
    pm_seed_check u_seed (
        .clk_i,
        .rst_ni,
        .seeded_i,
        .seed_i,
        .good_o(seed_good)
    );
  end else begin : g_no_seed
    logic unused_seeded;
    assign unused_seeded = seeded_i;
    assign seed_good = 1'b0;
  end

  // ---- job control ------------------------------------------------------------------------------

  logic [NumContexts-1:0] start, clear, finish_of, list_ready, walk_zero, phase1_done, phase2_done;
  logic [NumContexts-1:0] wipe_start;
  logic wiping;  // after a soft reset registers of the engine are wiped
  logic [CtxBits-1:0] job_ctx, phase2_ctx, result_ctx, batch_ctx;
  logic [PlaceBits-1:0] engine_place, digits_place;
  logic job_placed, key_hit, rx_digest_valid, half_ready, record, walk_we, walk_ready;
  program_t program_now, engine_program;
  verdict_t verdict;
  half_t half;
  sign_request_t sign_request;
  sign_status_t sign_status;
  batch_request_t batch_request;
  batch_status_t batch_status;
  result_t result;

  pm_edverify_barrel_control #(
      .NumContexts(NumContexts),
      .SecretOps(SecretOps),
      .Keys(Keys),
      .Batch(Batch),
      .BatchSlots(BatchSlots)
  ) u_control (
      .clk_i,
      .rst_ni,
      .soft_reset_i,
      .reset_done_o,
      .busy_o,
      .wiping_i(wiping),
      .job_i(rx_i.job),
      .job_done_o(rx_o.job_done),
      .job_placed_o(job_placed),
      .job_ctx_o(job_ctx),
      .engine_start_o(start),
      .program_o(program_now),
      .engine_place_o(engine_place),
      .engine_clear_o(clear),
      .engine_finish_i(finish_of & {NumContexts{!wiping}}),
      .verdict_i(verdict),
      .key_hit_i(key_hit),
      .list_ready_i(list_ready),
      .digest_valid_i(rx_digest_valid),
      .half_o(half),
      .half_ready_i(half_ready),
      .walk_we_o(walk_we),
      .walk_ready_i(walk_ready),
      .walk_zero_o(walk_zero),
      .sign_o(sign_request),
      .sign_i(sign_status),
      .phase1_done_i(phase1_done),
      .phase2_ctx_o(phase2_ctx),
      .phase2_done_i(phase2_done),
      .stream_i,
      .seeded_i(seed_good),
      .digest_i(hash_i.digest),
      .record_o(record),
      .batch_o(batch_request),
      .batch_ctx_o(batch_ctx),
      .digits_place_o(digits_place),
      .batch_i(batch_status),
      .result_valid_o(result_o.valid),
      .result_ready_i,
      .result_ctx_o(result_ctx),
      .result_o(result)
  );

  // A message is hashed to its end: the next job waits for no verdict.
  assign rx_o.discard = 1'b0;

  assign result_o.tag = result.tag;
  assign result_o.rule = result.rule;
  assign result_o.reason = result.reason;
  assign result_o.cycles = result.cycles;
  assign result_o.payload_words = SecretOps ? opcode_payload(result.op) : '0;
  assign result_o.all_zero = result.zero && result.op == OpcodeX25519;

  // ---- scalars ----------------------------------------------------------------------------------

  logic half_now, scalar_valid, scalar_ready, scalar_result_valid;
  scalar_job_t scalar_job;
  logic [252:0] scalar_result;
  share_request_t share_request;
  share_status_t share_status;
  list_push_t list_push;
  logic [CtxBits-1:0] list_ctx;
  logic push_ready, batch_push_valid, batch_push_ready;

  pm_edverify_scalar_clients #(
      .NumContexts(NumContexts),
      .Spread(Keys != 0),
      .Turns(Batch > 0)
  ) u_scalars (
      .clk_i,
      .rst_ni,
      .clear_i(soft_reset_i),
      .half_i(half),
      .half_ready_o(half_ready),
      .half_s_i(program_now.s[252:0]),
      .half_ctx_i(job_ctx),
      .half_now_o(half_now),
      .other_valid_i(scalar_valid),
      .other_ready_o(scalar_ready),
      .other_i(scalar_job),
      .other_ctx_i(batch_ctx),
      .result_valid_o(scalar_result_valid),
      .result_o(scalar_result),
      .total_o(batch_status.total),
      .done_o(batch_status.digits_done),
      .share_o(share_request),
      .share_i(share_status),
      .list_o(list_push),
      .list_ready_i(push_ready),
      .list_ctx_o(list_ctx),
      .digits_i(batch_request.digits),
      .batch_valid_o(batch_push_valid),
      .batch_ready_i(batch_push_ready)
  );

  assign batch_status.ready = scalar_ready;
  assign batch_status.total_valid = scalar_result_valid;

  // ---- hash and signatures ----------------------------------------------------------------------

  logic server_walk_we, server_walk_slot, walk_rslot, server_phase1_done, server_phase2_done;
  logic [CtxBits-1:0] server_walk_ctx, walk_rctx, server_phase1_ctx, server_phase2_ctx;
  logic [255:0] server_walk_data, walk_rdata, sign_a, sign_r, sign_s;

  pm_edverify_hash_share #(
      .NumContexts(NumContexts),
      .SecretOps(SecretOps),
      .Batches(Batch > 0),
      .MessageBytes(MessageBytes)
  ) u_hash (
      .clk_i,
      .rst_ni,
      .clear_i(soft_reset_i),
      .job_placed_i(job_placed),
      .job_ctx_i(job_ctx),
      // The receiver and its rival wait on the same hash, which shows its digest to one of them.
      .rx_i(
      '{
          clear: rx_i.hash_clear,
          beat: rx_i.hash,
          digest_ready: (half_now && half_ready) || record
      }
      ),
      .rx_ready_o(rx_o.hash_ready),
      .rx_digest_valid_o(rx_digest_valid),
      .hash_o,
      .hash_i,
      .seeded_i(seed_good),
      .seed_i,
      .z_valid_o(batch_status.z_valid),
      .z_o(batch_status.z),
      .z_take_i(batch_request.z_take),
      .msg_i(rx_i.msg),
      .msg_ready_o(rx_o.msg_ready),
      .msg_drop_i(rx_i.msg_drop || sign_request.drop),
      .msg_too_long_o(sign_status.too_long),
      .phase1_valid_i(sign_request.phase1),
      .phase1_ready_o(sign_status.phase1),
      .phase1_sign_i(rx_i.job.op == OpcodeSign),
      .phase1_d_i(program_now.a),
      .phase1_done_o(server_phase1_done),
      .phase1_done_ctx_o(server_phase1_ctx),
      .phase2_valid_i(sign_request.phase2),
      .phase2_ready_o(sign_status.phase2),
      .phase2_ctx_i(phase2_ctx),
      .phase2_a_i(sign_a),
      .phase2_r_i(sign_r),
      .phase2_done_o(server_phase2_done),
      .phase2_done_ctx_o(server_phase2_ctx),
      .phase2_s_o(sign_s),
      .walk_we_o(server_walk_we),
      .walk_ctx_o(server_walk_ctx),
      .walk_slot_o(server_walk_slot),
      .walk_data_o(server_walk_data),
      .walk_rctx_o(walk_rctx),
      .walk_rslot_o(walk_rslot),
      .walk_rdata_i(walk_rdata),
      .batch_scalar_valid_i(batch_request.valid),
      .batch_scalar_op_i(batch_request.job.op),
      .batch_scalar_a_i(batch_request.job.a),
      .batch_scalar_r_i(batch_request.job.r),
      .batch_scalar_digest_i(batch_request.job.digest),
      .half_now_i(half_now),
      .scalar_valid_o(scalar_valid),
      .scalar_ready_i(scalar_ready),
      .scalar_op_o(scalar_job.op),
      .scalar_a_o(scalar_job.a),
      .scalar_r_o(scalar_job.r),
      .scalar_digest_o(scalar_job.digest),
      .scalar_result_valid_i(scalar_result_valid),
      .scalar_result_i(scalar_result)
  );

  assign phase1_done = NumContexts'(server_phase1_done) << server_phase1_ctx;
  assign phase2_done = NumContexts'(server_phase2_done) << server_phase2_ctx;

  // ---- engine -----------------------------------------------------------------------------------

  slot_word_t walk, out;
  logic [CtxBits-1:0] walk_ctx, out_ctx, finish_ctx;
  logic finish;

  always_comb begin
    // The server writes first. k is clamped (RFC 7748, section 5).
    walk_ready = !server_walk_we;
    walk_ctx = job_ctx;
    walk = '{valid: walk_we, slot: 1'b0, data: {2'b01, program_now.r[253:3], 3'b000}};
    if (server_walk_we) begin
      walk_ctx = server_walk_ctx;
      walk = '{valid: 1'b1, slot: server_walk_slot, data: server_walk_data};
    end
  end

  pm_edverify_barrel_engine #(
      .NumContexts(NumContexts),
      .Scheduled(Scheduled),
      .SecretOps(SecretOps),
      .Patience(Patience),
      .Keys(Keys),
      .Batch(Batch),
      .BatchSlots(BatchSlots)
  ) u_engine (
      .clk_i,
      .rst_ni,
      .start_i(start | wipe_start),
      .program_i(engine_program),
      .wipe_i(wiping),
      .batch_place_i(engine_place),
      .clear_i(clear),
      .key_hit_o(key_hit),
      .list_i(list_push),
      .list_ctx_i(list_ctx),
      .list_push_ready_o(push_ready),
      .list_ready_o(list_ready),
      .batch_forget_i(soft_reset_i),
      .batch_push_valid_i(batch_push_valid),
      .batch_push_ready_o(batch_push_ready),
      .batch_push_place_i(digits_place),
      .walk_i(walk),
      .walk_ctx_i(walk_ctx),
      .walk_rctx_i(walk_rctx),
      .walk_rslot_i(walk_rslot),
      .walk_rdata_o(walk_rdata),
      .walk_zero_i(walk_zero),
      .out_o(out),
      .out_ctx_o(out_ctx),
      .share_i(share_request),
      .share_o(share_status),
      .finish_o(finish),
      .finish_ctx_o(finish_ctx),
      .verdict_o(verdict),
      .mul_issue_o
  );

  assign finish_of = NumContexts'(finish) << finish_ctx;

  // ---- wiping -----------------------------------------------------------------------------------

  if (SecretOps) begin : g_wipe
    pm_edverify_barrel_wipe #(
        .NumContexts(NumContexts)
    ) u_wipe (
        .clk_i,
        .rst_ni,
        .soft_reset_i,
        .finish_i(finish_of),
        .start_o (wipe_start),
        .wiping_o(wiping)
    );
  end else begin : g_no_wipe
    assign wipe_start = '0;
    assign wiping = 1'b0;
  end

  // What wipes is guarded as the operations on secrets are.
  always_comb begin
    engine_program = program_now;
    if (wiping) engine_program.op = OpcodeKeygen;
  end

  if (SecretOps) begin : g_words
    pm_edverify_result_words #(
        .NumContexts(NumContexts)
    ) u_words (
        .clk_i,
        .rst_ni,
        .point_we_i(out.valid),
        .point_ctx_i(out_ctx),
        .point_slot_i(out.slot),
        .point_i(out.data),
        .s_we_i(server_phase2_done),
        .s_ctx_i(server_phase2_ctx),
        .s_i(sign_s),
        .sign_ctx_i(phase2_ctx),
        .sign_a_o(sign_a),
        .sign_r_o(sign_r),
        .send_ctx_i(result_ctx),
        .send_index_i(payload_index_i),
        .send_word_o(payload_o),
        .sent_i(result_o.valid && result_ready_i)
    );
  end else begin : g_no_words
    logic unused;
    assign unused = ^{out, out_ctx, result_ctx, payload_index_i, sign_s};
    assign {sign_a, sign_r, payload_o} = '0;
  end

endmodule
