// SPDX-License-Identifier: Apache-2.0
//
// The 18 shapes of pm_mul_leaf (unsigned or signed, 0 to 2 registers on either side) side by side,
// 6 bits wide. Slot 9 Signed + 3 InReg + OutReg.

module pm_mul_leaf_tb (
    input  logic              clk_i,
    input  logic              en_i,
    input  logic [ 5:0]       a_i,
    input  logic [ 5:0]       b_i,
    output logic [17:0][11:0] p_o
);

  for (genvar s = 0; s < 18; s++) begin : gen_slot
    pm_mul_leaf #(
        .Width (6),
        .Signed(s >= 9),
        .InReg ((s / 3) % 3),
        .OutReg(s % 3)
    ) u_leaf (
        .clk_i,
        .en_i,
        .a_i,
        .b_i,
        .p_o(p_o[s])
    );
  end

endmodule
