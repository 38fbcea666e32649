// SPDX-License-Identifier: Apache-2.0
//
// Bench of pm_edverify_sign_server with what stands around it: the real hash, arbiter, scalar unit
// and slots, and a multiplier that responds 4 cycles after acceptance. Client 0 of the arbiter is
// led out as the verify side. stall_i: out of 256, how often the multiplier and the slots are not
// ready.

module pm_edverify_sign_server_tb
  import pm_scalar_pkg::*;
  import pm_edverify_core_pkg::*;
#(
    parameter int unsigned NumContexts = 4,
    parameter int unsigned MessageBytes = 2048,
    parameter bit Staged = 1'b0,
    localparam int unsigned CtxBits = $clog2(NumContexts)
) (
    input  logic               clk_i,
    input  logic               rst_ni,
    input  logic               clear_i,
    input  logic [        7:0] stall_i,
    input  logic               msg_valid_i,
    output logic               msg_ready_o,
    input  logic [       63:0] msg_data_i,
    input  logic [        7:0] msg_keep_i,
    input  logic               msg_last_i,
    input  logic               msg_drop_i,
    output logic               msg_too_long_o,
    input  logic               phase1_valid_i,
    output logic               phase1_ready_o,
    input  logic [CtxBits-1:0] phase1_ctx_i,
    input  logic               phase1_sign_i,
    input  logic [      255:0] phase1_d_i,
    output logic               phase1_done_o,
    output logic [CtxBits-1:0] phase1_done_ctx_o,
    input  logic               phase2_valid_i,
    output logic               phase2_ready_o,
    input  logic [CtxBits-1:0] phase2_ctx_i,
    input  logic [      255:0] phase2_a_i,
    input  logic [      255:0] phase2_r_i,
    output logic               phase2_done_o,
    output logic [CtxBits-1:0] phase2_done_ctx_o,
    output logic [      255:0] phase2_s_o,
    // the other client of the hash
    input  logic               verify_clear_i,
    input  logic               verify_valid_i,
    output logic               verify_ready_o,
    input  logic [       63:0] verify_data_i,
    input  logic [        7:0] verify_keep_i,
    input  logic               verify_last_i,
    output logic               verify_digest_valid_o,
    input  logic               verify_digest_ready_i,
    output logic [      511:0] digest_o,
    // slots
    output logic               written_o,
    output logic [CtxBits-1:0] written_ctx_o,
    output logic               written_slot_o,
    output logic [      255:0] written_data_o,
    output logic               registers_zero_o,       // nothing secret is left in the server
    output logic               hash_zero_o             // nor on its way into the hash
);

  to_hash_t server, verify, hash;
  logic server_ready, server_digest_valid, hash_ready, digest_valid;
  logic scalar_valid, scalar_ready, result_valid;
  scalar_op_e scalar_op;
  logic [511:0] scalar_digest;
  logic [253:0] scalar_a, scalar_r;
  logic [252:0] result;
  logic walk_we, walk_wready, walk_rslot;
  logic [CtxBits-1:0] walk_rctx;
  logic [255:0] walk_rdata;

  pm_edverify_sign_server #(
      .NumContexts (NumContexts),
      .MessageBytes(MessageBytes),
      .Staged      (Staged)
  ) u_server (
      .clk_i,
      .rst_ni,
      .clear_i,
      .msg_i('{valid: msg_valid_i, last: msg_last_i, keep: msg_keep_i, data: msg_data_i}),
      .msg_ready_o,
      .msg_drop_i,
      .msg_too_long_o,
      .phase1_valid_i,
      .phase1_ready_o,
      .phase1_ctx_i,
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
      .hash_o(server),
      .hash_ready_i(server_ready),
      .digest_valid_i(server_digest_valid),
      .digest_i(digest_o),
      .scalar_valid_o(scalar_valid),
      .scalar_ready_i(scalar_ready),
      .scalar_op_o(scalar_op),
      .scalar_digest_o(scalar_digest),
      .scalar_a_o(scalar_a),
      .scalar_r_o(scalar_r),
      .scalar_result_valid_i(result_valid),
      .scalar_result_i(result),
      .walk_we_o(walk_we),
      .walk_wready_i(walk_wready),
      .walk_ctx_o(written_ctx_o),
      .walk_slot_o(written_slot_o),
      .walk_data_o(written_data_o),
      .walk_rctx_o(walk_rctx),
      .walk_rslot_o(walk_rslot),
      .walk_rdata_i(walk_rdata)
  );

  assign written_o = walk_we && walk_wready;
  assign registers_zero_o = {u_server.low_q, u_server.high_q} == '0;
  assign hash_zero_o = {server.beat.data, u_sha512.word} == '0;

  assign verify.clear = verify_clear_i;
  assign verify.beat = '{
          valid: verify_valid_i,
          last: verify_last_i,
          keep: verify_keep_i,
          data: verify_data_i
      };
  assign verify.digest_ready = verify_digest_ready_i;

  pm_edverify_hash_arbiter u_arbiter (
      .clk_i,
      .rst_ni,
      .allow_i(2'b11),
      .client_i({server, verify}),
      .ready_o({server_ready, verify_ready_o}),
      .digest_valid_o({server_digest_valid, verify_digest_valid_o}),
      .hash_o(hash),
      .hash_ready_i(hash_ready),
      .hash_digest_valid_i(digest_valid)
  );

  pm_sha512 u_sha512 (
      .clk_i,
      .rst_ni,
      .clear_i(hash.clear),
      .valid_i(hash.beat.valid),
      .ready_o(hash_ready),
      .data_i (hash.beat.data),
      .keep_i (hash.beat.keep),
      .last_i (hash.beat.last),
      .valid_o(digest_valid),
      .ready_i(hash.digest_ready),
      .digest_o
  );

  // ---- multiplier, and how often things are not ready -------------------------------------------

  localparam int unsigned MulCycles = 4;

  logic mul_valid, mul_ready;
  logic [257:0] mul_a, mul_b;
  logic [MulCycles-1:0] part_valid_q;
  logic [515:0] part_q[MulCycles];  // upper and lower half products
  logic [31:0] random_q;

  assign mul_ready   = random_q[7:0] >= stall_i;
  assign walk_wready = random_q[15:8] >= stall_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      part_valid_q <= '0;
      random_q <= 32'd1;
    end else begin
      part_valid_q <= {part_valid_q[MulCycles-2:0], mul_valid && mul_ready};
      // Eight steps of a linear shift register.
      random_q <= {random_q[23:0], random_q[31:24] ^ random_q[29:22] ^ random_q[14:7]};
    end
  end

  always_ff @(posedge clk_i) begin
    part_q[0] <= {
      258'(mul_a[257:129]) * 258'(mul_b[257:129]), 258'(mul_a[128:0]) * 258'(mul_b[128:0])
    };
    for (int unsigned i = 1; i < MulCycles; i++) part_q[i] <= part_q[i-1];
  end

  // ---- scalars ----------------------------------------------------------------------------------

  // Only results are wanted here, and the digits of no walk.
  /* verilator lint_off UNUSEDSIGNAL */
  logic push_valid, done;
  list_entry_t push_entry;
  secret_digit_t [NumContexts-1:0] current;
  logic [NumContexts-1:0] more;
  logic [511:0] total;  // of batches
  /* verilator lint_on UNUSEDSIGNAL */

  pm_scalar_unit u_scalar (
      .clk_i,
      .rst_ni,
      .clear_i,
      .valid_i(scalar_valid),
      .ready_o(scalar_ready),
      .op_i(scalar_op),
      .s_i(scalar_a),
      .r_i(scalar_r),
      .digest_i(scalar_digest),
      .result_valid_o(result_valid),
      .result_o(result),
      .total_o(total),
      .push_valid_o(push_valid),
      .push_ready_i(1'b1),
      .push_entry_o(push_entry),
      .done_o(done),
      .mul_valid_o(mul_valid),
      .mul_ready_i(mul_ready),
      .mul_a_o(mul_a),
      .mul_b_o(mul_b),
      .mul_part_valid_i(part_valid_q[MulCycles-1]),
      .mul_h_i(part_q[MulCycles-1][515:258]),
      .mul_l_i(part_q[MulCycles-1][257:0])
  );

  pm_secret_walk #(
      .NumContexts(NumContexts)
  ) u_walk (
      .clk_i,
      .rst_ni,
      .we_i(written_o),
      .wctx_i(written_ctx_o),
      .wslot_i(written_slot_o),
      .wdata_i(written_data_o),
      .rctx_i(walk_rctx),
      .rslot_i(walk_rslot),
      .rdata_o(walk_rdata),
      .zero_i('0),
      .init_i('0),
      .ladder_i(1'b0),
      .two_i(1'b0),
      .step_i(1'b0),
      .ctx_i('0),
      .current_o(current),
      .more_o(more)
  );

endmodule
