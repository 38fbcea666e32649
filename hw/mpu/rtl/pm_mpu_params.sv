// SPDX-License-Identifier: Apache-2.0
//
// Parameters of `mpu`: the modulus with what Montgomery multiplication needs of it, and the curve.
//
// The unit `modulus` takes the modulus from its operand and starts pm_mont_setup; the other
// parameters are written by units with an operand. After the unit `plain`, until the next
// operation or the unit `put_pinv`, plain_o is 1 and digits_o that of the whole width, with which
// the multiplier forms plain products. What words read of the modulus and of the curve, R, R^2 and
// the coefficients, lies in a memory of four entries, which takes no wires to choose from.
// Timing:   a parameter is there two cycles after its unit was started, value_o in the cycle after
//           ext_i; setup_done_o 36 cycles after the unit of the modulus.
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
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic forget_i,  // pulse: no modulus, no curve
    input logic start_i,  // pulse: an operation begins
    input logic unit_start_i,  // pulse: start the unit that is named
    input named_t unit_i,  // side unit
    input logic [Width-1:0] operand_i,  // its operand
    output logic [Width-1:0] modulus_o,  // p
    output logic [31:0] low_pinv_o,  // -1/p mod 2^32
    output logic pinv_load_o,  // the operand is -1/p mod R
    output logic plain_o,  // plain products
    output logic [CountBits-1:0] digits_o,  // digits of a factor, of 16 bits
    output logic [DigitBits-1:0] field_digits_o,  // digits of p, of 32 bits
    output logic [BitsBits-1:0] bits_o,  // bits of p
    input logic [1:0] ext_i,  // lowest bits of the external value that is read
    output logic [Width-1:0] value_o,  // it, if it is R, R^2 or a coefficient
    output logic setup_done_o,  // the modulus is known, all but R and R^2
    output logic setup_error_o,  // p is even or below 3
    output logic modulus_ok_o,  // the modulus is complete
    output logic curve_ok_o  // the curve is complete
);

  logic new_modulus_q, setup_start_q, setup_live_q, setup_done_q;
  logic setup_end, setup_ready, setup_valid;
  logic setup_error;
  logic [31:0] setup_pinv;
  logic [DigitBits-1:0] setup_digits, digits_q;
  logic [BitsBits-1:0] setup_bits;
  logic unused_wide;

  // What is to be taken in the next cycle: registers of their own drive all that takes it.

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {new_modulus_q, pinv_load_o} <= '0;
    else begin
      new_modulus_q <= unit_start_i && names(unit_i, named(UnitModulus));
      pinv_load_o   <= unit_start_i && names(unit_i, named(UnitPutPinv));
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
  end

  always_ff @(posedge clk_i) begin
    digits_o <= plain_o ? CountBits'(Width / 16) : {digits_q, 1'b0};
  end

  assign field_digits_o = digits_q;

  // ---- memory of what words read ----------------------------------------------------------------

  localparam int unsigned Part = 64;
  localparam int unsigned Parts = (Width + Part - 1) / Part;
  localparam int unsigned Kept = 4;

  typedef logic [1:0] kept_t;

  // The numbers of the four external values differ in these bits.
  localparam kept_t PlaceOne = kept_t'(ExtOne);
  localparam kept_t PlaceR2 = kept_t'(ExtR2);
  localparam kept_t PlaceA = kept_t'(ExtA);
  localparam kept_t PlaceB = kept_t'(ExtB);

  if ((1 << PlaceOne | 1 << PlaceR2 | 1 << PlaceA | 1 << PlaceB) != (1 << Kept) - 1) begin : gen_bad
    $fatal(1, "pm_mpu_params: two of the values that are kept have the same place.");
  end

  typedef struct packed {
    logic  we;
    kept_t waddr;
    kept_t raddr;
  } access_t;

  access_t access;
  access_t [Parts-1:0] access_q;

  assign access.we = unit_start_i && names(
      unit_i, named(UnitPutOne) | named(UnitPutR2) | named(UnitPutA) | named(UnitPutB)
  );
  assign access.raddr = ext_i;

  always_comb begin
    access.waddr = '0;
    if (names(unit_i, named(UnitPutOne))) access.waddr |= PlaceOne;
    if (names(unit_i, named(UnitPutR2))) access.waddr |= PlaceR2;
    if (names(unit_i, named(UnitPutA))) access.waddr |= PlaceA;
    if (names(unit_i, named(UnitPutB))) access.waddr |= PlaceB;
  end

  pm_copies #(
      .Bits  ($bits(access_t)),
      .Copies(Parts)
  ) u_access (
      .clk_i,
      .d_i(access),
      .q_o(access_q)
  );

  for (genvar i = 0; i < Parts; i++) begin : gen_part
    localparam int unsigned N = i == Parts - 1 ? Width - i * Part : Part;
    logic [N-1:0] kept_q[Kept];

    always_ff @(posedge clk_i) begin
      if (access_q[i].we) kept_q[access_q[i].waddr] <= operand_i[i*Part+:N];
    end

    assign value_o[i*Part+:N] = kept_q[access_q[i].raddr];
  end

endmodule
