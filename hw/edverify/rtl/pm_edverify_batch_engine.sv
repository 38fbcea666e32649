// SPDX-License-Identifier: Apache-2.0
//
// What an engine has for batches (docs/edverify-batch.md): tables of the points of signatures,
// which the programs that prepare them store; recoded digit sequences of the batches; and for a
// context that sums one, the program of its next operation, its present digit, and what the tables
// hold of that digit's point.
//
// Handshake: start_i (pulse) with batch_i and place_i begins a job in a context; a context that
//           prepares stores by unit_start_i with a number of the units that store in arg_i, and
//           operand_i OperandLatency cycles later. push_valid_i with push_ready_o gives an entry to
//           the list of a place. forget_i (pulse) empties all lists.
// Timing:   summing_o, addr_o and current_o belong to the context that next_ctx_i named in the
//           cycle before; hit_o and value_o come ExtLatency cycles after select_i.
// Reset:    asynchronous, active low: no lists, nobody sums.
// Constant time: NO. Public data, and multipliers that decide nothing that anybody could choose.

module pm_edverify_batch_engine
  import pm_ucode_pkg::*;
  import pm_edverify_bulk_ucode_pkg::*;
  import pm_scalar_pkg::*;
  import pm_edverify_batch_pkg::*;
#(
    parameter int unsigned NumContexts = 12,  // contexts, 2 to 32
    parameter int unsigned Slots = 10,  // batches under way, at least 2
    parameter int unsigned Members = 64,  // signatures of a batch, a power of two, at least 2
    // cycles from a word to the operand of its side unit
    parameter int unsigned OperandLatency = 3,
    parameter int unsigned ExtLatency = 1,  // cycles from a word to its external value, at least 1
    localparam int unsigned CtxBits = $clog2(NumContexts),
    localparam int unsigned SlotBits = $clog2(Slots),
    localparam int unsigned PlaceBits = SlotBits + $clog2(Members)
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    // jobs
    input logic [NumContexts-1:0] start_i,  // pulse: a job begins in this context
    input logic [CtxBits-1:0] start_ctx_i,  // its number
    input batch_e batch_i,  // what it does for a batch
    input logic [PlaceBits-1:0] place_i,  // at this place, or for the slot of it
    input logic [NumContexts-1:0] clear_i,  // pulse: nothing of its list is left, also with start_i
    // lists of batches
    input logic forget_i,  // pulse: empty all
    input logic push_valid_i,  // an entry
    output logic push_ready_o,  // it is taken
    input logic [PlaceBits-1:0] push_place_i,  // of this place
    input list_entry_t push_entry_i,  // the entry
    // the word
    input logic [CtxBits-1:0] next_ctx_i,  // whose word it will be in the next cycle
    input logic [CtxBits-1:0] ctx_i,  // whose it is
    input logic dispatch_i,  // it goes on to the next operation
    input logic unit_start_i,  // it starts a side unit
    input logic [ArgBits-1:0] arg_i,  // of this number
    input logic [257:0] operand_i,  // whose operand comes later
    input logic [3:0] select_i,  // external value that it asks for
    output logic summing_o,  // its context sums a batch
    output logic [RomAddrBits-1:0] addr_o,  // program of the next operation of its batch
    output list_point_t current_o,  // its present digit
    output logic hit_o,  // the external value is of a table
    output logic [257:0] value_o  // this one
);

  // Units that store have the numbers from 32 on.
  localparam int unsigned StoreBit = 5;

  logic [NumContexts-1:0] sums_q;
  logic [NumContexts-1:0][PlaceBits-1:0] places_q, digit_places;
  list_point_t [NumContexts-1:0] currents;
  list_op_e op;
  list_point_t point;
  logic need_t, started, store;
  logic [PlaceBits-1:0] store_place, digit_place;
  logic [StoreBit-1:0] store_unit;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) sums_q <= '0;
    else if (|start_i) sums_q[start_ctx_i] <= batch_i == BatchSum;
  end

  always_ff @(posedge clk_i) begin
    if (|start_i) places_q[start_ctx_i] <= place_i;
    summing_o   <= sums_q[next_ctx_i];
    current_o   <= currents[next_ctx_i];
    digit_place <= digit_places[next_ctx_i];
  end

  pm_batch_lists #(
      .NumContexts(NumContexts),
      .Slots(Slots),
      .Members(Members)
  ) u_lists (
      .clk_i,
      .rst_ni,
      .forget_i,
      .push_valid_i,
      .push_ready_o,
      .push_place_i,
      .push_entry_i,
      .init_i(batch_i == BatchSum ? start_i : '0),
      .init_slot_i(place_i[PlaceBits-1-:SlotBits]),
      .clear_i,
      .ctx_i(next_ctx_i),
      .op_o(op),
      .point_o(point),
      .need_t_o(need_t),
      .started_o(started),
      .step_i(dispatch_i && summing_o),
      .current_o(currents),
      .place_o(digit_places)
  );

  pm_edverify_batch_program u_program (
      .op_i(op),
      .point_i(point),
      .need_t_i(need_t),
      .started_i(started),
      .addr_o
  );

  pm_delay #(
      .Width(1 + PlaceBits + StoreBit),
      .Depth(OperandLatency)
  ) u_store (
      .clk_i,
      .rst_ni,
      .data_i({unit_start_i && arg_i[StoreBit], places_q[ctx_i], arg_i[StoreBit-1:0]}),
      .data_o({store, store_place, store_unit})
  );

  pm_edverify_batch_values #(
      .Slots(Slots),
      .Members(Members),
      .ExtLatency(ExtLatency)
  ) u_tables (
      .clk_i,
      .rst_ni,
      .we_i(store),
      .wplace_i(store_place),
      .wunit_i(store_unit),
      .wdata_i(operand_i),
      .sum_i(summing_o),
      .place_i(digit_place),
      .point_i(current_o),
      .select_i,
      .hit_o,
      .value_o
  );

endmodule
