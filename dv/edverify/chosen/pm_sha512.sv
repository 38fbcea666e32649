// SPDX-License-Identifier: Apache-2.0
//
// Replaces hw/lib/hash/pm_sha512.sv in a bench: the digest is not a hash but the last 64 bytes of
// the message, so that a bench can choose k, which nobody can through SHA-512.
//
// Ports, parameter and handshake as there; messages of whole beats only. Two cycles from the last
// beat to the digest; no beat is taken while one waits.
module pm_sha512 #(
    /* verilator lint_off UNUSEDPARAM */
    parameter bit Deep = 1'b0,  // these make no difference here
    parameter bit Slow = 1'b0
    /* verilator lint_on UNUSEDPARAM */
) (
    input  logic         clk_i,    // clock
    input  logic         rst_ni,   // asynchronous reset, active low
    input  logic         clear_i,  // abandon the message and any digest
    input  logic         valid_i,  // a beat is offered
    output logic         ready_o,  // it is taken
    input  logic [ 63:0] data_i,   // bytes
    input  logic [  7:0] keep_i,   // all ones
    input  logic         last_i,   // last beat of the message
    output logic         valid_o,  // the digest is complete
    input  logic         ready_i,  // it is taken
    output logic [511:0] digest_o  // digest, byte 0 in bits 7:0
);

  logic ended_q;

  assign ready_o = !ended_q && !valid_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ended_q <= 1'b0;
      valid_o <= 1'b0;
    end else if (clear_i) begin
      ended_q <= 1'b0;
      valid_o <= 1'b0;
    end else begin
      ended_q <= valid_i && ready_o && last_i;
      valid_o <= ended_q || (valid_o && !ready_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i && ready_o) digest_o <= {data_i, digest_o[511:64]};
  end

  always_ff @(posedge clk_i) begin
    if (valid_i && last_i) begin
      assert (keep_i == '1)
      else $error("pm_sha512: a message of whole beats is wanted");
    end
  end

endmodule
