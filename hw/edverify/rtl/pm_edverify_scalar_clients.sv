// SPDX-License-Identifier: Apache-2.0
//
// The scalar unit and its two clients: the receiver's job, whose recoded digit sequence is made,
// and another one, the sign server or batches.
//
// The receiver's job goes first. Turns: it and the other client alternate, so that neither waits
// for ever.
// Handshake: jobs as pm_scalar_unit; other_i.digest is the digest of the receiver's job while
//           half_now_o is 1. A product waits until the multiplier takes it. An entry is taken in a
//           cycle with list_ready_i; with digits_i entries go to batch_* instead. clear_i
//           (pulse) abandons the job.
// Timing:   as pm_scalar_unit.
// Reset:    asynchronous, active low: idle.
// Constant time: as pm_scalar_unit.

module pm_edverify_scalar_clients
  import pm_scalar_pkg::*;
  import pm_edverify_barrel_pkg::*;
#(
    parameter int unsigned NumContexts = 12,  // contexts, at least 2
    parameter bit Spread = 1'b0,  // 1: with lists for the tables of cached keys
    parameter bit Turns = 1'b0,  // 1: both clients take turns
    localparam int unsigned CtxBits = $clog2(NumContexts)
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic clear_i,  // pulse: abandon the job
    // the receiver's job
    input half_t half_i,  // S and digest are offered
    output logic half_ready_o,  // they are taken
    input logic [252:0] half_s_i,  // S
    input logic [CtxBits-1:0] half_ctx_i,  // its context
    output logic half_now_o,  // level: it is offered to the unit
    // the other client
    input logic other_valid_i,  // a job is offered
    output logic other_ready_o,  // it is taken
    input scalar_job_t other_i,  // the job, with the digest of the job that is offered to the unit
    input logic [CtxBits-1:0] other_ctx_i,  // its context, of a Halve
    output logic result_valid_o,  // pulse: result of a Reduce, MulAdd or Gather
    output logic [252:0] result_o,  // the result
    output logic [511:0] total_o,  // of a Gather
    output logic done_o,  // pulse: all entries were pushed
    // multiplier
    output share_request_t share_o,  // products; those of the other client can wait
    input share_status_t share_i,
    // operation lists
    output list_push_t list_o,  // an entry, as a pulse
    input logic list_ready_i,  // it is taken
    output logic [CtxBits-1:0] list_ctx_o,  // its context
    input logic digits_i,  // level: entries are for the lists of batches
    output logic batch_valid_o,  // an entry of those: list_o.entry
    input logic batch_ready_i  // it is taken
);

  logic ready, half_turn, half_last_q, push_valid;
  logic [CtxBits-1:0] ctx_q;

  // ---- jobs -------------------------------------------------------------------------------------

  assign half_turn = !Turns || !(half_last_q && other_valid_i);
  assign half_now_o = half_i.valid && half_turn;
  assign half_ready_o = ready && half_turn;
  assign other_ready_o = ready && !half_now_o;
  assign share_o.patient = Turns && !half_last_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) half_last_q <= 1'b0;
    else if (ready && (half_now_o || other_valid_i)) half_last_q <= half_now_o;
  end

  pm_scalar_unit #(
      .WG(10),
      .WA(4),
      .Spread(Spread)
  ) u_unit (
      .clk_i,
      .rst_ni,
      .clear_i,
      .valid_i(half_now_o || other_valid_i),
      .ready_o(ready),
      .op_i(half_now_o ? (half_i.spread ? ScalarSpread : ScalarHalve) : other_i.op),
      .s_i(half_now_o ? {1'b0, half_s_i} : other_i.a),
      .r_i(half_now_o ? '0 : other_i.r),  // maybe a secret, which only its own job clears
      .digest_i(other_i.digest),
      .result_valid_o,
      .result_o,
      .total_o,
      .push_valid_o(push_valid),
      .push_ready_i(digits_i ? batch_ready_i : list_ready_i),
      .push_entry_o(list_o.entry),
      .done_o,
      .mul_valid_o(share_o.valid),
      .mul_ready_i(share_i.ready),
      .mul_a_o(share_o.a),
      .mul_b_o(share_o.b),
      .mul_part_valid_i(share_i.done),
      .mul_h_i(share_i.h),
      .mul_l_i(share_i.l)
  );

  always_ff @(posedge clk_i) begin
    if (half_now_o && ready) ctx_q <= half_ctx_i;
    else if (other_valid_i && ready) ctx_q <= other_ctx_i;
  end

  // ---- entries ----------------------------------------------------------------------------------

  assign list_o.valid = push_valid && !digits_i;
  assign list_o.done = done_o && !digits_i;
  assign list_ctx_o = ctx_q;
  assign batch_valid_o = push_valid && digits_i;

endmodule
