// SPDX-License-Identifier: Apache-2.0
//
// Product of a number of many bits and one that comes digit by digit, lowest first, at a short
// cycle: every digit is multiplied by the whole number in one cycle, and no carry goes further than
// a column of 2 Tile bits.
//
// Computes: with d_0 to d_(n-1) the digits since start_i, z = floor(Z / 2^(Digit (n-1))) of Z = y
//           (d_0 + d_1 2^Digit + ...), z being the sum of z_o[j] 2^(2 Tile j). So the lowest Digit
//           bits of z_o[0] are digit n - 1 of Z, exactly.
// Step:     z' = floor(z / 2^Digit) + d y in every column: its own upper part, the lowest bits of
//           the column above, which are moved down, and its product. z_o[j] has Bits bits.
// Latency:  3 cycles from a digit to z_o. One digit a cycle; without one z_o holds.
// Handshake: valid_i with a digit, valid_o with the z_o that has it. start_i (pulse), in a cycle
//           without a digit, begins a number with the digits behind it: z_o is 0 from the third
//           cycle on, and those before it are still worked off. load_i takes y_i for the digit of
//           the same cycle and all behind it; it stays in the multipliers. wipe_i drops the digits
//           under way, and z_o is 0 two cycles later.
// Reset:    control; wipe_i for data. Constant time.
// Form:     two products a column (pm_mul_held), registers before and behind each, and one carry
//           chain a column.

module pm_digit_array #(
    parameter int unsigned Width = 704,  // bits of y
    parameter int unsigned Digit = 16,  // bits of a digit, at most Tile
    parameter int unsigned Tile = 18,  // bits of y in a multiplier block
    localparam int unsigned Columns = (Width + 2 * Tile - 1) / (2 * Tile),
    localparam int unsigned Bits = 2 * Tile + Digit + 1
) (
    input  logic                         clk_i,
    input  logic                         rst_ni,
    input  logic                         start_i,  // digits of another number follow
    input  logic                         wipe_i,   // z becomes 0
    input  logic                         valid_i,  // a digit
    input  logic [  Digit-1:0]           digit_i,
    input  logic                         load_i,   // y_i is taken
    input  logic [  Width-1:0]           y_i,      // factor
    output logic                         valid_o,  // z_o has a new digit
    output logic [Columns-1:0][Bits-1:0] z_o
);

  if (Digit < 2 || Digit > Tile) begin : gen_bad
    $fatal(1, "pm_digit_array: Digit must be at least 2, and at most Tile.");
  end

  localparam int unsigned PartBits = Digit + Tile;
  localparam int unsigned Group = 4;  // columns
  localparam int unsigned Groups = (Columns + Group - 1) / Group;

  logic [2*Columns-1:0][Tile-1:0] y;
  logic [1:0] valid_q;
  logic start_q;

  typedef struct packed {
    logic clear;
    logic add;    // a product is added
  } turn_t;

  turn_t [Groups-1:0] turn_q;  // for each group of columns

  assign y = (2 * Columns * Tile)'(y_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {valid_o, valid_q, start_q} <= '0;
    else if (wipe_i) {valid_o, valid_q, start_q} <= '0;
    else {valid_o, valid_q, start_q} <= {valid_q, valid_i, start_i};
  end

  pm_copies #(
      .Bits  ($bits(turn_t)),
      .Copies(Groups)
  ) u_turn (
      .clk_i,
      .d_i({start_q || wipe_i, valid_q[0]}),
      .q_o(turn_q)
  );

  for (genvar j = 0; j < Columns; j++) begin : gen_column
    logic [1:0][2*Tile-1:0] part;
    logic [Digit-1:0] above;  // lowest bits of the column above
    logic [3:0][Bits-1:0] terms;
    logic [1:0][Bits-1:0] pair;

    if (j + 1 < Columns) begin : gen_inner
      assign above = z_o[j+1][Digit-1:0];
    end else begin : gen_top
      assign above = '0;
    end

    for (genvar i = 0; i < 2; i++) begin : gen_part
      pm_mul_held #(
          .Width(Tile)
      ) u_leaf (
          .clk_i,
          .load_i,
          .a_i(Tile'(digit_i)),
          .b_i(y[2*j+i]),
          .p_o(part[i])
      );
    end

    assign terms[0] = Bits'({part[1][PartBits-1:0], part[0][Tile-1:0]});
    assign terms[1] = Bits'(part[0][PartBits-1:Tile]) << Tile;
    assign terms[2] = Bits'(z_o[j][Bits-1:Digit]);
    assign terms[3] = Bits'(above) << (2 * Tile - Digit);

    pm_csa #(
        .Rows(4),
        .Bits(Bits)
    ) u_pair (
        .rows_i(terms),
        .rows_o(pair)
    );

    if (Digit < Tile) begin : gen_short
      logic unused;
      assign unused = ^{part[1][2*Tile-1:PartBits], part[0][2*Tile-1:PartBits]};
    end

    always_ff @(posedge clk_i) begin
      if (turn_q[j/Group].clear) z_o[j] <= '0;
      else if (turn_q[j/Group].add) z_o[j] <= pair[0] + pair[1];
    end
  end

endmodule
