// SPDX-License-Identifier: Apache-2.0
//
// One factor of a product on its way to the multiplier: a register, or the sum or difference of the
// same microinstruction, a half of 129 bits at a time; then the sum of its halves.
//
// The upper half comes two cycles after the lower one; of each half, bits from 65 on come a cycle
// after the others. half_o is straight: lower half, upper half and their sum, two cycles apart.
//
// Latency:  factor_o: 1 cycle. half_o: 3 cycles from the lower half of the factor to the straight
//           lower half, 5 to the upper one, 7 to the sum.
// Control:  phase_i[i]: i cycles, modulo 3, after a lower half. select_i with the lower and the
//           upper half: 0: register, lower half, 1: register, upper half, 2: sum, 3: difference.
// Reset:    none (data only). Constant time.

module pm_half_factor (
    input  logic         clk_i,     // clock
    input  logic [  2:0] phase_i,   // see above
    input  logic [  1:0] select_i,  // see above
    input  logic [128:0] lo_i,      // lower half of a register
    input  logic [128:0] hi_i,      // upper half
    input  logic [128:0] sum_i,     // sum
    input  logic [128:0] diff_i,    // difference
    output logic [128:0] factor_o,  // the factor
    output logic [129:0] half_o     // for the multiplier
);

  logic [1:0] select_q;  // for the upper bits
  logic [128:0] choice, factor_q, lower_q;
  logic [129:0] middle_q;
  logic [64:0] half_q;
  /* verilator lint_off UNUSEDSIGNAL */
  logic top;
  /* verilator lint_on UNUSEDSIGNAL */

  always_comb begin
    unique case (select_i)
      2'd0: choice[64:0] = lo_i[64:0];
      2'd1: choice[64:0] = hi_i[64:0];
      2'd2: choice[64:0] = sum_i[64:0];
      default: choice[64:0] = diff_i[64:0];
    endcase
    unique case (select_q)
      2'd0: choice[128:65] = lo_i[128:65];
      2'd1: choice[128:65] = hi_i[128:65];
      2'd2: choice[128:65] = sum_i[128:65];
      default: choice[128:65] = diff_i[128:65];
    endcase
  end

  // factor_q: lower bits of the lower half in phase 1, of the upper half in phase 0.
  always_ff @(posedge clk_i) begin
    select_q <= select_i;
    factor_q <= choice;
    if (phase_i[1]) lower_q[64:0] <= factor_q[64:0];
    if (phase_i[2]) lower_q[128:65] <= factor_q[128:65];
  end

  assign factor_o = factor_q;

  pm_half_add #(
      .W(130)
  ) u_middle (
      .clk_i,
      .low_i  (phase_i[0]),
      .high_i (phase_i[1]),
      .x_i    (130'(factor_q)),
      .y_i    (130'(lower_q)),
      .carry_i(1'b0),
      .s_o    (middle_q),
      .carry_o(top)
  );

  // The sum comes in the third cycle, in which there is no half of the factor.
  always_ff @(posedge clk_i) begin
    half_q <= phase_i[2] ? middle_q[64:0] : factor_q[64:0];
    half_o <= {phase_i[0] ? middle_q[129:65] : {1'b0, factor_q[128:65]}, half_q};
  end

endmodule
