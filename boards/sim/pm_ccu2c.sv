// SPDX-License-Identifier: Apache-2.0
//
// Simulation model of the carry cell CCU2C of the Lattice ECP5: two bits of an adder, each a lookup
// table with a carry.
//
// Ranges:  no carry is injected (INJECT1_0, INJECT1_1), as Yosys maps adders; other settings are
//          rejected.
// Latency: 0 cycles. Constant time.
// Source:  Lattice Semiconductor, ECP5 and ECP5-5G Family Data Sheet (FPGA-DS-02012).

module pm_ccu2c #(
    parameter bit [15:0] INIT0 = 0,  // propagate by {D, C, B, A}; lowest four: generate by {B, A}
    parameter bit [15:0] INIT1 = 0,
    parameter INJECT1_0 = "YES",
    parameter INJECT1_1 = "YES"
) (
    input  logic CIN,
    input  logic A0,
    input  logic B0,
    input  logic C0,
    input  logic D0,
    input  logic A1,
    input  logic B1,
    input  logic C1,
    input  logic D1,
    output logic S0,
    output logic S1,
    output logic COUT
);

  if (INJECT1_0 != "NO" || INJECT1_1 != "NO") begin : g_refuse
    $fatal(1, "pm_ccu2c: a setting that is not modelled");
  end

  logic [1:0] propagate, gen;
  logic carry;
  assign propagate = {INIT1[{D1, C1, B1, A1}], INIT0[{D0, C0, B0, A0}]};
  assign gen = {INIT1[{2'b00, B1, A1}], INIT0[{2'b00, B0, A0}]};
  assign carry = (~propagate[0] & gen[0]) | (propagate[0] & CIN);
  assign COUT = (~propagate[1] & gen[1]) | (propagate[1] & carry);
  assign S0 = propagate[0] ^ CIN;
  assign S1 = propagate[1] ^ carry;

endmodule
