// SPDX-License-Identifier: Apache-2.0
//
// Inverter of `multicurve`: pm_mont_inverter as the side units `inverter` and `power` use it, and
// its latest result.
//
// Computes: with m digits, `inverter`: value_o = a^-1 2^steps mod p of the operand a, where fold_o
//           2^steps = 2^(64 m); error_o if there is no inverse, value_o is 0 then. `power`: value_o
//           = 2^(64 m) mod p, that is R^2.
// Handshake: a unit is started only while none is at work, and p_i, bits_i and digits_i must not
//           change until done_o, which holds until the next one. start_i and clear_i abandon the
//           unit.
// Timing:   done_o rises 2 bits_i + 2 cycles after the start where fold_o makes up for the rest,
//           else 64 m + 2; value_o and error_o follow in the next cycle. fold_o is that of the
//           present modulus.
// Reset:    asynchronous, active low: idle, done_o is 0. wipe_i sets value_o to 0.
// Constant time: yes; the cycles depend on the modulus alone.
// Source:   Liu et al. 2023, Acta Electronica Sinica 51(6), section 3.3; pm_mont_inverter.
module pm_multicurve_inverter
  import pm_dual_ucode_pkg::*;
  import pm_multicurve_machine_pkg::*;
#(
    localparam int unsigned Width = 544
) (
    input  logic               clk_i,         // clock
    input  logic               rst_ni,        // asynchronous reset, active low
    input  logic               start_i,       // pulse: a job begins
    input  logic               clear_i,       // pulse: abandon
    input  logic               wipe_i,        // pulse: clear the result
    input  logic               unit_start_i,  // pulse: start unit unit_i
    input  logic [ArgBits-1:0] unit_i,        // side unit
    input  logic [  Width-1:0] operand_i,     // its operand
    input  logic [  Width-1:0] p_i,           // modulus
    input  logic [        9:0] bits_i,        // its bits
    input  logic [        4:0] digits_i,      // digits of R
    input  logic               other_i,       // the modulus is that of modular arithmetic
    output logic               done_o,        // the unit is done
    output logic               error_o,       // there was no inverse
    output logic [  Width-1:0] value_o,       // result
    output logic [       63:0] fold_o         // what an inverse lacks to 2^(64 m)
);

  logic start_inverse, start_power, ready, valid, error;
  logic done_q, error_q, short;
  logic [10:0] missing;
  logic [Width-1:0] inverse, inverse_q;

  assign start_inverse = unit_start_i && unit_i == UnitInverter;
  assign start_power = unit_start_i && unit_i == UnitPower;

  // 64 m steps make R^2 of 1. Inverses take the steps that they need, 2 bits, and the program
  // multiplies by what is missing to 64 m (`fold`); where that does not fit below R, or the modulus
  // has fewer digits than R, all steps are done, as always in modular arithmetic.
  assign missing = {digits_i, 6'd0} - {bits_i, 1'b0};
  assign short = !other_i && digits_i != 5'd1 && missing[10:6] == '0;
  assign fold_o = short ? 64'd1 << missing[5:0] : 64'd1;

  pm_mont_inverter #(
      .Width(Width)
  ) u_inverter (
      .clk_i,
      .rst_ni,
      .clear_i(clear_i || start_i),
      .p_i,
      .steps_i(start_inverse && short ? {bits_i, 1'b0} : {digits_i, 6'd0}),
      .valid_i(start_inverse || start_power),
      .ready_o(ready),
      .a_i    (start_power ? Width'(1) : operand_i),
      .valid_o(valid),
      .ready_i(1'b1),
      .inv_o  (inverse),
      .error_o(error)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) done_q <= 1'b0;
    else if (clear_i || start_i || start_inverse || start_power) done_q <= 1'b0;
    else if (valid) done_q <= 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (wipe_i) inverse_q <= '0;
    else if (valid) inverse_q <= inverse;
    if (valid) error_q <= error;
  end

  assign done_o  = done_q || valid;
  assign error_o = error_q;
  assign value_o = inverse_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
    end else begin
      assert (!(start_inverse || start_power) || ready);
    end
  end

endmodule
