// SPDX-License-Identifier: Apache-2.0
//
// Operations on secrets of a core of tiles: X25519, key generation and signing, on a tile of their
// own (pm_edverify_secret_tile) with sign server, scalar unit and table of G, which it shares with
// no tile that verifies.
//
// Handshake: job_i, job_done_o and msg_* as pm_edverify_rx; jobs of other operations are not seen.
//           place_valid_o (pulse) gives the header of a job and its context. hash_* and digest_* as
//           pm_sha512. end_* as pm_edverify_secret_jobs. While the result of context result_ctx_i
//           is sent, words_o, zero_o and, a cycle after index_i, word_o are of it; sent_i (pulse)
//           makes its context free.
// Timing:   docs/performance.md has the cycles of each operation. For a high clock, what comes from
//           receiver, hash and tile goes to registers.
// Secrets:  nothing of a job is left when its result is sent, or after a soft reset.
// Reset:    asynchronous, active low: no jobs. Registers of the tile keep what they held.
// Constant time: YES for a given length of the message, but for the waiting for other jobs.

module pm_edverify_secret_core
  import pm_scalar_pkg::*;
  import pm_edverify_pkg::*;
  import pm_edverify_core_pkg::*;
  import pm_edverify_batch_pkg::*;
  import pm_edverify_barrel_pkg::*;
  import pm_edverify_tile_pkg::*;
#(
    parameter int unsigned NumContexts = 7,  // 2 to 7
    parameter int unsigned MessageBytes = 16384  // memory of messages, a power of two
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic soft_reset_i,  // pulse: every job ends with `aborted`
    output logic busy_o,  // a job is under way, or registers are wiped
    output logic earlier_o,  // something of before the latest soft reset is left
    input logic [31:0] time_i,  // cycles
    // receiver
    input job_t job_i,  // its job
    output logic job_done_o,  // pulse: it is taken over
    input byte_beat_t msg_i,  // message to be signed
    output logic msg_ready_o,
    input logic msg_drop_i,  // pulse: forget it
    // hash
    output to_hash_t hash_o,
    input logic hash_ready_i,
    input logic digest_valid_i,
    input logic [511:0] digest_i,
    // answers
    output logic place_valid_o,  // pulse: a job begins
    output logic [2:0] place_o,  // in this context
    output header_t header_o,  // with this header
    output logic end_valid_o,  // a job has ended
    output tile_end_t end_o,  // this one
    input logic end_taken_i,  // pulse: it is taken
    // results
    input logic [2:0] result_ctx_i,
    output logic [1:0] words_o,  // words of its payload
    output logic zero_o,  // it is that of X25519, and zero
    input logic [1:0] index_i,  // the word that is wanted
    output logic [255:0] word_o,
    input logic sent_i,  // pulse: it is sent
    output logic mul_issue_o  // pulse: a product was started
);

  localparam int unsigned CtxBits = $clog2(NumContexts);

  typedef logic [CtxBits-1:0] ctx_t;

  logic soft_reset_q;  // beside what it resets

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) soft_reset_q <= 1'b0;
    else soft_reset_q <= soft_reset_i;
  end

  // ---- jobs -------------------------------------------------------------------------------------

  logic [NumContexts-1:0] free, ended;
  logic [7:0] op, result_op, first_op;
  logic result_zero, aborts, earlier, handed, drop_valid, drop_message, wiping, too_long;
  logic slot_valid, slot_ready, u_valid, u_ready, ladder_valid, ladder_ready;
  logic phase1_valid, phase1_ready, phase1_done, phase2_valid, phase2_ready, phase2_done;
  logic [2:0] phase2_ctx;
  ctx_t phase1_done_ctx, phase2_done_ctx;
  byte_beat_t message;  // to be signed
  reason_e drop_reason;
  logic [255:0] clamped;

  pm_edverify_secret_intake #(
      .NumContexts(NumContexts)
  ) u_intake (
      .clk_i,
      .rst_ni,
      .soft_reset_i(soft_reset_q),
      .time_i,
      .blocked_i(wiping || message.valid),
      .job_i,
      .job_done_o,
      .free_i(free),
      .place_valid_o,
      .place_o,
      .header_o,
      .op_o(op),
      .handed_o(handed),
      .drop_valid_o(drop_valid),
      .drop_reason_o(drop_reason),
      .abort_o(aborts),
      .slot_valid_o(slot_valid),
      .slot_ready_i(slot_ready),
      .slot_o(clamped),
      .u_valid_o(u_valid),
      .u_ready_i(u_ready),
      .start_valid_o(ladder_valid),
      .start_ready_i(ladder_ready),
      .phase1_valid_o(phase1_valid),
      .phase1_ready_i(phase1_ready),
      .too_long_i(too_long),
      .msg_drop_o(drop_message)
  );

  // ---- message to be signed ---------------------------------------------------------------------
  // The receiver decides from the whole beat whether it belongs to the message. The last one may
  // wait here for room; the job waits with it.

  logic message_ready, message_clear;

  assign message_clear = msg_drop_i || drop_message;

  pm_skid #(
      .Width ($bits(byte_beat_t) - 1),
      .Stages(1)
  ) u_message (
      .clk_i,
      .rst_ni,
      .clear_i(message_clear),
      .valid_i(msg_i.valid),
      .ready_o(msg_ready_o),
      .data_i ({msg_i.last, msg_i.keep, msg_i.data}),
      .valid_o(message.valid),
      .ready_i(message_ready),
      .data_o ({message.last, message.keep, message.data})
  );

  // ---- words of results -------------------------------------------------------------------------
  // Those of the tile and S pass one register. S goes first.

  logic finish, refused, tile_word_valid, tile_word_slot, word_valid_q, s_valid_q, slot_word_q;
  ctx_t finish_ctx, tile_word_ctx, word_ctx_q;
  logic [255:0] tile_word, sign_s, word_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {word_valid_q, s_valid_q} <= '0;
    else {word_valid_q, s_valid_q} <= {tile_word_valid && !phase2_done, phase2_done};
  end

  always_ff @(posedge clk_i) begin
    word_ctx_q <= phase2_done ? phase2_done_ctx : tile_word_ctx;
    slot_word_q <= tile_word_slot;
    word_q <= phase2_done ? sign_s : tile_word_valid ? tile_word : '0;
  end

  pm_edverify_secret_jobs #(
      .NumContexts(NumContexts)
  ) u_jobs (
      .clk_i,
      .rst_ni,
      .soft_reset_i(soft_reset_q),
      .free_o(free),
      .earlier_o(earlier),
      .rx_ctx_i(place_o),
      .op_i(op[2:0]),
      .place_i(place_valid_o),
      .hand_i(handed),
      .drop_i(drop_valid),
      .drop_reason_i(drop_reason),
      .finish_i(finish),
      .finish_ctx_i(3'(finish_ctx)),
      .refused_i(refused),
      .word_i(word_valid_q),
      .word_ctx_i(3'(word_ctx_q)),
      .word_zero_i(word_q == '0),
      .asked_ctx_i(3'(phase1_done_ctx)),
      .asked_op_o(first_op),
      .phase2_valid_o(phase2_valid),
      .phase2_ctx_o(phase2_ctx),
      .phase2_ready_i(phase2_ready),
      .phase2_done_i(phase2_done),
      .phase2_done_ctx_i(3'(phase2_done_ctx)),
      .ended_o(ended),
      .end_valid_o,
      .end_o,
      .end_taken_i,
      .result_ctx_i,
      .result_op_o(result_op),
      .result_zero_o(result_zero),
      .free_valid_i(sent_i)
  );

  assign earlier_o = earlier || aborts || wiping;
  assign words_o = opcode_payload(result_op);
  assign zero_o = result_zero && result_op == OpcodeX25519;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) busy_o <= 1'b0;
    else busy_o <= free != '1 || wiping || soft_reset_q || (job_i.open && job_i.secret);
  end

  // ---- hash and scalars -------------------------------------------------------------------------

  logic scalar_valid, scalar_ready, scalar_done, server_we, server_slot, read_slot;
  /* verilator lint_off UNUSEDSIGNAL */
  scalar_job_t scalar;  // below 2^253
  /* verilator lint_on UNUSEDSIGNAL */
  logic [252:0] scalar_result, a_q;
  logic digest_valid_q, digest_ready_q;
  to_hash_t server_hash;
  ctx_t server_ctx, read_ctx, sign_ctx_q;
  logic [255:0] server_data, read_data, sign_a, sign_r;

  pm_edverify_sign_server #(
      .NumContexts(NumContexts),
      .MessageBytes(MessageBytes),
      .Staged(1'b1)
  ) u_server (
      .clk_i,
      .rst_ni,
      .clear_i(soft_reset_q),
      .msg_i(message),
      .msg_ready_o(message_ready),
      .msg_drop_i(message_clear),
      .msg_too_long_o(too_long),
      .phase1_valid_i(phase1_valid),
      .phase1_ready_o(phase1_ready),
      .phase1_ctx_i(ctx_t'(place_o)),
      .phase1_sign_i(op == OpcodeSign),
      .phase1_d_i(job_i.a),
      .phase1_done_o(phase1_done),
      .phase1_done_ctx_o(phase1_done_ctx),
      .phase2_valid_i(phase2_valid),
      .phase2_ready_o(phase2_ready),
      .phase2_ctx_i(ctx_t'(phase2_ctx)),
      .phase2_a_i(sign_a),
      .phase2_r_i(sign_r),
      .phase2_done_o(phase2_done),
      .phase2_done_ctx_o(phase2_done_ctx),
      .phase2_s_o(sign_s),
      .hash_o(server_hash),
      .hash_ready_i,
      .digest_valid_i(digest_valid_q),
      .digest_i,
      .scalar_valid_o(scalar_valid),
      .scalar_ready_i(scalar_ready),
      .scalar_op_o(scalar.op),
      .scalar_digest_o(scalar.digest),
      .scalar_a_o(scalar.a),
      .scalar_r_o(scalar.r),
      .scalar_result_valid_i(scalar_done),
      .scalar_result_i(scalar_result),
      .walk_we_o(server_we),
      .walk_wready_i(1'b1),
      .walk_ctx_o(server_ctx),
      .walk_slot_o(server_slot),
      .walk_data_o(server_data),
      .walk_rctx_o(read_ctx),
      .walk_rslot_o(read_slot),
      .walk_rdata_i(read_data)
  );

  // The digest stays until it is taken, and a for as long as it is read.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {digest_valid_q, digest_ready_q} <= '0;
    else {digest_valid_q, digest_ready_q} <= {digest_valid_i, server_hash.digest_ready};
  end

  always_comb begin
    hash_o = server_hash;
    hash_o.digest_ready = digest_ready_q;
  end

  always_ff @(posedge clk_i) begin
    sign_ctx_q <= ctx_t'(phase2_ctx);
    a_q <= scalar.a[252:0];
  end

  pm_scalar_secret u_scalars (
      .clk_i,
      .rst_ni,
      .clear_i(soft_reset_q),
      .valid_i(scalar_valid),
      .ready_o(scalar_ready),
      .op_i(scalar.op),
      .digest_i(scalar.digest),
      .a_i(a_q),
      .r_i(scalar.r[252:0]),
      .result_valid_o(scalar_done),
      .result_o(scalar_result)
  );

  pm_edverify_result_words #(
      .NumContexts(NumContexts)
  ) u_words (
      .clk_i,
      .rst_ni,
      .point_we_i(word_valid_q),
      .point_ctx_i(word_ctx_q),
      .point_slot_i(slot_word_q),
      .point_i(word_q),
      .s_we_i(s_valid_q),
      .s_ctx_i(word_ctx_q),
      .s_i(word_q),
      .sign_ctx_i(sign_ctx_q),
      .sign_a_o(sign_a),
      .sign_r_o(sign_r),
      .send_ctx_i(ctx_t'(result_ctx_i)),
      .send_index_i(index_i),
      .send_word_o(word_o),
      .sent_i
  );

  // ---- tile -------------------------------------------------------------------------------------
  // The server comes first: it writes a scalar, and a program starts when its scalars are there.

  logic slot_we_q, slot_q, start_valid_q, ladder_q, two_q;
  ctx_t slot_ctx_q, start_ctx_q;
  logic [255:0] slot_data_q;
  logic [NumContexts-1:0] start, point_done;
  logic load_valid, load_ready, load_stored, ask_valid, ask_zero;
  ctx_t load_ctx, ask_ctx;
  tile_load_t load;
  secret_digit_t ask;

  assign slot_ready = !server_we && !soft_reset_q;
  assign ladder_ready = !phase1_done && !soft_reset_q;
  assign start = soft_reset_q || wiping ? '0 : NumContexts'(start_valid_q) << start_ctx_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {slot_we_q, start_valid_q} <= '0;
    else begin
      slot_we_q <= server_we || (slot_valid && slot_ready);
      start_valid_q <= phase1_done || (ladder_valid && ladder_ready);
    end
  end

  always_ff @(posedge clk_i) begin
    {slot_ctx_q, slot_q, slot_data_q} <= '0;  // no scalar stays
    if (server_we) {slot_ctx_q, slot_q, slot_data_q} <= {server_ctx, server_slot, server_data};
    else if (slot_valid) {slot_ctx_q, slot_q, slot_data_q} <= {ctx_t'(place_o), 1'b0, clamped};
    start_ctx_q <= phase1_done ? phase1_done_ctx : ctx_t'(place_o);
    ladder_q <= !phase1_done;
    two_q <= phase1_done && first_op == OpcodeSign;
  end

  pm_edverify_secret_loader #(
      .NumContexts(NumContexts)
  ) u_loader (
      .clk_i,
      .rst_ni,
      .clear_i(soft_reset_q),
      .ask_valid_i(ask_valid),
      .ask_ctx_i(ask_ctx),
      .ask_zero_i(ask_zero),
      .ask_i(ask),
      .point_done_o(point_done),
      .u_valid_i(u_valid),
      .u_ready_o(u_ready),
      .u_ctx_i(ctx_t'(place_o)),
      .u_i(job_i.a[254:0]),
      .load_valid_o(load_valid),
      .load_ready_i(load_ready),
      .load_stored_i(load_stored),
      .load_ctx_o(load_ctx),
      .load_o(load)
  );

  pm_edverify_secret_tile #(
      .NumContexts(NumContexts)
  ) u_tile (
      .clk_i,
      .rst_ni,
      .soft_reset_i(soft_reset_q),
      .wiping_o(wiping),
      .start_i(start),
      .ladder_i(ladder_q),
      .two_i(two_q),
      .finish_o(finish),
      .finish_ctx_o(finish_ctx),
      .refused_o(refused),
      .slot_we_i(slot_we_q),
      .slot_ctx_i(slot_ctx_q),
      .slot_i(slot_q),
      .slot_data_i(slot_data_q),
      .slot_rctx_i(read_ctx),
      .slot_ri(read_slot),
      .slot_rdata_o(read_data),
      .slot_zero_i(ended),
      .load_valid_i(load_valid),
      .load_ready_o(load_ready),
      .load_stored_o(load_stored),
      .load_ctx_i(load_ctx),
      .load_i(load),
      .point_valid_o(ask_valid),
      .point_ctx_o(ask_ctx),
      .point_zero_o(ask_zero),
      .point_o(ask),
      .point_done_i(point_done),
      .result_valid_o(tile_word_valid),
      .result_ready_i(!phase2_done),
      .result_ctx_o(tile_word_ctx),
      .result_slot_o(tile_word_slot),
      .result_o(tile_word),
      .mul_issue_o
  );

endmodule
