// SPDX-License-Identifier: Apache-2.0
//
// One scalar unit for several engines and two clients: the receiver's job, whose operation list is made, and
// another one, the sign server or batches. Products go to the multiplier of the engine that the job's context
// belongs to, entries to its list.
//
// Contexts are numbered through all engines, which take turns: context c is of engine c mod Engines.
// The receiver's job goes first. Turns: it and the other client take turns, so that neither waits for ever.
// Handshake: jobs as pm_scalar_unit; digest_i and half_now_o: the digest of the receiver's job while half_now_o
//           is 1, of the other's otherwise. mul_* to every engine: a product waits until its engine takes it; half
//           products come from the only engine that was asked. An entry is taken in a cycle with list_ready_i of its
//           engine, which is always 1 if Staged; with digits_i entries go to batch_* instead. clear_i
//           (pulse) abandons the job.
// Timing:   as pm_scalar_unit. Staged: a product waits in registers, two cycles apart from the next one,
//           entries are a cycle later, and a job is taken a cycle later.
// Reset:    asynchronous, active low: idle.
// Constant time: as pm_scalar_unit.

module pm_scalar_share
  import pm_scalar_pkg::*;
#(
    parameter int unsigned NumContexts = 12,  // contexts of all engines, a multiple of Engines
    parameter int unsigned Engines = 1,  // engines, at least 1
    parameter bit Staged = 1'b0,  // 1: through registers, for a high clock
    parameter bit Spread = 1'b0,  // 1: with lists for the tables of kept keys
    parameter bit Turns = 1'b0,  // 1: both clients take turns
    localparam int unsigned CtxBits = $clog2(NumContexts)
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic clear_i,  // pulse: abandon the job
    // the receiver's job
    input logic half_valid_i,  // S and digest are offered
    output logic half_ready_o,  // they are taken
    input logic half_spread_i,  // it uses a kept key
    input logic [252:0] half_s_i,  // S
    input logic [CtxBits-1:0] half_ctx_i,  // its context
    output logic half_now_o,  // level: it is offered to the unit
    // the other client
    input logic other_valid_i,  // a job is offered
    output logic other_ready_o,  // it is taken
    input scalar_op_e other_op_i,  // what to do
    input logic [253:0] other_a_i,  // operands
    input logic [253:0] other_r_i,
    input logic [CtxBits-1:0] other_ctx_i,  // its context, of a Halve
    output logic result_valid_o,  // pulse: result of a Reduce, MulAdd or Gather
    output logic [252:0] result_o,  // the result
    output logic [511:0] total_o,  // of a Gather
    output logic done_o,  // pulse: all entries were pushed
    input logic [511:0] digest_i,  // digest of the job that is offered to the unit
    // multipliers
    output logic [Engines-1:0] mul_valid_o,  // a product for this engine
    output logic mul_patient_o,  // that can wait, of the other client
    input logic [Engines-1:0] mul_ready_i,  // it is taken
    output logic [257:0] mul_a_o,  // its factors
    output logic [257:0] mul_b_o,
    input logic [Engines-1:0] part_valid_i,  // half products of this engine
    input logic [Engines-1:0][257:0] part_h_i,  // of the upper halves
    input logic [Engines-1:0][257:0] part_l_i,  // of the lower halves
    // operation lists
    output logic [Engines-1:0] list_valid_o,  // pulse: an entry for this engine
    output logic [Engines-1:0] list_done_o,  // pulse: that was the last
    input logic [Engines-1:0] list_ready_i,  // it is taken
    output logic [CtxBits-1:0] list_ctx_o,  // its context
    output list_entry_t list_entry_o,  // the entry
    input logic digits_i,  // level: entries are for the lists of batches
    output logic batch_valid_o,  // an entry of those: list_entry_o
    input logic batch_ready_i  // it is taken
);

  if (Staged && Turns) begin : g_refuse_turns
    $fatal(1, "pm_scalar_share: batches are for engines whose chains are not cut");
  end

  logic
      unit_ready,
      ready,
      half_turn,
      half_last_q,
      asked_valid,
      asked_ready,
      push_valid,
      push_ready,
      mul_valid;
  logic [257:0] asked_a, asked_b, part_h, part_l;
  logic [Engines-1:0] owner;
  logic [CtxBits-1:0] ctx_q;
  list_entry_t push_entry;

  // ---- jobs -----------------------------------------------------------------------------------------

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
  assign half_now_o = half_valid_i && half_turn;
  assign half_ready_o = ready && half_turn;
  assign other_ready_o = ready && !half_now_o;
  assign mul_patient_o = Turns && !half_last_q;

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
      .op_i(half_now_o ? (half_spread_i ? ScalarSpread : ScalarHalve) : other_op_i),
      .s_i(half_now_o ? {1'b0, half_s_i} : other_a_i),
      .r_i(other_r_i),
      .digest_i,
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
      .mul_part_valid_i(|part_valid_i),
      .mul_h_i(part_h),
      .mul_l_i(part_l)
  );

  always_ff @(posedge clk_i) begin
    if (half_now_o && ready) ctx_q <= half_ctx_i;
    else if (other_valid_i && ready) ctx_q <= other_ctx_i;
  end

  // ---- products -------------------------------------------------------------------------------------

  if (Staged) begin : g_staged
    logic held_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) held_q <= 1'b0;
      else if (clear_i) held_q <= 1'b0;
      else held_q <= held_q ? (mul_ready_i & owner) == '0 : asked_valid;
    end

    always_ff @(posedge clk_i) if (!held_q) {mul_a_o, mul_b_o} <= {asked_a, asked_b};

    assign mul_valid   = held_q;
    assign asked_ready = !held_q;
  end else begin : g_direct
    assign {mul_valid, mul_a_o, mul_b_o} = {asked_valid, asked_a, asked_b};
    assign asked_ready = |(mul_ready_i & owner);
  end

  always_comb begin
    part_h = '0;
    part_l = '0;
    for (int unsigned e = 0; e < Engines; e++) begin
      owner[e] = 32'(ctx_q) % Engines == e;
      mul_valid_o[e] = mul_valid && owner[e];
      if (part_valid_i[e]) begin
        part_h |= part_h_i[e];
        part_l |= part_l_i[e];
      end
    end
  end

  // ---- entries --------------------------------------------------------------------------------------

  logic to_list;

  assign to_list = !digits_i && !(Staged && clear_i);
  assign push_ready = digits_i ? batch_ready_i : |(list_ready_i & owner);
  assign batch_valid_o = push_valid && digits_i;

  pm_delay #(
      .Width(2 * Engines + CtxBits + $bits(list_entry_t)),
      .Depth(32'(Staged))
  ) u_push (
      .clk_i,
      .rst_ni,
      .data_i({
        {Engines{push_valid && to_list}} & owner,
        {Engines{done_o && to_list}} & owner,
        ctx_q,
        push_entry
      }),
      .data_o({list_valid_o, list_done_o, list_ctx_o, list_entry_o})
  );

endmodule
