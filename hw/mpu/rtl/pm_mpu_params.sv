// SPDX-License-Identifier: Apache-2.0
//
// Parameters of `mpu`: the modulus with what Montgomery multiplication needs of it, and the curve.
//
// The unit `modulus` takes the modulus from its operand and starts pm_mont_setup; the other
// parameters are written by units with an operand. After the unit `plain`, until the next
// operation or the unit `put_pinv`, plain_o is 1 and digits_o that of the whole width, with which
// the multiplier forms plain products.
// Timing:   a parameter is there two cycles after its unit was started; setup_done_o 36 cycles
//           after that of the modulus.
// Reset:    asynchronous, active low: no modulus, no curve. forget_i does the same.
// Constant time: yes.
module pm_mpu_params
  import pm_dual_ucode_pkg::*;
  import pm_mpu_full_ucode_pkg::*;
  import pm_mpu_pkg::*;
  import pm_mpu_types_pkg::*;
#(
    localparam int unsigned Width = NumberBits,
    localparam int unsigned DigitBits = $clog2(Width / 32 + 1),
    localparam int unsigned CountBits = $clog2(Width / 16 + 1),
    localparam int unsigned BitsBits = $clog2(Width + 1)
) (
    input  logic                   clk_i,           // clock
    input  logic                   rst_ni,          // asynchronous reset, active low
    input  logic                   forget_i,        // pulse: no modulus, no curve
    input  logic                   start_i,         // pulse: an operation begins
    input  logic                   unit_start_i,    // pulse: start the unit that is named
    input  named_t                 unit_i,          // side unit
    input  logic   [    Width-1:0] operand_i,       // its operand
    output logic   [    Width-1:0] modulus_o,       // p
    output logic   [         31:0] low_pinv_o,      // -1/p mod 2^32
    output logic   [    Width-1:0] pinv_o,          // -1/p mod R
    output logic                   plain_o,         // plain products
    output logic   [CountBits-1:0] digits_o,        // digits of a factor, of 16 bits
    output logic   [DigitBits-1:0] field_digits_o,  // digits of p, of 32 bits
    output logic   [ BitsBits-1:0] bits_o,          // bits of p
    output logic   [    Width-1:0] one_o,           // R mod p
    output logic   [    Width-1:0] r2_o,            // R^2 mod p
    output logic   [    Width-1:0] a_o,             // coefficients in the domain
    output logic   [    Width-1:0] b_o,
    output logic                   setup_done_o,    // the modulus is known, all but R and R^2
    output logic                   setup_error_o,   // p is even or below 3
    output logic                   modulus_ok_o,    // the modulus is complete
    output logic                   curve_ok_o       // the curve is complete
);

  logic new_modulus_q, setup_start_q, setup_live_q, setup_done_q;
  logic setup_end, setup_ready, setup_valid;
  logic setup_error;
  logic [31:0] setup_pinv;
  logic [DigitBits-1:0] setup_digits, digits_q;
  logic [BitsBits-1:0] setup_bits;
  logic unused_wide;

  // What is to be taken in the next cycle: registers of their own drive all that takes it.
  logic put_one_q, put_r2_q, put_a_q, put_b_q, put_pinv_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {new_modulus_q, put_one_q, put_r2_q, put_a_q, put_b_q, put_pinv_q} <= '0;
    else begin
      new_modulus_q <= unit_start_i && names(unit_i, named(UnitModulus));
      put_one_q <= unit_start_i && names(unit_i, named(UnitPutOne));
      put_r2_q <= unit_start_i && names(unit_i, named(UnitPutR2));
      put_a_q <= unit_start_i && names(unit_i, named(UnitPutA));
      put_b_q <= unit_start_i && names(unit_i, named(UnitPutB));
      put_pinv_q <= unit_start_i && names(unit_i, named(UnitPutPinv));
    end
  end

  pm_mont_setup #(
      .Half  (Width),
      .Passes(1)
  ) u_setup (
      .clk_i,
      .rst_ni,
      .valid_i (setup_start_q),
      .ready_o (setup_ready),
      .p_i     (modulus_o),
      .valid_o (setup_valid),
      .ready_i (1'b1),
      .bits_o  (setup_bits),
      .digits_o(setup_digits),
      .wide_o  (unused_wide),
      .pinv_o  (setup_pinv),
      .error_o (setup_error)
  );

  assign setup_end = setup_valid && setup_live_q;
  assign setup_done_o = !new_modulus_q && (setup_end || setup_done_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      setup_start_q <= 1'b0;
      setup_live_q  <= 1'b0;
      setup_done_q  <= 1'b0;
      modulus_ok_o  <= 1'b0;
      curve_ok_o    <= 1'b0;
      plain_o       <= 1'b0;
    end else begin
      // An operation that was abandoned may have left the unit at work.
      setup_start_q <= !start_i && (new_modulus_q || (setup_start_q && !setup_ready));
      setup_live_q  <= !start_i && !setup_end && (setup_live_q || (setup_start_q && setup_ready));
      setup_done_q  <= setup_done_o;
      if (forget_i || new_modulus_q) modulus_ok_o <= 1'b0;
      else if (unit_start_i && names(unit_i, named(UnitMarkModulus))) modulus_ok_o <= 1'b1;
      if (forget_i || new_modulus_q) curve_ok_o <= 1'b0;
      else if (unit_start_i && names(unit_i, named(UnitMarkCurve))) curve_ok_o <= 1'b1;
      if (start_i || (unit_start_i && names(unit_i, named(UnitPutPinv)))) plain_o <= 1'b0;
      else if (unit_start_i && names(unit_i, named(UnitPlain))) plain_o <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (new_modulus_q) modulus_o <= operand_i;
    if (setup_end) begin
      low_pinv_o <= setup_pinv;
      digits_q <= setup_digits;
      bits_o <= setup_bits;
      setup_error_o <= setup_error;
    end
    if (put_one_q) one_o <= operand_i;
    if (put_r2_q) r2_o <= operand_i;
    if (put_a_q) a_o <= operand_i;
    if (put_b_q) b_o <= operand_i;
    if (put_pinv_q) pinv_o <= operand_i;
  end

  always_ff @(posedge clk_i) begin
    digits_o <= plain_o ? CountBits'(Width / 16) : {digits_q, 1'b0};
  end

  assign field_digits_o = digits_q;

endmodule
