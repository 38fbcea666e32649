// SPDX-License-Identifier: Apache-2.0
//
// One column of pm_mont_skew: adds x_i y_j + q_i p_j to digit j of Z, a digit i of x in a cycle.
//
//   sum = z + lower parts of x_i y_j, q_i p_j + upper parts of those of column j - 1 + its carry
//
// With named_i q_i and p_j are the other digit of x and digit j - 1 of y.
//
// The low digit of the sum is digit j - 1 of the next Z; what is above it goes to column j + 1 a
// cycle later, when x_i and q_i are there.
//
// Ranges:    as in pm_mont_skew. Carries are carry_bias larger, and so from 0 to 15.
// Latency:   Period cycles from token_i to sum_o. y_i with load_i is for the token_i Period - 1
//            cycles later and every Period-th one after it; with named_i for that in its own cycle
//            and every NamedPeriod-th one.
// Form:      operands; products (pm_cs_mul) in one or three cycles; both of them as two numbers;
//            all but the carry as two numbers; their sum.
// Reset:     tokens none; data none. Constant time.

module pm_mont_column
  import pm_mont_skew_pkg::*;
#(
    parameter int unsigned Digit = 39,
    parameter int unsigned Tile = 0,  // of pm_cs_mul
    parameter int unsigned Added = 0,  // numbers of extra_i that are added
    parameter bit Named = 0,  // 0: named_i is not read
    parameter int unsigned NamedPeriod = 4,  // of pm_mont_skew
    parameter int unsigned Spare = 0,  // highest bits of digits of y and p that are 0
    localparam int unsigned Period = period(Tile),
    localparam int unsigned Slots = slots(Period, 32'(Named), NamedPeriod),
    localparam int unsigned HighBits = Digit + 2
) (
    input logic clk_i,
    input logic rst_ni,
    input token_t token_i,  // with the next three
    input logic [Digit-1:0] x_i,  // digit of x
    input logic [Digit-1:0] q_i,  // digit of the quotient
    input logic [Digit-1:0] p_i,  // digit of p for it
    input logic load_i,  // y_i is a digit of a new y
    input logic [Digit-1:0] y_i,
    input logic named_i,
    input logic [Digit-1:0] below_i,  // digit j - 1 of y, with the token
    output logic [Digit-1:0] y_o,  // digit j of y, a cycle after the token
    // Two cycles before the sum.
    output token_t soon_o,  // its token
    input logic [Digit-1:0] z_i,  // digit of Z; not read with the first x_i
    // A cycle before the sum.
    input logic [1:0][HighBits-1:0] high_i,  // upper parts from the column below
    input logic [NamedRows-1:0][Digit-1:0] extra_i,  // more numbers
    output logic [1:0][HighBits-1:0] high_o,  // a cycle later: those of this column
    // With the sum, Period cycles after its token came.
    output token_t token_o,
    input logic [CarryBits-1:0] carry_i,  // carry of the column below
    output logic [Digit-1:0] sum_o,  // low digit of the sum
    output logic [CarryBits-1:0] carry_o,  // the rest
    // To the next column: what came a cycle ago.
    output token_t next_o,
    output logic [Digit-1:0] x_o,
    output logic [Digit-1:0] q_o
);

  localparam int unsigned Bits = 2 * Digit + 2;
  localparam int unsigned SumBits = Digit + CarryBits;
  // What the products are too large by (pm_cs_mul) is, in the column over this one, two carries
  // less carry_bias, which its carry has too much.
  localparam int unsigned Bias = carry_bias(Tile);
  localparam logic [SumBits-1:0] Even = Tile == 0 ? SumBits'(Bias - 2) << Digit : '0;

  // ---------------------------------------------------------------------------------- operands
  token_t token_q[Period];
  logic [Digit-1:0] x_q, q_q, y_d;
  logic named;

  assign named = Named && named_i;
  logic [Slots-2:0][Digit-1:0] y_q;  // of every product under way
  logic [Digit-1:0] y_back_q;  // the one whose turn it is again

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int unsigned i = 0; i < Period; i++) token_q[i] <= '0;
    end else begin
      token_q[0] <= token_i;
      for (int unsigned i = 1; i < Period; i++) token_q[i] <= token_q[i-1];
    end
  end

  always_ff @(posedge clk_i) begin
    x_q <= x_i;
    q_q <= q_i;
    for (int unsigned i = 1; i < Slots - 1; i++) y_q[i] <= y_q[i-1];
    y_q[0]   <= y_d;
    y_back_q <= named ? y_q[Slots-2] : y_q[Period-2];
  end

  assign y_d = load_i ? y_i : y_back_q;
  assign y_o = y_q[0];

  assign next_o = token_q[0];
  assign x_o = x_q;
  assign q_o = q_q;

  // ---------------------------------------------------------------------------------- products
  localparam logic [Digit-1:0] Used = '1 >> Spare;
  logic [1:0][Bits-1:0] both, both_q;

  pm_cs_mul #(
      .Digit(Digit),
      .Tile(Tile),
      .Products(2)
  ) u_products (
      .clk_i,
      .a_i   ({q_q, x_q}),
      .d_i   ({(named ? below_i : p_i) & Used, (named ? y_d : y_q[Period-2]) & Used}),
      .pair_o(both)
  );

  always_ff @(posedge clk_i) both_q <= both;

  // --------------------------------------------------------------------------------------- sum
  logic [Digit-1:0] z_q;
  logic [4+NamedRows:0][SumBits-1:0] terms;
  logic [1:0][SumBits-1:0] pair;

  assign soon_o   = token_q[Period-3];
  assign token_o  = token_q[Period-1];
  // Last of three are those that are latest.
  assign terms[0] = SumBits'(z_q) | Even;
  assign terms[1] = SumBits'(both_q[0][Digit-1:0]);
  assign terms[2] = SumBits'(high_i[1]);
  assign terms[3] = SumBits'(both_q[1][Digit-1:0]);
  assign terms[4] = SumBits'(high_i[0]);
  for (genvar i = 0; i < NamedRows; i++) begin : gen_extra
    assign terms[5+i] = i < Added ? SumBits'(extra_i[i]) : '0;
  end

  pm_csa_late #(
      .Rows(5 + Added),
      .Bits(SumBits)
  ) u_pair (
      .rows_i(terms[0+:5+Added]),
      .rows_o(pair)
  );

  always_ff @(posedge clk_i) begin
    z_q <= soon_o.first ? '0 : z_i;
    for (int unsigned i = 0; i < 2; i++) high_o[i] <= both_q[i][Bits-1:Digit];
  end

  pm_column_sum #(
      .Bits     (SumBits),
      .CarryBits(CarryBits)
  ) u_sum (
      .clk_i,
      .pair_i (pair),
      .carry_i(carry_i),
      .sum_o  ({carry_o, sum_o})
  );

  if (Added < NamedRows) begin : gen_no_extra
    logic unused;
    assign unused = ^{extra_i, terms};
  end
  if (!Named) begin : gen_not_named
    logic unused;
    assign unused = ^{named_i, below_i};
  end

endmodule
