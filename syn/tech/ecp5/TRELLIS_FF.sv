// SPDX-License-Identifier: Apache-2.0
//
// Register cell of the Lattice ECP5, as far as it is used here, always enabled and never reset:
// what Yosys is shown of it (as a black box), and its simulation model.
//
// Latency:  1 cycle. Reset: none. Constant time.

module TRELLIS_FF #(
    parameter CEMUX  = "1",
    parameter CLKMUX = "CLK",
    parameter LSRMUX = "LSR",
    parameter REGSET = "RESET"
) (
    input  logic CLK,
    input  logic LSR,
    input  logic DI,
    output logic Q
);

  if (CEMUX != "1" || CLKMUX != "CLK" || LSRMUX != "LSR" || REGSET != "RESET") begin : gen_bad
    $fatal(1, "TRELLIS_FF: there is no model of these parameters");
  end

  always_ff @(posedge CLK) Q <= LSR ? 1'b0 : DI;

endmodule
