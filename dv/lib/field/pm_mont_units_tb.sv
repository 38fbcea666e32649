// SPDX-License-Identifier: Apache-2.0
//
// pm_mont_setup, pm_mont_inverter and pm_mont_mul on one modulus: what the first finds out is what
// the others work with. The product squares the inverse, or its own result.

module pm_mont_units_tb (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic [543:0] p_i,
    input  logic         setup_valid_i,
    output logic         setup_valid_o,
    output logic [  9:0] bits_o,
    output logic [  4:0] digits_o,
    output logic         error_o,
    input  logic         inv_valid_i,
    input  logic [ 10:0] steps_i,
    input  logic [543:0] a_i,
    output logic         inv_valid_o,
    output logic [543:0] inv_o,
    output logic         inv_error_o,
    input  logic         mul_valid_i,
    input  logic         again_i,        // 1: square the product, 0: the inverse
    output logic         mul_valid_o,
    output logic [543:0] r_o
);

  logic wide;
  logic [31:0] pinv;
  logic [2:0] unused_ready;

  // Results are taken when a unit is started again.
  pm_mont_setup u_setup (
      .clk_i,
      .rst_ni,
      .valid_i(setup_valid_i),
      .ready_o(unused_ready[0]),
      .p_i,
      .valid_o(setup_valid_o),
      .ready_i(setup_valid_i),
      .bits_o,
      .digits_o,
      .wide_o (wide),
      .pinv_o (pinv),
      .error_o
  );

  pm_mont_inverter u_inverter (
      .clk_i,
      .rst_ni,
      .clear_i(1'b0),
      .p_i,
      .steps_i,
      .valid_i(inv_valid_i),
      .ready_o(unused_ready[1]),
      .a_i,
      .valid_o(inv_valid_o),
      .ready_i(inv_valid_i),
      .inv_o,
      .error_o(inv_error_o)
  );

  pm_mont_mul u_mul (
      .clk_i,
      .rst_ni,
      .wipe_i  (1'b0),
      .p_i,
      .pinv_i  (pinv),
      .digits_i(digits_o),
      .wide_i  (wide),
      .valid_i (mul_valid_i),
      .ready_o (unused_ready[2]),
      .x_i     (again_i ? r_o : inv_o),
      .y_i     (again_i ? r_o : inv_o),
      .valid_o (mul_valid_o),
      .ready_i (mul_valid_i),
      .r_o
  );

endmodule
