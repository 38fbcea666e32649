// SPDX-License-Identifier: Apache-2.0
//
// Those who use the one pm_sha512 of a core: the receiver, for R || A || M of verifications, and
// beside it, as they are built in, the sign server with its messages, or the multipliers of
// batches. Their jobs for the scalar unit come out here.
//
// Handshake: rx_* and hash_* as pm_edverify_hash_arbiter: a verification begins only when its job
//           has a context (job_placed_i), otherwise it would keep the hash from those that have
//           one. msg_*, phase1_*, phase2_* and walk_* as pm_edverify_sign_server, z_* as
//           pm_edverify_batch_multiplier. scalar_*: a job of the server, or that of batch_scalar_*;
//           scalar_digest_o is the digest of the receiver's job while half_now_i is 1. clear_i
//           (pulse) abandons what the server does.
// Timing:   none added.
// Reset:    asynchronous, active low: idle.
// Constant time: as the parts.

module pm_edverify_hash_share
  import pm_scalar_pkg::*;
  import pm_edverify_core_pkg::*;
#(
    parameter int unsigned NumContexts = 12,  // contexts, at least 2
    parameter bit SecretOps = 1'b1,  // keygen and sign are built in
    parameter bit Batches = 1'b0,  // batches are built in; not with SecretOps
    parameter int unsigned MessageBytes = 16384,  // memory of messages to be signed
    localparam int unsigned CtxBits = $clog2(NumContexts)
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic clear_i,  // pulse: abandon what the server does
    // the receiver's job
    input logic job_placed_i,  // it has a context
    input logic [CtxBits-1:0] job_ctx_i,  // that context
    input to_hash_t rx_i,  // what it has for the hash
    output logic rx_ready_o,  // its beat is taken
    output logic rx_digest_valid_o,  // its digest is there
    // hash
    output to_hash_t hash_o,
    input from_hash_t hash_i,
    // multipliers of batches
    input logic seeded_i,  // they can be made
    input logic [255:0] seed_i,  // from this
    output logic z_valid_o,  // one is there
    output logic [127:0] z_o,  // this one
    input logic z_take_i,  // pulse: it has been used
    // messages and signatures
    input byte_beat_t msg_i,  // a beat of a message
    output logic msg_ready_o,  // it is taken
    input logic msg_drop_i,  // pulse: forget it
    output logic msg_too_long_o,  // level: it does not fit
    input logic phase1_valid_i,  // scalars of the receiver's job
    output logic phase1_ready_o,  // taken
    input logic phase1_sign_i,  // sign; otherwise generate a key
    input logic [255:0] phase1_d_i,  // seed
    output logic phase1_done_o,  // pulse: scalars are there
    output logic [CtxBits-1:0] phase1_done_ctx_o,  // of this context
    input logic phase2_valid_i,  // S is wanted
    output logic phase2_ready_o,  // its operands are taken
    input logic [CtxBits-1:0] phase2_ctx_i,  // of this context
    input logic [255:0] phase2_a_i,  // encoding of its public key
    input logic [255:0] phase2_r_i,  // encoding of its R
    output logic phase2_done_o,  // pulse: S is there
    output logic [CtxBits-1:0] phase2_done_ctx_o,  // of this context
    output logic [255:0] phase2_s_o,  // S
    // secret scalars
    output logic walk_we_o,  // write one
    output logic [CtxBits-1:0] walk_ctx_o,  // of this context
    output logic walk_slot_o,  // into this slot
    output logic [255:0] walk_data_o,  // the scalar
    output logic [CtxBits-1:0] walk_rctx_o,  // slot to read
    output logic walk_rslot_o,
    input logic [255:0] walk_rdata_i,  // its scalar, one cycle later
    // scalar unit
    input logic batch_scalar_valid_i,  // a job of batches
    input scalar_op_e batch_scalar_op_i,  // what to do
    input logic [253:0] batch_scalar_a_i,  // its operands
    input logic [253:0] batch_scalar_r_i,
    input logic [511:0] batch_scalar_digest_i,
    input logic half_now_i,  // level: the receiver's job is offered to the unit
    output logic scalar_valid_o,  // a job that is not the receiver's
    input logic scalar_ready_i,  // it is taken
    output scalar_op_e scalar_op_o,  // what to do
    output logic [253:0] scalar_a_o,  // operands
    output logic [253:0] scalar_r_o,
    output logic [511:0] scalar_digest_o,  // digest of the job that is offered
    input logic scalar_result_valid_i,  // pulse: its result
    input logic [252:0] scalar_result_i  // the result
);

  if (SecretOps && Batches) begin : g_refuse_batches
    $fatal(1, "pm_edverify_hash_share: batches are for cores without operations on secrets");
  end

  if (SecretOps) begin : g_secret
    logic unused;
    assign unused = ^{
      half_now_i,
      seeded_i,
      seed_i,
      z_take_i,
      batch_scalar_valid_i,
      batch_scalar_op_i,
      batch_scalar_a_i,
      batch_scalar_r_i,
      batch_scalar_digest_i
    };
    assign {z_valid_o, z_o} = '0;

    to_hash_t server_hash;
    logic server_ready, server_digest_valid;

    pm_edverify_hash_arbiter u_hash (
        .clk_i,
        .rst_ni,
        // A job without a context would keep the hash from those that have one.
        .allow_i({1'b1, job_placed_i}),
        .client_i({server_hash, rx_i}),
        .ready_o({server_ready, rx_ready_o}),
        .digest_valid_o({server_digest_valid, rx_digest_valid_o}),
        .hash_o,
        .hash_ready_i(hash_i.ready),
        .hash_digest_valid_i(hash_i.digest_valid)
    );

    pm_edverify_sign_server #(
        .NumContexts (NumContexts),
        .MessageBytes(MessageBytes)
    ) u_server (
        .clk_i,
        .rst_ni,
        .clear_i,
        .msg_i,
        .msg_ready_o,
        .msg_drop_i,
        .msg_too_long_o,
        .phase1_valid_i,
        .phase1_ready_o,
        .phase1_ctx_i(job_ctx_i),
        .phase1_sign_i,
        .phase1_d_i,
        .phase1_done_o,
        .phase1_done_ctx_o,
        .phase2_valid_i,
        .phase2_ready_o,
        .phase2_ctx_i,
        .phase2_a_i,
        .phase2_r_i,
        .phase2_done_o,
        .phase2_done_ctx_o,
        .phase2_s_o,
        .hash_o(server_hash),
        .hash_ready_i(server_ready),
        .digest_valid_i(server_digest_valid),
        .digest_i(hash_i.digest),
        .scalar_valid_o,
        .scalar_ready_i,
        .scalar_op_o,
        .scalar_digest_o,
        .scalar_a_o,
        .scalar_r_o,
        .scalar_result_valid_i,
        .scalar_result_i,
        .walk_we_o,
        .walk_wready_i(1'b1),
        .walk_ctx_o,
        .walk_slot_o,
        .walk_data_o,
        .walk_rctx_o,
        .walk_rslot_o,
        .walk_rdata_i
    );
  end else begin : g_no_secret
    if (Batches) begin : g_batch
      to_hash_t z_hash;
      logic z_ready, z_digest_valid;

      assign z_hash.beat.keep = 8'hff;

      pm_edverify_batch_multiplier u_multiplier (
          .clk_i,
          .rst_ni,
          .seeded_i,
          .seed_i,
          .z_valid_o,
          .z_o,
          .z_take_i,
          .hash_clear_o(z_hash.clear),
          .hash_valid_o(z_hash.beat.valid),
          .hash_ready_i(z_ready),
          .hash_data_o(z_hash.beat.data),
          .hash_last_o(z_hash.beat.last),
          .digest_valid_i(z_digest_valid),
          .digest_ready_o(z_hash.digest_ready),
          .digest_i(hash_i.digest[127:0])
      );

      pm_edverify_hash_arbiter u_hash (
          .clk_i,
          .rst_ni,
          // A job without a context would keep the hash from batches that contexts wait for.
          .allow_i({1'b1, job_placed_i}),
          .client_i({z_hash, rx_i}),
          .ready_o({z_ready, rx_ready_o}),
          .digest_valid_o({z_digest_valid, rx_digest_valid_o}),
          .hash_o,
          .hash_ready_i(hash_i.ready),
          .hash_digest_valid_i(hash_i.digest_valid)
      );
    end else begin : g_no_batch
      logic unused_batch;
      assign unused_batch = ^{clk_i, rst_ni, job_placed_i, seeded_i, seed_i, z_take_i};
      assign rx_ready_o = hash_i.ready;
      assign rx_digest_valid_o = hash_i.digest_valid;
      assign hash_o = rx_i;
      assign {z_valid_o, z_o} = '0;
    end

    assign scalar_digest_o = half_now_i ? hash_i.digest : batch_scalar_digest_i;
    assign scalar_valid_o = batch_scalar_valid_i;
    assign scalar_op_o = batch_scalar_op_i;
    assign scalar_a_o = batch_scalar_a_i;
    assign scalar_r_o = batch_scalar_r_i;
    assign {msg_ready_o, msg_too_long_o, phase1_ready_o, phase1_done_o, phase1_done_ctx_o} = '0;
    assign {phase2_ready_o, phase2_done_o, phase2_done_ctx_o, phase2_s_o} = '0;
    assign {walk_we_o, walk_ctx_o, walk_slot_o, walk_data_o, walk_rctx_o, walk_rslot_o} = '0;

    logic unused;
    assign unused = ^{
      clear_i, job_ctx_i, msg_i, msg_drop_i, phase1_valid_i,
      phase1_sign_i, phase1_d_i, phase2_valid_i, phase2_ctx_i, phase2_a_i, phase2_r_i, walk_rdata_i,
      scalar_ready_i, scalar_result_valid_i, scalar_result_i
    };
  end

endmodule
