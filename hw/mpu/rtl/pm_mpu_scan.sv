// SPDX-License-Identifier: Apache-2.0
//
// Scans of the scalar of `mpu`: bit by bit for the ladder on secrets, and the digits of the Joye
// ladder, whose additions and doublings work on buffers of their own.
//
// Bits:     `restart` begins with the highest of as many bits as are scanned, `digit` goes to the
//           next one. The index is the exclusive or of the bit and the one before (0 before the
//           first), by which a ladder exchanges its points; behind the last bit it is that bit. The
//           bit that may come next, and the highest one, are looked up ahead.
// Computes: index_o, the choice among registers by the present bit, or by the flag that the unit
//           `pick` took; held_o, that registers keep what they hold, as after `restart_held` until
//           a 1 lies before the present bit; of the Joye ladder (pm_mpu_joye, from the unit `walk`
//           on) where a dispatch goes, and the places of its operation.
// Timing:   outputs follow a unit or dispatch in the next cycle, those of the unit `walk` two
//           cycles later, too_long_o and zero_o the unit `scalar` five. From it to a restart, and
//           from a bit to the next, there are four cycles or more.
// Reset:    not needed before the unit `scalar`. start_i (an operation begins) ends a
//           scan; wipe_i sets the scalar and its bits to 0.
// Constant time: the scan bit by bit, of as many bits as bits_i says; the Joye ladder NO.
module pm_mpu_scan
  import pm_dual_ucode_pkg::*;
  import pm_mpu_full_ucode_pkg::*;
  import pm_mpu_types_pkg::*;
#(
    parameter int unsigned Width = 704,  // bits of a scalar
    localparam int unsigned BitsBits = $clog2(Width + 1)
) (
    input  logic                   clk_i,          // clock
    input  logic                   start_i,        // pulse: an operation begins
    input  logic                   wipe_i,         // pulse: forget the scalar
    input  logic                   unit_start_i,   // pulse: start the unit that is named
    input  named_t                 unit_i,         // side unit
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
    output places_t                at_o,           // places of the ladder's operation, or at_i
    output logic    [         3:0] ahead_src1_o,   // those of its operands in the next cycle
    output logic    [         3:0] ahead_src2_o
);

  localparam int unsigned Digit = 32;
  localparam int unsigned Digits = (Width + 2 + Digit - 1) / Digit;
  localparam int unsigned PlaceBits = $clog2(Digit);

  logic [Width-1:0] scalar_q;
  logic load_q, step_bit, restart, pick, begin_walk_q, begun_q;
  logic holding_q, picked_q, pick_q;
  places_t walk_at;
  logic walking_d;
  logic [3:0] walk_src1, walk_src2;

  assign step_bit = unit_start_i && names(unit_i, named(UnitDigit));
  assign restart = unit_start_i && (names(
      unit_i, named(UnitRestart)
  ) || names(
      unit_i, named(UnitRestartHeld)
  ));
  assign pick = unit_start_i && names(unit_i, named(UnitPick));

  always_ff @(posedge clk_i) begin
    load_q <= unit_start_i && names(unit_i, named(UnitScalar));
    begin_walk_q <= unit_start_i && names(unit_i, named(UnitWalk));
    if (wipe_i) scalar_q <= '0;
    else if (load_q) scalar_q <= operand_i;
  end

  // ---- length -----------------------------------------------------------------------------------

  // Bit i of the scalar lies at place i + 1; behind the lowest one there is a zero. A digit is
  // looked up at each of two places: of the highest bit that is scanned, and of the bit or pair of
  // bits that may come next.
  typedef logic [Digits*Digit-1:0] places_of_bits_t;
  places_of_bits_t places;

  assign places = places_of_bits_t'({scalar_q, 1'b0});

  // The one that is marked.
  function automatic logic [Digit-1:0] digit_of(places_of_bits_t from, logic [Digits-1:0] mark);
    digit_of = '0;
    for (int unsigned i = 0; i < Digits; i++) begin
      digit_of |= mark[i] ? from[Digit*i+:Digit] : '0;
    end
  endfunction

  // The order of a curve has at most one bit more than p (Hasse).
  logic [BitsBits-1:0] bits_q;  // that are scanned, to Width + 1
  logic [Digits-1:0] some_q, over_q;  // digits that are not 0; that lie over the scanned bits
  logic [Digits-1:0] behind_q, at_edge_q;  // that are over the one in which they end; that one
  logic [Digit-1:0] edge_q, rest_q;  // the digit in which they end; what is over them in it
  logic highest_q;

  always_ff @(posedge clk_i) begin
    if (scalar_bits_i == '0) bits_q <= bits_i + BitsBits'(1);
    else if (scalar_bits_i > BitsBits'(Width + 1)) bits_q <= BitsBits'(Width + 1);
    else bits_q <= scalar_bits_i;
    for (int unsigned i = 0; i < Digits; i++) begin
      some_q[i] <= places[Digit*i+:Digit] != '0;
      behind_q[i] <= (BitsBits - PlaceBits)'(i) > bits_q[BitsBits-1:PlaceBits];
      at_edge_q[i] <= (BitsBits - PlaceBits)'(i) == bits_q[BitsBits-1:PlaceBits];
      over_q[i] <= some_q[i] && behind_q[i];
    end
    edge_q <= digit_of(places, at_edge_q);
    highest_q <= edge_q[bits_q[PlaceBits-1:0]];
    rest_q <= (edge_q >> bits_q[PlaceBits-1:0]) >> 1;
    too_long_o <= over_q != '0 || rest_q != '0;
    zero_o <= some_q == '0;
  end

  // ---- bits -------------------------------------------------------------------------------------

  logic [BitsBits-1:0] left_q;  // bits from the present one on
  logic [BitsBits-1:0] ahead_at, ahead_at_q;  // from the next one on, or where a pair lies
  logic [BitsBits-1:0] walk_place;  // of the pair of bits of the Joye ladder
  logic [Digit-1:0] ahead_digit_q, from_pair;
  // the digit that is looked up; those over it that are not 0
  logic [Digits-1:0] at_ahead_q, above_q;
  logic [1:0] pair_q;
  logic ahead_q, now_q, before_q, more_q;

  assign ahead_at  = walking_o ? walk_place : left_q - BitsBits'(1);
  assign from_pair = ahead_digit_q >> ahead_at_q[PlaceBits-1:0];

  always_ff @(posedge clk_i) begin
    ahead_at_q <= ahead_at;
    ahead_digit_q <= digit_of(places, at_ahead_q);
    for (int unsigned i = 0; i < Digits; i++) begin
      at_ahead_q[i] <= (BitsBits - PlaceBits)'(i) == ahead_at[BitsBits-1:PlaceBits];
      above_q[i] <= some_q[i] && (BitsBits - PlaceBits)'(i) > ahead_at_q[BitsBits-1:PlaceBits];
    end
    ahead_q <= from_pair[0];
    pair_q  <= from_pair[1:0];
    more_q  <= above_q != '0 || from_pair[Digit-1:2] != '0;
    if (wipe_i || restart) begun_q <= 1'b0;
    else if (step_bit && more_bits_o) begun_q <= begun_q || before_q;
    // Before the first bit lies a 0, whatever a scalar that is too long has there.
    if (wipe_i) {now_q, before_q} <= '0;
    else if (restart) begin
      left_q   <= bits_q;
      now_q    <= highest_q;
      before_q <= 1'b0;
    end else if (step_bit && more_bits_o) begin
      left_q   <= ahead_at_q;
      now_q    <= ahead_q;
      before_q <= now_q;
    end
  end

  assign more_bits_o = left_q != '0;

  // A program may choose registers by a flag instead of a bit.
  always_ff @(posedge clk_i) begin
    if (start_i) holding_q <= 1'b0;
    else if (restart) holding_q <= names(unit_i, named(UnitRestartHeld));
    if (start_i || restart || step_bit) picked_q <= 1'b0;
    else if (pick) picked_q <= 1'b1;
    if (wipe_i) pick_q <= 1'b0;
    else if (pick) pick_q <= zero_i;
  end

  assign index_o = picked_q ? pick_q : now_q ^ before_q;
  assign held_o  = holding_q && !begun_q;

  // ---- Joye ladder ------------------------------------------------------------------------------

  pm_mpu_joye #(
      .PlaceBits(BitsBits)
  ) u_walk (
      .clk_i,
      .start_i(begin_walk_q),
      .odd_i(scalar_q[0]),
      .at_o(walk_place),
      .pair_i(pair_q),
      .more_i(more_q),
      .dst_i(at_i.dst1),
      .step_i(dispatch_i),
      .address_o,
      .src1_o(walk_at.src1),
      .src2_o(walk_at.src2),
      .dst1_o(walk_at.dst1),
      .dst2_o(walk_at.dst2),
      .ahead_src1_o(walk_src1),
      .ahead_src2_o(walk_src2)
  );

  always_ff @(posedge clk_i) begin
    walking_o <= walking_d;
  end

  assign walking_d = !start_i && (begin_walk_q || walking_o);
  assign {ahead_src1_o, ahead_src2_o} = walking_d ? {walk_src1, walk_src2} : {at_i.src1, at_i.src2};

  assign at_o = walking_o ? walk_at : at_i;

endmodule
