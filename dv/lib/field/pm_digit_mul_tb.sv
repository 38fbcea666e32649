// SPDX-License-Identifier: Apache-2.0
//
// 135 shapes of pm_digit_mul and pm_digit_mac side by side. Slot 15 (w - 1) + 3 (d - 2) + t: w = 1
// to 9 bits times a digit of d = 2 to 6 bits, Tile 0, 3 or 5 for t = 0, 1, 2; each takes the low
// bits of the operands.

module pm_digit_mul_tb (
    input  logic [  8:0]       a_i,
    input  logic [  5:0]       d_i,
    input  logic [ 15:0]       c0_i,
    input  logic [ 15:0]       c1_i,
    output logic [134:0][15:0] p_o,
    output logic [134:0][15:0] sum_o
);

  for (genvar s = 0; s < 135; s++) begin : gen_slot
    localparam int unsigned W = s / 15 + 1;
    localparam int unsigned D = (s / 3) % 5 + 2;
    localparam int unsigned Tile = (s % 3 == 0) ? 0 : (s % 3 == 1) ? 3 : 5;
    logic [W+D-1:0] p;
    logic [  W+D:0] sum;
    pm_digit_mul #(
        .Width(W),
        .Digit(D),
        .Tile (Tile)
    ) u_mul (
        .a_i(a_i[W-1:0]),
        .d_i(d_i[D-1:0]),
        .p_o(p)
    );
    pm_digit_mac #(
        .Width(W),
        .Digit(D),
        .Tile (Tile)
    ) u_mac (
        .a_i (a_i[W-1:0]),
        .d_i (d_i[D-1:0]),
        .c0_i(c0_i[W+D:0]),
        .c1_i(c1_i[W+D:0]),
        .p_o (sum)
    );
    assign p_o[s]   = 16'(p);
    assign sum_o[s] = 16'(sum);
  end

endmodule
