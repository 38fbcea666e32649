// SPDX-License-Identifier: Apache-2.0
//
// Cached keys of the configuration `bulk`: for each slot the 32 bytes of a key and its tables, the
// affine points (2 j + 1) 2^(32 i) A, i and j from 0 to 7, as y + x, y - x and 2dxy.
//
// A load (pulse begin_i) makes the slot invalid and takes the bytes; the program of the load then
// writes the coordinates of one point after the other, i from 0 up, and within it j from 7 down;
// those of one point in any order. put_i announces each, its value comes PutLatency cycles later.
// With the last one the slot is valid. A load that ends before leaves it invalid. Slots must not be
// loaded while they are used or another load of them is under way.
//
// Look-up:  hit_o says two cycles after look_slot_i and look_a_i whether the slot is valid and
//           holds exactly these bytes; both must have been still for two cycles.
// Latency:  points_o is {y + x, y - x, 2dxy} of the address of the cycle before.
// Reset:    asynchronous, active low: all slots invalid. A soft reset need not touch them.
// Constant time: NO. For public keys.

module pm_edverify_key_store #(
    parameter int unsigned Keys = 8,  // slots, a power of two, at least 2
    parameter int unsigned NumContexts = 12,  // contexts that may load, at least 2
    parameter int unsigned PutLatency = 3,  // cycles from put_i to its value
    localparam int unsigned SlotBits = $clog2(Keys),
    localparam int unsigned CtxBits = $clog2(NumContexts)
) (
    input  logic                       clk_i,          // clock
    input  logic                       rst_ni,         // asynchronous reset, active low
    // loads
    input  logic                       begin_i,        // pulse: a load begins
    input  logic [ CtxBits-1:0]        begin_ctx_i,    // in this context
    input  logic [SlotBits-1:0]        begin_slot_i,   // of this slot
    input  logic [       255:0]        begin_a_i,      // with this key
    input  logic                       put_i,          // pulse: a coordinate will come
    input  logic [ CtxBits-1:0]        put_ctx_i,      // of this context's load
    input  logic [         1:0]        put_coord_i,    // 0: 2dxy, 1: y - x, 2: y + x
    input  logic [       254:0]        put_value_i,    // the value, PutLatency cycles later
    input  logic [ CtxBits-1:0]        more_ctx_i,     // context asked about
    output logic                       more_tables_o,  // its load is not complete
    // look-up
    input  logic [SlotBits-1:0]        look_slot_i,    // slot
    input  logic [       255:0]        look_a_i,       // key
    output logic                       hit_o,          // the slot holds the tables of this key
    // points
    input  logic [SlotBits-1:0]        slot_i,         // slot
    input  logic [         5:0]        point_i,        // {i, j}
    output logic [         2:0][254:0] point_o         // its coordinates, one cycle later
);

  typedef struct packed {
    logic [SlotBits-1:0] slot;
    logic [5:0] point;  // {i, 7 - j} of the next point
    logic [1:0] written;  // coordinates of it that were announced
  } load_t;

  // ---- loads ------------------------------------------------------------------------------------

  load_t [NumContexts-1:0] loads_q;
  load_t load;
  logic last_coord;

  assign load = loads_q[put_ctx_i];
  assign last_coord = load.written == 2'd2;

  // All points were announced: back at the first one.
  assign more_tables_o = loads_q[more_ctx_i].point != '0;

  always_ff @(posedge clk_i) begin
    if (begin_i) loads_q[begin_ctx_i] <= '{slot: begin_slot_i, default: '0};
    if (put_i) begin
      loads_q[put_ctx_i].written <= last_coord ? '0 : load.written + 2'd1;
      if (last_coord) loads_q[put_ctx_i].point <= load.point + 6'd1;
    end
  end

  logic we;
  logic [1:0] wcoord;
  logic [SlotBits-1:0] wslot;
  logic [5:0] wpoint;

  pm_delay #(
      .Width(1 + 2 + SlotBits + 6),
      .Depth(PutLatency)
  ) u_put (
      .clk_i,
      .rst_ni,
      .data_i({put_i, put_coord_i, load.slot, load.point}),
      .data_o({we, wcoord, wslot, wpoint})
  );

  pm_point_memory #(
      .Coordinates(3),
      .AddrBits(SlotBits + 6),
      .Width(255)
  ) u_points (
      .clk_i,
      .we_i(we),
      .wcoord_i(wcoord),
      .waddr_i({wslot, wpoint[5:3], ~wpoint[2:0]}),
      .wdata_i(put_value_i),
      .raddr_i({slot_i, point_i}),
      .rdata_o(point_o)
  );

  // ---- slots ------------------------------------------------------------------------------------

  pm_edverify_key_slots #(
      .Keys(Keys)
  ) u_slots (
      .clk_i,
      .rst_ni,
      .begin_i,
      .begin_slot_i,
      .begin_a_i,
      .done_i(put_i && last_coord && load.point == '1),
      .done_slot_i(load.slot),
      .look_slot_i,
      .look_a_i,
      .hit_o
  );

endmodule
