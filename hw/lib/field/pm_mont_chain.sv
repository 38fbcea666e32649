// SPDX-License-Identifier: Apache-2.0
//
// Montgomery product r = x y R^-1 mod p for any odd modulus p, R = 2^(Digit digits_i), without a
// digit that waits for one before it: three products one behind the other, t = x y, q = -t / p mod
// R, u = q p, each a digit a cycle (pm_digit_array), and r = (t + u) / R.
//
// Ranges:    p odd, 3 <= p < R, R at most 2^Width; y in [0, p); any x in [0, R), reduced or not;
//            pinv = -1/p mod R. The result, below 2p, is even_o + odd_o + carry_o, two numbers that
//            are not added yet. With plain_i, and digits_i = Width / Digit, it is the upper half of
//            the plain product of any x and y, and low_o the lower one. Nothing checks the ranges.
// Chain:     the lowest digits of the first array are those of t mod R; digit i of q is the lowest
//            one of the second array behind digits 0 to i of t. Those of t mod R and u mod R add to
//            0 or R: so every digit of their sum, without the carry from below, is 0, or all ones
//            where there is a carry, and carry_o is the lowest bit of the last one.
// Latency:   digits_i + 10 cycles from acceptance to valid_o; interval: digits_i + 1, at least
//            6; a plain product has to be over before the next one begins.
// Handshake: ahead_i, in the cycle before x_i and y_i are there, begins a product, not earlier than
//            the interval says; the cycle behind it is that of acceptance. valid_o is a pulse; the
//            results hold until the cycle before the next one. p_i, digits_i and plain_i must not
//            change from acceptance until the result was used. pinv_load_i takes pinv_i, not while
//            a product is under way; y_i and pinv_i stay in the multipliers. wipe_i, for four
//            cycles or more, abandons products and clears all registers that hold data; y_i has to
//            be 0 in its last cycle.
// Reset:     idle; data registers are not reset.
// Constant time: the cycles depend on digits_i alone.
// Source:    Montgomery 1985; the form is this design's.

module pm_mont_chain #(
    parameter int unsigned Width = 704,  // bits of numbers
    parameter int unsigned Digit = 16,  // as of pm_digit_array; Width is a multiple of it
    parameter int unsigned Tile = 18,  // as of pm_digit_array
    localparam int unsigned CountBits = $clog2(Width / Digit + 1)
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic                 wipe_i,       // clear data registers
    input  logic [    Width-1:0] p_i,          // modulus
    input  logic                 pinv_load_i,  // pinv_i is taken
    input  logic [    Width-1:0] pinv_i,       // -1/p mod R
    input  logic [CountBits-1:0] digits_i,     // digits of x, at least 1
    input  logic                 plain_i,      // plain product
    input  logic                 ahead_i,      // x_i, y_i are there in the next cycle
    input  logic [    Width-1:0] x_i,          // factor below R
    input  logic [    Width-1:0] y_i,          // factor below p
    output logic                 soon_o,       // the results are there in the next cycle
    output logic                 valid_o,      // they are there
    output logic [      Width:0] even_o,       // parts of the product
    output logic [      Width:0] odd_o,
    output logic                 carry_o,
    output logic [    Width-1:0] low_o         // lower half of a plain product
);

  localparam int unsigned Columns = (Width + 2 * Tile - 1) / (2 * Tile);
  localparam int unsigned Bits = 2 * Tile + Digit + 1;
  localparam int unsigned Stages = 10;  // from a digit of x to the results that have it

  if (Width % Digit != 0) begin : gen_bad
    $fatal(1, "pm_mont_chain: Width must be a multiple of Digit.");
  end

  // ---------------------------------------------------------------------------------- control
  logic [CountBits-1:0] left_q;  // digits of x that are not begun
  logic [Stages-1:0] last_q;  // the last one, on its way
  logic active, valid_q;

  assign active = left_q != '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_q  <= '0;
      last_q  <= '0;
      valid_q <= 1'b0;
    end else if (wipe_i) begin
      left_q  <= '0;
      last_q  <= '0;
      valid_q <= 1'b0;
    end else begin
      valid_q <= ahead_i;
      if (valid_q) left_q <= digits_i;
      else if (active) left_q <= left_q - CountBits'(1);
      last_q <= {last_q[Stages-2:0], left_q == CountBits'(1)};
    end
  end

  assign soon_o  = last_q[Stages-2];
  assign valid_o = last_q[Stages-1];

  // --------------------------------------------------------------------------------- operands
  // x moves out at its lower end, and the lowest digits of t come in at the upper end, three
  // cycles later: the last ones while the next x moves.
  logic [Width-1:0] x_q;
  logic [2:0] valid;
  logic [2:0][Digit-1:0] digit;
  logic [2:0][Columns-1:0][Bits-1:0] z;

  typedef struct packed {
    logic wipe;
    logic load;
    logic move;
  } move_t;

  localparam int unsigned Part = 64;
  localparam int unsigned Parts = (Width + Part - 1) / Part;
  move_t [Parts-1:0] move_q;  // for each part of x
  logic moves, moves_q;

  // From the cycle behind acceptance until the lowest digits of t are all there.
  assign moves = valid_q || (moves_q && (active || !last_q[2]));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) moves_q <= 1'b0;
    else moves_q <= moves && !wipe_i;
  end

  pm_copies #(
      .Bits  ($bits(move_t)),
      .Copies(Parts)
  ) u_move (
      .clk_i,
      .d_i({wipe_i, ahead_i, moves}),
      .q_o(move_q)
  );

  logic [Width+Digit-1:0] moving;
  assign moving = {digit[1], x_q};

  for (genvar i = 0; i < Width; i++) begin : gen_x
    always_ff @(posedge clk_i) begin
      if (move_q[i/Part].wipe) x_q[i] <= 1'b0;
      else if (move_q[i/Part].load) x_q[i] <= x_i[i];
      else if (move_q[i/Part].move) x_q[i] <= moving[i+Digit];
    end
  end

  assign low_o = x_q;

  // ----------------------------------------------------------------------------------- arrays
  localparam int unsigned Ahead = 3;  // cycles of an array
  logic unused_valid;
  logic [2*Ahead-1:0] start_q;
  logic [2:0] start;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) start_q <= '0;
    else if (wipe_i) start_q <= '0;
    else start_q <= {start_q[2*Ahead-2:0], valid_q};
  end

  assign start = {start_q[2*Ahead-1], start_q[Ahead-1], valid_q};

  assign valid[0] = active;
  assign digit[0] = x_q[Digit-1:0];
  assign digit[1] = z[0][0][Digit-1:0];
  assign digit[2] = z[1][0][Digit-1:0];

  for (genvar i = 0; i < 3; i++) begin : gen_array
    logic valid_next;
    pm_digit_array #(
        .Width(Width),
        .Digit(Digit),
        .Tile (Tile)
    ) u_array (
        .clk_i,
        .rst_ni (rst_ni),
        .start_i(start[i]),
        .wipe_i,
        .valid_i(valid[i]),
        .digit_i(digit[i]),
        .load_i (i == 0 ? valid_q || wipe_i : i == 1 ? pinv_load_i : 1'b1),
        .y_i    (i == 0 ? y_i : i == 1 ? pinv_i : p_i),
        .valid_o(valid_next),
        .z_o    (z[i])
    );
    if (i < 2) begin : gen_next
      assign valid[i+1] = valid_next;
    end else begin : gen_end
      assign unused_valid = valid_next;
    end
  end

  // ---------------------------------------------------------------------------------- results
  localparam int unsigned PairBits = 4 * Tile;
  localparam int unsigned AllBits = PairBits * ((Columns + 1) / 2) + 2 * Tile;

  localparam int unsigned Group = 4;  // columns
  localparam int unsigned Groups = (Columns + Group - 1) / Group;

  // t waits for u, and both for the adder: the arrays are at the next product meanwhile.
  typedef struct packed {
    logic keep;   // t is complete
    logic sum;    // u is
    logic plain;  // u does not count
  } turn_t;

  turn_t [Groups-1:0] turn_q;
  logic [Columns-1:0][Bits-1:0] kept_q;
  logic [Columns-1:0][Bits:0] sum_q;
  logic [AllBits-1:0] even, odd;

  pm_copies #(
      .Bits  ($bits(turn_t)),
      .Copies(Groups)
  ) u_turn (
      .clk_i,
      .d_i({last_q[Ahead-2] || wipe_i, last_q[Stages-3] || wipe_i, plain_i}),
      .q_o(turn_q)
  );

  always_ff @(posedge clk_i) begin
    for (int unsigned j = 0; j < Columns; j++) begin
      if (turn_q[j/Group].keep) kept_q[j] <= z[0][j];
      if (turn_q[j/Group].sum) begin
        sum_q[j] <= (Bits + 1)'(kept_q[j]) + (turn_q[j/Group].plain ? '0 : (Bits + 1)'(z[2][j]));
      end
    end
  end

  always_comb begin
    even = '0;
    odd  = '0;
    for (int unsigned j = 0; j < Columns; j++) begin
      if (j % 2 == 0) even[2*Tile*j+:Bits+1] = sum_q[j];
      else odd[2*Tile*j+:Bits+1] = sum_q[j];
    end
  end

  assign even_o  = even[Digit+:Width+1];
  assign odd_o   = odd[Digit+:Width+1];
  assign carry_o = sum_q[0][0] && !plain_i;

  // The sum is below 2^(Width + 1).
  logic unused;
  assign unused = ^{even[AllBits-1:Digit+Width+1], even[Digit-1:0], odd[AllBits-1:Digit+Width+1],
      odd[Digit-1:0]};

endmodule
