// SPDX-License-Identifier: Apache-2.0
//
// pm_copies of hw/lib/prim for the Lattice ECP5: a cell for each bit of each copy, which Yosys does
// not merge. Takes the place of the generic module in place-and-route runs.
//
// Latency:  1 cycle. Handshake: none. Reset: none. Constant time.

module pm_copies #(
    parameter int unsigned Bits   = 1,  // of the value
    parameter int unsigned Copies = 2   // registers
) (
    input  logic                        clk_i,
    input  logic [  Bits-1:0]           d_i,    // value
    output logic [Copies-1:0][Bits-1:0] q_o     // it, a cycle later
);

  for (genvar i = 0; i < Copies; i++) begin : gen_copy
    for (genvar j = 0; j < Bits; j++) begin : gen_bit
      TRELLIS_FF #(
          .CEMUX ("1"),
          .CLKMUX("CLK"),
          .LSRMUX("LSR"),
          .REGSET("RESET")
      ) u_ff (
          .CLK(clk_i),
          .LSR(1'b0),
          .DI (d_i[j]),
          .Q  (q_o[i][j])
      );
    end
  end

endmodule
