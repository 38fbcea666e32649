// SPDX-License-Identifier: Apache-2.0
//
// Scans of the scalar of `mpu`: bit by bit for the ladder on secrets, and the digits of the Joye
// ladder, whose additions and doublings work on buffers of their own.
//
// Computes: index_o, the choice among registers by the present bit, or by the flag that the unit
//           `pick` took; held_o, that registers keep what they hold, as after `restart_held` until
//           a 1 lies before the present bit; of the Joye ladder (pm_mpu_joye, from the unit `walk`
//           on) where a dispatch goes, and the places of its operation.
// Timing:   outputs follow a unit or dispatch in the next cycle.
// Reset:    asynchronous, active low: no scalar is loaded. start_i (an operation begins) ends a
//           scan; wipe_i sets the scalar to 0.
// Constant time: the scan bit by bit, of as many bits as bits_i says; the Joye ladder NO.
module pm_mpu_scan
  import pm_dual_ucode_pkg::*;
  import pm_mpu_full_ucode_pkg::*;
  import pm_mpu_types_pkg::*;
  import pm_scalar_pkg::*;
#(
    parameter int unsigned Width = 704,  // bits of a scalar
    localparam int unsigned BitsBits = $clog2(Width + 1)
) (
    input  logic                   clk_i,          // clock
    input  logic                   rst_ni,         // asynchronous reset, active low
    input  logic                   start_i,        // pulse: an operation begins
    input  logic                   wipe_i,         // pulse: forget the scalar
    input  logic                   unit_start_i,   // pulse: start unit unit_i
    input  logic    [ ArgBits-1:0] unit_i,         // side unit
    input  logic    [   Width-1:0] operand_i,      // its operand
    input  logic                   dispatch_i,     // pulse: a dispatch is carried out
    input  logic                   zero_i,         // the latest zero flag
    input  logic    [         9:0] scalar_bits_i,  // bits of the scalar; 0: one more than p has
    input  logic    [BitsBits-1:0] bits_i,         // bits of p
    input  places_t                at_i,           // places of the command
    output logic                   index_o,        // which of two registers a word takes
    output logic                   held_o,         // registers keep what they hold
    output logic                   more_bits_o,    // the scalar has bits behind the present one
    output logic                   too_long_o,     // it has more than are scanned
    output logic                   zero_o,         // it is 0
    output logic                   walking_o,      // the Joye ladder is under way
    output logic    [ ArgBits-1:0] address_o,      // where its dispatch goes
    output places_t                at_o            // places of the ladder's operation, or at_i
);

  logic [Width-1:0] scalar_q;
  logic [BitsBits-1:0] bits;
  logic load, load_q, step_bit, restart, pick, begin_walk, begun, walk_index;
  logic holding_q, picked_q, pick_q, unused_empty;
  digit_op_e unused_digit;
  places_t   walk_at;

  assign load = unit_start_i && unit_i == UnitScalar;
  assign step_bit = unit_start_i && unit_i == UnitDigit;
  assign restart = unit_start_i && unit_i inside {UnitRestart, UnitRestartHeld};
  assign pick = unit_start_i && unit_i == UnitPick;
  assign begin_walk = unit_start_i && unit_i == UnitWalk;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) load_q <= 1'b0;
    else load_q <= load;
  end

  always_ff @(posedge clk_i) begin
    if (wipe_i) scalar_q <= '0;
    else if (load) scalar_q <= operand_i;
  end

  assign zero_o = scalar_q == '0;

  // ---- bits -------------------------------------------------------------------------------------

  // The order of a curve has at most one bit more than p (Hasse).
  always_comb begin
    if (scalar_bits_i == '0) bits = bits_i + BitsBits'(1);
    else if (scalar_bits_i > BitsBits'(Width + 1)) bits = BitsBits'(Width + 1);
    else bits = scalar_bits_i;
  end

  pm_digit_walk #(
      .Width(Width)
  ) u_bits (
      .clk_i,
      .clear_i(wipe_i),
      .load_i(load_q),
      .join_i(1'b0),
      .scalar_i(scalar_q),
      .count_i(bits),
      .too_long_o,
      .op_o(unused_digit),
      .empty_o(unused_empty),
      .step_i(1'b0),
      .restart_i(restart),
      .next_i(step_bit),
      .index_o(walk_index),
      .more_o(more_bits_o),
      .begun_o(begun)
  );

  // A program may choose registers by a flag instead of a bit.
  always_ff @(posedge clk_i) begin
    if (start_i) holding_q <= 1'b0;
    else if (restart) holding_q <= unit_i == UnitRestartHeld;
    if (start_i || restart || step_bit) picked_q <= 1'b0;
    else if (pick) picked_q <= 1'b1;
    if (pick) pick_q <= zero_i;
  end

  assign index_o = picked_q ? pick_q : walk_index;
  assign held_o  = holding_q && !begun;

  // ---- Joye ladder ------------------------------------------------------------------------------

  pm_mpu_joye #(
      .Width(Width)
  ) u_walk (
      .clk_i,
      .clear_i(wipe_i),
      .start_i(begin_walk),
      .scalar_i(scalar_q),
      .dst_i(at_i.dst1),
      .step_i(dispatch_i),
      .address_o,
      .src1_o(walk_at.src1),
      .src2_o(walk_at.src2),
      .dst1_o(walk_at.dst1),
      .dst2_o(walk_at.dst2)
  );

  always_ff @(posedge clk_i) begin
    if (start_i) walking_o <= 1'b0;
    else if (begin_walk) walking_o <= 1'b1;
  end

  assign at_o = walking_o ? walk_at : at_i;

endmodule
