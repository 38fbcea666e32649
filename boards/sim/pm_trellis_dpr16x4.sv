// SPDX-License-Identifier: Apache-2.0
//
// Simulation model of the distributed memory TRELLIS_DPR16X4 of the Lattice ECP5, 16 words of 4
// bits, without the initial value that the device gives it: the simulator chooses it.
//
// Ranges:  no contents, clock and write enable not inverted; other settings are rejected.
// Latency: none to read, 1 cycle to write. Reset: none. Constant time.
// Source:  Lattice Semiconductor, ECP5 and ECP5-5G Memory Usage Guide (FPGA-TN-02204).

module pm_trellis_dpr16x4 #(
    parameter WCKMUX  = "WCK",
    parameter WREMUX  = "WRE",
    parameter INITVAL = "0"
) (
    input  logic [3:0] DI,
    input  logic [3:0] WAD,  // address of a write
    input  logic       WRE,  // write enable
    input  logic       WCK,  // clock
    input  logic [3:0] RAD,  // address of a read
    output logic [3:0] DO
);

  if (WCKMUX != "WCK" || WREMUX != "WRE") begin : g_refuse
    $fatal(1, "pm_trellis_dpr16x4: a setting that is not modelled");
  end

  logic [3:0] mem_q[16];

  always_ff @(posedge WCK) if (WRE) mem_q[WAD] <= DI;

  assign DO = mem_q[RAD];

endmodule
