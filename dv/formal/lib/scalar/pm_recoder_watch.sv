// SPDX-License-Identifier: Apache-2.0
//
// What the proofs of recoders remember of a handshake: whether there is a job, and what was offered
// and not taken in the last cycle, which has to be offered again.

module pm_recoder_watch #(
    parameter int unsigned Bits = 1  // of what is offered
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic valid_i,  // a job is offered to the recoder
    input logic offered_i,  // it offers offer_i
    input logic taken_i,  // that can be taken
    input logic [Bits-1:0] offer_i,
    output logic job_o,  // a job was accepted, and not abandoned
    output logic refused_o,  // refused_offer_o was not taken
    output logic [Bits-1:0] refused_offer_o
);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      job_o <= 1'b0;
      refused_o <= 1'b0;
    end else begin
      job_o <= !clear_i && (job_o || valid_i);
      refused_o <= offered_i && !taken_i && !clear_i;
    end
  end

  always_ff @(posedge clk_i) refused_offer_o <= offer_i;

endmodule
