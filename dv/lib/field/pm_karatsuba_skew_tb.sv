// SPDX-License-Identifier: Apache-2.0
//
// pm_karatsuba_skew below a top: as a top itself a recursive module is not built right.

module pm_karatsuba_skew_tb #(
    parameter int unsigned W = 130,
    parameter int unsigned Levels = 3,
    parameter int unsigned Segment = 65
) (
    input  logic           clk_i,
    input  logic           en_i,
    input  logic [  W-1:0] a_i,
    input  logic [  W-1:0] b_i,
    output logic [2*W-1:0] p_o
);

  pm_karatsuba_skew #(
      .W(W),
      .Levels(Levels),
      .Segment(Segment)
  ) u_mul (
      .clk_i,
      .en_i,
      .a_i,
      .b_i,
      .p_o
  );

endmodule
