// SPDX-License-Identifier: Apache-2.0
//
// Simulation model of the register cell TRELLIS_FF of the Lattice ECP5, without the initial value
// that the device gives it: the simulator chooses it.
//
// Ranges:  clock not inverted; other settings are rejected.
// Latency: 1 cycle. Reset: as SRMODE says, to 1 where REGSET is "SET". Constant time.
// Source:  Lattice Semiconductor, ECP5 and ECP5-5G Family Data Sheet (FPGA-DS-02012).

module pm_trellis_ff #(
    parameter GSR    = "AUTO",
    parameter CEMUX  = "1",
    parameter CLKMUX = "CLK",
    parameter LSRMUX = "LSR",
    parameter SRMODE = "LSR_OVER_CE",
    parameter REGSET = "RESET"
) (
    input  logic CLK,  // clock
    input  logic LSR,  // set or reset
    input  logic CE,   // enable
    input  logic DI,
    output logic Q
);

  localparam bit Set = REGSET == "SET";

  if (CLKMUX != "CLK" || (CEMUX != "1" && CEMUX != "CE" && CEMUX != "INV") ||
      (LSRMUX != "LSR" && LSRMUX != "INV") || (GSR != "AUTO" && GSR != "DISABLED")) begin : g_refuse
    $fatal(1, "pm_trellis_ff: a setting that is not modelled");
  end

  logic enable, set;
  assign enable = CEMUX == "1" || (CE ^ (CEMUX == "INV"));
  assign set = LSR ^ (LSRMUX == "INV");

  if (SRMODE == "ASYNC") begin : g_async
    always_ff @(posedge CLK or posedge set) begin
      if (set) Q <= Set;
      else if (enable) Q <= DI;
    end
  end else begin : g_sync
    always_ff @(posedge CLK) begin
      if (set) Q <= Set;
      else if (enable) Q <= DI;
    end
  end

endmodule
