// SPDX-License-Identifier: Apache-2.0
//
// Inverter of `mpu`: pm_plus_minus_inverter as the side unit `inverter` uses it.
//
// Computes: value_o = a^-1 mod p of the operand a; error_o if there is no inverse, value_o is 0
//           then.
// Handshake: the unit is started only while it is not at work, and p_i and bits_i must not change
//           until done_o, which holds until the next time, nor operand_i in the cycle behind the
//           start. start_i and wipe_i abandon it.
// Reset:    asynchronous, active low: idle, done_o is 0. wipe_i clears all data.
// Constant time: yes, for a modulus.
module pm_mpu_inverter
  import pm_dual_ucode_pkg::*;
  import pm_mpu_full_ucode_pkg::*;
  import pm_mpu_types_pkg::*;
#(
    parameter  int unsigned Width    = 704,               // bits of a number
    localparam int unsigned BitsBits = $clog2(Width + 1)
) (
    input  logic                  clk_i,         // clock
    input  logic                  rst_ni,        // asynchronous reset, active low
    input  logic                  start_i,       // pulse: an operation begins_q
    input  logic                  wipe_i,        // pulse: abandon, clear all data
    input  logic                  unit_start_i,  // pulse: start the unit that is named
    input  named_t                unit_i,        // side unit
    input  logic   [   Width-1:0] operand_i,     // its operand
    input  logic   [   Width-1:0] p_i,           // modulus
    input  logic   [BitsBits-1:0] bits_i,        // its bits
    output logic                  done_o,        // the unit is done
    output logic                  error_o,       // there was no inverse
    output logic   [   Width-1:0] value_o        // result
);

  logic begins_q, ready, valid, done_q;
  logic clear_q;  // a cycle late, for all that it clears

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {begins_q, clear_q} <= '0;
    else begin
      begins_q <= unit_start_i && names(unit_i, named(UnitInverter));
      clear_q  <= wipe_i || start_i;
    end
  end

  pm_plus_minus_inverter #(
      .Width(Width)
  ) u_inverter (
      .clk_i,
      .rst_ni,
      .clear_i(clear_q),
      .p_i,
      .bits_i,
      .valid_i(begins_q),
      .ready_o(ready),
      .a_i    (operand_i),
      .valid_o(valid),
      .inv_o  (value_o),
      .error_o
  );

  assign done_o = !wipe_i && !start_i && !clear_q && !begins_q && (valid || done_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) done_q <= 1'b0;
    else done_q <= done_o;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
    end else begin
      assert (!begins_q || ready);
    end
  end

endmodule
