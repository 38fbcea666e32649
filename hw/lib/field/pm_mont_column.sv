// SPDX-License-Identifier: Apache-2.0
//
// One column of pm_mont_skew: adds x_i y_j + q_i p_j to digit j of Z, a digit i of x in a cycle.
//
//   sum = z + lower parts of x_i y_j, q_i p_j + upper parts of those of column j - 1 + its carry
//
// The low digit of the sum is digit j - 1 of the next Z; what is above it goes to column j + 1 a cycle
// later, when x_i and q_i are there.
//
// Ranges:    as in pm_mont_skew. The carry is signed, -16 to 15: upper parts may be less than 0.
// Latency:   Period cycles from token_i to sum_o. y_i with load_i is for the token_i Period - 1 cycles later
//            and every Period-th one after it.
// Reset:     tokens none; data none. Constant time.

module pm_mont_column
  import pm_mont_skew_pkg::*;
#(
    parameter int unsigned Digit = 39,
    parameter int unsigned Tile = 0,  // of pm_cs_mul
    parameter bit Merge = 0,  // 1: a register behind the sum of both products
    parameter int unsigned Ports = 1,  // of more numbers
    parameter bit Added = 0,  // 1: they are added
    localparam int unsigned Period = period(Tile, Merge),
    localparam int unsigned HighBits = Digit + 2
) (
    input  logic                                 clk_i,
    input  logic                                 rst_ni,
    input  token_t                               token_i,  // with the next three
    input  logic     [  Digit-1:0]               x_i,      // digit of x
    input  logic     [  Digit-1:0]               q_i,      // digit of the quotient
    input  logic     [  Digit-1:0]               p_i,      // digit of p for it
    input  logic                                 load_i,   // y_i is a digit of a new y
    input  logic     [  Digit-1:0]               y_i,
    // With the sum, Period cycles after its token came.
    output token_t                               token_o,
    input  logic     [  Digit-1:0]               z_i,      // digit of Z; not read with the first x_i
    input  logic     [        1:0][HighBits-1:0] high_i,   // upper parts from the column below
    input  logic     [CarryBits-1:0]             carry_i,  // its carry
    input  logic     [  Ports-1:0][   Digit-1:0] extra_i,  // more numbers
    output logic     [  Digit-1:0]               sum_o,    // low digit of the sum
    output logic     [CarryBits-1:0]             carry_o,  // the rest
    // A cycle later.
    output logic     [        1:0][HighBits-1:0] high_o,   // upper parts of the products
    // To the next column: what came a cycle ago.
    output token_t                               next_o,
    output logic     [  Digit-1:0]               x_o,
    output logic     [  Digit-1:0]               q_o
);

  localparam int unsigned Rows = Tile == 0 ? 2 : 3;
  localparam int unsigned Bits = 2 * Digit + 2;
  localparam int unsigned Parts = Merge ? 2 : 2 * Rows;  // rows of both products
  localparam int unsigned SumBits = Digit + CarryBits;
  // What the products are too large by, two times 2^(2 Digit) (pm_cs_mul), is above the sum of the
  // column over this one.
  localparam logic [SumBits-1:0] Less = Tile == 0 ? SumBits'(30) << Digit : '0;

  // ---------------------------------------------------------------------------------- operands
  token_t token_q[Period];
  logic [Digit-1:0] x_q, q_q, p_q;
  logic [Period-1:0][Digit-1:0] y_q;  // of every product under way

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
    p_q <= p_i;
    for (int unsigned i = 1; i < Period; i++) y_q[i] <= y_q[i-1];
    y_q[0] <= load_i ? y_i : y_q[Period-1];
  end

  assign next_o = token_q[0];
  assign x_o = x_q;
  assign q_o = q_q;

  // ---------------------------------------------------------------------------------- products
  logic [1:0][Rows-1:0][2*Digit:0] product;
  logic [2*Rows-1:0][Bits-1:0] both;
  logic [Parts-1:0][Bits-1:0] added;

  pm_cs_mul #(
      .Digit(Digit),
      .Tile (Tile)
  ) u_xy (
      .clk_i,
      .a_i   (y_q[Period-1]),
      .d_i   (x_q),
      .rows_o(product[0])
  );

  pm_cs_mul #(
      .Digit(Digit),
      .Tile (Tile)
  ) u_qp (
      .clk_i,
      .a_i   (p_q),
      .d_i   (q_q),
      .rows_o(product[1])
  );

  for (genvar i = 0; i < 2 * Rows; i++) begin : gen_both
    assign both[i] = Bits'(product[i/Rows][i%Rows]);
  end

  if (Merge) begin : gen_merge
    logic [1:0][Bits-1:0] merged, merged_q;
    pm_csa #(
        .Rows(2 * Rows),
        .Bits(Bits)
    ) u_merge (
        .rows_i(both),
        .s_o   (merged[0]),
        .c_o   (merged[1])
    );
    always_ff @(posedge clk_i) merged_q <= merged;
    assign added = merged_q;
  end else begin : gen_apart
    assign added = both;
  end

  // --------------------------------------------------------------------------------------- sum
  localparam int unsigned Extra = Added ? Ports : 0;
  localparam int unsigned Terms = 1 + Parts + 2 + 1 + Extra;
  logic [Parts-1:0][HighBits-1:0] upper;
  logic [1:0][HighBits-1:0] high;
  logic [Terms-1:0][SumBits-1:0] terms;
  logic [SumBits-1:0] s, c;

  assign token_o = token_q[Period-1];

  for (genvar i = 0; i < Parts; i++) begin : gen_parts
    assign upper[i] = added[i][Bits-1:Digit];
    assign terms[3+i] = SumBits'(added[i][Digit-1:0]);
  end
  assign terms[0] = SumBits'(token_o.first ? '0 : z_i) | Less;
  assign terms[1] = SumBits'(high_i[0]);
  assign terms[2] = SumBits'(high_i[1]);
  for (genvar i = 0; i < Extra; i++) begin : gen_extra
    assign terms[3+Parts+i] = SumBits'(extra_i[i]);
  end
  if (!Added) begin : gen_no_extra
    logic unused;
    assign unused = ^extra_i;
  end
  assign terms[Terms-1] = SumBits'(signed'(carry_i));

  pm_csa #(
      .Rows(Parts),
      .Bits(HighBits)
  ) u_high (
      .rows_i(upper),
      .s_o   (high[0]),
      .c_o   (high[1])
  );

  always_ff @(posedge clk_i) high_o <= high;

  pm_csa #(
      .Rows(Terms),
      .Bits(SumBits)
  ) u_sum (
      .rows_i(terms),
      .s_o   (s),
      .c_o   (c)
  );

  assign {carry_o, sum_o} = s + c;

endmodule
