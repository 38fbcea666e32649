// SPDX-License-Identifier: Apache-2.0
//
// In place of the engine of the same name: computes at once, and says so in its own time. For benches of
// what is around an engine.
module pm_x25519_compact_engine
  import pm_x25519_pkg::*;
#(
    parameter int unsigned Leaves   = 27,
    parameter int unsigned Contexts = 1
) (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic         clear_i,
    input  logic         job_valid_i,
    output logic         job_ready_o,
    input  logic [255:0] job_k_i,
    input  logic [255:0] job_u_i,
    output logic         result_valid_o,
    input  logic         result_ready_i,
    output logic [255:0] result_o,
    output logic         result_zero_o,
    output logic         busy_o
);

  pm_x25519_standin #(
      .Contexts(Contexts),
      .Latency (Leaves == 27 ? 300 : 500)
  ) u_standin (
      .*
  );

endmodule
