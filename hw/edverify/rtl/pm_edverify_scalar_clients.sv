// SPDX-License-Identifier: Apache-2.0
//
// The scalar unit and its two clients: the receiver's job, whose recoded digit sequence is made,
// and another one, the sign server or batches.
//
// The receiver's job goes first. Turns: it and the other client alternate, so that neither waits
// for ever.
// Handshake: jobs as pm_scalar_unit; other_i.digest is the digest of the receiver's job while
//           half_now_o is 1. A product waits until the multiplier takes it. An entry is taken in a
//           cycle with list_ready_i, which is always 1 if Staged; with digits_i entries go to
//           batch_* instead. clear_i (pulse) abandons the job.
// Timing:   as pm_scalar_unit. Staged: a product waits in registers, two cycles apart from the next
//           one, entries are a cycle later, and a job is taken a cycle later.
// Reset:    asynchronous, active low: idle.
// Constant time: as pm_scalar_unit.

module pm_edverify_scalar_clients
  import pm_scalar_pkg::*;
  import pm_edverify_barrel_pkg::*;
#(
    parameter int unsigned NumContexts = 12,  // contexts, at least 2
    parameter bit Staged = 1'b0,  // 1: through registers, for a high clock
    parameter bit Spread = 1'b0,  // 1: with lists for the tables of kept keys
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

  if (Staged && Turns) begin : g_refuse_turns
    $fatal(1, "pm_edverify_scalar_clients: batches are for engines whose chains are not cut");
  end

  logic unit_ready, ready, half_turn, half_last_q, asked_valid, asked_ready, push_valid, push_ready;
  logic [257:0] asked_a, asked_b;
  logic [CtxBits-1:0] ctx_q;
  list_entry_t push_entry;

  // ---- jobs -------------------------------------------------------------------------------------

  if (Staged) begin : g_ready
    // Once ready, the unit is so until it takes a job.
    logic ready_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) ready_q <= 1'b0;
      else ready_q <= unit_ready && !(ready_q && (half_now_o || other_valid_i));
    end

    assign ready = ready_q;
  end else begin : g_ready
    assign ready = unit_ready;
  end

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
      .valid_i((half_now_o || other_valid_i) && (!Staged || ready)),
      .ready_o(unit_ready),
      .op_i(half_now_o ? (half_i.spread ? ScalarSpread : ScalarHalve) : other_i.op),
      .s_i(half_now_o ? {1'b0, half_s_i} : other_i.a),
      .r_i(other_i.r),
      .digest_i(other_i.digest),
      .result_valid_o,
      .result_o,
      .total_o,
      .push_valid_o(push_valid),
      .push_ready_i(push_ready),
      .push_entry_o(push_entry),
      .done_o,
      .mul_valid_o(asked_valid),
      .mul_ready_i(asked_ready),
      .mul_a_o(asked_a),
      .mul_b_o(asked_b),
      .mul_part_valid_i(share_i.done),
      .mul_h_i(share_i.h),
      .mul_l_i(share_i.l)
  );

  always_ff @(posedge clk_i) begin
    if (half_now_o && ready) ctx_q <= half_ctx_i;
    else if (other_valid_i && ready) ctx_q <= other_ctx_i;
  end

  // ---- products ---------------------------------------------------------------------------------

  if (Staged) begin : g_staged
    logic held_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) held_q <= 1'b0;
      else if (clear_i) held_q <= 1'b0;
      else held_q <= held_q ? !share_i.ready : asked_valid;
    end

    always_ff @(posedge clk_i) if (!held_q) {share_o.a, share_o.b} <= {asked_a, asked_b};

    assign share_o.valid = held_q;
    assign asked_ready   = !held_q;
  end else begin : g_direct
    assign {share_o.valid, share_o.a, share_o.b} = {asked_valid, asked_a, asked_b};
    assign asked_ready = share_i.ready;
  end

  // ---- entries ----------------------------------------------------------------------------------

  logic to_list;

  assign to_list = !digits_i && !(Staged && clear_i);
  assign push_ready = digits_i ? batch_ready_i : list_ready_i;
  assign batch_valid_o = push_valid && digits_i;

  pm_delay #(
      .Width(2 + CtxBits + $bits(list_entry_t)),
      .Depth(32'(Staged))
  ) u_push (
      .clk_i,
      .rst_ni,
      .data_i({push_valid && to_list, done_o && to_list, ctx_q, push_entry}),
      .data_o({list_o.valid, list_o.done, list_ctx_o, list_o.entry})
  );

endmodule
