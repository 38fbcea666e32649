// SPDX-License-Identifier: Apache-2.0
//
// Inverter of `mpu`: pm_mont_inverter as the side units `inverter`, `inverter_fixed` and `power`
// use it, and its latest result.
//
// Computes: with m digits, `inverter` and `inverter_fixed`: value_o = a^-1 2^steps mod p of the
//           operand a; error_o if there is no inverse, value_o is 0 then. `power`: value_o =
//           2^(64 m) mod p, that is R^2. fold_o is what the latest result lacks to 2^(64 m),
//           fold_fixed_o what one of `inverter_fixed` does.
// Handshake: a unit is started only while none is at work, and p_i, bits_i and digits_i must not
//           change until done_o, which holds until the next one. start_i and clear_i abandon the
//           unit.
// Timing:   `inverter_fixed` always takes the same cycles for a modulus, and so does `inverter` of
//           a secret operation; else that ends as soon as it can. value_o, error_o and fold_o
//           follow done_o in the next cycle.
// Reset:    asynchronous, active low: idle, done_o is 0. wipe_i sets value_o to 0.
// Constant time: yes, but for `inverter` without secret_i.
// Source:   Liu et al. 2023, Acta Electronica Sinica 51(6), section 3.3; pm_mont_inverter.
module pm_mpu_inverter
  import pm_dual_ucode_pkg::*;
  import pm_mpu_full_ucode_pkg::*;
#(
    parameter int unsigned Width = 704,  // bits of a number
    localparam int unsigned DigitBits = $clog2(Width / 32 + 1),
    localparam int unsigned BitsBits = $clog2(Width + 1)
) (
    input  logic                 clk_i,         // clock
    input  logic                 rst_ni,        // asynchronous reset, active low
    input  logic                 start_i,       // pulse: an operation begins
    input  logic                 clear_i,       // pulse: abandon
    input  logic                 wipe_i,        // pulse: clear the result
    input  logic                 unit_start_i,  // pulse: start unit unit_i
    input  logic [  ArgBits-1:0] unit_i,        // side unit
    input  logic [    Width-1:0] operand_i,     // its operand
    input  logic                 secret_i,      // it is secret
    input  logic [    Width-1:0] p_i,           // modulus
    input  logic [ BitsBits-1:0] bits_i,        // its bits
    input  logic [DigitBits-1:0] digits_i,      // its digits
    output logic                 done_o,        // the unit is done
    output logic                 error_o,       // there was no inverse
    output logic [    Width-1:0] value_o,       // result
    output logic [    Width-1:0] fold_o,        // what it lacks to 2^(64 m)
    output logic [    Width-1:0] fold_fixed_o   // what one of fixed steps lacks
);

  localparam int unsigned StepsBits = $clog2(2 * Width + 1);

  logic
      start_inverse, start_fixed, start_power, begins, ready, valid, error, public_inverse, done_q;
  logic [StepsBits-1:0] most, least, fixed, steps, made, made_q;
  logic [Width-1:0] inverse, inverse_q;

  assign start_inverse = unit_start_i && unit_i == UnitInverter;
  assign start_fixed = unit_start_i && unit_i == UnitInverterFixed;
  assign start_power = unit_start_i && unit_i == UnitPower;
  assign begins = start_inverse || start_fixed || start_power;
  assign public_inverse = start_inverse && !secret_i;

  // 2^(64 m) is R^2. Of an inverse at least 32 m + 1 steps are made, so that what they lack to 64
  // m, 2^(64 m - steps), is below R.
  assign most = {digits_i, 6'd0};
  assign least = {1'b0, digits_i, 5'd1};
  assign fixed = {bits_i, 1'b0} > least ? {bits_i, 1'b0} : least;
  assign steps = start_power ? most : public_inverse ? least : fixed;

  pm_mont_inverter #(
      .Width(Width),
      .Variable(1'b1)
  ) u_inverter (
      .clk_i,
      .rst_ni,
      .clear_i (clear_i || start_i),
      .p_i,
      .steps_i (steps),
      .public_i(public_inverse),
      .valid_i (begins),
      .ready_o (ready),
      .a_i     (start_power ? Width'(1) : operand_i),
      .valid_o (valid),
      .ready_i (1'b1),
      .inv_o   (inverse),
      .steps_o (made),
      .error_o (error)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) done_q <= 1'b0;
    else if (clear_i || start_i || begins) done_q <= 1'b0;
    else if (valid) done_q <= 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (wipe_i) inverse_q <= '0;
    else if (valid) inverse_q <= inverse;
    if (valid) begin
      error_o <= error;
      made_q  <= made;
    end
  end

  assign done_o = done_q || valid;
  assign value_o = inverse_q;
  assign fold_o = Width'(1) << (most - made_q);
  assign fold_fixed_o = Width'(1) << (most - fixed);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
    end else begin
      assert (!begins || ready);
    end
  end

endmodule
