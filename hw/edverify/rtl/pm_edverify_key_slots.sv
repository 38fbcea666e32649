// SPDX-License-Identifier: Apache-2.0
//
// Slots of cached keys: which are valid, and the 32 bytes of the key of each.
//
// A load (pulse begin_i) makes a slot invalid and takes the bytes; done_i (pulse) makes one valid.
//
// Look-up:  hit_o says two cycles after look_slot_i and look_a_i whether the slot is valid and
//           holds exactly these bytes; both must have been still for two cycles.
// Reset:    asynchronous, active low: all slots invalid. A soft reset need not touch them.
// Constant time: NO. For public keys.

module pm_edverify_key_slots #(
    parameter  int unsigned Keys     = 8,            // slots, a power of two, at least 2
    localparam int unsigned SlotBits = $clog2(Keys)
) (
    input  logic                clk_i,         // clock
    input  logic                rst_ni,        // asynchronous reset, active low
    // loads
    input  logic                begin_i,       // pulse: a load begins
    input  logic [SlotBits-1:0] begin_slot_i,  // of this slot
    input  logic [       255:0] begin_a_i,     // with this key
    input  logic                done_i,        // pulse: a load is complete
    input  logic [SlotBits-1:0] done_slot_i,   // of this slot
    // look-up
    input  logic [SlotBits-1:0] look_slot_i,   // slot
    input  logic [       255:0] look_a_i,      // key
    output logic                hit_o          // the slot holds the tables of this key
);

  localparam int unsigned Part = 32;  // bits compared at a time

  if (Keys < 2 || 2 ** SlotBits != Keys) begin : g_refuse_keys
    $fatal(1, "pm_edverify_key_slots: Keys must be a power of two, at least 2");
  end

  logic [255:0] keys_q[Keys];
  logic [255:0] key_q;
  logic [256/Part-1:0] same_q;
  logic [Keys-1:0] valid_q;
  logic valid_one_q, valid_two_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else begin
      if (done_i) valid_q[done_slot_i] <= 1'b1;
      if (begin_i) valid_q[begin_slot_i] <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (begin_i) keys_q[begin_slot_i] <= begin_a_i;
    key_q <= keys_q[look_slot_i];
    valid_one_q <= valid_q[look_slot_i];
    for (int unsigned i = 0; i < 256 / Part; i++) begin
      same_q[i] <= key_q[Part*i+:Part] == look_a_i[Part*i+:Part];
    end
    valid_two_q <= valid_one_q;
  end

  assign hit_o = &same_q && valid_two_q;

endmodule
