// SPDX-License-Identifier: Apache-2.0
//
// How long a side unit waits for the multiplier of an engine before words are held back.
//
// A product of the side unit is started in a cycle whose word has none. When it has waited for
// Patience cycles, no word is picked in one cycle, and then in every (Patience + 1)-th until it is
// started: the multiplier is free when such a word would have reached it.
//
// Handshake: hold_o = 1: no word is picked in this cycle. valid_i until taken_i: the side unit
//           waits; patient_i: for a batch.
// Reset:    asynchronous, active low: nobody waits.
// Constant time: which cycles are left without a word depends on requests alone.

module pm_edverify_share_patience #(
    parameter int unsigned Patience = 255,  // longest wait in cycles, 2^n - 1
    // the same for a batch, 2^n - 1, at least Patience
    parameter int unsigned LongPatience = Patience
) (
    input  logic clk_i,      // clock
    input  logic rst_ni,     // asynchronous reset, active low
    input  logic valid_i,    // a product of the side unit waits
    input  logic patient_i,  // and can wait for LongPatience
    input  logic taken_i,    // it is started
    output logic hold_o      // no word is picked
);

  localparam int unsigned ShortBits = $clog2(Patience + 1);
  localparam int unsigned LongBits = $clog2(LongPatience + 1);

  logic [LongBits-1:0] waited_d, waited_q;  // cycles

  assign waited_d = (!valid_i || taken_i) ? '0 : waited_q + 1'b1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {waited_q, hold_o} <= '0;
    else begin
      waited_q <= waited_d;
      hold_o   <= patient_i ? &waited_d : &waited_d[ShortBits-1:0];
    end
  end

endmodule
