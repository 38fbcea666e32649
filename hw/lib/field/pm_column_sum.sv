// SPDX-License-Identifier: Apache-2.0
//
// Last sum of a column of skewed numbers: two numbers, and the carry of the column below, which
// comes a cycle later.
//
// Ranges:    any numbers and carry; the sum is modulo 2^Bits.
// Form:      half adders above the carry leave a place for what the lowest full adders carry.
// Latency:   1 cycle from pair_i, 0 from carry_i. Reset: none (data only). Constant time.

module pm_column_sum #(
    parameter int unsigned Bits = 43,  // of the numbers, more than CarryBits + 1
    parameter int unsigned CarryBits = 4  // of the carry
) (
    input  logic                           clk_i,
    input  logic [          1:0][Bits-1:0] pair_i,
    input  logic [CarryBits-1:0]           carry_i,
    output logic [     Bits-1:0]           sum_o
);

  localparam int unsigned Above = Bits - CarryBits;
  logic [1:0][Above-1:0] above;
  logic [1:0][Bits-1:0] pair_q;
  logic [1:0][CarryBits:0] lowest;

  assign above[0] = pair_i[0][Bits-1:CarryBits];
  assign above[1] = pair_i[1][Bits-1:CarryBits];
  always_ff @(posedge clk_i) begin
    pair_q[0] <= {above[0] ^ above[1], pair_i[0][CarryBits-1:0]};
    pair_q[1] <= {above[0][Above-2:0] & above[1][Above-2:0], 1'b0, pair_i[1][CarryBits-1:0]};
  end

  pm_csa #(
      .Rows(3),
      .Bits(CarryBits + 1)
  ) u_lowest (
      .rows_i({
        {1'b0, carry_i}, {1'b0, pair_q[1][CarryBits-1:0]}, {1'b0, pair_q[0][CarryBits-1:0]}
      }),
      .rows_o(lowest)
  );

  assign sum_o = {pair_q[0][Bits-1:CarryBits], lowest[0][CarryBits-1:0]} +
      {pair_q[1][Bits-1:CarryBits+1], lowest[1]};

endmodule
