// SPDX-License-Identifier: Apache-2.0
//
// Claim: the sum of a column of pm_mont_skew is that of the five numbers which its carry-save tree
//        (pm_csa_late) reduces to two, and of the carry that comes a cycle later, modulo 2^Bits.

module pm_column_sum_formal #(
    parameter int unsigned Bits = 43,
    parameter int unsigned CarryBits = 4
) (
    input logic                           clk_i,
    input logic [          4:0][Bits-1:0] rows_i,
    input logic [CarryBits-1:0]           carry_i
);

  logic [1:0][Bits-1:0] pair, pair_q;
  logic [Bits-1:0] sum;

  pm_csa_late #(
      .Rows(5),
      .Bits(Bits)
  ) u_tree (
      .rows_i,
      .rows_o(pair)
  );

  pm_column_sum #(
      .Bits     (Bits),
      .CarryBits(CarryBits)
  ) u_dut (
      .clk_i,
      .pair_i(pair),
      .carry_i,
      .sum_o (sum)
  );

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    pair_q <= pair;
  end

  always_comb begin
    p_tree :
    assert (pair[0] + pair[1] == rows_i[0] + rows_i[1] + rows_i[2] + rows_i[3] + rows_i[4]);
    if (started_q) begin
      p_sum : assert (sum == pair_q[0] + pair_q[1] + Bits'(carry_i));
    end
  end

endmodule
