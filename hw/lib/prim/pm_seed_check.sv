// SPDX-License-Identifier: Apache-2.0
//
// Health test of a seed: rejects one that is zero or has the same word twice in a row, as a source
// that is stuck gives.
//
// Timing:   good_o is that of the inputs of the cycle before.
// Reset:    asynchronous, active low: not good.
// Constant time: YES. A random seed is rejected with a probability below Words 2^-WordBits.
// Source:   NIST SP 800-90B, 4.4.1: repetition count test, of samples of WordBits bits, cutoff 2.

module pm_seed_check #(
    parameter int unsigned Words = 8,  // at least 2
    parameter int unsigned WordBits = 32
) (
    input  logic                           clk_i,     // clock
    input  logic                           rst_ni,    // asynchronous reset, active low
    input  logic                           seeded_i,  // all of the seed was written
    input  logic [Words-1:0][WordBits-1:0] seed_i,    // the seed
    output logic                           good_o     // level: it may be used
);

  logic repeats;

  always_comb begin
    repeats = 1'b0;
    for (int unsigned i = 1; i < Words; i++) repeats |= seed_i[i] == seed_i[i-1];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) good_o <= 1'b0;
    else good_o <= seeded_i && !repeats;
  end

endmodule
