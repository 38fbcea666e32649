// SPDX-License-Identifier: Apache-2.0
//
// Two modular add/sub units (pm_mod_addsub) of one modulus, side by side or chained: the second
// may take the result of the first, of the same cycle, as either operand or as both. So a cycle
// gives two independent results, or a result and another one made from it: 4a, 3a, a - 2b, a + b -
// c.
//
// Ranges:    those of pm_mod_addsub, for each of the two; results in [0, p).
// Latency:   0 (combinational). Constant time. The path is two units long; a chained select that
//            is 0 does not shorten it for a timing tool.
// Source:    Liu et al. 2023, Acta Electronica Sinica 51(6), section 4.1 and fig. 7.

module pm_mod_addsub_pair #(
    parameter int unsigned Width = 544  // bits of modulus, operands and results
) (
    input  logic [Width-1:0] p_i,         // modulus
    input  logic [Width-1:0] a0_i,        // operands of the first unit
    input  logic [Width-1:0] b0_i,
    input  logic             sub0_i,      // 1: difference
    output logic [Width-1:0] r0_o,        // result of the first unit
    output logic             zero0_o,     // r0_o is 0
    input  logic [Width-1:0] a1_i,        // operands of the second unit
    input  logic [Width-1:0] b1_i,
    input  logic             sub1_i,      // 1: difference
    input  logic             chain_a1_i,  // 1: r0_o in place of a1_i
    input  logic             chain_b1_i,  // 1: r0_o in place of b1_i
    output logic [Width-1:0] r1_o,        // result of the second unit
    output logic             zero1_o      // r1_o is 0
);

  pm_mod_addsub #(
      .Width(Width)
  ) u_first (
      .p_i,
      .a_i   (a0_i),
      .b_i   (b0_i),
      .sub_i (sub0_i),
      .r_o   (r0_o),
      .zero_o(zero0_o)
  );

  pm_mod_addsub #(
      .Width(Width)
  ) u_second (
      .p_i,
      .a_i   (chain_a1_i ? r0_o : a1_i),
      .b_i   (chain_b1_i ? r0_o : b1_i),
      .sub_i (sub1_i),
      .r_o   (r1_o),
      .zero_o(zero1_o)
  );

endmodule
