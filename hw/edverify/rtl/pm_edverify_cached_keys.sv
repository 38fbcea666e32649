// SPDX-License-Identifier: Apache-2.0
//
// What an engine of the configuration `bulk` has for cached keys: their memory
// (pm_edverify_key_store), which the program key.pmu fills and cached.pmu reads, and an inverter
// for both (pm_edverify_inverse_queue), with the side units that these programs start.
//
// Timing:   operand_i belongs to the unit_start_i of OperandLatency cycles before. wait_o[c] is 1
//           while context c waits for an inverse, from the cycle after the start on. hit_o: two
//           cycles after job_slot_i and job_a_i. point_o, inverse_o: one cycle after their
//           addresses.
// Handshake: begin_i (pulse) makes the slot of a load invalid; nothing is rejected. clear_i[c]: the
//           job of context c is abandoned.
// Reset:    asynchronous, active low: no key is kept.
// Constant time: NO. For public data.

module pm_edverify_cached_keys
  import pm_edverify_bulk_ucode_pkg::*;
#(
    parameter int unsigned Keys = 8,  // slots, a power of two, at least 2
    parameter int unsigned NumContexts = 12,  // contexts, at least 2
    // cycles from the start of a side unit to its operand
    parameter int unsigned OperandLatency = 2,
    localparam int unsigned SlotBits = $clog2(Keys),
    localparam int unsigned CtxBits = $clog2(NumContexts)
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic [NumContexts-1:0] clear_i,  // abandon the job of these contexts
    input logic begin_i,  // pulse: a load begins
    input logic [CtxBits-1:0] begin_ctx_i,  // in this context
    // slot of the receiver's job, which begins or is looked up
    input  logic  [   SlotBits-1:0] job_slot_i,
    input logic [255:0] job_a_i,  // its key
    output logic hit_o,  // the slot holds the tables of this key
    input logic unit_start_i,  // pulse: start a side unit
    input unit_e unit_i,  // this one
    input logic [CtxBits-1:0] ctx_i,  // context of the word
    input logic [255:0] operand_i,  // operand of a unit
    output logic more_tables_o,  // the load of ctx_i is not complete
    output logic [NumContexts-1:0] wait_o,  // no word for these: their inverse is not there
    input logic [SlotBits-1:0] slot_i,  // point to read: slot
    input logic [5:0] point_i,  // table and odd multiple
    output logic [764:0] point_o,  // {y + x, y - x, 2dxy}
    input logic [CtxBits-1:0] inverse_ctx_i,  // inverse to read: context
    output logic [254:0] inverse_o  // the inverse
);

  // As pm_edverify_key_store numbers them.
  typedef enum logic [1:0] {
    CoordT2d,
    CoordYm,
    CoordYp
  } coord_e;

  logic invert, put, inverse_valid;
  logic [CtxBits-1:0] operand_ctx;
  coord_e coord;

  assign invert = unit_start_i && unit_i == UnitInvert;

  always_comb begin
    put   = unit_start_i;
    coord = CoordT2d;
    unique case (unit_i)
      UnitPutYp: coord = CoordYp;
      UnitPutYm: coord = CoordYm;
      UnitPutT2d: coord = CoordT2d;
      default: put = 1'b0;
    endcase
  end

  pm_delay #(
      .Width(1 + CtxBits),
      .Depth(OperandLatency)
  ) u_operand (
      .clk_i,
      .rst_ni,
      .data_i({invert, ctx_i}),
      .data_o({inverse_valid, operand_ctx})
  );

  pm_edverify_inverse_queue #(
      .NumContexts(NumContexts)
  ) u_inverses (
      .clk_i,
      .rst_ni,
      .clear_i,
      .request_i(invert),
      .request_ctx_i(ctx_i),
      .valid_i(inverse_valid),
      .ctx_i(operand_ctx),
      .a_i(operand_i),
      .wait_o,
      .rctx_i(inverse_ctx_i),
      .inverse_o
  );

  pm_edverify_key_store #(
      .Keys(Keys),
      .NumContexts(NumContexts),
      .PutLatency(OperandLatency)
  ) u_store (
      .clk_i,
      .rst_ni,
      .begin_i,
      .begin_ctx_i,
      .begin_slot_i(job_slot_i),
      .begin_a_i(job_a_i),
      .put_i(put),
      .put_ctx_i(ctx_i),
      .put_coord_i(coord),
      .put_value_i(operand_i[254:0]),
      .more_ctx_i(ctx_i),
      .more_tables_o,
      .look_slot_i(job_slot_i),
      .look_a_i(job_a_i),
      .hit_o,
      .slot_i,
      .point_i,
      .point_o
  );

endmodule
