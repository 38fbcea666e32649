// SPDX-License-Identifier: Apache-2.0
//
// Registers that all take the same value, one for each part of what reads it: so that no wire goes
// to all of them.
//
// Latency:  1 cycle. Handshake: none. Reset: none. Constant time.
// Form:     tools that merge equal registers make one of them; in place-and-route runs on the ECP5
//           they are cells that are left alone (syn/tech/ecp5).

module pm_copies #(
    parameter int unsigned Bits   = 1,  // of the value
    parameter int unsigned Copies = 2   // registers
) (
    input  logic                        clk_i,
    input  logic [  Bits-1:0]           d_i,    // value
    output logic [Copies-1:0][Bits-1:0] q_o     // it, a cycle later
);

  always_ff @(posedge clk_i) q_o <= {Copies{d_i}};

endmodule
