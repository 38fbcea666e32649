// SPDX-License-Identifier: Apache-2.0
//
// Simulation model of the PLL of the Lattice ECP5: a wire that says after some cycles that it is
// locked.
//
// Latency: lock after LockCycles cycles. Reset: none.
// Source:  Lattice Semiconductor, ECP5 and ECP5-5G sysCLOCK PLL Design and Usage Guide
//          (FPGA-TN-02200).

module EHXPLLL #(
    parameter int CLKI_DIV = 1,
    parameter int CLKFB_DIV = 1,
    parameter int CLKOP_DIV = 8,
    parameter int CLKOP_CPHASE = 0,
    parameter int CLKOP_FPHASE = 0,
    parameter CLKOP_ENABLE = "ENABLED",
    parameter FEEDBK_PATH = "CLKOP",
    parameter PLLRST_ENA = "DISABLED",
    parameter INTFB_WAKE = "DISABLED",
    parameter STDBY_ENABLE = "DISABLED",
    parameter DPHASE_SOURCE = "DISABLED",
    parameter OUTDIVIDER_MUXA = "DIVA",
    parameter OUTDIVIDER_MUXB = "DIVB",
    parameter OUTDIVIDER_MUXC = "DIVC",
    parameter OUTDIVIDER_MUXD = "DIVD"
) (
    input  logic CLKI,
    input  logic CLKFB,
    input  logic RST,
    input  logic STDBY,
    input  logic PHASESEL0,
    input  logic PHASESEL1,
    input  logic PHASEDIR,
    input  logic PHASESTEP,
    input  logic PHASELOADREG,
    input  logic PLLWAKESYNC,
    input  logic ENCLKOP,
    output logic CLKOP,
    output logic CLKINTFB,
    output logic LOCK
);

  localparam int unsigned LockCycles = 10;

  int unsigned count = 0;

  assign CLKOP = CLKI;
  assign CLKINTFB = 1'b0;
  assign LOCK = count == LockCycles;

  always_ff @(posedge CLKI) if (!LOCK) count <= count + 1;

endmodule
