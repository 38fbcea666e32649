// SPDX-License-Identifier: Apache-2.0
//
// Simulation model of the lookup table LUT4 of the Lattice ECP5: one shift, where the model of
// Yosys chooses four times, each time by a branch of the simulator.
//
// Latency: 0 cycles. Constant time.
// Source:  Lattice Semiconductor, ECP5 and ECP5-5G Family Data Sheet (FPGA-DS-02012).

module pm_lut4 #(
    parameter bit [15:0] INIT = 0  // result by {D, C, B, A}
) (
    input  logic A,
    input  logic B,
    input  logic C,
    input  logic D,
    output logic Z
);

  assign Z = INIT[{D, C, B, A}];

endmodule
